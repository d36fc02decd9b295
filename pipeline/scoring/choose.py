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

from pipeline.scoring.standing import best_first, standing
from pipeline.scoring.tiers import tiers
from pipeline.types import DIMENSION_NAMES, Bucket, ScoreSettings, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.scoring.standing import Rows
    from pipeline.types import Flags, Floats

_RELEVANCE = DIMENSION_NAMES.index("relevance")


class Choice(NamedTuple):
    bucket: NDArray[np.int8]
    tier: NDArray[np.int8]
    order: Rows
    """Rows that reached scoring, best first (ties by engagement)."""


def choose(table: Table, values: Floats, total: NDArray[np.float64], scores: ScoreSettings) -> Choice:
    """Buckets and tiers of every row under these values, totals and settings.

    `left` is what no gate has stopped yet, as places in the standing, best first.
    """
    scored = standing(table)
    points = total.take(scored.rows)
    by = best_first(points)
    gate = _before(table, values, scores).take(scored.rows)
    left = by.compress((gate < 0).take(by))
    left = _gate(gate, left, _first(scored.copies.take(left)), Bucket.COPY)
    enough = points >= scores.threshold
    usable = scored.rows.compress(enough & ((gate < 0) | (gate == Bucket.COPY)))
    left = _gate(gate, left, enough.take(left), Bucket.BELOW_THRESHOLD)
    left = _gate(gate, left, _within_cap(scored.accounts.take(left), scores.per_author), Bucket.AUTHOR_CAP)
    left = _gate(gate, left, _first(scored.events.take(left)), Bucket.FOLDED)
    left = _beside(left, scored.events.take(left))
    gate[left[: scores.max_results]] = Bucket.SELECTED
    gate[left[scores.max_results :]] = Bucket.OVER_LIMIT
    bucket = table.fixed.copy()
    bucket[scored.rows] = gate
    return Choice(bucket, tiers(total, values, usable, scores), scored.rows.take(by))


def _before(table: Table, values: Floats, scores: ScoreSettings) -> NDArray[np.int8]:
    """[N] what relevance and the analyst's word decide; -1 for the rest."""
    gate = np.full(len(table), -1, np.int8)
    np.putmask(gate, table.dismissed, Bucket.DISMISSED)
    np.putmask(gate, (values[:, _RELEVANCE] < scores.relevance_floor) > table.first_party, Bucket.OFF_TOPIC)
    return gate


def _gate(gate: NDArray[np.int8], places: Rows, passes: Flags, where: Bucket) -> Rows:
    """Put the places that fail into `where`; the others are left, in the same order."""
    gate[places.compress(~passes)] = where
    return places.compress(passes)


def _first(segment: Rows) -> Flags:
    """[k] True at the first occurrence of each segment number; places come best first."""
    if not len(segment):
        return np.zeros(0, bool)
    places = np.arange(len(segment))
    first = np.empty(int(segment.max()) + 1, np.int64)
    first[segment[::-1]] = places[::-1]  # the last write, the best place, stays
    best: Flags = first.take(segment) == places
    return best


def _within_cap(accounts: Rows, cap: int) -> Flags:
    """[k] False for posts of an account that already holds `cap` better places. accounts: [k] -1 for what has none."""
    passes = np.ones(len(accounts), bool)
    posts = np.flatnonzero(accounts >= 0)
    posts = posts.take(np.argsort(accounts.take(posts), kind="stable"))  # by account, best first
    account = accounts.take(posts)
    late = account[cap:]
    passes[posts[cap:][late == account[: len(late)]]] = False
    return passes


def _beside(places: Rows, events: Rows) -> Rows:
    """An event's upstream item directly behind its best one, events by their best item. events: as in Standing, each
    at most once.
    """
    if not (events & 1).any():
        return places
    event = events >> 1
    best = np.full(int(event.max()) + 1, len(places), np.int64)
    at = np.arange(len(places))
    best[event[::-1]] = at[::-1]
    return places[np.lexsort((at, best[event]))]
