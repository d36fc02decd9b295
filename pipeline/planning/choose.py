"""Which window a run has: the caller's, else the text's, else the subject's habit.

`choose_window` turns what a phrase denotes into [since, until) in UTC: open ends are closed, what lies ahead is cut at
now, what is longer than the cap keeps its newest days. Every change is said in a warning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import TYPE_CHECKING

from pipeline.errors import WindowError
from pipeline.planning.spans import Span
from pipeline.planning.window import Found, Impossible, Phrase
from pipeline.types import Question, Stability, Window

if TYPE_CHECKING:
    from pipeline.settings import TimeWindow

ONE_UNIT = timedelta(days=1)  # what ends later today or this week is no surprise; a range into next week is
SHORTEST = timedelta(hours=1)  # "today", asked at midnight, still means something
LONGEST_DAYS = 36_500  # days; a longer `days` is a slip of the keyboard


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalClock:
    """The run's now and the analyst's zone."""

    now: datetime
    zone: tzinfo

    @property
    def local(self) -> datetime:
        return self.now.astimezone(self.zone).replace(tzinfo=None)

    def utc(self, local: datetime) -> datetime:
        """Naive local time as UTC; aware times keep their own zone."""
        aware = local if local.tzinfo else local.replace(tzinfo=self.zone)
        return aware.astimezone(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    window: Window
    used: tuple[Phrase, ...] = ()
    """The phrases of the text that decided; they are taken out of the topic."""
    warnings: tuple[str, ...] = ()


def choose_window(
    question: Question, found: Sequence[Found], stability: Stability, vague: bool, limits: TimeWindow, clock: LocalClock,
    default_days: int,
) -> Choice:  # fmt: skip
    """The window with how it is known. Raises WindowError for what makes no sense."""
    if question.days is not None or question.since is not None or question.until is not None:
        return _capped(_given(question, clock, default_days), limits.max_days, whole=False)
    used, warnings = _decisive(found, clock.local)
    if used:
        chosen = _from_text(used, clock, default_days)
        whole = len(used) == 1 and used[0].span.grain == "quarter"
        choice = _capped(replace(chosen, warnings=(*warnings, *chosen.warnings)), limits.max_days, whole=whole)
        return replace(choice, used=used)
    fast = stability == "fast" and not vague
    days = min(limits.fast_days if fast else default_days, limits.max_days)
    evidence = (
        f"no time given; the subject changes fast, so the last {days} days: an empty answer is better than an old one"
        if fast
        else f"no time given, so the last {days} days"
    )
    window = Window(
        since=clock.now - timedelta(days=days), until=clock.now, how="fast subject" if fast else "default",
        evidence=evidence, ends_now=True,
    )  # fmt: skip
    return Choice(window=window, warnings=warnings)


# --------------------------------------------------------------------------- the caller's


def _given(question: Question, clock: LocalClock, default_days: int) -> Choice:
    days, since, until = question.days, question.since, question.until
    if days is not None and not 1 <= days <= LONGEST_DAYS:
        raise WindowError(f"days must be a whole number from 1 to {LONGEST_DAYS}, not {days}")
    start, end = (clock.utc(at) if at is not None else None for at in (since, until))
    if start is not None and end is not None:
        if days is not None:
            raise WindowError("days together with both since and until says too much: leave one of them out")
        start, end = min(start, end), max(start, end)
        if start == end:
            raise WindowError("since and until are the same moment: the window would be empty; move one of them")
    length = timedelta(days=days if days is not None else default_days)
    if start is not None and end is None:
        end = start + length if days is not None else clock.now
    end = end if end is not None else clock.now
    start = start if start is not None else end - length
    if start >= clock.now:
        raise WindowError(f"the window from {_day(start, clock)} lies in the future: choose one that has begun")
    named = [
        f"{name}={value}" for name, value in (("days", days), ("since", since), ("until", until)) if value is not None
    ]
    ends_now = end >= clock.now
    window = Window(
        since=start, until=min(end, clock.now), how="argument", evidence=", ".join(named), ends_now=ends_now
    )
    cut = ("the window ended in the future; it stops at now",) if end > clock.now else ()
    return Choice(window=window, warnings=cut)


# --------------------------------------------------------------------------- the text's


def _decisive(found: Sequence[Found], local: datetime) -> tuple[tuple[Phrase, ...], tuple[str, ...]]:
    """The phrases that make the window, and warnings about the others."""
    for one in found:
        if isinstance(one, Impossible):
            raise WindowError(f"“{one.text}” is no date of the calendar: correct it or leave it out")
    phrases = [one for one in found if isinstance(one, Phrase)]
    explicit = [one for one in phrases if one.strength == "explicit"] or [
        one for one in phrases if one.span.grain == "year" and one.span.start and one.span.start.year == local.year
    ]
    begun = [one for one in explicit if one.span.start is None or one.span.start <= local]
    warnings = tuple(_reading(one) for one in explicit if one.ambiguous)
    if explicit and not begun:
        names = ", ".join(f"“{one.text}”" for one in explicit)
        raise WindowError(
            f"{names} lies in the future, where nothing has been reported yet: choose a time that has begun"
        )
    if len(begun) < 2:
        return tuple(begun), warnings + _unused(explicit, begun)
    best = max(begun, key=lambda one: (one.span.end or local, -one.start))
    chosen = tuple(one for one in begun if one is best or _beside(one, best))
    return chosen, warnings + _unused(explicit, chosen)


def _beside(one: Phrase, best: Phrase) -> bool:
    """Near enough to be listed with the other: "yesterday and today"."""
    gap = max(one.start, best.start) - min(one.end, best.end)
    return one.span.start is not None and best.span.start is not None and gap <= 5


def _reading(phrase: Phrase) -> str:
    at = phrase.span.start
    said = f"{at.day} {at:%B %Y}" if at else "?"
    return f"“{phrase.text}” could be read in two ways; it was read as {said}. Write {at:%Y-%m-%d} to be sure"


def _unused(explicit: Sequence[Phrase], used: Sequence[Phrase]) -> tuple[str, ...]:
    left = [one.text for one in explicit if one not in used]
    return (f"also saw {', '.join(f'“{text}”' for text in left)}: not used for the window",) if left else ()


def _from_text(used: Sequence[Phrase], clock: LocalClock, default_days: int) -> Choice:
    span = _union([phrase.span for phrase in used])
    now, local = clock.now, clock.local
    evidence = ", ".join(f"“{phrase.text}”" for phrase in used)
    warnings: list[str] = []
    until = now if span.end is None or span.end >= local else clock.utc(span.end)
    if span.start is None:
        since = until - timedelta(days=default_days)
        evidence += f" (no beginning is said: the {default_days} days before it)"
    elif span.rolling and span.end == local and span.start.time() != time():
        since = now - (local - span.start)  # counted back in real hours, also over a change of the clocks
    else:
        since = clock.utc(span.start)
    if span.end is not None and span.end > local + ONE_UNIT and span.grain == "span":
        warnings.append(f"{evidence} ends in the future; the window stops at now")
    since = min(since, until - SHORTEST)
    window = Window(since=since, until=until, how="text", evidence=evidence, ends_now=until == now)
    return Choice(window=window, warnings=tuple(warnings))


def _union(spans: Sequence[Span]) -> Span:
    if len(spans) == 1:
        return spans[0]
    starts = [span.start for span in spans if span.start is not None]
    ends = [span.end for span in spans]
    return Span(start=min(starts), end=None if None in ends else max(end for end in ends if end is not None))


# --------------------------------------------------------------------------- the cap


def _capped(choice: Choice, most: int, *, whole: bool) -> Choice:
    """At most `most` days, the newest kept; a named quarter (up to 92 days) stays whole."""
    window = choice.window
    if whole or window.until - window.since <= timedelta(days=most, hours=2):
        return choice
    warning = f"{window.evidence} is {window.days:.0f} days long; only the newest {most} days are searched (max_days)"
    since = window.until - timedelta(days=most)
    return replace(choice, window=replace(window, since=since), warnings=(*choice.warnings, warning))


def _day(at: datetime, clock: LocalClock) -> str:
    return f"{at.astimezone(clock.zone):%Y-%m-%d %H:%M}"
