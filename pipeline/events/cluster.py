"""Reports of one happening: from likely pairs to groups, by average likeness, with the veto and the clock.

Pairs are joined from the most alike downwards (group-average linkage). Two groups join when their members are alike on
average, so that a chain of half-alike reports does not grow into one story; a pair that contrasts keeps its two groups
apart for good.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.events.forest import Forest

Floats = NDArray[np.float32]


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
    vectors: Floats,
    edges: Sequence[Edge],
    floor: float,
    veto: Callable[[int, int], object | None],
    together: Iterable[tuple[int, int]] = (),
    apart: Iterable[tuple[int, int]] = (),
) -> Joined:
    """Group positions 0..n-1. `together` and `apart` are the analyst's word; it wins over likeness and veto."""
    forest = Forest(len(vectors))
    sums: dict[int, Floats] = {}
    sizes = [1] * len(vectors)
    enemies: dict[int, set[int]] = defaultdict(set)
    for a, b in apart:
        _oppose(enemies, forest, a, b)

    def total(root: int) -> Floats:
        found: Floats = sums.get(root, vectors[root])
        return found

    def unite(a: int, b: int) -> None:
        both = total(a) + total(b)
        root = forest.join(a, b)
        other = b if root == a else a
        sums[root], sizes[root] = both, sizes[a] + sizes[b]
        for enemy in enemies.pop(other, ()):
            enemies[enemy].discard(other)
            enemies[enemy].add(root)
            enemies[root].add(enemy)

    for a, b in together:
        if (left := forest.find(a)) != (right := forest.find(b)):
            unite(left, right)
    joins, refused = [], []
    for edge in sorted(edges, key=lambda e: (-e.likeness, e.a, e.b)):
        left, right = forest.find(edge.a), forest.find(edge.b)
        if left == right or right in enemies[left]:
            continue
        if float(total(left) @ total(right)) < floor * sizes[left] * sizes[right]:
            continue
        if reason := veto(edge.a, edge.b):
            refused.append((edge, reason))
            _oppose(enemies, forest, edge.a, edge.b)
            continue
        unite(left, right)
        joins.append(edge)
    return Joined([forest.find(i) for i in range(len(vectors))], joins, refused)


def _oppose(enemies: dict[int, set[int]], forest: Forest, a: int, b: int) -> None:
    left, right = forest.find(a), forest.find(b)
    enemies[left].add(right)
    enemies[right].add(left)


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
