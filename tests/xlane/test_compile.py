"""Queries: quotes only where they belong, the window always, the widest form for the retry."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from xlane_helpers import plan, window

from pipeline.types import Subquery, Window
from pipeline.xlane.compile import (
    dated,
    lane_query,
    looks_like_name,
    looks_like_subject,
    name_query,
    plan_topic,
    same_query,
    variants,
    widest,
)

DATES = "since:2026-11-23 until:2026-12-01"


def test_the_window_covers_a_day_that_has_begun() -> None:
    assert dated(window()) == DATES
    whole = Window(
        since=datetime(2026, 11, 1, tzinfo=UTC),
        until=datetime(2026, 11, 8, tzinfo=UTC),
        how="text",
        evidence="",
        ends_now=False,
    )
    assert dated(whole) == "since:2026-11-01 until:2026-11-08"


def test_variants_of_a_place_hold_no_quoted_phrase() -> None:
    assert [v.query for v in variants("Rome Italy", window(), "deep")] == [
        f"Rome Italy {DATES}",
        f"Rome Italy {DATES} min_faves:5",
        f"Rome Italy {DATES} filter:links",
        f"Rome Italy {DATES} -filter:replies",
    ]


def test_variants_of_a_person_hold_the_name_in_quotes() -> None:
    found = variants("Peter Steinberger", window(), "default")
    assert found[2].query == f'"Peter Steinberger" {DATES}'
    assert '"' not in found[0].query


@pytest.mark.parametrize(("depth", "calls"), [("quick", 1), ("default", 3), ("deep", 4)])
def test_depth_cuts_the_calls(depth: str, calls: int) -> None:
    assert len(variants("Rome Italy", window(), depth)) == calls  # type: ignore[arg-type]


NAMES = [
    ("two capitalised words", "Peter Steinberger", True),
    ("a place among them", "Rome Italy", False),
    ("capitals inside a word", "OpenAI Codex", False),
    ("an acronym", "NASA Launch", False),
    ("one word", "Einstein", False),
    ("lower case", "peter steinberger", False),
    ("Chinese has no case", "黄仁勋 演讲", False),
    ("a disambiguating word", "Boston University", False),
    ("quotes already there", 'Peter "Steinberger"', False),
]


@pytest.mark.parametrize(("topic", "expected"), [row[1:] for row in NAMES], ids=[row[0] for row in NAMES])
def test_what_looks_like_a_name(topic: str, expected: bool) -> None:
    assert looks_like_name(topic) is expected


def test_typed_quotes_stay_in_every_variant_but_the_retry() -> None:
    asked = plan('Rome "third ring"')
    topic = plan_topic(asked)
    assert all('"third ring"' in v.query for v in variants(topic, asked.window, "deep"))
    assert '"' not in widest(topic, asked.window)


def test_typed_quotes_that_planning_kept_apart_come_back() -> None:
    assert plan_topic(plan("Rome third ring", phrases=("third ring",))) == 'Rome "third ring"'
    assert plan_topic(plan("Rome", phrases=("third ring",))) == 'Rome "third ring"'


def test_operators_and_quotes_of_a_planner_never_reach_a_source() -> None:
    planned = Subquery(
        label="main", raw_topic="", search_query='"Rome Italy" lang:en min_faves:50 -filter:replies', ranking_query="r"
    )
    asked = plan("Rome Italy")
    from dataclasses import replace

    assert plan_topic(replace(asked, subqueries=(planned,))) == "Rome Italy"


def test_typed_handles_are_lanes_and_not_part_of_the_topic() -> None:
    assert plan_topic(plan("@ana_reads tram line")) == "tram line"
    assert plan_topic(plan("@ana_reads")) == "@ana_reads"


def test_an_edited_query_is_sent_as_it_is() -> None:
    assert plan_topic(plan("Rome", queries={"x": 'tram OR "metro C"'})) == 'tram OR "metro C"'


WIDEST = [
    ("noise words out", "latest news about the Rome tram situation", "Rome tram"),
    ("quotes out", '"Rome Italy" floods', "Rome Italy floods"),
    ("filters out", "Rome min_faves:5 filter:links", "Rome"),
    ("only noise: something has to be asked", "latest news", "latest news"),
    ("Chinese noise", "特斯拉 召回 最新消息", "特斯拉 召回"),
    ("an acronym that is a stop word in lower case stays", "US tariffs news", "US tariffs"),
]


@pytest.mark.parametrize(("topic", "expected"), [row[1:] for row in WIDEST], ids=[row[0] for row in WIDEST])
def test_the_widest_form(topic: str, expected: str) -> None:
    assert widest(topic, window()) == f"{expected} {DATES}"


def test_the_same_query_in_another_order_is_the_same() -> None:
    assert same_query("rome italy a:b", "Italy Rome a:b")
    assert not same_query('"rome italy" a:b', "rome italy a:b")
    assert not same_query("rome italy a:b", "rome italy a:c")


def test_lanes_ask_for_the_handle_and_with_and_topic_for_the_topic_too() -> None:
    assert lane_query(["@Ana_Reads"], "Rome", window(), and_topic=False) == f"from:Ana_Reads {DATES}"
    assert lane_query(["ana"], "Rome", window(), and_topic=True) == f"from:ana Rome {DATES}"
    assert lane_query(["a", "b"], "Rome", None, and_topic=False) == "(from:a OR from:b)"


def test_a_name_search_quotes() -> None:
    assert name_query('Peter "Steinberger', window()) == f'"Peter Steinberger" {DATES}'


@pytest.mark.parametrize(
    ("handle", "topic", "expected"),
    [
        ("openai", "OpenAI Codex", True),
        ("openaicodex", "OpenAI Codex", True),
        ("ai_daily", "AI chips", False),
        ("ai", "AI", False),
    ],
)
def test_a_proposed_handle_must_be_the_subject(handle: str, topic: str, expected: bool) -> None:
    assert looks_like_subject(handle, topic) is expected
