"""Which of the scored items are shown: representatives, caps and the limit, by segments of one order. No loop over
items.

Gates in the order of types.Bucket, each with what the earlier ones left:
off topic -> dismissed -> copy (not the best of its copy group) -> below threshold -> per-author cap (posts only) ->
folded (not the best of its event) -> over limit -> selected.
An event's best upstream item is a representative of its own: it is shown beside the event's best and never folded.
"""

from __future__ import annotations

from collections import Counter
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipeline.scoring.tiers import tiers
from pipeline.types import DIMENSION_NAMES, Bucket, ScoreSettings, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.types import Flags, Floats, Ints

    Rows = NDArray[np.int64]  # numpy takes these as indices without converting them first

_RELEVANCE = DIMENSION_NAMES.index("relevance")


class Choice(NamedTuple):
    bucket: NDArray[np.int8]
    tier: NDArray[np.int8]
    order: Ints
    """Rows that reached scoring, best first (ties by engagement)."""


def choose(table: Table, values: Floats, total: NDArray[np.float64], scores: ScoreSettings) -> Choice:
    """Buckets and tiers of every row under these values, totals and settings."""
    bucket = table.fixed.copy()
    scored, enough = table.fixed < 0, total >= scores.threshold
    order = best_first(total, table.engagement, scored)
    on_topic = (values[:, _RELEVANCE] >= scores.relevance_floor) | table.first_party
    bucket[scored & table.dismissed] = Bucket.DISMISSED
    bucket[scored & ~on_topic] = Bucket.OFF_TOPIC
    left = order[bucket[order] < 0]
    left = _gate(bucket, left, _first(_segment(table.original, table.upstream, left)), Bucket.COPY)
    usable = (bucket < 0) | (bucket == Bucket.COPY)
    left = _gate(bucket, left, enough[left], Bucket.BELOW_THRESHOLD)
    left = _gate(bucket, left, _within_cap(table, left, scores.per_author), Bucket.AUTHOR_CAP)
    left = _gate(bucket, left, _first(_segment(table.event, table.upstream, left)), Bucket.FOLDED)
    shown = _beside(left, table.event) if table.upstream[left].any() else left
    bucket[shown[: scores.max_results]] = Bucket.SELECTED
    bucket[shown[scores.max_results :]] = Bucket.OVER_LIMIT
    return Choice(bucket, tiers(total, values, usable & enough, scores), order.astype(np.int32))


def best_first(total: NDArray[np.float64], engagement: Floats, scored: Flags) -> Rows:
    """Scored rows by falling total, then engagement, then pool order.

    One integer a row holds all three, so that one fast sort of integers does: 14 bits of hundredths of points, 24 of
    engagement (counts beyond 16 million are equal), 24 of the row.
    """
    rows = np.flatnonzero(scored)
    missing = 10_000 - np.rint(total[rows] * 100).astype(np.int64)
    quiet = _MOST - np.minimum(engagement[rows], _MOST).astype(np.int64)
    key = (missing << 48) | (quiet << 24) | rows
    key.sort()
    return key & _MOST


_MOST = 2**24 - 1


def _gate(bucket: NDArray[np.int8], rows: Rows, passes: Flags, where: Bucket) -> Rows:
    """Put the rows that fail into `where`; the others are left, in order."""
    bucket[rows[~passes]] = where
    return rows[passes]


def _segment(group: Ints, upstream: Flags, rows: Rows) -> NDArray[np.int64]:
    """[m] one number per group, upstream members apart."""
    return 2 * group[rows].astype(np.int64) + upstream[rows]


def _first(segment: NDArray[np.int64]) -> Flags:
    """[m] True at the first occurrence of each segment number; rows come best first."""
    if not len(segment):
        return np.zeros(0, bool)
    places = np.arange(len(segment))
    first = np.empty(int(segment.max()) + 1, np.int64)
    first[segment[::-1]] = places[::-1]  # the last write, the best row, stays
    best: Flags = first[segment] == places
    return best


def _within_cap(table: Table, rows: Rows, cap: int) -> Flags:
    """[m] False for posts of an account that already holds `cap` better places."""
    passes = np.ones(len(rows), bool)
    places = np.flatnonzero(table.social[rows])
    if len(places) < 2:
        return passes
    names = itemgetter(*rows[places].tolist())(table.authors)
    crowded = {name for name, count in Counter(names).items() if count > cap and name}
    held: Counter[tuple[str, str]] = Counter()
    for place, name in zip(places.tolist(), names, strict=True) if crowded else ():
        if name in crowded:
            account = (table.sources[rows[place]], name)
            held[account] += 1
            passes[place] = held[account] <= cap
    return passes


def _beside(rows: Rows, event: Ints) -> Rows:
    """The shown rows, an event's upstream item directly behind its best one, events by their best item."""
    best = np.full(int(event[rows].max()) + 1, len(rows), np.int64)
    places = np.arange(len(rows))
    best[event[rows][::-1]] = places[::-1]
    return rows[np.lexsort((places, best[event[rows]]))]
