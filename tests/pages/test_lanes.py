"""One lane an event, its marks in time, counts per day and by site."""

from datetime import timedelta

import pytest

from pages.parts import lanes
from pages.parts.explore import clicked
from pages.parts.view import View
from tests.pages import sample

VIEW = View(sample.report())
LANES = lanes.lanes(VIEW, VIEW.selected)


def test_an_event_has_one_lane_and_the_earliest_is_first() -> None:
    assert len(LANES) == len({lane.event.id for lane in LANES}) == 9
    first = [lane.points[0].at for lane in LANES]
    assert first == sorted(first)


def test_the_best_report_is_as_large_as_its_independent_sources() -> None:
    lane = next(lane for lane in LANES if lane.event.id == "event-0")
    sizes = {point.row: point.size for point in lane.points}
    assert sizes[lane.row] == lanes.DOT + lanes.GROWTH * (5 - 1) ** 0.5
    assert all(size < lanes.DOT for row, size in sizes.items() if row != lane.row)


def test_upstream_marks_are_told_apart() -> None:
    assert [point.row for lane in LANES for point in lane.points if point.upstream] == [0]


def test_event_time_is_a_mark_of_its_own_where_it_differs() -> None:
    lane = next(lane for lane in LANES if lane.event.id == "event-1")
    (mark,) = [point for point in lane.points if point.row < 0]
    assert mark.at == lane.event.first_seen - timedelta(hours=30)


@pytest.mark.parametrize(("zone", "days"), [("UTC", {"2026-11-29": 1}), ("America/Los_Angeles", {"2026-11-28": 1})])
def test_days_are_those_of_the_analyst_s_zone(zone: str, days: dict[str, int]) -> None:
    published = VIEW.report.table.published[7:8]  # 29 November, 04:00 UTC
    window = VIEW.report.plan.window
    assert lanes.per_day(published, zone, window.since, window.until) == days


def test_undated_rows_have_no_day() -> None:
    window = VIEW.report.plan.window
    counted = lanes.per_day(VIEW.report.table.published, "UTC", window.since, window.until)
    assert sum(counted.values()) == 26 + 1  # in the window, and the muted one; neither upstream nor future-dated


def test_coverage_folds_the_small_ones() -> None:
    rows = range(len(VIEW.report.table))
    shares = lanes.coverage(VIEW, list(rows), most=3)
    assert len(shares) == 4
    assert shares[-1][0] == "others"
    assert sum(n for _, n in shares) == len(VIEW.report.table)


class Picked:
    class selection:  # noqa: N801 - the shape of Streamlit's own record
        points = [{"customdata": [7, "event-1"]}, {"customdata": [-1, "event-1"]}, {"customdata": None}, {}]


def test_only_dots_of_reports_are_selected() -> None:
    assert clicked(Picked) == [7]
