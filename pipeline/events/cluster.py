"""Reports of one happening: from likely pairs to groups, by average likeness, with the veto and the clock.

Group-average linkage over a sparse graph: always the two most alike groups are joined, likeness between groups being
the mean over all their pairs, so that a chain of half-alike reports does not grow into one story. A pair that
contrasts keeps its two groups apart for good.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pipeline.events.forest import Forest
from pipeline.events.likeness import Side, between

if TYPE_CHECKING:
    from pipeline.types import Floats


@dataclass(frozen=True, slots=True)
class Edge:
    """Two positions that may report one event; `likeness` is the cosine of their vectors."""

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
        edge = groups.near[a][b]
        if reason := veto(edge.a, edge.b):
            refused.append((edge, reason))
            groups.oppose(a, b)
            continue
        joins.append(edge)
        root = groups.unite(a, b)
        for other in groups.near.get(root, ()):
            if groups.may(root, other):
                low, high = min(root, other), max(root, other)
                heapq.heappush(queue, (-groups.likeness(low, high), low, high))
    return Joined([groups.forest.find(i) for i in range(len(side.near))], joins, refused)


class _Groups:
    """The groups while they grow: sums and sizes, the best edge to each neighbour, and who must stay apart."""

    def __init__(self, side: Side) -> None:
        self.forest = Forest(len(side.near))
        self.near: dict[int, dict[int, Edge]] = defaultdict(dict)
        self._side = side
        self._sums: dict[int, tuple[Floats, Floats]] = {}
        self._sizes = [1] * len(side.near)
        self._enemies: dict[int, set[int]] = defaultdict(set)

    def _sum(self, root: int) -> tuple[Floats, Floats]:
        return self._sums.get(root) or (self._side.near[root], self._side.across[root])

    def likeness(self, a: int, b: int) -> float:
        """Mean likeness over the pairs of two groups."""
        return between(self._sum(a), self._sum(b)) / (self._sizes[a] * self._sizes[b])

    def may(self, a: int, b: int) -> bool:
        return b not in self._enemies[a]

    def oppose(self, a: int, b: int) -> None:
        self._enemies[a].add(b)
        self._enemies[b].add(a)

    def connect(self, edge: Edge) -> None:
        a, b = self.forest.find(edge.a), self.forest.find(edge.b)
        if a != b and (b not in self.near[a] or self.near[a][b].likeness < edge.likeness):
            self.near[a][b] = self.near[b][a] = edge

    def unite(self, a: int, b: int) -> int:
        """Join two groups; returns the root."""
        if a == b:
            return a
        left, right = self._sum(a), self._sum(b)
        root = self.forest.join(a, b)
        other = b if root == a else a
        self._sums[root] = left[0] + right[0], left[1] + right[1]
        self._sizes[root] += self._sizes[other]
        for enemy in self._enemies.pop(other, ()):
            self._enemies[enemy].discard(other)
            self.oppose(root, enemy)
        for neighbour, edge in self.near.pop(other, {}).items():
            self.near[neighbour].pop(other, None)
            if neighbour != root:
                self.connect(edge)
        return root


def split_by_time(
    groups: Mapping[int, Sequence[int]], times: NDArray[np.float64], gap_s: float, exempt: NDArray[np.bool_]
) -> list[list[int]]:
    """Part groups where more than `gap_s` seconds lie between nearest members; rows of each part in time order.

    Undated rows stay with the first part; exempt rows (older ones admitted for this event) with the earliest part
    that is not exempt.
    """
    parts: list[list[int]] = []
    for rows in groups.values():
        if len(rows) == 1:
            parts.append(list(rows))
            continue
        dated = sorted((r for r in rows if not np.isnan(times[r]) and not exempt[r]), key=lambda r: (times[r], r))
        older = sorted((r for r in rows if exempt[r]), key=lambda r: (times[r], r))
        undated = [r for r in rows if np.isnan(times[r]) and not exempt[r]]
        cut: list[list[int]] = [older]
        for row in dated:
            last = cut[-1][-1] if cut[-1] else None
            if last is None or exempt[last] or times[row] - times[last] <= gap_s:
                cut[-1].append(row)
            else:
                cut.append([row])
        cut[0] += undated
        parts += [part for part in cut if part]
    return parts
