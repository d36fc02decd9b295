"""Pairs of items worth comparing, found by sorting bands of fingerprints: never all pairs.

A bucket of k items gives 2k pairs, not k squared: each item meets its neighbour and the bucket's first. Items that
belong together are connected all the same, and a lead shared by ten thousand items stays affordable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pipeline.events.fingerprint import BITS, PERMUTATIONS, Codes, Prints

if TYPE_CHECKING:
    from pipeline.types import Floats, Ints

LEAD_BAND = 3  # MinHash values a band
NEIGHBOURS = 8  # nearest items by embedding that are compared; an event rarely has more independent reports
_BLOCK = 2048  # rows of the matrix product at once: 2048 x N floats

Pairs = tuple[NDArray[np.int32], NDArray[np.int32]]
"""Two aligned arrays of rows, a < b, each pair once."""


def unique(a: NDArray[np.int64], b: NDArray[np.int64], count: int) -> Pairs:
    """Ordered and without repetition."""
    keys = np.unique(np.minimum(a, b) * count + np.maximum(a, b))
    low, high = keys // count, keys % count
    real = low != high
    return low[real].astype(np.int32), high[real].astype(np.int32)


def _buckets(keys: Codes, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of rows with equal keys: each with its neighbour and with the first of its bucket."""
    order = np.argsort(keys, kind="stable")
    keys, rows = keys[order], rows[order]
    same = np.concatenate(([False], keys[1:] == keys[:-1]))
    first = np.maximum.accumulate(np.where(same, 0, np.arange(len(keys))))
    at = np.flatnonzero(same)
    return np.concatenate((rows[at - 1], rows[first[at]])), np.concatenate((rows[at], rows[at]))


def by_title(prints: Prints, distance: int) -> Pairs:
    """Titles that may lie within `distance` bits: by the pigeonhole they agree in one of distance + 1 bands."""
    rows = np.flatnonzero(prints.title_words > 0)
    codes, found = prints.title[rows], []
    edges = np.linspace(0, BITS, distance + 2).astype(int)
    for low, high in zip(edges[:-1], edges[1:], strict=True):
        band = (codes >> np.uint64(low)) & np.uint64((1 << int(high - low)) - 1)
        found.append(_buckets(band, rows))
    return _merged(found, len(prints.title))


def by_lead(prints: Prints) -> Pairs:
    """Leads that agree in a band of their MinHash."""
    rows = np.flatnonzero(prints.has_lead)
    found = []
    for low in range(0, PERMUTATIONS, LEAD_BAND):
        key = np.zeros(len(rows), np.uint64)
        for number in range(low, min(low + LEAD_BAND, PERMUTATIONS)):
            key = key * np.uint64(0x9E3779B97F4A7C15) + prints.lead[rows, number].astype(np.uint64)
        found.append(_buckets(key, rows))
    return _merged(found, len(prints.title))


def _merged(found: list[tuple[NDArray[np.int64], NDArray[np.int64]]], count: int) -> Pairs:
    return unique(np.concatenate([a for a, _ in found]), np.concatenate([b for _, b in found]), count)


def by_embedding(vectors: Floats, rows: Ints, floor: float) -> Pairs:
    """Each of `rows` with its nearest others at cosine >= floor: a matrix product over the embedded shortlist."""
    shortlist = vectors[rows]
    a, b = [], []
    for begin in range(0, len(rows), _BLOCK):
        cosines = shortlist[begin : begin + _BLOCK] @ shortlist.T
        mine = np.arange(len(cosines))
        cosines[mine, begin + mine] = -1.0
        keep = min(NEIGHBOURS, len(rows) - 1)
        if keep < 1:
            break
        near = np.argpartition(-cosines, keep - 1, axis=1)[:, :keep]
        good = np.take_along_axis(cosines, near, axis=1) >= floor
        a.append(rows[begin + np.nonzero(good)[0]])
        b.append(rows[near[good]])
    if not a:
        return np.empty(0, np.int32), np.empty(0, np.int32)
    return unique(np.concatenate(a).astype(np.int64), np.concatenate(b).astype(np.int64), len(vectors))


def across(vectors: Floats, some: NDArray[np.int64], others: NDArray[np.int64], floor: float) -> Pairs:
    """Each of `some` with its nearest of `others`, and the other way round, at cosine >= floor."""
    if not len(some) or not len(others):
        return np.empty(0, np.int32), np.empty(0, np.int32)
    cosines = vectors[some] @ vectors[others].T
    a, b = [], []
    for axis, count in ((1, len(others)), (0, len(some))):
        keep = min(NEIGHBOURS // 2, count)
        near = np.argpartition(-cosines, keep - 1, axis=axis)
        near = near[:, :keep] if axis else near[:keep]
        good = np.nonzero(np.take_along_axis(cosines, near, axis=axis) >= floor)
        a.append(some[good[0]] if axis else some[near[good]])
        b.append(others[near[good]] if axis else others[good[1]])
    return unique(np.concatenate(a), np.concatenate(b), len(vectors))
