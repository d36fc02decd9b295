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

    from pipeline.types import Flags, Floats

NAMES: tuple[Tier, Tier, Tier] = ("none", "lead", "fact")
NONE, LEAD, FACT = range(3)
_RELEVANCE, _AUTHORITY, _CORROBORATION = (DIMENSION_NAMES.index(n) for n in ("relevance", "authority", "corroboration"))
_SLACK = 1e-6  # float32 values that stand for a decimal such as 0.80


def tiers(total: NDArray[np.float64], values: Floats, usable: Flags, scores: ScoreSettings) -> NDArray[np.int8]:
    """[n] 0 none, 1 lead, 2 fact. usable: [n] reached the threshold and was not put aside by an earlier gate."""
    backed = values[:, _CORROBORATION] >= 1 - 2.0 ** -(scores.fact_owners - 1) - _SLACK
    trusted = values[:, _AUTHORITY] >= scores.fact_authority - _SLACK
    trusted &= values[:, _RELEVANCE] >= scores.fact_relevance - _SLACK
    fact = usable & (total >= scores.fact_total) & (backed | trusted)
    return np.where(fact, FACT, np.where(usable, LEAD, NONE)).astype(np.int8)
