"""Walking over the tokens of an English text: what a single time phrase reads as, and the helpers of its readers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pipeline.planning import spans
from pipeline.planning.spans import Span
from pipeline.planning.tokens_en import MONTHS, UNITS, Number, Token, read_number
from pipeline.planning.window import Reading

CENTURY_START = 1900


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    span: Span
    next: int
    month: int = 0
    day: int = 0
    weekday: int | None = None
    year_given: bool = True
    """False: the year was guessed and may follow the other end of a range."""
    weak: bool = False
    ambiguous: bool = False


class ImpossibleDate(Exception):
    """A date no calendar has; carries the token place after it."""

    def __init__(self, next_: int) -> None:
        super().__init__()
        self.next = next_


class Cursor:
    """Helpers over one text's tokens. `atom` is given by the last of the readers built on this."""

    def __init__(self, tokens: list[Token], reading: Reading) -> None:
        self.tokens = tokens
        self.words = [token.word for token in tokens]
        self.now = reading.now
        self.today = reading.now.replace(hour=0, minute=0, second=0, microsecond=0)
        self.week_first = reading.week_first
        self.day_first = reading.day_first
        self.joined = -1
        """Where the second end of a range begins: the dash before it joins, it is no part of a figure."""

    def atom(self, at: int, *, parts: bool = True) -> Atom | None:
        """The longest reading that begins here."""
        raise NotImplementedError

    def word(self, at: int) -> str:
        return self.words[at] if 0 <= at < len(self.words) else ""

    def skip(self, at: int, *words: str) -> int:
        return at + 1 if self.word(at) in words else at

    def number(self, at: int, *, articles: bool = False) -> Number | None:
        return read_number(self.tokens, self.words, at, articles=articles)

    def _capital(self, at: int) -> bool:
        return self.tokens[at].text[:1].isupper()

    def glued(self, at: int) -> bool:
        """No space between this token and the one before."""
        return 0 < at < len(self.tokens) and self.tokens[at].start == self.tokens[at - 1].end

    def unit(self, at: int) -> tuple[str, int] | None:
        word = self.word(at)
        if word in ("business", "working", "trading", "calendar") and self.word(at + 1) in UNITS:
            return UNITS[self.word(at + 1)], at + 2
        return (UNITS[word], at + 1) if word in UNITS else None

    def month(self, at: int) -> tuple[int, int] | None:
        """(month, next) of a month name, its full stop taken along."""
        word = self.word(at)
        if word not in MONTHS:
            return None
        after = at + 1
        if len(word) < 5 and self.word(after) == "." and self.glued(after):
            after += 1
        return MONTHS[word], after

    def year(self, at: int, *, short: bool = True) -> tuple[int, int] | None:
        """(year, next): four digits, words ("two thousand and five"), and where `short` two digits or '26."""
        at0 = at
        if self.word(at) == "year":
            at += 1
        if short and self.word(at) in ("'", "’") and self.word(at + 1).isdigit() and len(self.word(at + 1)) == 2:
            return full_year(int(self.word(at + 1)), self.now), at + 2
        number = self.number(at)
        if number is None or number.ordinal:
            return None
        value = int(number.value)
        if number.digits and self.word(number.next) in ("ad", "ce"):
            return value, number.next + 1
        if number.digits == 4 or (number.digits == 0 and 1000 <= value <= 2999):
            return (value, number.next) if 1000 <= value <= 2999 else None
        if number.digits == 2 and short and at == at0 and not self._continues_as_clock(number.next):
            return full_year(value, self.now), number.next
        return None

    def _continues_as_clock(self, at: int) -> bool:
        return self.word(at) in (":", "am", "pm", "a", "p", "%", "hours", "hrs", "days", "st", "nd", "rd", "th")

    def date(self, year: int, month: int, day: int, next_: int) -> Span:
        try:
            return spans.day_span(datetime(year, month, day).date())
        except ValueError:
            raise ImpossibleDate(next_) from None

    def past_date(self, month: int, day: int, next_: int) -> Span:
        """The last such day that has begun; 29 February finds its leap year."""
        for year in range(self.now.year, self.now.year - 9, -1):
            try:
                at = datetime(year, month, day)
            except ValueError:
                continue
            if at <= self.now:
                return spans.day_span(at.date())
        raise ImpossibleDate(next_)

    def past_month(self, month: int) -> Span:
        year = self.now.year if month <= self.now.month else self.now.year - 1
        return spans.month_span(year, month)


def full_year(short: int, now: datetime) -> int:
    """Two digits -> the year nearest the present that is at most ten years ahead ("96" 1996, "26" 2026)."""
    year = now.year - now.year % 100 + short
    return year - 100 if year > now.year + 10 else year


def full_decade(tens: int) -> int:
    """ "the 70s" -> 1970; 10s and 20s belong to this century."""
    return 2000 + tens if tens <= 20 else CENTURY_START + tens
