"""What a run says about itself: a note a stage, and the funnel a source."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

from pipeline.types import FUNNEL_STEPS, Bucket, Gathered, Judged, Progress, StageNote, Table

T = TypeVar("T")


def funnel(table: Table, gathered: Gathered) -> dict[str, dict[str, int]]:
    """Source -> how many of its items passed each step; asked counts endpoints. Later steps never exceed earlier ones."""
    counts: dict[str, Counter[int]] = {}
    for source, bucket in zip(table.sources, table.bucket.tolist(), strict=True):
        counts.setdefault(source, Counter())[bucket] += 1
    asked = Counter(outcome.source for outcome in gathered.outcomes)
    after = {
        "dated": Bucket.UNDATED,
        "in_window": Bucket.OUT_OF_WINDOW,
        "on_topic": Bucket.OFF_TOPIC,
        "unique": Bucket.COPY,
        "above_threshold": Bucket.BELOW_THRESHOLD,
        "selected": Bucket.OVER_LIMIT,
    }
    found = {}
    for source in sorted({*asked, *counts}):
        ends = counts.get(source, Counter())
        passed = {step: sum(n for bucket, n in ends.items() if bucket > gate) for step, gate in after.items()}
        steps = {"asked": asked[source], "fetched": sum(ends.values()), **passed}
        found[source] = {step: steps[step] for step in FUNNEL_STEPS}
    return found


class Notes:
    """Stage notes: counts in and out, drops by reason, seconds."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._stages: list[StageNote] = []

    @property
    def stages(self) -> tuple[StageNote, ...]:
        return tuple(self._stages)

    def add(self, note: StageNote | None) -> None:
        if note is not None:
            self._stages.append(note)

    def timed(self, name: str, work: Callable[[], T], *, n_in: int, n_out: Callable[[T], int] | None = None) -> T:
        """What `work` gives, noted with its time. n_out counts what came out; without it nothing was lost."""
        self._progress("stage", name=name)
        started = time.monotonic()
        result = work()
        seconds = time.monotonic() - started
        out = n_in if n_out is None else n_out(result)
        self.add(StageNote(name=name, n_in=n_in, n_out=out, dropped={}, seconds=seconds))
        return result

    def gate(self, name: str, before: Sequence[Judged], after: tuple[Judged, ...]) -> tuple[Judged, ...]:
        dropped = Counter(
            new.verdict.bucket.label
            for old, new in zip(before, after, strict=True)
            if old.verdict.keep and not new.verdict.keep and new.verdict.bucket is not None
        )
        kept = [sum(one.verdict.keep for one in pool) for pool in (before, after)]
        self.add(StageNote(name=name, n_in=kept[0], n_out=kept[1], dropped=dict(dropped), seconds=0.0))
        return after

    def fates(self, table: Table) -> None:
        """The last note: what became of the scored items."""
        ends = Counter(Bucket(bucket).label for bucket in table.bucket[table.fixed < 0].tolist())
        shown = ends.pop(Bucket.SELECTED.label, 0)
        note = StageNote(name="choose", n_in=shown + sum(ends.values()), n_out=shown, dropped=dict(ends), seconds=0.0)
        self.add(note)
