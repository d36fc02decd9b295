"""What would lift an item over the line: for a near reject, the smallest single change that would show it.

From total = 100 x F x sum(w_k v_k):  a dimension must rise to  v_k + gap / (100 F w_k);
raising one weight from w to w' (the others keep their proportions) gives total' linear in the new share, solved for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.total import effective_weights
from pipeline.types import DIMENSION_NAMES, Bucket, ScoreSettings, Table

if TYPE_CHECKING:
    from pipeline.types import Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift:
    """The distance of one item to the threshold."""

    row: int
    total: float
    gap: float
    """Points missing; 0 when it is at or above the threshold."""
    threshold: float
    """The highest threshold that would let it through: its own total."""
    dimensions: Mapping[str, float]
    """Dimension -> the value it would need, for those where some value up to 1 suffices, the smallest rise first."""
    weights: Mapping[str, float]
    """Dimension -> the normalised weight it would need, where some weight up to 1 suffices, the smallest rise first."""
    without_penalties: float
    """The total had no penalty struck."""

    @property
    def sentence(self) -> str:
        """Each single change that would do, the smallest rise first, in words."""
        if self.gap <= 0:
            return "It is over the line."
        line = self.total + self.gap
        ways = [f"{name} of {value:.2f}" for name, value in self.dimensions.items()][:_WAYS]
        ways += [f"{name} to weigh {share:.2f}" for name, share in self.weights.items()][:_WAYS]
        ways += ["no penalty"] if self.without_penalties >= line else []
        lacks = f"{self.gap:.2f} points are missing, a threshold of {self.threshold:.2f} would show it"
        if not ways:
            return f"To reach {line:g} no single change is enough: {lacks}."
        return f"To reach {line:g} it would need {_either(ways)}; {lacks}."


_WAYS = 2  # dimensions, and weights, named in the sentence


def _either(ways: list[str]) -> str:
    return ways[0] if len(ways) == 1 else f"{', '.join(ways[:-1])} or {ways[-1]}"


def lift(table: Table, row: int, scores: ScoreSettings) -> Lift:
    """How far a scored row is from the threshold, and each single change that would close the gap."""
    weights = np.asarray(effective_weights(scores))
    values = table.values[row].astype(np.float64)
    factor = float(np.prod(table.factors[row].astype(np.float64)))
    blend = float(values @ weights)
    total, needed = round(100 * factor * blend, 2), scores.threshold / 100 / factor
    gap = max(0.0, round(scores.threshold - total, 2))
    raised = {
        name: values[k] + (needed - blend) / weights[k] for k, name in enumerate(DIMENSION_NAMES) if weights[k] > 0
    }
    return Lift(
        row=row,
        total=total,
        gap=gap,
        threshold=total,
        dimensions=_nearest({name: float(value) for name, value in raised.items() if gap and value <= 1}, values),
        weights=_nearest(_weights(values, weights, blend, needed) if gap else {}, weights),
        without_penalties=round(100 * blend, 2),
    )


def _nearest(needed: Mapping[str, float], has: np.ndarray[tuple[int], np.dtype[np.float64]]) -> dict[str, float]:
    """The smallest rise first. has: [6] what the item, or the settings, have now."""
    return dict(sorted(needed.items(), key=lambda pair: pair[1] - has[DIMENSION_NAMES.index(pair[0])]))


def _weights(
    values: np.ndarray[tuple[int], np.dtype[np.float64]],
    weights: np.ndarray[tuple[int], np.dtype[np.float64]],
    blend: float,
    needed: float,
) -> dict[str, float]:
    """Share s of dimension k with s v_k + (1 - s) rest_k = needed, where rest_k is the blend of the others."""
    found = {}
    for k, name in enumerate(DIMENSION_NAMES):
        if not 0 < weights[k] < 1:
            continue
        rest = (blend - weights[k] * values[k]) / (1 - weights[k])
        if values[k] > max(needed, rest):
            found[name] = float((needed - rest) / (values[k] - rest))
    return found


def nearest(table: Table, count: int = 5) -> Ints:
    """Scored rows closest to being shown: below the threshold or over the limit, best first."""
    near = np.flatnonzero(np.isin(table.bucket, (Bucket.BELOW_THRESHOLD, Bucket.OVER_LIMIT)))
    return near[np.argsort(-table.total[near], kind="stable")][:count].astype(np.int32)
