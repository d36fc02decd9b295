"""The X judge page: a stored run, a file, and every way in which X can be silent."""

import csv
import io
import json
from typing import Any

import pytest

from tests.pages import x_sample
from tests.pages.conftest import Jobs, Open, html

PAGE = "pages/4_X_judge.py"
FLOODED = ("id,author,text,created_at\n"
           "1,@city_desk,Rome floods after a night of rain,2026-11-29T08:00:00Z\n"
           "2,@city_desk,罗马 Rome metro line C closed,2026-11-29T09:00:00Z\n"
           "3,promo,The promoter of the show,2026-11-29T10:00:00Z\n"
           "4,promo,=HYPERLINK(1) buy now,2026-11-29T11:00:00Z\n"
           "5,promo,Gym log day 41,2026-11-29T12:00:00Z\n"
           "6,promo,Soup is a drink,2026-11-29T13:00:00Z\n")  # fmt: skip


@pytest.fixture
def judged(kept: Any) -> Any:
    for made in x_sample.every():
        kept.runs.save(made, learned=False)
    return kept


def loaded(app: Any, data: str | bytes, topic: str = "Rome", name: str = "posts.csv") -> Any:
    """The file tab with a file and a topic in it."""
    app.session_state["x-tabs"] = "A file of posts"
    app.run()
    raw = data.encode() if isinstance(data, str) else data
    app.file_uploader(key="x-upload").upload(name, raw, "text/csv")
    app.text_input(key="x-topic").set_value(topic).run()
    assert not app.exception, app.exception[0].message
    return app


def download(app: Any, label: str) -> Any:
    return next(one for one in app.get("download_button") if one.label.startswith(label))


# --------------------------------------------------------------------------- a run


def test_without_a_run_it_says_what_to_do_and_a_file_can_be_judged(opened: Open) -> None:
    app = opened(page=PAGE)
    assert "There is no run to judge yet" in html(app)
    assert "Off-topic flood" in html(loaded(app, FLOODED))


def test_the_verdict_is_a_sentence_with_ratio_floor_and_what_the_retry_did(judged: Any, opened: Open) -> None:
    shown = html(opened("x", PAGE))
    assert "<b>Off-topic flood:</b> 1 of 7 posts were about “AI agent frameworks released” (0.14, floor 0.40)." in shown
    assert "A wider retry, “AI agent frameworks” instead of “AI agent frameworks released”, raised it to 1.00" in shown
    assert "A flood: 1 of 7 posts on topic (14%), below the floor of 40%." in shown
    assert "6 of 10 posts (60%) were pruned" in shown


def test_one_square_a_post_before_and_after_with_its_text_on_hover(judged: Any, opened: Open) -> None:
    shown = html(opened("x", PAGE))
    assert 'aria-label="1 on topic, 6 off topic, 1 unjudged, no text"' in shown
    assert 'aria-label="4 on topic, 0 off topic, 0 unjudged, no text"' in shown
    assert shown.count('<i class="on" title="@') == 5
    assert 'title="@travel_zh: 旅行社代理商迎来旺季' in shown


def test_queries_are_shown_as_they_were_sent(judged: Any, opened: Open) -> None:
    shown = html(opened("x", PAGE)).replace('<span class="lt-op">', "").replace("</span>", "")
    assert f"<code>{x_sample.WIDER}</code>" in shown
    assert "applied to what it sent" in shown


def test_accounts_show_both_gates_with_the_numbers(judged: Any, opened: Open) -> None:
    shown = html(opened("x", PAGE))
    assert '✓ passed</b> <span class="lt-faint">2, 2 needed' in shown
    assert '✗ failed</b> <span class="lt-faint">0.00, 0.50 needed' in shown
    assert "searched, 1 post" in shown
    assert "named by the analyst" in shown


def test_pruned_posts_come_first_with_matched_words_marked_and_reasons(judged: Any, opened: Open) -> None:
    shown = html(opened("x", PAGE))
    assert shown.count('class="lt-post off"') == 6
    assert "Our <mark>agents</mark> are standing by" in shown
    assert "1 of 3 query words found, read beside the rest of the corpus. Missing: ai, frameworks" in shown
    assert shown.index("standing by") < shown.index("Gym log day 41</p>")


def test_hostile_posts_are_text(judged: Any, opened: Open) -> None:
    shown = html(opened("x", PAGE))
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown
    assert "<img" not in shown


@pytest.mark.parametrize(
    ("fate", "words"),
    [("on", "用晨星的"), ("unjudged", "(no text)"), ("refused", "the id 1111111111111111111 looks made up")],
)
def test_the_other_posts_are_behind_the_filter(judged: Any, opened: Open, fate: str, words: str) -> None:
    app = opened("x", PAGE)
    app.pills(key="x-fate").set_value(fate).run()
    assert words in html(app)
    assert not [button for button in app.button if button.key.startswith("restore-")]


def test_words_filter_the_posts(judged: Any, opened: Open) -> None:
    app = opened("x", PAGE)
    app.text_input(key="x-words").set_value("旅行社").run()
    assert html(app).count('class="lt-post') == 1
    app.text_input(key="x-words").set_value("zzz").run()
    assert "No item passes these filters" in html(app)


def test_restoring_is_a_label_listed_and_can_be_taken_back(judged: Any, opened: Open) -> None:
    app = opened("x", PAGE)
    app.button(key="restore-5").click().run()
    (label,) = judged.labels.find(task="topic")
    assert (label.item, label.label, label.query) == ("item-5", "on", x_sample.sample.QUESTION)
    assert "restored by you" in html(opened("x", PAGE))
    app.pills(key="x-fate").set_value("restored").run()
    assert html(app).count('class="lt-post') == 1
    app.button(key="restore-5").click().run()
    assert judged.labels.find(task="topic") == ()
    assert "restored by you" not in html(app)
    assert app.button(key="restore-5")


def test_restored_posts_can_be_ranked_at_once(judged: Any, opened: Open, jobs: Jobs) -> None:
    app = opened("x", PAGE)
    assert not [button for button in app.button if button.key == "x-rank"]
    app.button(key="restore-5").click().run()
    app.button(key="x-rank").click().run()
    assert jobs.ranked == ["x"]
    assert "a question" in html(app)


def test_other_noisy_sources_have_their_own_verdict(judged: Any, opened: Open) -> None:
    app = opened("x", PAGE)
    app.segmented_control(key="judged-source").set_value("bluesky").run()
    shown = html(app)
    assert "1 of 3 posts were about “AI agent frameworks released” (0.33, floor 0.40)" in shown
    assert "Only X is searched again" in shown
    assert shown.count('class="lt-post off"') == 2


def test_presenting_shows_the_verdict_and_posts_without_controls(judged: Any, opened: Open) -> None:
    app = opened("x", PAGE, present="1")
    assert [button.key for button in app.button] == ["leave-present"]
    assert "Off-topic flood" in html(app)
    assert not app.get("tab")


def test_posts_are_saved_as_csv_and_json(judged: Any, opened: Open) -> None:
    from pages.parts import server, xjudge_posts, xjudge_review

    app = opened("x", PAGE)
    assert download(app, "Judged posts (CSV)")
    review = xjudge_review.of_run(server.store().runs.load("x"), "x")
    restores = xjudge_posts.FileRestores("t", {})
    rows = [xjudge_posts._cells(post, restores) for post in review.posts]
    assert len(rows) == 12
    found = json.loads(xjudge_posts._json(review, restores))
    assert found["posts"][5]["verdict"] == "off topic"
    assert found["posts"][7]["url"].startswith("https://")


# --------------------------------------------------------------------------- X is silent


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ("x-key", "Set X_BEARER_TOKEN"),
        ("x-late", "asked us to slow down, again in 40 s: 429: too many requests"),
        ("x-empty", "no post was found in the window"),
        ("x-lied", "What came back could not be true"),
        ("evergreen", "X was not asked"),
    ],
)
def test_every_silence_says_why_and_what_to_do(judged: Any, opened: Open, run: str, words: str) -> None:
    shown = html(opened(run, PAGE))
    assert words in shown
    assert "Off-topic flood" not in shown


def test_a_backend_that_lied_has_its_posts_listed_as_refused(judged: Any, opened: Open) -> None:
    assert "looks made up" in html(opened("x-lied", PAGE))


# --------------------------------------------------------------------------- a file


def test_a_file_is_judged_against_the_typed_topic(opened: Open) -> None:
    shown = html(loaded(opened(page=PAGE), FLOODED))
    assert "<b>Off-topic flood:</b> 2 of 6 posts were about “Rome” (0.33, floor 0.40)." in shown
    assert "A file has nothing to ask again" in shown
    assert "@city_desk" in shown
    assert "The promoter of the show" in shown


def test_first_party_accounts_are_named_by_the_analyst(opened: Open) -> None:
    app = loaded(opened(page=PAGE), FLOODED)
    app.text_input(key="x-first-party").set_value("@promo, other").run()
    assert html(app).count("passes without gates: named by the analyst") == 2


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty.csv", b""),
        ("picture.csv", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256))),
        ("broken.json", b'{"posts": ['),
        ("deep.json", b"[" * 100_000),
        ("other.csv", b"a,b\n1,2\n"),
    ],
)
def test_a_broken_file_says_in_one_line_what_to_do(opened: Open, name: str, data: bytes) -> None:
    shown = html(loaded(opened(page=PAGE), data, name=name))
    (line,) = [part for part in shown.split("<p ") if "lt-error" in part]
    assert name in line
    assert "CSV, JSON or JSONL" in line or "JSONL" in line


def test_one_bad_entry_is_counted_and_costs_no_neighbour(opened: Open) -> None:
    lines = (
        '{"id": "1", "author": "a", "text": "Rome floods"}\n{broken\n[1]\n{"id": "2", "author": "b", "text": "Rome"}\n'
    )
    app = loaded(opened(page=PAGE), lines, name="posts.jsonl")
    assert [one.label for one in app.expander if "left out" in one.label] == ["2 entries left out, could not be read"]
    assert "2 of 2 posts were about" in html(app)


def test_chinese_posts_on_a_chinese_topic(opened: Open) -> None:
    data = "编号,作者,正文\n1,甲,罗马今天下大雨，地铁停运\n2,乙,罗马尼亚足球队获胜\n"
    shown = html(loaded(opened(page=PAGE), data, topic="罗马"))
    assert "1 of 2 posts were about “罗马” (0.50, floor 0.40)" in shown
    assert "<mark>罗马</mark>尼亚" not in shown


def test_restoring_in_a_file_is_a_label_of_its_topic(kept: Any, opened: Open) -> None:
    app = loaded(opened(page=PAGE), FLOODED)
    app.button(key="restore-3").click().run()
    (label,) = kept.labels.find(task="topic", query="Rome")
    assert (label.item, label.label) == ("x:4", "on")
    assert "restored by you" in html(app)
    app.button(key="restore-3").click().run()
    assert kept.labels.find(task="topic") == ()


def test_saved_cells_of_a_file_are_neutralised(opened: Open) -> None:
    import pipeline
    from pages.parts import xjudge_posts, xjudge_review

    loaded(opened(page=PAGE), FLOODED)
    review, _ = xjudge_review.of_file(FLOODED.encode(), "Rome", mode="coverage", ranking_query="", handles=(), name="f")
    rows = [xjudge_posts._cells(post, xjudge_posts.FileRestores("Rome", {})) for post in review.posts]
    table = pipeline.csv_table(xjudge_posts.COLUMNS, rows).decode("utf-8-sig")
    cells = [row["text"] for row in csv.DictReader(io.StringIO(table))]
    assert "'=HYPERLINK(1) buy now" in cells
    assert "罗马 Rome metro line C closed" in cells


def test_context_mode_reads_the_corpus(opened: Open) -> None:
    app = loaded(opened(page=PAGE), FLOODED)
    app.segmented_control(key="x-mode").set_value("context").run()
    assert not app.exception
    assert "read beside the rest of the corpus" in html(app)
