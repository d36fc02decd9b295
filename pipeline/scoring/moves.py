"""What other settings change: in the settings themselves, in the ranks, and in what is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipeline.types import DIMENSION_NAMES, Bucket, Ranking, Report, ScoreSettings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.types import Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """A re-scoring against what was shown before."""

    moved: int
    """Items whose rank changed."""
    shown: Ints
    """Rows shown now that were not before, ascending."""
    gone: Ints
    """Rows no longer shown, ascending."""

    @property
    def sentence(self) -> str:
        if not self.moved and not len(self.shown) and not len(self.gone):
            return "No item moves."
        said = f"{self.moved:,} {'item' if self.moved == 1 else 'items'} moved"
        if not len(self.shown) and not len(self.gone):
            return f"{said}; the same items are shown."
        return f"{said}; {len(self.shown):,} would now be shown, {len(self.gone):,} no longer."


def as_ran(report: Report) -> Ranking:
    """The run's own outcome as a ranking, as it was stored: also where today's arithmetic would give another."""
    table = report.table
    rows = np.flatnonzero(table.fixed < 0)
    shown = np.flatnonzero(table.bucket == Bucket.SELECTED)
    return Ranking(
        settings=report.settings,
        values=table.values,
        total=table.total,
        bucket=table.bucket,
        tier=table.tier,
        order=rows[np.lexsort((rows, -table.engagement[rows], -table.total[rows]))].astype(np.int32),
        selected=shown[np.argsort(table.published[shown], kind="stable")].astype(np.int32),
        rank_change=np.zeros(len(table), np.int32),
    )


def moves(before: NDArray[np.int8], ranking: Ranking) -> Moves:
    """`before`: [N] the buckets to compare with, those of the run or of another re-scoring of it."""
    was, now = before == Bucket.SELECTED, ranking.bucket == Bucket.SELECTED
    return Moves(
        moved=int(np.count_nonzero(ranking.rank_change)),
        shown=np.flatnonzero(now & ~was).astype(np.int32),
        gone=np.flatnonzero(was & ~now).astype(np.int32),
    )


def changed(before: ScoreSettings, now: ScoreSettings) -> tuple[str, ...]:
    """Each setting that differs, in words: "relevance weighs 0.40 instead of 0.25"."""
    said = [
        f"{name} weighs {new:.2f} instead of {old:.2f}"
        for name, old, new in zip(DIMENSION_NAMES, before.weights, now.weights, strict=True)
        if old != new
    ]
    if before.decay != now.decay:
        said.append(f"decay is {_words(now.decay)} instead of {_words(before.decay)}")
    if before.window_days != now.window_days:
        said.append(f"decay runs over {now.window_days:.0f} days instead of {before.window_days:.0f}")
    if before.threshold != now.threshold:
        said.append(f"threshold is {now.threshold:g} instead of {before.threshold:g}")
    was, will = before.prior_means, now.prior_means
    said += [_bias(key, will.get(key)) for key in sorted({*was, *will}) if will.get(key) != was.get(key)]
    return tuple(said)


def _words(decay: str) -> str:
    return decay.replace("_", "-")


def _bias(key: str, bias: float | None) -> str:
    return f"{key} has its own authority" if bias is None else f"authority of {key} starts from {bias:.2f}"
