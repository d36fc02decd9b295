"""Two runs side by side."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipeline import compare
from pipeline.types import Bucket
from tests.pages import sample

RUN = sample.report()


def without(*titles: str):
    """The sample run as if some items had not come."""
    return sample.report(rows=tuple(row for row in sample.ROWS if not row.title.startswith(titles)), run_id="later")


def renamed(report):
    """Ids by title, as they are in real runs: the sample numbers its rows."""
    ids = tuple(f"{title}@{domain}" for title, domain in zip(report.table.titles, report.table.domains, strict=True))
    return replace(report, table=replace(report.table, ids=ids))


def test_a_run_and_itself_do_not_differ() -> None:
    found = compare(RUN, RUN)
    assert found.sentence == "0 new, 0 gone, 0 moved, 10 as before"
    assert not found.outcomes and not found.settings


def test_new_and_gone_are_told_with_where_they_stood() -> None:
    found = compare(renamed(without("Flaw in popular")), renamed(RUN))
    (new,) = found.new
    assert new.title.startswith("Flaw in popular") and new.before is None
    assert (new.now.rank, new.now.ended) == (2, "selected")
    back = compare(renamed(RUN), renamed(without("Flaw in popular")))
    assert [one.title for one in back.gone] == [new.title]
    assert back.gone[0].now is None


def test_what_all_others_moved_up_for_is_no_move() -> None:
    assert not compare(renamed(without("Flaw in popular")), renamed(RUN)).moved


SHOWN = sorted(RUN.selected_rows, key=lambda row: -RUN.table.total[row])


def scored(*totals: float):
    """The sample run with the totals of its best items given."""
    total = RUN.table.total.copy()
    total[SHOWN[: len(totals)]] = totals
    return replace(RUN, table=replace(RUN.table, total=total))


@pytest.mark.parametrize(
    ("before", "now", "moved"),
    [
        pytest.param((90, 85), (91.5, 85.5), (1.5,), id="a point or more, in the same order"),
        pytest.param((90, 89.8), (90, 90.4), (0.6, 0.0), id="less than a point, but past another"),
        pytest.param((90, 85), (90.9, 85), (), id="less than a point, in the same order"),
    ],
)
def test_a_total_that_moves_by_a_point_and_an_order_that_changes_are_moves(before, now, moved) -> None:
    found = compare(scored(*before), scored(*now)).moved
    assert tuple(one.points for one in found) == pytest.approx(moved, abs=0.01)


def test_a_report_that_another_one_of_its_event_replaces_says_which() -> None:
    bucket = RUN.table.bucket.copy()
    flaw, other = 7, 8  # two reports of one event
    bucket[flaw], bucket[other] = Bucket.FOLDED, Bucket.SELECTED
    found = compare(RUN, replace(RUN, table=replace(RUN.table, bucket=bucket)))
    assert not found.new and not found.gone
    (told,) = found.retold
    assert (told.title, told.told_before) == (RUN.table.titles[other], RUN.table.titles[flaw])
    assert told.before.rank and told.now.rank
    assert found.sentence == "0 new, 0 gone, 1 told by another report, 0 moved, 9 as before"


def test_an_event_that_no_report_tells_any_more_is_gone_and_says_where_it_ended() -> None:
    bucket = RUN.table.bucket.copy()
    bucket[7] = Bucket.FOLDED
    (gone,) = compare(RUN, replace(RUN, table=replace(RUN.table, bucket=bucket))).gone
    assert gone.now.ended == "folded into an event"


def test_an_item_that_came_back_under_another_id_is_the_same_item() -> None:
    numbered = replace(RUN, table=replace(RUN.table, ids=tuple(f"new-{one}" for one in RUN.table.ids)))
    found = compare(RUN, numbered)
    assert (len(found.new), len(found.gone), found.same) == (0, 0, 10)


def test_sources_and_settings_that_differ() -> None:
    outcomes = tuple(
        replace(one, status="ok", items=7) if one.endpoint == "gdelt" else one
        for one in RUN.outcomes
        if one.endpoint != "x"
    )
    settings = replace(RUN.settings, threshold=40, interests=("planner",), weights=(0.2, *RUN.settings.weights[1:]))
    found = compare(RUN, replace(RUN, outcomes=outcomes, settings=settings))
    assert {(one.endpoint, one.before, one.now) for one in found.outcomes} == {
        ("gdelt", "rate limited", "ok"),
        ("x", "empty", None),
    }
    assert [(one.name, one.before, one.now) for one in found.settings] == [
        ("threshold", "45", "40"),
        ("weight of timeliness", "0.30", "0.20"),
        ("interest words", "none", "planner"),
    ]
    assert found.sentence.endswith("; 2 sources differ; 3 settings differ")
