"""Which of the scored items are shown: representatives, caps and the limit, by segments of one order. No loop over
items.

Gates in the order of types.Bucket, each with what the earlier ones left:
off topic -> dismissed -> copy (not the best of its copy group) -> below threshold -> per-author cap (posts only) ->
folded (not the best of its event) -> over limit -> selected.
An event's best upstream item is a representative of its own: it is shown beside the event's best and never folded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipeline.scoring.tiers import tiers
from pipeline.types import DIMENSION_NAMES, Bucket, ScoreSettings, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.types import Flags, Floats, Ints

_RELEVANCE = DIMENSION_NAMES.index("relevance")


class Choice(NamedTuple):
    bucket: NDArray[np.int8]
    tier: NDArray[np.int8]
    order: Ints
    """Rows that reached scoring, best first (ties by engagement)."""


def choose(table: Table, values: Floats, total: NDArray[np.float64], scores: ScoreSettings) -> Choice:
    """Buckets and tiers of every row under these values, totals and settings."""
    bucket = table.fixed.copy()
    order = best_first(total, table.engagement, table.fixed < 0)
    on_topic = (values[:, _RELEVANCE] >= scores.relevance_floor) | table.first_party
    left = order[_gate(bucket, order, on_topic[order], Bucket.OFF_TOPIC)]
    left = left[_gate(bucket, left, ~table.dismissed[left], Bucket.DISMISSED)]
    left = left[_gate(bucket, left, _first(2 * table.original[left] + table.upstream[left]), Bucket.COPY)]
    enough = total >= scores.threshold
    usable = (bucket < 0) | (bucket == Bucket.COPY)
    left = left[_gate(bucket, left, enough[left], Bucket.BELOW_THRESHOLD)]
    left = left[_gate(bucket, left, _within_cap(table, left, scores.per_author), Bucket.AUTHOR_CAP)]
    left = left[_gate(bucket, left, _first(2 * table.event[left] + table.upstream[left]), Bucket.FOLDED)]
    shown = _beside(left, table.event, total)
    bucket[shown[: scores.max_results]] = Bucket.SELECTED
    bucket[shown[scores.max_results :]] = Bucket.OVER_LIMIT
    return Choice(bucket, tiers(total, values, usable & enough, scores), order)


def best_first(total: NDArray[np.float64], engagement: Floats, scored: Flags) -> Ints:
    """Scored rows by falling total, then engagement, then pool order.

    Totals are whole hundredths up to 10,000: a stable radix sort of 16 bits, after one by engagement where any differs.
    """
    rows = np.flatnonzero(scored).astype(np.int32)
    liked = engagement[rows]
    if liked.any():
        rows = rows[np.argsort(-liked, kind="stable")]
    key = (10_000 - np.rint(total[rows] * 100)).astype(np.uint16)
    return rows[np.argsort(key, kind="stable")]


def _gate(bucket: NDArray[np.int8], rows: Ints, passes: Flags, where: Bucket) -> Flags:
    bucket[rows[~passes]] = where
    return passes


def _first(segment: Ints) -> Flags:
    """[m] True at the first occurrence of each segment number; rows come best first."""
    if not len(segment):
        return np.zeros(0, bool)
    places = np.arange(len(segment))
    first = np.empty(int(segment.max()) + 1, np.int64)
    first[segment[::-1]] = places[::-1]  # the last write, the best row, stays
    return first[segment] == places


def _within_cap(table: Table, rows: Ints, cap: int) -> Flags:
    """[m] False for posts of an account that already holds `cap` better places."""
    passes = np.ones(len(rows), bool)
    held: dict[tuple[str, str], int] = {}
    for place in np.flatnonzero(table.social[rows]).tolist():
        row = int(rows[place])
        account = (table.sources[row], table.authors[row])
        held[account] = held.get(account, 0) + 1
        passes[place] = held[account] <= cap or not account[1]
    return passes


def _beside(rows: Ints, event: Ints, total: NDArray[np.float64]) -> Ints:
    """The shown rows, an event's upstream item directly behind its best one, events by their best item."""
    if not len(rows):
        return rows
    best = np.full(int(event[rows].max()) + 1, len(rows), np.int64)
    places = np.arange(len(rows))
    best[event[rows][::-1]] = places[::-1]
    return rows[np.lexsort((places, best[event[rows]]))]
