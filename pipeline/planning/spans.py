"""Calendar arithmetic: named and rolling stretches of local time.

A `Span` is what a phrase denotes before anybody clips it: naive local times, half open. Days, weeks, months,
quarters and years begin at midnight; only rolling spans carry a time of day.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Literal

Grain = Literal["hour", "day", "week", "month", "quarter", "half", "year", "decade", "century", "span"]

MONTHS_OF: dict[str, int] = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}
DAYS_OF: dict[str, int] = {"day": 1, "week": 7, "fortnight": 14}
YEARS = range(1, 9999)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """[start, end) in naive local time; None = open on that side."""

    start: datetime | None
    end: datetime | None
    grain: Grain = "span"
    last: datetime | None = None
    """Where the last named unit begins ("to May 3": 3 May 00:00), for those who end a range before it."""
    rolling: bool = False
    """Counted back from now ("past 3 days") rather than a unit of the calendar."""

    @property
    def days(self) -> float:
        if self.start is None or self.end is None:
            return float("inf")
        return (self.end - self.start).total_seconds() / 86_400


def midnight(day: date) -> datetime:
    return datetime.combine(day, time())


def day_span(day: date) -> Span:
    at = midnight(day)
    return Span(start=at, end=at + timedelta(days=1), grain="day")


def week_span(day: date, first: int = 0) -> Span:
    """The week that holds `day`; `first` is the weekday it starts on (0 = Monday)."""
    at = midnight(day) - timedelta(days=(day.weekday() - first) % 7)
    return Span(start=at, end=at + timedelta(days=7), grain="week")


def months_span(year: int, month: int, count: int, grain: Grain) -> Span:
    return Span(start=datetime(year, month, 1), end=add_months(datetime(year, month, 1), count), grain=grain)


def month_span(year: int, month: int) -> Span:
    return months_span(year, month, 1, "month")


def quarter_span(year: int, quarter: int) -> Span:
    return months_span(year, quarter * 3 - 2, 3, "quarter")


def half_span(year: int, half: int) -> Span:
    return months_span(year, half * 6 - 5, 6, "half")


def year_span(year: int) -> Span:
    return months_span(year, 1, 12, "year")


def decade_span(year: int) -> Span:
    return months_span(year - year % 10 or 1, 1, 120, "decade")


def century_span(number: int) -> Span:
    """Nth century as people write it: the 20th is 1900-1999."""
    return months_span(number * 100 - 100 or 1, 1, 1200, "century")


def unit_span(unit: str, at: datetime, first: int = 0) -> Span:
    """The calendar unit that holds `at`."""
    if unit == "week":
        return week_span(at.date(), first)
    if unit == "fortnight":
        start = week_span(at.date(), first).start
        assert start is not None
        return Span(start=start, end=start + timedelta(days=14), grain="span")
    makers = {
        "month": lambda: month_span(at.year, at.month),
        "quarter": lambda: quarter_span(at.year, (at.month + 2) // 3),
        "half": lambda: half_span(at.year, 1 if at.month < 7 else 2),
        "year": lambda: year_span(at.year),
        "decade": lambda: decade_span(at.year),
        "century": lambda: century_span(at.year // 100 + 1),
    }
    return makers[unit]() if unit in makers else day_span(at.date())


def add_months(at: datetime, count: int) -> datetime:
    """Same day `count` months on; the month's last day where there is none such. OverflowError outside 1..9999."""
    index = at.year * 12 + at.month - 1 + count
    year, month = divmod(index, 12)
    if year not in YEARS:
        raise OverflowError("year out of range")
    return at.replace(year=year, month=month + 1, day=min(at.day, monthrange(year, month + 1)[1]))


def shift(at: datetime, count: float, unit: str) -> datetime:
    """`count` units later (earlier when negative). Half months are 15 days, half years 6 months."""
    if unit in MONTHS_OF:
        whole, rest = divmod(abs(count) * MONTHS_OF[unit], 1)
        sign = 1 if count >= 0 else -1
        return add_months(at, sign * int(whole)) + timedelta(days=sign * round(rest * 30))
    if unit in DAYS_OF:
        return at + timedelta(days=count * DAYS_OF[unit])
    return at + timedelta(**{unit + "s": count})


def neighbour(unit: str, now: datetime, step: int, first: int = 0) -> Span:
    """The calendar unit `step` places after the present one: -1 last, 0 this, 1 next."""
    here = unit_span(unit, now, first).start
    assert here is not None
    return unit_span(unit, shift(here, step, unit), first)


def rolling(now: datetime, count: float, unit: str) -> Span:
    """The `count` units up to now. Quarters, decades and centuries are whole units of the calendar."""
    if unit in ("quarter", "decade", "century"):
        end = unit_span(unit, now).start
        assert end is not None
        return Span(start=shift(end, -count, unit), end=end)
    return Span(start=shift(now, -count, unit), end=now, rolling=True)


def ahead(now: datetime, count: float, unit: str) -> Span:
    """The `count` units from now on."""
    return Span(start=now, end=shift(now, count, unit), rolling=True)


def join(first: Span, second: Span) -> Span:
    """From the start of one to the end of the other, the last unit included; either order."""
    a, b = (first, second)
    if a.start and b.start and a.start > b.start:
        a, b = b, a
    return Span(start=a.start, end=b.end, last=b.start)


def part(span: Span, which: Literal["early", "mid", "late"], *, edge: bool = False) -> Span:
    """Beginning, middle or end of a unit, on the wide side: a search had better see too much.

    Month: days 1-15, 10-20, from 16. Year: the halves, May-August; at its `edge` ("end of 2025") January-March,
    September-December. Week: the first three days, Tuesday-Thursday, the last four (three at its edge).
    """
    start, end = span.start, span.end
    if start is None or end is None:
        return span
    if span.grain == "month":
        low, high = {"early": (0, 15), "mid": (9, 20), "late": (15, 31)}[which]
        bounds = (start + timedelta(days=low), min(end, start + timedelta(days=high)))
    elif span.grain == "year":
        low, high = {"early": (0, 3 if edge else 6), "mid": (4, 8), "late": (8 if edge else 6, 12)}[which]
        bounds = (add_months(start, low), add_months(start, high))
    elif span.grain == "week":
        low, high = {"early": (0, 3), "mid": (1, 4), "late": (4 if edge else 3, 7)}[which]
        bounds = (start + timedelta(days=low), start + timedelta(days=high))
    elif span.grain == "quarter":
        low, high = {"early": (0, 1), "mid": (1, 2), "late": (2, 3)}[which]
        bounds = (add_months(start, low), add_months(start, high))
    elif span.grain in ("decade", "century"):
        years = int(span.days / 365.2425 + 0.5)
        low, high = {"early": (0, 2), "mid": (4, 6), "late": (8, 10)}[which]
        bounds = (add_months(start, years * 12 * low // 10), add_months(start, years * 12 * high // 10))
    else:
        return span
    return replace(span, start=bounds[0], end=bounds[1], grain="span")


def latest(make: list[Span], now: datetime) -> Span | None:
    """The last of these that has begun; the first where none has (a past-looking reader's choice)."""
    begun = [span for span in make if span.start is not None and span.start <= now]
    return begun[-1] if begun else (make[0] if make else None)


def nth_week(span: Span, number: int, *, full: bool = False) -> Span:
    """Week `number` of a month or year; negative counts from the end. Weeks start on Monday.

    A week belongs to the unit that holds its Thursday (ISO 8601); with `full`, to the one that holds its Monday.
    """
    assert span.start is not None and span.end is not None
    pivot = 0 if full else 3
    if number > 0:
        ahead_by = (pivot - span.start.weekday()) % 7
        at = span.start + timedelta(days=ahead_by + 7 * (number - 1))
    else:
        final = span.end - timedelta(days=1)
        at = final - timedelta(days=(final.weekday() - pivot) % 7 + 7 * (-number - 1))
    return week_span(at.date())


def nth_weekday(span: Span, weekday: int, number: int) -> Span | None:
    """The Nth Monday ... Sunday inside a unit; negative counts from the end."""
    assert span.start is not None and span.end is not None
    if number > 0:
        at = span.start + timedelta(days=(weekday - span.start.weekday()) % 7 + 7 * (number - 1))
    else:
        final = span.end - timedelta(days=1)
        at = final - timedelta(days=(final.weekday() - weekday) % 7 + 7 * (-number - 1))
    return day_span(at.date()) if span.start <= at < span.end else None


def nth_unit(span: Span, unit: str, number: int, count: int = 1, *, full_weeks: bool = False) -> Span | None:
    """`count` units from the Nth one inside a larger unit; number < 0 takes the last `count` units."""
    if span.start is None or span.end is None:
        return None
    if unit == "week":
        one = nth_week(span, number if number > 0 else -count, full=full_weeks)
        assert one.start is not None
        return replace(one, end=one.start + timedelta(days=7 * count))
    base = span.start if number > 0 else span.end
    start = shift(base, number - 1 if number > 0 else -count, unit)
    if unit == "day" and count == 1:
        return day_span(start.date()) if span.start <= start < span.end else None
    grain: Grain = unit if unit in ("month", "quarter", "half", "year") and count == 1 else "span"  # type: ignore[assignment]
    return Span(start=start, end=shift(start, count, unit), grain=grain)
