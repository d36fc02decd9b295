"""What joins two groups of reports: mean likeness, their own closeness, contrasts, outlets, time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from pipeline.events.cluster import Edge, Joined, join
from pipeline.events.likeness import SAME_OUTLET, Side
from pipeline.events.reports import Times

ITSELF = (
    4.0  # likeness of a report with itself, in floors: large enough for any of the tables below to be one of products
)


def side(likeness: Sequence[Sequence[float]], outlets: Sequence[int] | None = None) -> Side:
    """Reports whose products are the given table, each of an outlet of its own unless said otherwise."""
    table = np.array(likeness, float)
    np.fill_diagonal(table, ITSELF)
    numbers = np.arange(len(table)) if outlets is None else np.array(outlets)
    return Side(np.linalg.cholesky(table).astype(np.float32), np.empty((len(table), 0), np.float32), numbers)


def blocks(sizes: Sequence[int], within: float, across: float) -> list[list[float]]:
    """Groups of reports that are `within` alike, and `across` alike to those of other groups."""
    group = [number for number, size in enumerate(sizes) for _ in range(size)]
    return [[within if a == b else across for b in group] for a in group]


def joined(compared: Side, veto: Callable[[int, int], object | None] = lambda a, b: None) -> Joined:
    """All pairs at or above the floor proposed."""
    a, b = np.triu_indices(len(compared.near), 1)
    alike = compared.alike(a.astype(np.int32), b.astype(np.int32))
    edges = [Edge(int(x), int(y), float(v)) for x, y, v in zip(a, b, alike, strict=True) if v >= 1]
    return join(compared, edges, 1.0, veto)


def count(found: Joined) -> int:
    return len(set(found.group))


ROWS = {
    "two reports above the floor": ([[0, 1.1], [1.1, 0]], 1),
    "two reports below the floor": ([[0, 0.9], [0.9, 0]], 2),
    "close groups that are less alike than each is within: two happenings of one kind": (blocks([5, 5], 2.2, 1.2), 2),
    "loose groups as alike as each is within: one happening": (blocks([5, 5], 1.25, 1.2), 1),
    "close groups that come near to their own closeness": (blocks([5, 5], 2.2, 1.9), 1),
}


@pytest.mark.parametrize(("likeness", "events"), ROWS.values(), ids=ROWS)
def test_groups_are_measured_by_their_own_closeness(likeness: list[list[float]], events: int) -> None:
    assert count(joined(side(likeness))) == events


def test_two_reports_of_one_outlet_must_be_more_alike() -> None:
    just, clearly = [[0, 1.2], [1.2, 0]], [[0, 1.1 + SAME_OUTLET], [1.1 + SAME_OUTLET, 0]]
    assert count(joined(side(just, [0, 1]))) == 1
    assert count(joined(side(just, [0, 0]))) == 2
    assert count(joined(side(clearly, [0, 0]))) == 1


def test_one_contrast_among_several_witnesses_parts_no_groups() -> None:
    likeness = blocks([2, 2], 2.0, 1.5)
    found = joined(side(likeness), lambda a, b: "other" if (a, b) == (0, 2) else None)
    assert count(found) == 1
    assert Edge(0, 2, 1.5) not in found.joins, "the link it is explained by is no contrasting pair"


def test_contrasts_of_most_witnesses_part_groups_for_good() -> None:
    likeness = blocks([2, 2], 2.0, 1.5)
    found = joined(side(likeness), lambda a, b: "other" if (a < 2) != (b < 2) else None)
    assert count(found) == 2
    assert [reason for _, reason in found.refused] == ["other"]


def test_only_what_time_and_outlet_allow_is_compared() -> None:
    first = np.array([0.0, 50.0, 200.0, np.nan, 0.0])
    last = np.array([10.0, 120.0, 200.0, np.nan, 150.0])
    times = Times(first, last, standing=np.array([False, False, False, False, True]), gap_s=90.0)
    others = np.array([1, 2, 3, 4])
    assert times.near(np.zeros(4, np.int32), others).tolist() == [True, False, True, False]
    assert times.near(np.array([1]), np.array([2])).tolist() == [True]
