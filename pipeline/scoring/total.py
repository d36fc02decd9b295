"""The total: 100 x sum(weight x value) x product(penalty factors), rounded to two places; weights normalised to 1.

total = round(100 x sum_k(w_k x v_k) x prod_j(f_j), 2)        0..100
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.kept import Kept
from pipeline.types import DIMENSION_NAMES, ScoreSettings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.types import Floats

PREFERENCE = DIMENSION_NAMES.index("preference")


def effective_weights(scores: ScoreSettings) -> tuple[float, ...]:
    """The weights as they count: normalised over the dimensions that are on (preference needs interest words).

    All zero (`weightless`): every dimension that is on counts the same, since a total must come out.
    """
    on = _on(scores)
    if not sum(on) > 0:
        on = [float(index != PREFERENCE or bool(scores.interests)) for index in range(len(scores.weights))]
    whole = sum(on)
    return tuple(weight / whole for weight in on)


def weightless(scores: ScoreSettings) -> bool:
    """Whether no dimension that is on has a weight; what preference weighs counts only with interest words."""
    return not sum(_on(scores)) > 0


def _on(scores: ScoreSettings) -> list[float]:
    return [weight if index != PREFERENCE or scores.interests else 0.0 for index, weight in enumerate(scores.weights)]


def totals(values: Floats, weights: tuple[float, ...], factors: Floats) -> NDArray[np.float64]:
    """[n] 0..100 from [n, 6] values and [n, 4] factors, by the formula above."""
    hundredths = values.astype(np.float64) @ np.asarray(weights, np.float64)
    hundredths *= _products.of((factors,), lambda: 10_000 * factors.prod(axis=1, dtype=np.float64))
    return np.rint(hundredths, out=hundredths) / 100


_products: Kept[NDArray[np.float64]] = Kept()
