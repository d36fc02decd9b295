"""Time phrases: does a phrase denote the days its source says?

Scored is what the phrase denotes before clipping, as calendar days. A case is exact when a phrase found at its place
has the same first day and the same end:

- Recognizers ends a range of two named units where the last one begins ("May to September": 1 September); the product
  includes the last unit, as Duckling and JioNLP do. For those rows either end counts.
- An end that is the reference instant may stand as the start or the end of that day ("past 3 days").
- chrono asserts components: only these are compared, and an end only where it asserts one.

`exact_en`, `exact_zh`: share of exact cases in scope; `in_scope`: their number; `false_finds`: share of the rows that
expect nothing in which something is found. The scope is documented in `_time_rows`.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from pipeline.evaluation.metrics import mean
from pipeline.evaluation.rows import Measured
from pipeline.evaluation.suites._time_rows import Bounds, Case, read_cases
from pipeline.planning.spans import Span
from pipeline.planning.window import Phrase, Reading, find_phrases

TASK = "window"
_DAY = timedelta(days=1)


def run(folder: Path, *, limit: int | None = None) -> Measured:
    """Score every case of the folder (the first `limit`)."""
    cases = list(read_cases(folder))[:limit]
    judged = [(case, exact(case)) for case in cases if case.accepted]
    silent = [bool(found(case)) for case in cases if not case.accepted]
    metrics = {f"exact_{lang}": mean(ok for case, ok in judged if case.lang == lang) for lang in ("en", "zh")} | {
        "in_scope": len(judged),
        "false_finds": mean(silent),
    }
    return Measured(len(cases), metrics)


def found(case: Case) -> list[Phrase]:
    reading = Reading(now=case.now, day_first=case.day_first)
    return [phrase for phrase in find_phrases(case.text, reading) if isinstance(phrase, Phrase)]


def exact(case: Case) -> bool:
    """Some phrase at the case's place denotes one of the accepted readings."""
    low, high = case.place or (0, len(case.text))
    here = [phrase.span for phrase in found(case) if phrase.start < high and low < phrase.end]
    return any(_same(span, bounds, case) for span in here for bounds in case.accepted)


def _same(span: Span, bounds: Bounds, case: Case) -> bool:
    start, end = bounds
    if case.months_only:
        return _same_months(span, bounds, case)
    if not _same_day(span.start, start):
        return False
    if not case.end_asserted:
        return True
    ends = [span.end] + ([span.last] if case.named_end or start is None else [])
    return any(_same_end(mine, end, case.now) for mine in ends)


def _same_months(span: Span, bounds: Bounds, case: Case) -> bool:
    start, end = bounds
    if span.start is None or start is None or (span.start.year, span.start.month) != (start.year, start.month):
        return False
    if not case.end_asserted or end is None:
        return True
    last = (end - _DAY).replace(day=1)
    return span.end is not None and (span.end - _DAY).replace(day=1, hour=0, minute=0) == last


def _same_day(a: datetime | None, b: datetime | None) -> bool:
    return a is b if a is None or b is None else a.date() == b.date()


def _same_end(mine: datetime | None, theirs: datetime | None, now: datetime) -> bool:
    if mine is None or theirs is None:
        return mine is theirs or (mine or theirs) == now
    today = now.date()
    present = (today, today + _DAY)
    if mine == now and theirs.date() in present:
        return True
    return mine.date() == theirs.date()
