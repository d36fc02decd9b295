"""The four penalties: one entry each. A factor multiplies the total; re-dated and clickbait act on a value instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipeline.scoring import clickbait, farm, reprint
from pipeline.scoring.frame import Pool, Strikes
from pipeline.scoring.redating import redate
from pipeline.settings import Penalties

if TYPE_CHECKING:
    from pipeline.types import Floats


class Kind(NamedTuple):
    name: str
    measure: Callable[[Pool], Strikes]
    factor: Callable[[Penalties], float]


PENALTIES = (
    Kind("content_farm", farm.measure, lambda settings: settings.content_farm),
    Kind("bare_reprint", reprint.measure, lambda settings: settings.bare_reprint),
    Kind("re_dated", lambda pool: pool.redated or redate(pool), lambda settings: settings.re_dated),
    Kind("clickbait", clickbait.measure, lambda settings: settings.clickbait),
)


def factors(strikes: tuple[Strikes, ...], settings: Penalties) -> Floats:
    """[n, 4] the factor where a penalty struck, 1.0 elsewhere."""
    columns = [
        np.where(one.struck, np.float32(kind.factor(settings)), np.float32(1))
        for kind, one in zip(PENALTIES, strikes, strict=True)
    ]
    return np.stack(columns, axis=1).astype(np.float32)
