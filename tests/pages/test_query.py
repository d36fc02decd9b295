"""The Query page: every state of it, and what each click does."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.util import calc_hash

from tests.pages.conftest import Jobs, Open, html
from tests.pages.sample import HOSTILE


def test_the_first_visit_offers_the_demo_and_questions_in_two_languages(opened: Open, jobs: Jobs) -> None:
    app = opened()
    assert "Ask about recent events" in html(app)
    app.button(key="demo-en").click().run()
    assert [(question.demo, question.text != "") for question in jobs.asked] == [(True, True)]
    jobs.state = {}
    app = opened()
    app.button(key="example-zh-0").click().run()
    assert "智能体" in app.text_input(key="text").value


def test_typing_shows_the_plan_and_running_sends_it(opened: Open, jobs: Jobs) -> None:
    app = opened()
    app.text_input(key="text").set_value("agent frameworks").run()
    assert "from “last 30 days”" in html(app)
    app.pills(key="days").set_value(14).run()
    app.button(key="run").click().run()
    (asked,) = jobs.asked
    assert (asked.text, asked.days, asked.demo) == ("agent frameworks", 14, False)


@pytest.mark.parametrize(("typed", "said"), [("", "Write a question first"), ("bad", "write it another way")])
def test_a_question_that_cannot_be_used_is_answered_in_one_line(
    opened: Open, jobs: Jobs, typed: str, said: str
) -> None:
    app = opened()
    app.text_input(key="text").set_value(typed).run()
    app.button(key="run").click().run()
    assert said in html(app)
    assert not jobs.asked


def test_edited_queries_and_chosen_sources_are_sent_although_their_chips_are_folded(opened: Open, jobs: Jobs) -> None:
    chips = ("chip-sources", "chip-queries", "chip-depth")
    app = opened(unfolded=chips)
    app.text_input(key="text").set_value("agent frameworks").run()
    app.multiselect(key="sources").set_value(["hackernews"]).run()
    app.text_input(key="query-hackernews").set_value("agents").run()
    app.number_input(key="max-results").set_value(7).run()
    for chip in chips:
        del app.session_state[chip]  # folded
    app.run()
    assert "sources" not in {one.key for one in app.multiselect}
    app.button(key="run").click().run()
    assert jobs.asked[0].sources == ("hackernews",)
    assert dict(jobs.asked[0].queries) == {"hackernews": "agents"}
    assert jobs.asked[0].max_results == 7


def test_a_run_is_shown_as_a_story_with_its_reasons(opened: Open) -> None:
    shown = html(opened("sample"))
    assert "10 shown of 33 items" in shown
    assert "7 sites, 5 independent" in shown
    assert "Why: The maker&#x27;s own announcement" in shown
    assert "<mark>agent</mark>" in shown
    assert 'title="2026-11-27 15:00 UTC"' in shown
    assert "33</b><span>fetched" in shown


def test_text_from_sources_stays_text(opened: Open) -> None:
    app = opened("sample")
    shown = html(app)
    assert "<script" not in shown
    assert "<img" not in shown
    assert "javascript:" not in shown.replace("[free](javascript:alert(1))", "")
    assert "&lt;script&gt;" in shown
    said = [one.value for one in (*app.markdown, *app.caption)] + [button.label for button in app.button]
    assert not [line for line in said if HOSTILE[:20] in line]


def test_the_question_of_an_opened_run_is_in_the_box(opened: Open) -> None:
    assert opened("sample").text_input(key="text").value == "AI agent frameworks released in the last 30 days"


def test_order_and_filters(opened: Open) -> None:
    app = opened("sample")
    app.segmented_control(key="order").set_value("score").run()
    assert html(app).index("Flaw in popular") < html(app).index("Lantern opens its evaluation")
    app.text_input(key="filter").set_value("晨星").run()
    assert html(app).count('class="lt-card"') == 1
    app.text_input(key="filter").set_value("nothing like this").run()
    assert "No item passes these filters" in html(app)


def test_dismissing_moves_an_item_and_restoring_brings_it_back(opened: Open, kept: Any) -> None:
    app = opened("sample")
    app.button(key="dismiss-10").click().run()
    assert kept.feedback.states() == {"item-10": "dismiss"}
    assert "1 dismissed" in html(app)
    app.pills(key="bucket").set_value(_bucket("dismissed")).run()
    app.button(key="back-10").click().run()
    assert "9 shown" not in html(app)
    assert "10 shown of 33" in html(app)


def _bucket(label: str) -> Any:
    from pipeline import Bucket

    return next(bucket for bucket in Bucket if bucket.label == label)


def test_adopting_is_noted_and_can_be_taken_back(opened: Open, kept: Any) -> None:
    app = opened("sample")
    app.button(key="adopt-10").click().run()
    assert kept.feedback.states() == {"item-10": "adopt"}
    assert "<b>adopted</b>" in html(app)
    app.button(key="adopt-10").click().run()
    assert kept.feedback.states() == {"item-10": "restore"}


def test_more_opens_all_evidence(opened: Open) -> None:
    app = opened("sample")
    app.button(key="toggle-1").click().run()
    shown = html(app)
    assert "half-life curve" in shown
    assert "Why these are one event" in shown
    assert "2.0 against &lt;b&gt;3.0" in shown
    assert "first to report" in shown
    assert "believed" in shown


def test_what_is_not_shown_is_counted_and_can_be_let_in(opened: Open, jobs: Jobs) -> None:
    app = opened("sample")
    assert "23 not shown: 7 folded into an event · 5 off topic · 3 below threshold" in html(app)
    app.button(key="lower").click().run()
    assert "A small framework for agents in Lua" in html(app)
    assert "11 shown of 33" in html(app)
    app.button(key="unmove").click().run()
    assert "10 shown of 33" in html(app)
    app.button(key="widen").click().run()
    assert jobs.asked[0].days == 45


def test_a_run_without_a_result_says_why_and_what_to_do(opened: Open) -> None:
    app = opened("empty")
    assert "no item passed every step" in html(app)
    assert "threshold 20" in html(app)
    assert app.button(key="lower").label.startswith("Lower threshold")


def test_an_evergreen_question_offers_the_search(opened: Open, jobs: Jobs) -> None:
    app = opened("evergreen")
    assert "no source was asked" in html(app)
    app.button(key="anyway").click().run()
    assert jobs.asked[0].route == "recent"


def test_a_run_that_is_gone_is_said_to_be_gone(opened: Open) -> None:
    assert "not in the store" in html(opened("no-such-run"))


def test_the_demo_is_marked(opened: Open) -> None:
    assert 'class="lt-ribbon"' in html(opened("d"))
    assert 'class="lt-ribbon"' not in html(opened("sample"))


def test_recent_runs_have_an_address(opened: Open) -> None:
    app = opened()
    app.button(key="open-sample").click().run()
    assert app.query_params["run"] in (["sample"], "sample")


def test_presenting_hides_the_controls(opened: Open) -> None:
    app = opened("sample", present="1")
    assert not app.text_input
    assert [button.key for button in app.button] == ["leave-present"]
    assert "Flaw in popular agent runtime" in html(app)


def test_a_run_under_way_shows_each_source_and_can_be_stopped(opened: Open, jobs: Jobs) -> None:
    endpoints = [
        {"source": "rss", "endpoint": "The Lantern Post", "status": "ok", "items": 41, "elapsed_ms": 420},
        {"source": "gdelt", "endpoint": "gdelt", "status": "asking"},
        {"source": "rss", "endpoint": "<b>x</b>", "status": "timeout"},
    ]
    jobs.state = {"state": "running", "progress": {"stage": "plan", "endpoints": endpoints}}
    app = opened()
    shown = html(app)
    assert "The Lantern Post" in shown
    assert "asking the sources" in shown
    assert "no answer in time" in shown
    assert "&lt;b&gt;x" in shown
    app.button(key="stop").click().run()
    assert jobs.stopped == ["job"]


def test_a_finished_run_is_opened(opened: Open, jobs: Jobs) -> None:
    jobs.state = {"state": "running", "progress": {}}
    app = opened()
    jobs.state = {"state": "done", "progress": {}, "run": "sample"}
    app.run()
    assert "10 shown of 33" in html(app)


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ({"state": "failed", "error": "the disk is full; free some space"}, "the disk is full"),
        ({"state": "interrupted", "error": "the program ended; run it again"}, "run it again"),
        ({"state": "cancelled"}, "The run was stopped"),
    ],
)
def test_a_run_that_ended_badly_says_so_once(opened: Open, jobs: Jobs, state: dict[str, Any], said: str) -> None:
    jobs.state = {"state": "running", "progress": {}}
    app = opened()
    jobs.state = {"progress": {}} | state
    app.run()
    assert said in html(app)
    app.button(key="forget").click().run()
    assert said not in html(app)


def test_hints_in_chinese(opened: Open) -> None:
    app = opened(unfolded=("where",))
    app.selectbox(key="hints").set_value("zh").run()
    assert "就近期事件提问" in html(app)


# --------------------------------------------------------------------------- more of the question

OPML = b'<opml version="2.0"><body><outline text="A" xmlUrl="https://a.example/feed"/><outline text="B" xmlUrl="https://b.example/feed"/></body></opml>'  # fmt: skip


def test_a_list_of_feeds_by_its_address_another_day_and_accounts_are_sent(opened: Open, jobs: Jobs) -> None:
    app = opened(unfolded=("chip-more",))
    app.text_input(key="text").set_value("agent frameworks").run()
    app.text_input(key="opml-address").set_value("https://a.example/feeds.opml").run()
    app.datetime_input(key="as-of").set_value(datetime(2026, 3, 9, 12)).run()
    app.text_input(key="x-handles").set_value("@maker, @other").run()
    app.button(key="run").click().run()
    (asked,) = jobs.asked
    assert (asked.opml, asked.sources) == ("https://a.example/feeds.opml", None)
    assert asked.as_of == datetime(2026, 3, 9, 12, tzinfo=UTC)
    assert asked.x_handles == ("@maker", "@other")


def test_a_list_of_feeds_given_as_a_file_is_kept_and_can_be_removed(opened: Open, jobs: Jobs, kept: Any) -> None:
    app = opened(unfolded=("chip-more",))
    app.text_input(key="text").set_value("agent frameworks").run()
    app.file_uploader(key="opml-file-0").set_value(("mine.opml", OPML, "text/xml")).run()
    assert any("opml, 2 feeds" in one.value for one in app.caption)
    app.button(key="run").click().run()
    assert Path(jobs.asked[0].opml).read_bytes() == OPML
    app.button(key="opml-remove").click().run()
    app.button(key="run").click().run()
    assert jobs.asked[1].opml is None


def test_a_file_that_is_no_list_of_feeds_is_one_line(opened: Open) -> None:
    app = opened(unfolded=("chip-more",))
    app.file_uploader(key="opml-file-0").set_value(("mine.opml", b"<html>", "text/xml")).run()
    assert any("the OPML file is no OPML" in one.value for one in app.caption)


def test_the_plan_of_the_run_stands_beside_it_and_that_of_the_next_is_marked(opened: Open) -> None:
    app = opened("sample")
    assert "This run</b> Window" in html(app)
    assert "Next run" in html(app)
    assert 'class="lt-plan"' not in html(app)
    app.text_input(key="text").set_value("something else").run()
    app.pills(key="days").set_value(7).run()
    assert "This run</b> Window" in html(app)
    assert "Next run" not in html(opened())


def test_kinds_of_sources_are_said_in_words(opened: Open) -> None:
    assert "custom: pages without a feed" in opened(unfolded=("chip-sources",)).multiselect(key="sources").options


@pytest.mark.parametrize("query", [{}, {"run": "sample"}], ids=("alone", "with a run"))
def test_the_first_page_answers_under_its_name_too(
    opened: Open, query: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streamlit serves it at the root alone: its name leads there and takes the address's questions along."""
    led: list[Any] = []
    go = st.switch_page
    monkeypatch.setattr(
        st,
        "switch_page",
        lambda to, query_params: [led.append((to.title, query_params)), go(to, query_params=query_params)],
    )
    app = opened(page="pages/2_Timeline.py", **query)
    app._page_hash = calc_hash("Query")
    app.run()
    assert led == [("Query", query)]
    assert not app.exception
    assert [button.key for button in app.button if button.key == "run"]
    assert ("10 shown of 33" in html(app)) == bool(query)
    links = [found.proto.label for found in app.get("page_link")]
    assert links.count("Query") == links.count("Timeline")
