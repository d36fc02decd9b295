"""What a run makes of X: a flood is no failure, a missing key harms nobody, a lying service delivers nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
from test_keys import SOURCES, good, using
from xlane_corpora import GOOD_EIGHT, OFF_32, mappings
from xlane_helpers import NOW, wire_answer, wire_post, xai_answer

from pipeline import retrieve_recent_now
from pipeline.briefing import compose, export_brief
from pipeline.briefing.json import report_json
from pipeline.cli.run import _code
from pipeline.flow import explore
from pipeline.store import open_store
from pipeline.types import Question, Report
from pipeline.world import World
from pipeline.xlane import Floors, prune_off_topic_items
from pipeline.xlane.review import review_run


def run_with(home: Path, served: object, environ: dict[str, str], *sources: str, backend: str = "auto") -> Report:
    world = World(
        settings=using(backend),
        store=open_store(home / "lately.db"),
        clock=lambda: NOW,
        environ=environ,
        transport=httpx.MockTransport(served),  # type: ignore[arg-type]
    )
    return asyncio.run(explore(Question(text="Rome Italy metro", sources=sources or SOURCES, days=7), world))


FLOODS = [
    ("a flood with eight good posts is ok", (*GOOD_EIGHT, *OFF_32), "ok"),
    ("a flood without one is empty", OFF_32, "empty"),
]


@pytest.mark.parametrize(("rows", "status"), [row[1:] for row in FLOODS], ids=[row[0] for row in FLOODS])
def test_a_flood_is_no_failure_even_when_strict(tmp_path: Path, rows: tuple[tuple[str, str], ...], status: str) -> None:
    entries = [wire_post(text, serial=n) for n, (_, text) in enumerate(rows, 1)]
    report = run_with(
        tmp_path, lambda request: httpx.Response(200, json=wire_answer(entries)), {"X_BEARER_TOKEN": "fake-token"}, "x"
    )
    assert [(o.source, o.status) for o in report.outcomes] == [("x", status)]
    assert _code(report, True) == 0
    assert any("pruned" in warning for warning in report.warnings)


def test_a_missing_key_harms_nobody(tmp_path: Path) -> None:
    report = run_with(tmp_path, good, {"NEWSAPI_KEY": "fake-news-key", "GUARDIAN_API_KEY": "fake-guardian-key"})
    found = {o.source: o for o in report.outcomes}
    assert (found["newsapi"].status, found["guardian"].status) == ("ok", "ok")
    assert found["x"].status == "not configured"
    assert "X_BEARER_TOKEN" in found["x"].detail


def test_a_list_of_feeds_and_a_file_of_posts_are_both_asked(tmp_path: Path) -> None:
    feeds, posts = tmp_path / "feeds.opml", tmp_path / "posts.csv"
    feeds.write_text('<opml><body><outline text="City" xmlUrl="https://city.example/feed"/></body></opml>')
    posts.write_text(f"id,author,text,created_at\np1,ana,Rome Italy metro reopens,{NOW:%Y-%m-%d}\n")
    world = World(
        settings=using("auto"),
        store=open_store(tmp_path / "lately.db"),
        clock=lambda: NOW,
        environ={},
        transport=httpx.MockTransport(lambda request: httpx.Response(404)),
    )
    asked = Question(text="Rome Italy metro", opml=str(feeds), x_import=str(posts), days=7)
    assert {o.source for o in asyncio.run(explore(asked, world)).outcomes} == {"rss", "x"}


def test_prose_instead_of_posts_delivers_nothing_and_harms_nobody(tmp_path: Path) -> None:
    def served(request: httpx.Request) -> httpx.Response:
        if request.url.host == "api.x.ai":
            return httpx.Response(200, json=xai_answer("People in Rome are happy, says @ana_reads."))
        return good(request)

    environ = {"XAI_API_KEY": "fake-xai-key", "NEWSAPI_KEY": "fake-news-key"}
    report = run_with(tmp_path, served, environ, "x", "newsapi", backend="grok")
    found = {o.source: o for o in report.outcomes}
    assert (found["x"].status, found["newsapi"].status) == ("bad response", "ok")
    assert "x" not in report.table.sources


def test_the_demo_retries_for_the_better_and_says_so_on_page_command_and_report(tmp_path: Path) -> None:
    made = using("auto")
    report = retrieve_recent_now(
        "AI agent frameworks released in the last 30 days",
        demo=True,
        store=open_store(tmp_path / "lately.db"),
        settings=made,
        environ={},
    )
    x = report.x
    assert x is not None
    assert x.after is not None
    assert x.after.on_topic_ratio > x.before.on_topic_ratio
    assert f"{x.before.on_topic_ratio:.0%}" in x.retry_note
    assert f"({x.after.on_topic_ratio:.0%}): the retry was used" in x.retry_note
    review = review_run(report, "x", floors=Floors.of(made.pipeline.x))
    assert review is not None
    raised = f"raised it to {x.after.on_topic_ratio:.2f}, so its posts were used."
    assert review.headline.endswith(raised), "the page and judge-x print this sentence"
    assert report_json(report)["x"]["retry_note"] == x.retry_note
    brief = export_brief(compose(report, now=NOW), "markdown", report).decode()
    assert f"asked once more in the widest form, {x.after.on_topic} of" in brief


def test_chinese_posts_on_an_english_topic_with_a_known_name_are_kept_in_context() -> None:
    rows = mappings(
        (
            ("ev_a", "特斯拉宣布召回部分汽车"),
            ("ev_b", "Tesla recall widens to more cars"),
            ("ev_c", "Tesla recall: owners get letters"),
            ("food", "今天的火锅太好吃了"),
            ("cats", "我家猫又睡了一整天"),
        )
    )
    assert prune_off_topic_items(rows, "Tesla recall", mode="context") == rows[:3]
