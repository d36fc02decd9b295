"""What a single time phrase reads as, and what its readers share whatever the language."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pipeline.planning import spans
from pipeline.planning.spans import Span
from pipeline.planning.window import Reading

CENTURY_START = 1900


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    """One time phrase, with what the other end of a range may need of it."""

    span: Span
    end: int
    """Place after it: a token of an English text, a character of a Chinese one."""
    month: int = 0
    day: int = 0
    weekday: int | None = None
    year_given: bool = True
    """False: the year was guessed and may follow the other end of a range."""
    weak: bool = False
    ambiguous: bool = False


class ImpossibleDate(Exception):
    """A date no calendar has; carries the place after it."""

    def __init__(self, end: int) -> None:
        super().__init__()
        self.end = end


class Cursor:
    """A text and the moment it is read at."""

    def __init__(self, reading: Reading) -> None:
        self.now = reading.now
        self.today = reading.now.replace(hour=0, minute=0, second=0, microsecond=0)
        self.week_first = reading.week_first
        self.day_first = reading.day_first
        self.joined = -1
        """Where the second end of a range begins: the dash before it joins, it is no part of a figure."""

    def date(self, year: int, month: int, day: int, end: int) -> Span:
        try:
            return spans.day_span(datetime(year, month, day).date())
        except ValueError:
            raise ImpossibleDate(end) from None

    def past_date(self, month: int, day: int, end: int) -> Span:
        """The last such day that has begun; 29 February finds its leap year."""
        for year in range(self.now.year, self.now.year - 9, -1):
            try:
                at = datetime(year, month, day)
            except ValueError:
                continue
            if at <= self.now:
                return spans.day_span(at.date())
        raise ImpossibleDate(end)

    def past_month(self, month: int) -> Span:
        return spans.month_span(self.now.year if month <= self.now.month else self.now.year - 1, month)


def full_year(short: int, now: datetime) -> int:
    """Two digits -> the year nearest the present that is at most ten years ahead ("96" 1996, "26" 2026)."""
    year = now.year - now.year % 100 + short
    return year - 100 if year > now.year + 10 else year


def full_decade(tens: int) -> int:
    """ "the 70s" -> 1970; 10s and 20s belong to this century."""
    return 2000 + tens if tens <= 20 else CENTURY_START + tens
