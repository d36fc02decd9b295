"""Timeliness: how fresh an item is inside the window, by the decay of its *effective* publication time.

Window of W days, age a in days before the earlier of `as_of` and the window's end:

    half_life    x = max(0, (a - W/30) / (W - W/30)),  value = exp(-1.897 x^1.80)     1.0 to day W/30, 0.60 half way,
                                                                                      0.15 at the end
    linear       value = 1 - a/W
    exponential  value = exp(-5.26 a/W)                                               0.03 at two thirds of the window

Older than the window: 0. An upstream item (older, admitted because its event is in the window): a fixed 0.05.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.frame import DAY_S, Dimension, Evidence, Pool, figure
from pipeline.types import Decay

if TYPE_CHECKING:
    from pipeline.types import Flags, Floats

STEEPNESS, SHAPE = 1.897, 1.80  # exp(-1.897) = 0.15 at the end; the shape puts 0.60 half way of 30 days
EXPONENTIAL = 1.5 * -log(0.03)  # 0.03 where a/W = 2/3
SLACK_DAYS = 1e-3  # an item on the window's first second is inside it, float32 ages notwithstanding
FORMULAS = {
    "half_life": "exp(-1.897 x^1.80) with x = max(0, (a - W/30) / (W - W/30))",
    "linear": "1 - a/W",
    "exponential": "exp(-5.26 a/W)",
}


def decay(age_days: Floats, window_days: float, kind: Decay) -> Floats:
    """[n] ages in days (NaN: undated, gives 0) -> [n] values 0..1."""
    share = np.clip(age_days / np.float32(window_days), 0, 1)
    if kind == "linear":
        value = 1 - share
    elif kind == "exponential":
        value = np.exp(np.float32(-EXPONENTIAL) * share)
    else:
        x = np.clip((share - np.float32(1 / 30)) * np.float32(30 / 29), 0, 1)
        value = np.exp(np.float32(-STEEPNESS) * x ** np.float32(SHAPE))
    inside = age_days <= window_days + SLACK_DAYS  # False for NaN
    return np.where(inside, value, np.float32(0)).astype(np.float32)


def timeliness(age_days: Floats, upstream: Flags, *, window_days: float, kind: Decay, fixed: float) -> Floats:
    """[n] values; `fixed` is what an upstream item gets."""
    return np.where(upstream, np.float32(fixed), decay(age_days, window_days, kind))


@dataclass(frozen=True, slots=True)
class Timeliness:
    values: Floats
    age_days: Floats
    """[n] effective ages."""
    pool: Pool

    def explain(self, row: int) -> Evidence:
        return explain(
            age=float(self.age_days[row]),
            value=float(self.values[row]),
            window_days=self.pool.scores.window_days,
            kind=self.pool.scores.decay,
            upstream=bool(self.pool.grouping.upstream[row]),
            redated=self.pool.redated is not None and bool(self.pool.redated.struck[row]),
        )


def explain(*, age: float, value: float, window_days: float, kind: Decay, upstream: bool, redated: bool) -> Evidence:
    """The sentence and the figures; also used when the decay was changed after the run."""
    facts = (
        ("age_days", figure(age)),
        ("window_days", figure(window_days)),
        ("decay", kind),
        ("upstream", "yes" if upstream else "no"),
        ("re_dated", "yes" if redated else "no"),
    )
    after, window = " after re-dating" if redated else "", f"window of W = {round(window_days, 1):g} days"
    if upstream:
        return Evidence(f"{age:.1f} days old{after}, before the window; upstream items get {value:.2f}", facts)
    if not age <= window_days + SLACK_DAYS:
        return Evidence(f"{age:.1f} days old{after}, older than the {window}: 0", facts)
    name = kind.replace("_", "-")
    says = f"a = {age:.1f} days old{after} in a {window}; {name} decay gives {value:.2f}: {FORMULAS[kind]}"
    return Evidence(says, facts)


def measure(pool: Pool) -> Timeliness:
    ages = np.maximum(0, (pool.reference.timestamp() - pool.effective) / DAY_S).astype(np.float32)
    values = timeliness(
        ages,
        pool.grouping.upstream,
        window_days=pool.scores.window_days,
        kind=pool.scores.decay,
        fixed=pool.scores.upstream_timeliness,
    )
    return Timeliness(values, ages, pool)


DIMENSION = Dimension("timeliness", measure)
