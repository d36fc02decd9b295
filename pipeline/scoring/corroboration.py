"""Corroboration: n independent owners report the same event; value = 1 - 2^-(n-1): 0, 0.5, 0.75, 0.875, ...

An owner is counted once however many sites it has, and a copy speaks with the voice of its original (nine reprints of
one agency's text are one voice). Items the analyst dismissed have no voice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.frame import Dimension, Evidence, Pool

if TYPE_CHECKING:
    from pipeline.types import Flags, Floats, Ints, Table


def independent(event: Ints, voice: Ints, original: Ints, counted: Flags) -> Ints:
    """[n] number of distinct voices in each item's event; 0 where no member counts.

    event, voice, original: [n] as in Grouping, event -1 for items that were never grouped; counted: [n].
    """
    result = np.zeros(len(event), np.int32)
    rows = np.flatnonzero(counted & (event >= 0))
    if not len(rows):
        return result
    width = int(voice.max(initial=0)) + 1
    pair = event[rows].astype(np.int64) * width + voice[original[rows]]
    pair.sort()
    pair = pair[np.append(True, pair[1:] != pair[:-1])]
    counts = np.bincount(pair // width, minlength=int(event.max()) + 1).astype(np.int32)
    grouped = event >= 0
    result[grouped] = counts[event[grouped]]
    return result


def value_of(owners: Ints) -> Floats:
    """[n] 1 - 2^-(owners - 1), 0 for none or one."""
    return (1 - np.exp2(-(np.maximum(owners, 1) - 1).astype(np.float32))).astype(np.float32)


def voices(table: Table, row: int) -> int:
    """How many independent owners report a row's event, as a finished run stands now; 1 for a row without an event."""
    if table.event[row] < 0:
        return 1
    same = (table.event == table.event[row]) & (table.fixed < 0) & ~table.dismissed
    return len(np.unique(table.voice[table.original[same]]))


@dataclass(frozen=True, slots=True)
class Corroboration:
    values: Floats
    owners: Ints
    pool: Pool

    def explain(self, row: int) -> Evidence:
        return explain(int(self.owners[row]), members=_members(self.pool, row), value=float(self.values[row]))


def _members(pool: Pool, row: int) -> int:
    return len(pool.grouping.events[int(pool.grouping.event_of[row])].members)


def explain(owners: int, *, members: int, value: float) -> Evidence:
    reports = "1 report" if members == 1 else f"{members} reports"
    says = f"{reports} of this event, n = {owners} independent; 1 - 2^-(n-1) = {value:.3g}"
    return Evidence(says, (("independent", str(owners)), ("reports", str(members))))


def measure(pool: Pool) -> Corroboration:
    grouping = pool.grouping
    owners = independent(grouping.event_of, grouping.voice_of, grouping.original_of, ~pool.dismissed)
    return Corroboration(value_of(owners), owners, pool)


DIMENSION = Dimension("corroboration", measure)
