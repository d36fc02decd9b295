"""What the store saw before speaks against a date: whole runs on files, days apart."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pipeline import flow, load_settings, open_store, supplies
from pipeline.types import PENALTY_NAMES, Question, Report
from pipeline.world import World

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
BEFORE = NOW - timedelta(days=20)
TITLE = "Acme Falcon rocket reaches orbit after failures"
TEXT = (
    "Acme said that its Falcon rocket reached orbit from its pad in Texas and recovered the booster at sea, a first for "
    "the company after three failed attempts this spring and a long inquiry by the regulator."
)
OTHER = (
    "The regulator closed its inquiry into Acme and its Falcon rocket without a fine; lawyers for the company called the "
    "decision overdue, while families of the injured workers spoke of an insult and asked for a second opinion."
)
HEADLINE = {"title": "Acme Falcon rocket: rolling coverage of the flight", "text": ""}


@pytest.fixture
def ask(tmp_path: Path) -> Any:
    """Ask on a day, with one item in the file; more fields of the question by name."""
    file = tmp_path / "items.json"
    environ = {
        "LATELY_HOME": str(tmp_path),
        "LATELY_SOURCES__FILE__PATHS": json.dumps([str(file)]),
        "LATELY_PIPELINE__EMBEDDING__MODEL": "off",
    }
    store = open_store(tmp_path / "lately.db", busy_timeout_s=10, half_life_days=90)
    world = World(settings=load_settings(environ), store=store, environ=environ, clock=lambda: NOW)

    def run(
        day: datetime, *, stated: datetime | None = None, asked: dict[str, Any] | None = None, **item: str
    ) -> Report:
        at = (stated or day) - timedelta(hours=5)
        row = {"id": "1", "title": TITLE, "text": TEXT, "url": "https://a.example/1", "date": at.isoformat(), **item}
        file.write_text(json.dumps([row]), "utf-8")
        question = Question(text="Acme Falcon rocket", sources=("file",), days=30, **(asked or {}))
        return asyncio.run(flow.explore(question, replace(world, clock=lambda: day)))

    return run


def redated(report: Report) -> bool:
    return bool(report.table.struck[0, PENALTY_NAMES.index("re_dated")])


AGAIN = [
    ("the same item with a new date", {}, True),
    ("the same text at another outlet", {"id": "9", "url": "https://farm.example/9"}, True),
    ("the same address with a new text", {"text": OTHER}, False),
    (
        "the same address with a new title and text",
        {"title": "Regulator clears Acme Falcon rocket", "text": OTHER},
        False,
    ),
    ("another report of it", {"id": "9", "url": "https://b.example/9", "text": OTHER}, False),
]


@pytest.mark.parametrize(("name", "item", "expected"), AGAIN, ids=[row[0] for row in AGAIN])
def test_what_was_seen_before_its_date_is_redated(ask: Any, name: str, item: dict[str, str], expected: bool) -> None:
    assert not redated(ask(BEFORE))
    report = ask(NOW, **item)
    assert redated(report) == expected
    if expected:
        told = report.item(0)
        assert told.effective_at == BEFORE and told.published_at == NOW - timedelta(hours=5)
        assert "stated 2026-11-30" in told.penalties[0].evidence and "2026-11-10" in told.penalties[0].evidence


def test_the_sight_of_an_item_is_evidence_in_its_ledger(ask: Any) -> None:
    ask(BEFORE)
    claims = ask(NOW).item(0).judged.candidate.dates.claims
    assert [claim.at for claim in claims if claim.kind == "first seen"] == [BEFORE]


def test_a_bumped_text_is_known_again_and_again(ask: Any) -> None:
    ask(BEFORE)
    ask(NOW - timedelta(days=10), id="8", url="https://b.example/8")
    assert ask(NOW, id="9", url="https://c.example/9").item(0).effective_at == BEFORE


def test_an_item_that_keeps_its_date_is_not_redated(ask: Any) -> None:
    ask(BEFORE)
    assert not redated(ask(NOW, stated=BEFORE))


def test_a_headline_alone_is_no_text_seen_before(ask: Any) -> None:
    ask(BEFORE, **HEADLINE)
    assert not redated(ask(NOW, **HEADLINE))


def test_what_was_learned_after_a_past_moment_redates_nothing_then(ask: Any) -> None:
    ask(NOW)
    report = ask(NOW, stated=BEFORE + timedelta(days=10), asked={"as_of": BEFORE + timedelta(days=11)})
    assert not redated(report)


def test_a_past_moment_teaches_nothing(ask: Any) -> None:
    ask(NOW, stated=BEFORE, asked={"as_of": BEFORE})
    assert not redated(ask(NOW))


ASKED = [
    ("nothing is named and a backend is ready", {}, True, True),
    ("no backend is ready", {}, False, False),
    ("x is named, so that it says what it lacks", {"sources": ("rss", "x")}, False, True),
    ("others are named", {"sources": ("rss",)}, True, False),
    ("a list of feeds stands alone", {"opml": "feeds.opml"}, True, False),
    ("a list of feeds beside a file of posts", {"opml": "feeds.opml", "x_import": "posts.csv"}, True, True),
]


@pytest.mark.parametrize(("name", "question", "ready", "expected"), ASKED, ids=[row[0] for row in ASKED])
def test_x_is_asked(name: str, question: dict[str, Any], ready: bool, expected: bool) -> None:
    assert supplies._asks_x(Question(text="oil", **question), ready) == expected
