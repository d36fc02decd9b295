"""Bare reprint: a member of a copy group that is not its original and adds nothing to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.frame import Pool

if TYPE_CHECKING:
    from pipeline.types import Flags


@dataclass(frozen=True, slots=True)
class Reprint:
    struck: Flags
    pool: Pool

    @property
    def effect(self) -> str:
        return "the total is multiplied; corroboration counts the original only"

    def explain(self, row: int) -> str:
        original = self.pool.candidates[int(self.pool.grouping.original_of[row])]
        at = original.published_at
        when = f" of {at:%Y-%m-%d %H:%M} UTC" if at else ""
        return f"adds nothing to the original on {original.domain or original.source}{when}: {original.title}"


def measure(pool: Pool) -> Reprint:
    grouping = pool.grouping
    copy = grouping.original_of != np.arange(len(pool))
    return Reprint(copy & grouping.adds_nothing, pool)
