"""Fact or lead: what an item at or above the threshold may be used as.

fact   total >= 60 and (two independent owners report it, or authority >= 0.80 with relevance >= 0.60)
lead   everything else that reached the threshold: a lone rumour from a small site is a lead however fresh
none   below the threshold: not used
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipeline.types import DIMENSION_NAMES, ScoreSettings, Tier

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.scoring.standing import Rows
    from pipeline.types import Floats

NAMES: tuple[Tier, Tier, Tier] = ("none", "lead", "fact")
NONE, LEAD, FACT = range(3)
_RELEVANCE, _AUTHORITY, _CORROBORATION = (DIMENSION_NAMES.index(n) for n in ("relevance", "authority", "corroboration"))
_SLACK = 1e-6  # float32 values that stand for a decimal such as 0.80


def tiers(total: NDArray[np.float64], values: Floats, usable: Rows, scores: ScoreSettings) -> NDArray[np.int8]:
    """[n] 0 none, 1 lead, 2 fact. usable: rows that reached the threshold and were not put aside by an earlier gate."""
    tier = np.full(len(total), NONE, np.int8)
    tier[usable] = LEAD
    rows = usable.compress(total.take(usable) >= scores.fact_total)
    found = values.take(rows, axis=0)
    backed = found[:, _CORROBORATION] >= 1 - 2.0 ** -(scores.fact_owners - 1) - _SLACK
    trusted = found[:, _AUTHORITY] >= scores.fact_authority - _SLACK
    trusted &= found[:, _RELEVANCE] >= scores.fact_relevance - _SLACK
    tier[rows.compress(backed | trusted)] = FACT
    return tier
