"""What holds across pages: remembered choices, words, sets of sources, comparing, kept runs, downloads."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import pipeline
from pipeline import Bucket
from tests.pages import sample
from tests.pages.conftest import APP, Jobs, Open, html

PAGE = "pages/2_Timeline.py"


def again() -> AppTest:
    """The app as a new session finds it on the same store."""
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.run()
    assert not app.exception
    return app


# --------------------------------------------------------------------------- choices and words


def test_choices_of_the_sidebar_are_there_in_the_next_session(opened: Open, kept: Any) -> None:
    app = opened(unfolded=("where",))
    app.selectbox(key="zone").set_value("Asia/Shanghai").run()
    app.selectbox(key="profile").set_value("finance").run()
    app.selectbox(key="hints").set_value("zh").run()
    later = opened(unfolded=("where",))
    assert [later.selectbox(key=key).value for key in ("zone", "profile", "hints")] == [
        "Asia/Shanghai",
        "finance",
        "zh",
    ]


def test_a_remembered_choice_that_is_gone_gives_way_to_the_usual(opened: Open, kept: Any) -> None:
    kept.prefs.choose("app:profile", "no longer there", sample.NOW)
    kept.prefs.choose("app:source-set", "deleted", sample.NOW)
    app = opened()
    assert (app.selectbox(key="profile").value, app.selectbox(key="source-set").value) == ("", "default")


def test_words_are_added_and_removed_without_touching_those_of_others(opened: Open, kept: Any) -> None:
    app = opened(unfolded=("words",))
    kept.prefs.add_words("muted domains", ["other.example"], sample.NOW)  # another session, meanwhile
    app.multiselect(key="words-muted domains").set_value(["https://www.spam.example/page"]).run()
    assert set(kept.prefs.words("muted domains")) >= {"spam.example"}
    app.run()
    assert "spam.example" in app.multiselect(key="words-muted domains").value


def test_interest_words_re_rank_the_run_and_give_way_again(opened: Open, kept: Any) -> None:
    app = opened("sample", unfolded=("words",))
    assert "rerank" not in [button.key for button in app.button]
    app.multiselect(key="words-interests").set_value(["planner"]).run()
    app.button(key="rerank").click().run()
    assert not app.exception
    assert "re-ranked by 1 interest word" in html(app)
    best = next(one.key for one in app.button if one.key in ("toggle-1", "toggle-2"))  # two reports of one event
    app.button(key=best).click().run()
    assert "1 of your 1 interest words: planner" in html(app)
    app.button(key="unrank").click().run()
    assert "re-ranked" not in html(app)


def test_hostile_words_stay_text(opened: Open, kept: Any) -> None:
    kept.prefs.add_words("interests", [sample.HOSTILE[:150]], sample.NOW)
    assert "<script" not in html(opened("sample"))


# --------------------------------------------------------------------------- sets of sources


def test_a_set_is_saved_used_and_deleted(opened: Open, kept: Any, jobs: Jobs) -> None:
    app = opened(unfolded=("chip-sources",))
    app.multiselect(key="sources").set_value(["rss", "hackernews"]).run()
    app.text_input(key="set-name").set_value("desk *1*").run()
    app.button(key="set-save").click().run()
    assert kept.prefs.source_sets() == {"desk *1*": ("rss", "hackernews")}
    assert app.selectbox(key="source-set").value == "desk *1*"
    assert app.multiselect(key="sources").value == []
    app.text_input(key="text").set_value("agent frameworks").run()
    app.button(key="run").click().run()
    assert jobs.asked[0].sources == ("rss", "hackernews")
    jobs.state = {}
    later = again()
    assert later.selectbox(key="source-set").value == "desk *1*"
    later.button(key="delete-set").click().run()
    assert not kept.prefs.source_sets()
    assert later.selectbox(key="source-set").value == "default"


def test_a_set_without_a_usable_name_says_why(opened: Open, kept: Any) -> None:
    app = opened(unfolded=("chip-sources",))
    app.multiselect(key="sources").set_value(["rss"]).run()
    app.text_input(key="set-name").set_value("gdelt").run()
    app.button(key="set-save").click().run()
    assert any("taken by sources" in caption.value for caption in app.caption)
    assert not kept.prefs.source_sets()


# --------------------------------------------------------------------------- what was seen


def test_what_was_hidden_as_seen_is_a_step_of_the_funnel_with_a_click_back(opened: Open, kept: Any, jobs: Jobs) -> None:
    rows = tuple(
        replace(row, bucket=Bucket.SEEN_BEFORE, event=-1, reason="An earlier run showed it, and you hide those.")
        if row.title.startswith("Flaw in popular")
        else row
        for row in sample.ROWS
    )
    made = sample.report(rows=rows, run_id="hiding")
    asked = replace(made.plan, question=replace(made.plan.question, hide_seen=True, sources=("rss",)))
    kept.runs.save(replace(made, plan=asked), learned=False)
    app = opened("hiding")
    assert "1 seen before" in html(app)
    assert "<b>30</b><span>not seen before</span>" in html(app)
    assert "<b>31</b><span>not muted</span>" in html(app)
    app.button(key="show-seen").click().run()
    (again_,) = jobs.asked
    assert (again_.hide_seen, again_.sources, again_.text) == (False, ("rss",), sample.QUESTION)


# --------------------------------------------------------------------------- comparing


@pytest.fixture
def two(kept: Any) -> None:
    """A later run of the same question, without the flaw, with another threshold."""
    rows = tuple(row for row in sample.ROWS if not row.title.startswith("Flaw in popular"))
    made = sample.report(rows=rows, run_id="later")
    ids = tuple(f"item-{sample.ROWS.index(row)}" for row in rows)
    made = replace(
        made,
        table=replace(made.table, ids=ids),
        settings=replace(made.settings, threshold=40),
        created_at=sample.NOW + timedelta(days=1),
    )
    kept.runs.save(made, learned=False)


def test_two_runs_side_by_side_from_the_earlier_to_the_later(opened: Open, two: None) -> None:
    app = opened("sample", unfolded=("compare",))
    app.selectbox(key="compare-choice").set_value("later").run()
    assert app.query_params["with"] in (["later"], "later")
    shown = html(app)
    assert "0 new, 1 gone, 0 moved, 9 as before." in shown
    assert "Flaw in popular agent runtime" in shown and "now: not fetched" in shown
    assert "<th>threshold</th><td class='text'>45</td><td class='text'>40</td>" in shown
    assert "<script" not in shown
    app.button(key="uncompare").click().run()
    assert 'class="lt-card"' in html(app)
    assert "with" not in app.query_params


def test_opening_another_run_ends_the_comparison(opened: Open, two: None) -> None:
    app = opened("sample", **{"with": "later"})
    assert "as before." in html(app)
    app.selectbox(key="run-choice").set_value("d").run()
    assert "with" not in app.query_params


def test_comparing_with_a_run_that_is_gone_shows_the_story(opened: Open) -> None:
    assert 'class="lt-card"' in html(opened("sample", **{"with": "nowhere"}))


# --------------------------------------------------------------------------- kept runs


def test_a_run_is_deleted_and_how_long_runs_stay_is_said(opened: Open, kept: Any) -> None:
    app = opened()
    assert "The newest 500 runs are kept, each for 365 days" in html(app)
    app.button(key="delete-d").click().run()
    assert "d" not in [run.id for run in kept.runs.recent()]
    assert "open-d" not in [button.key for button in app.button]


def test_deleting_the_run_on_the_screen_leads_to_the_start(opened: Open, kept: Any) -> None:
    app = opened("sample", unfolded=("kept-runs",))
    app.button(key="delete-sample").click().run()
    assert "run" not in app.query_params
    assert "Kept runs" in html(app)


def test_a_run_that_the_command_line_deleted_is_said_to_be_gone(opened: Open, kept: Any) -> None:
    app = opened("sample")
    kept.runs.delete("sample")
    app.run()
    assert not app.exception
    assert "not in the store" in html(app)


# --------------------------------------------------------------------------- downloads


def test_tables_and_charts_can_be_saved(opened: Open) -> None:
    keys = {element.proto.id.rsplit("-", 2)[-2] + "-" + element.proto.id.rsplit("-", 1)[-1]
            for element in opened("sample").get("download_button")}  # fmt: skip
    assert {"csv-shown", "not-shown"} <= keys
    saved = [element.proto.label for element in opened("sample", PAGE).get("download_button")]
    assert saved == ["Chart (HTML)", "Marks (CSV)"]


def test_rows_of_the_downloads(opened: Open, kept: Any) -> None:
    from pages.parts import compare, lanes, results_file
    from pages.parts.view import View
    from pipeline import compare as compared
    from pipeline import csv_table

    view = View(kept.runs.load("sample"))
    cells = [dict(zip(results_file.COLUMNS, results_file.record(view, row), strict=True)) for row in view.selected]
    assert len(cells) == 10 and cells[0]["ended"] == "selected"
    assert all(0 <= one["relevance"] <= 1 for one in cells)
    marks = list(lanes.rows(view, lanes.lanes(view, view.selected)))
    assert {mark[1] for mark in marks} == {"report", "copy", "upstream", "event time"}
    assert all(len(mark) == len(lanes.COLUMNS) for mark in marks)
    empty = sample.empty_report()
    changes = list(compare.rows(compared(empty, kept.runs.load("sample"))))
    assert len(changes) == 10 and all(len(one) == len(compare.COLUMNS) for one in changes)
    formula = csv_table(("title",), [('=HYPERLINK("http://evil")',)]).decode("utf-8-sig")
    assert "'=HYPERLINK" in formula


# --------------------------------------------------------------------------- within reach


def test_the_demo_stays_within_reach_of_a_run_in_both_languages(opened: Open, jobs: Jobs) -> None:
    app = opened("sample", unfolded=("examples",))
    assert {"demo-en", "demo-zh", "example-en-1", "example-zh-0"} <= {button.key for button in app.button}
    app.button(key="demo-zh").click().run()
    assert [(one.demo, one.text) for one in jobs.asked] == [(True, "最近30天发布的智能体框架")]


def test_more_events_are_shown_in_one_click_and_taken_back_in_another(opened: Open, kept: Any) -> None:
    made = sample.report(run_id="few")
    few = replace(made.settings, max_results=4)
    ranking = pipeline.rescore(made, few)
    kept.runs.save(replace(made, settings=few, table=pipeline.under(made.table, ranking)), learned=False)
    app = opened("few")
    before = html(app).count('class="lt-card"')
    app.button(key="more").click().run()
    assert html(app).count('class="lt-card"') > before
    assert "with up to" in html(app)
    app.button(key="fewer").click().run()
    assert html(app).count('class="lt-card"') == before


def test_what_was_dismissed_is_neither_moved_nor_counted_in_a_comparison(opened: Open, two: None, kept: Any) -> None:
    report = kept.runs.load("sample")
    kept.feedback.give("dismiss", report, report.selected_rows[-2], sample.NOW)
    shown = html(opened("sample", **{"with": "later"}))
    assert "9 shown of 33 items" in shown
    assert report.table.titles[report.selected_rows[-2]] not in shown
