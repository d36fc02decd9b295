"""The three decays at the points the spec names, and what is outside the window."""

from math import exp

import numpy as np
import pytest

from pipeline.scoring.timeliness import decay
from tests.scoring.made import candidate, grouping, judged, plan, run

HALF = [
    ("today", 0, 30, 1.0),
    ("to day W/30", 1, 30, 1.0),
    ("half way", 15, 30, exp(-1.897 * (14 / 29) ** 1.8)),
    ("the end", 30, 30, exp(-1.897)),
    ("older than the window", 30.1, 30, 0.0),
    ("scaled to a week", 7, 7, exp(-1.897)),
    ("scaled: day W/30 of a quarter", 3, 90, 1.0),
]


@pytest.mark.parametrize(("name", "age", "days", "value"), HALF, ids=[row[0] for row in HALF])
def test_half_life(name: str, age: float, days: float, value: float) -> None:
    assert decay(np.array([age], np.float32), days, "half_life")[0] == pytest.approx(value, abs=1e-4)


def test_half_life_meets_the_named_values() -> None:
    middle, end = decay(np.array([15, 30], np.float32), 30, "half_life")
    assert (round(float(middle), 2), round(float(end), 2)) == (0.60, 0.15)


@pytest.mark.parametrize(("age", "value"), [(0, 1), (10, 1 - 10 / 30), (30, 0), (31, 0)])
def test_linear(age: float, value: float) -> None:
    assert decay(np.array([age], np.float32), 30, "linear")[0] == pytest.approx(value, abs=1e-6)


def test_exponential_is_three_hundredths_at_two_thirds() -> None:
    assert decay(np.array([20], np.float32), 30, "exponential")[0] == pytest.approx(0.03, abs=1e-4)


def test_undated_is_never_new() -> None:
    assert decay(np.array([np.nan], np.float32), 30, "linear")[0] == 0


def test_upstream_items_get_the_fixed_value() -> None:
    pool = [judged(candidate("new", title="A")), judged(candidate("old", title="B", age=33), keep=False, bucket=6)]
    report = run(pool, grouping(["new", "old"], [0, 0], upstream=[1]))
    assert report.table.values[1, 0] == pytest.approx(0.05)
    assert "before the window" in report.item(1).parts[0].evidence


def test_age_counts_from_the_windows_end_when_it_ended_before() -> None:
    from dataclasses import replace
    from datetime import timedelta

    asked = plan(ends_now=False)
    window = replace(asked.window, until=asked.window.until - timedelta(days=10))
    report = run([judged(candidate("a", title="A", age=12))], asked=replace(asked, window=window))
    assert report.table.age_days[0] == pytest.approx(2)


def test_within_clock_skew_the_age_is_zero() -> None:
    report = run([judged(candidate("a", title="A", age=-0.02))])
    assert report.table.age_days[0] == 0
