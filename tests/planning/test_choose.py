"""From what a phrase denotes to [since, until): overrides, open ends, the future, the cap."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pipeline.errors import WindowError
from tests.planning.helpers import NOW, plan


def days(text: str, **question: Any) -> float:
    return round(plan(text, **question).window.days, 3)


def test_the_text_decides_and_is_quoted() -> None:
    window = plan("AI agents in the last 10 days").window
    assert (window.how, window.until, window.until - window.since) == ("text", NOW, timedelta(days=10))
    assert "last 10 days" in window.evidence
    assert window.ends_now


@pytest.mark.parametrize(
    ("text", "how", "length"),
    [("football in Peru", "default", 30), ("oil price", "fast subject", 7), ("recent oil price", "default", 30)],
)
def test_without_a_time_the_subject_decides(text: str, how: str, length: int) -> None:
    window = plan(text).window
    assert (window.how, window.days) == (how, length)


def test_local_midnights_follow_the_zone() -> None:
    window = plan("yesterday", zone="Asia/Shanghai").window
    assert window.since == datetime(2026, 11, 16, 16, tzinfo=UTC)
    assert window.until == datetime(2026, 11, 17, 16, tzinfo=UTC)


def test_counted_hours_are_real_hours_over_a_change_of_the_clocks() -> None:
    window = plan("past 48 hours", zone="Europe/Berlin", as_of=datetime(2026, 10, 26, 8, tzinfo=UTC)).window
    assert window.until - window.since == timedelta(hours=48)


def test_a_unit_under_way_stops_at_now() -> None:
    window = plan("this week").window
    assert (window.since, window.until, window.ends_now) == (datetime(2026, 11, 16, tzinfo=UTC), NOW, True)


def test_a_past_unit_ends_where_it_ended() -> None:
    window = plan("last month").window
    assert (window.until, window.ends_now) == (datetime(2026, 11, 1, tzinfo=UTC), False)


def test_an_end_in_the_future_is_cut_and_said() -> None:
    made = plan("from November 10 to November 30 2026")
    assert made.window.until == NOW
    assert any("stops at now" in warning for warning in made.warnings)


@pytest.mark.parametrize("text", ["news next week", "elections in 2030", "明年的大选"])
def test_a_wholly_future_window_is_an_error(text: str) -> None:
    with pytest.raises(WindowError, match="future"):
        plan(text)


def test_an_impossible_date_is_an_error_that_names_it() -> None:
    with pytest.raises(WindowError, match="2026-02-30"):
        plan("floods 2026-02-30")


@pytest.mark.parametrize("name", ["as_of", "since", "until"])
@pytest.mark.parametrize("year", [1, 1899, 2200, 9999])
def test_a_year_that_is_a_slip_is_an_error_that_names_it(name: str, year: int) -> None:
    with pytest.raises(WindowError, match=f"{name} lies in {year}.*correct the year"):
        plan("floods", **{name: datetime(year, 1, 1, tzinfo=UTC)})


def test_the_cap_keeps_the_newest_days_and_a_quarter_whole() -> None:
    made = plan("since January 2026")
    assert made.window.days == 90
    assert made.window.until == NOW
    assert any("90 days" in warning for warning in made.warnings)
    assert days("Q3 2026") == 92


def test_a_day_with_no_beginning_reaches_back_the_default() -> None:
    window = plan("before November 2026").window
    assert window.until == datetime(2026, 11, 1, tzinfo=UTC)
    assert window.days == 30


def test_neighbouring_phrases_join_and_far_ones_are_told() -> None:
    assert plan("yesterday and today in Kyiv").window.since == datetime(2026, 11, 17, tzinfo=UTC)
    made = plan("the August 2025 lawsuit, hearings this week")
    assert made.window.since == datetime(2026, 11, 16, tzinfo=UTC)
    assert any("August 2025" in warning for warning in made.warnings)


def test_the_caller_overrides_the_text() -> None:
    window = plan("AI agents last month", days=3).window
    assert (window.how, window.until, window.days) == ("argument", NOW, 3)
    assert plan("AI agents last month", days=3).raw_topic == "AI agents"


def test_both_orders_of_two_dates_are_accepted() -> None:
    early, late = datetime(2026, 10, 1, tzinfo=UTC), datetime(2026, 10, 9, tzinfo=UTC)
    window = plan("x", since=late, until=early).window
    assert (window.since, window.until) == (early, late)


def test_naive_bounds_are_in_the_analysts_zone() -> None:
    window = plan("x", since=datetime(2026, 11, 1), zone="Asia/Tokyo").window
    assert window.since == datetime(2026, 10, 31, 15, tzinfo=UTC)


def test_as_of_moves_now() -> None:
    at = datetime(2023, 11, 24, 18, tzinfo=UTC)
    made = plan("Gaza ceasefire hostages", as_of=at, days=7)
    assert (made.now, made.window.until, made.window.days) == (at, at, 7)


@pytest.mark.parametrize(
    "question",
    [
        {"days": 0},
        {"days": -3},
        {"days": 10**9},
        {"since": datetime(2027, 1, 1, tzinfo=UTC)},
        {"since": datetime(2026, 1, 1, tzinfo=UTC), "until": datetime(2026, 1, 1, tzinfo=UTC)},
        {"days": 3, "since": datetime(2026, 1, 1, tzinfo=UTC), "until": datetime(2026, 2, 1, tzinfo=UTC)},
    ],
    ids=["zero days", "negative days", "endless days", "future", "empty", "too much said"],
)
def test_senseless_overrides_are_errors(question: dict[str, Any]) -> None:
    with pytest.raises(WindowError) as caught:
        plan("x", **question)
    assert "\n" not in str(caught.value)


def test_an_ambiguous_date_is_a_warning_that_says_how_it_was_read() -> None:
    (warning,) = plan("floods 04/05/2026").warnings
    assert "5 April 2026" in warning


def test_today_at_midnight_is_not_empty() -> None:
    window = plan("today", as_of=datetime(2026, 11, 18, tzinfo=UTC)).window
    assert window.since < window.until
