"""Reports of one happening: from likely pairs to groups, by average likeness, with the veto and the clock.

Group-average linkage over a sparse graph: always the two most alike groups are joined, likeness between groups being
the mean over all their pairs, so that a chain of half-alike reports does not grow into one story. What is alike is
measured by the groups themselves: two happenings of one kind are told in words nearly as alike as the floor asks, but
less alike than each is within, so a group takes in only what comes near to its own closeness. Groups whose most alike
pairs contrast stay apart for good.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pipeline.events.forest import Forest
from pipeline.events.likeness import SAME_OUTLET, Side, between

if TYPE_CHECKING:
    from pipeline.types import Floats

USUAL = 1.3  # likeness within an event, in floors; a closer group asks as much more of what it takes in; events_ecbplus
USUAL_PAIRS = 5  # pairs a group must hold for its own closeness to weigh as much as the usual one; events_ecbplus
WITNESSES = 3  # most alike pairs of two groups that are looked at for a contrast; most of them must show one


@dataclass(frozen=True, slots=True)
class Edge:
    """Two positions that may report one event, and how alike they are, in floors."""

    a: int
    b: int
    likeness: float


@dataclass(frozen=True, slots=True)
class Joined:
    """What clustering did: each position's group, the edges it joined along, the edges a veto refused."""

    group: list[int]
    joins: list[Edge]
    refused: list[tuple[Edge, object]]


def join(
    side: Side,
    edges: Sequence[Edge],
    floor: float,
    veto: Callable[[int, int], object | None],
    together: Iterable[tuple[int, int]] = (),
    apart: Iterable[tuple[int, int]] = (),
) -> Joined:
    """Group positions 0..n-1. `together` and `apart` are the analyst's word; it wins over likeness and veto."""
    groups = _Groups(side)
    for a, b in together:
        groups.unite(groups.forest.find(a), groups.forest.find(b))
    for a, b in apart:
        groups.oppose(groups.forest.find(a), groups.forest.find(b))
    for edge in edges:
        groups.connect(edge)
    queue = [
        (-groups.likeness(a, b), a, b) for a, near in groups.near.items() for b in near if a < b and groups.may(a, b)
    ]
    heapq.heapify(queue)
    joins, refused = [], []
    while queue:
        negative, a, b = heapq.heappop(queue)
        if -negative < floor:
            break
        if b not in groups.near.get(a, ()) or not groups.may(a, b) or -negative != groups.likeness(a, b):
            continue  # an entry from before one of the two grew
        witnesses = groups.near[a][b]
        contrasts = {edge: reason for edge in witnesses if (reason := veto(edge.a, edge.b))}
        if len(contrasts) * 2 > len(witnesses):
            refused.append(next(iter(contrasts.items())))
            groups.oppose(a, b)
            continue
        joins.append(next(edge for edge in witnesses if edge not in contrasts))
        root = groups.unite(a, b)
        for other in groups.near.get(root, ()):
            if groups.may(root, other):
                low, high = min(root, other), max(root, other)
                heapq.heappush(queue, (-groups.likeness(low, high), low, high))
    return Joined([groups.forest.find(i) for i in range(len(side.near))], joins, refused)


class _Groups:
    """The groups while they grow: sums and sizes, the best edges to each neighbour, and who must stay apart."""

    def __init__(self, side: Side) -> None:
        self.forest = Forest(len(side.near))
        self.near: dict[int, dict[int, tuple[Edge, ...]]] = defaultdict(dict)
        self._side = side
        self._sums: dict[int, tuple[Floats, Floats]] = {}
        self._sizes = [1] * len(side.near)
        self._within = [0.0] * len(side.near)
        self._outlets = [{outlet: 1} for outlet in side.outlet.tolist()]
        self._enemies: dict[int, set[int]] = defaultdict(set)

    def _sum(self, root: int) -> tuple[Floats, Floats]:
        return self._sums.get(root) or (self._side.near[root], self._side.across[root])

    def likeness(self, a: int, b: int) -> float:
        """Mean likeness over the pairs of two groups, in what their own closeness asks: joined from 1 on."""
        mean = self._between(a, b) / (self._sizes[a] * self._sizes[b])
        return mean / sqrt(self._closeness(a) * self._closeness(b))

    def _between(self, a: int, b: int) -> float:
        """Summed likeness of the pairs of two groups."""
        mine, theirs = self._outlets[a], self._outlets[b]
        of_one_outlet = sum(count * theirs.get(outlet, 0) for outlet, count in mine.items())
        return between(self._sum(a), self._sum(b)) - SAME_OUTLET * of_one_outlet

    def _closeness(self, root: int) -> float:
        """How much more alike a group is than usual, at least 1; the fewer its pairs, the more it is taken for usual."""
        pairs = self._sizes[root] * (self._sizes[root] - 1) / 2
        return max(1.0, (self._within[root] / USUAL + USUAL_PAIRS) / (pairs + USUAL_PAIRS))

    def may(self, a: int, b: int) -> bool:
        return b not in self._enemies[a]

    def oppose(self, a: int, b: int) -> None:
        self._enemies[a].add(b)
        self._enemies[b].add(a)

    def connect(self, *edges: Edge) -> None:
        """Note edges between two groups; the best WITNESSES are kept."""
        a, b = self.forest.find(edges[0].a), self.forest.find(edges[0].b)
        if a != b:
            every = sorted((*self.near[a].get(b, ()), *edges), key=lambda edge: -edge.likeness)
            self.near[a][b] = self.near[b][a] = tuple(every[:WITNESSES])

    def unite(self, a: int, b: int) -> int:
        """Join two groups; returns the root."""
        if a == b:
            return a
        left, right, gained = self._sum(a), self._sum(b), self._between(a, b)
        root = self.forest.join(a, b)
        other = b if root == a else a
        self._within[root] += self._within[other] + gained
        for outlet, count in self._outlets[other].items():
            self._outlets[root][outlet] = self._outlets[root].get(outlet, 0) + count
        self._sums[root] = left[0] + right[0], left[1] + right[1]
        self._sizes[root] += self._sizes[other]
        for enemy in self._enemies.pop(other, ()):
            self._enemies[enemy].discard(other)
            self.oppose(root, enemy)
        for neighbour, edges in self.near.pop(other, {}).items():
            self.near[neighbour].pop(other, None)
            if neighbour != root:
                self.connect(*edges)
        return root


def split_by_time(
    groups: Mapping[int, Sequence[int]], times: NDArray[np.float64], gap_s: float, exempt: NDArray[np.bool_]
) -> list[list[int]]:
    """Part groups where more than `gap_s` seconds lie between nearest members; rows of each part in time order.

    Undated rows stay with the first part; exempt rows (older ones admitted for this event) with the earliest part
    that is not exempt.
    """
    at, free = times.tolist(), exempt.tolist()
    parts: list[list[int]] = []
    for rows in groups.values():
        if len(rows) == 1:
            parts.append(list(rows))
            continue
        dated = sorted((r for r in rows if not isnan(at[r]) and not free[r]), key=lambda r: (at[r], r))
        older = sorted((r for r in rows if free[r]), key=lambda r: (at[r], r))
        undated = [r for r in rows if isnan(at[r]) and not free[r]]
        cut: list[list[int]] = [older]
        for row in dated:
            last = cut[-1][-1] if cut[-1] else None
            if last is None or free[last] or at[row] - at[last] <= gap_s:
                cut[-1].append(row)
            else:
                cut.append([row])
        cut[0] += undated
        parts += [part for part in cut if part]
    return parts
