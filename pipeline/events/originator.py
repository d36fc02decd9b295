"""Who was first: the original of each group of copies, and the item an event began with."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from pipeline.settings import Settings
from pipeline.text import registrable
from pipeline.types import Candidate

_UNKNOWN = float("inf")
_DEFAULT = 0.0  # standing of a source nobody lists; only compared with listed ones


def times(items: Sequence[Candidate]) -> NDArray[np.float64]:
    """[N] publication in epoch seconds; NaN when undated."""
    return np.array([_seconds(item.published_at) for item in items], np.float64)


def _seconds(at: datetime | None) -> float:
    return at.timestamp() if at else float("nan")


def _out(item: Candidate) -> float:
    """When it came out, to be compared: a date without a time of day counts as the end of that day, so that it never
    beats a known minute of the same day.
    """
    at = item.published_at
    if at is not None and item.dates.chosen is not None and item.dates.claims[item.dates.chosen].precision == "day":
        at = at.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return at.timestamp() if at else _UNKNOWN


def standing(item: Candidate, settings: Settings) -> float:
    """Prior authority of an item's publisher, where config/authority.yaml lists it."""
    named = settings.authority.sources
    for host in (item.publisher, item.domain):
        if host in named or (host := registrable(host)) in named:
            return named[host].mean
    return _DEFAULT


def first(items: Sequence[Candidate], rows: Sequence[int], settings: Settings) -> int:
    """The row among `rows` that came first; of equal or unknown times the most authoritative, then the first fetched."""
    if len(rows) == 1:
        return rows[0]
    out = [_out(items[row]) for row in rows]
    earliest = min(out)
    tied = [row for row, moment in zip(rows, out, strict=True) if moment == earliest]
    return tied[0] if len(tied) == 1 else min(tied, key=lambda row: (-standing(items[row], settings), row))
