"""Fill in the outcome of a scored table: totals, buckets, tiers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pipeline.scoring.choose import choose
from pipeline.scoring.total import effective_weights, totals
from pipeline.types import ScoreSettings, Table


def select(table: Table, scores: ScoreSettings) -> Table:
    """The table with `total`, `bucket` and `tier` under the given settings; every row ends in exactly one bucket."""
    total = totals(table.values, effective_weights(scores), table.factors) * (table.fixed < 0)
    choice = choose(table, table.values, total, scores)
    return replace(table, total=total.astype(np.float32), bucket=choice.bucket, tier=choice.tier)
