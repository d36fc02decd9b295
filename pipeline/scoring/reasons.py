"""Why a row is where it is, in one sentence an analyst would say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.corroboration import voices
from pipeline.types import DIMENSION_NAMES, Bucket, ScoreSettings, Table, Verdict

if TYPE_CHECKING:
    from pipeline.types import Flags

_RELEVANCE, _AUTHORITY = DIMENSION_NAMES.index("relevance"), DIMENSION_NAMES.index("authority")


def reason(table: Table, row: int, verdict: Verdict, scores: ScoreSettings) -> str:
    """The sentence for a row under the table's outcome. Rows stopped by an earlier gate keep that gate's words."""
    bucket = Bucket(int(table.bucket[row]))
    if table.fixed[row] >= 0:
        return verdict.reason or _FIXED.get(bucket, bucket.label)
    total, floor = float(table.total[row]), scores.relevance_floor
    told = {
        Bucket.OFF_TOPIC: f"Relevance {table.values[row, _RELEVANCE]:.2f} is below {floor:.2f}.",
        Bucket.DISMISSED: "You dismissed it.",
        Bucket.BELOW_THRESHOLD: f"{total:.2f} points, below the threshold of {scores.threshold:g}.",
        Bucket.AUTHOR_CAP: f"@{table.authors[row].lstrip('@')} already holds {scores.per_author} better places.",
        Bucket.OVER_LIMIT: f"{total:.2f} points are enough, but at most {scores.max_results:,} events are shown; "
        "a larger max_results (“Shown events, at most”) brings it in.",
        Bucket.SELECTED: f"{total:.2f} points: {_carried(table, row)}{_upstream(table, row)}.",
    }
    if bucket == Bucket.COPY:
        return _copy(table, row)
    return _folded(table, row) if bucket == Bucket.FOLDED else told[bucket]


_FIXED = {
    Bucket.NOT_EXAMINED: "Not examined: the pool was larger than the shortlist.",
    Bucket.OFF_TOPIC: "The judge found it off topic.",
}


def _carried(table: Table, row: int) -> str:
    """What brought an item here: relevance, independent sources, age, authority, as figures of its own row."""
    relevance, authority = table.values[row, _RELEVANCE], table.values[row, _AUTHORITY]
    told = [f"relevance {relevance:.2f}"]
    if (independent := voices(table, row)) > 1:
        told.append(f"{independent} independent sources")
    if not np.isnan(age := float(table.age_days[row])):
        told.append("less than a day old" if age < 1 else f"{age:.0f} day{'s' * (round(age) != 1)} old")
    return ", ".join([*told, f"authority {authority:.2f}"])


def _upstream(table: Table, row: int) -> str:
    return "; older than the window, shown because its event is in it" if table.upstream[row] else ""


def _copy(table: Table, row: int) -> str:
    same = (table.original == table.original[row]) & (table.upstream == table.upstream[row])
    better = _best(table, same & (table.bucket != Bucket.COPY) & (table.fixed < 0))
    return (
        "The same text again." if better is None else f"The same text as “{table.titles[better]}”{_on(table, better)}."
    )


def _folded(table: Table, row: int) -> str:
    shown = np.isin(table.bucket, (Bucket.SELECTED, Bucket.OVER_LIMIT)) & (table.upstream == table.upstream[row])
    better = _best(table, (table.event == table.event[row]) & shown)
    if better is None:
        return "Another report of the same event is shown."
    return f"The same event is shown by “{table.titles[better]}”{_on(table, better)}."


def _best(table: Table, among: Flags) -> int | None:
    rows = np.flatnonzero(among)
    return int(rows[np.argmax(table.total[rows])]) if len(rows) else None


def _on(table: Table, row: int) -> str:
    where = table.domains[row] or table.sources[row]
    return f" on {where}" if where else ""
