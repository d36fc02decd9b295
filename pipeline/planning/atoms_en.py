"""Single points and units of time in English: "last week", "Aug 3", "2026-08-14", "3 days ago", "Q3 2026".

Every reader takes a token place and returns an `Atom` or None; `atom` tries them all and keeps the longest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from pipeline.planning import spans
from pipeline.planning.spans import Span
from pipeline.planning.tokens_en import (
    FULL_NAMES,
    MONTHS,
    NEXT,
    PAST,
    THIS,
    UNITS,
    WEEKDAYS,
    Number,
    Token,
    read_number,
)
from pipeline.planning.window import Reading

ARTICLES = frozenset({"the", "my", "our", "this"})
BEFORE_MONTH = frozenset(
    "in since during by until till from of before after early mid late through thru last next this previous past "
    "between to end beginning start middle each sometime and around throughout".split()
)
"""Words after which "may", "march", "sat" are a month or a day."""
PARTS: dict[str, Literal["early", "mid", "late"]] = {
    "early": "early", "beginning": "early", "start": "early", "earlier": "early",
    "mid": "mid", "middle": "mid", "late": "late", "end": "late", "later": "late",
}  # fmt: skip
EDGES = frozenset({"beginning", "start", "end"})
"""Words for the edge of a unit, narrower than "early" and "late"."""
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


class Atoms:
    """Readers over one text's tokens."""

    def __init__(self, tokens: list[Token], reading: Reading) -> None:
        self.tokens = tokens
        self.words = [token.word for token in tokens]
        self.now = reading.now
        self.today = reading.now.replace(hour=0, minute=0, second=0, microsecond=0)
        self.week_first = reading.week_first
        self.day_first = reading.day_first
        self.joined = -1
        """Where the second end of a range begins: the dash before it joins, it is no part of a figure."""

    # ------------------------------------------------------------------ small helpers

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
        """(year, next): four digits, two digits or an apostrophe form where `short`, words ("two thousand and five")."""
        at0 = at
        if self.word(at) == "year":
            at += 1
        if short and self.word(at) in ("'", "’") and self.word(at + 1).isdigit() and len(self.word(at + 1)) == 2:
            return full_year(int(self.word(at + 1)), self.now), at + 2
        number = self.number(at)
        if number is None or number.ordinal:
            return None
        value = int(number.value)
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

    # ------------------------------------------------------------------ the choice

    def atom(self, at: int, *, parts: bool = True) -> Atom | None:
        """The longest reading that begins here."""
        word = self.word(at)
        if not word:
            return None
        readers: list[Callable[[int], Atom | None]] = [
            self.relative_day, self.numeric, self.month_date, self.weekday, self.reference, self.rolling, self.ago,
            self.nth_of, self.quarter, self.decade, self.week_number, self.day_of_month, self.offset, self.to_date,
        ]  # fmt: skip
        if parts:
            readers.append(self.part_of)
        best: Atom | None = None
        for reader in readers:
            found = reader(at)
            if found is not None and (best is None or found.next > best.next):
                best = found
        if best is None:
            best = self.bare_year(at)
        return best

    # ------------------------------------------------------------------ relative days and units

    def relative_day(self, at: int) -> Atom | None:
        at = self.skip(at, "the")
        word, days = self.word(at), None
        if self.words[at : at + 3] == ["day", "before", "yesterday"]:
            days, after = -2, at + 3
        elif self.words[at : at + 3] == ["day", "after", "tomorrow"]:
            days, after = 2, at + 3
        elif word in ("today", "tonight"):
            days, after = 0, at + 1
        elif word in ("yesterday", "tomorrow"):
            days, after = (-1 if word == "yesterday" else 1), at + 1
        elif word == "last" and self.word(at + 1) in ("night", "evening"):
            days, after = -1, at + 2
        elif word == "this" and self.word(at + 1) in ("morning", "afternoon", "evening", "night"):
            days, after = 0, at + 2
        elif word in ("now", "present", "date") and not self.number(at + 1) and self.word(at - 1) in ("to", "until", "till", "and", "through", "-"):
            span = Span(start=self.now, end=self.now, rolling=True)
            return Atom(span=span, next=at + 1)
        if days is None:
            return None
        return Atom(span=spans.day_span((self.today + timedelta(days=days)).date()), next=after)

    def reference(self, at: int, *, calendar: bool = False) -> Atom | None:
        """"this week", "last month", "the year", "next quarter", "last September", "this weekend"."""
        start = at
        at = self.skip(at, "the", "my")
        word = self.word(at)
        if word in ("week", "month", "year") and self.words[at + 1 : at + 3] == ["before", "last"]:
            return Atom(span=spans.neighbour(word, self.now, -2, self.week_first), next=at + 3)
        step: int | None = None
        if word in PAST:
            step = -1
        elif word in NEXT:
            step = 1
        elif word in THIS:
            step = 0
        twice = 0
        while word == "last" and self.word(at + 1) == "last":
            at, twice = at + 1, twice + 1
        if step is not None:
            at += 1
            if self.word(at) in PAST and step == 0:
                step, at = -1, at + 1
            elif self.word(at) in NEXT and step == 0:
                step, at = 1, at + 1
            elif self.word(at) in THIS and self.word(at) != "this":
                at += 1
        weak = step is None
        if step is None:
            if at == start or word in ("h", "d", "w", "y", "mo", "night", "nights", "hour", "minute", "min", "days"):
                return None
            step = 0
        return self._referred(start, at, step - twice, weak, calendar)

    def _referred(self, start: int, at: int, step: int, weak: bool, calendar: bool) -> Atom | None:
        word = self.word(at)
        if word in ("working", "business", "calendar", "work") and self.word(at + 1) in UNITS:
            at += 1
        if word in ("weekend", "weekends"):
            return Atom(span=self._weekend(step, weak), next=at + 1, weak=weak and self.word(start - 1) != "over")
        if (month := self.month(at)) and not weak:
            number, after = month
            if self.number(after) or (word in ("may", "march") and not self._capital(at) and after < len(self.words)):
                return None
            return Atom(span=self._month_by(step, number), next=after)
        if (found := self.unit(at)) is None:
            return None
        unit, after = found
        if len(self.word(at)) < 2 or unit == "minute":
            return None
        if unit in ("week", "month", "year") and self.words[after : after + 2] in (["after", "next"], ["before", "last"]):
            return Atom(
                span=spans.neighbour(unit, self.now, 2 if self.word(after) == "after" else -2, self.week_first),
                next=after + 2,
            )
        if unit == "hour":
            return Atom(span=spans.rolling(self.now, 1, unit), next=after) if step == -1 else None
        word0 = self.word(at - 1)
        if unit == "fortnight" and step == -1 or (word0 in ("past", "trailing") and unit != "day" and not calendar):
            return Atom(span=spans.rolling(self.now, 1, unit), next=after)
        span = spans.neighbour(unit, self.now, step, self.week_first)
        if word == "working" or word == "work":
            assert span.start is not None
            span = replace(span, end=span.start + timedelta(days=5))
        return Atom(span=span, next=after, weak=weak)

    def _weekend(self, step: int, bare: bool) -> Span:
        week = spans.week_span(self.now.date()).start
        assert week is not None
        start = week + timedelta(days=5 + 7 * step)
        if bare and start > self.now:
            start -= timedelta(days=7)
        return Span(start=start, end=start + timedelta(days=2), grain="span")

    def _month_by(self, step: int, month: int) -> Span:
        if step == 0:
            return spans.month_span(self.now.year, month)
        if step == -1:
            return spans.month_span(self.now.year - (month >= self.now.month), month)
        return spans.month_span(self.now.year + (month <= self.now.month), month)

    # ------------------------------------------------------------------ counted units

    def rolling(self, at: int) -> Atom | None:
        """"last 30 days", "the past few weeks", "5 past years", "within 48 hours", "last 24h"."""
        at = self.skip(at, "in", "over", "during", "within", "for")
        within = self.word(at - 1) == "within"
        at = self.skip(at, "the")
        direction = 0
        if self.word(at) in PAST or self.word(at) in NEXT:
            direction, at = (-1 if self.word(at) in PAST else 1), at + 1
        elif within:
            direction = -1
        counted = self.units(at, articles=direction != 0 or within)
        if counted is None and direction == 0:
            number = self.number(at)
            if number and not number.ordinal and (self.word(number.next) in PAST or self.word(number.next) in NEXT):
                direction = -1 if self.word(number.next) in PAST else 1
                found = self.unit(number.next + 1)
                counted = ([(number.value, found[0])], found[1]) if found else None
        if counted is None or direction == 0:
            return None
        amounts, after = counted
        if len(amounts) > 1 and self.word(after) in ("ago", "before", "earlier"):
            single = self.units(at, articles=True, most=1)
            assert single is not None
            amounts, after = single
        span = spans.rolling(self.now, *amounts[0]) if direction < 0 else spans.ahead(self.now, *amounts[0])
        for value, unit in amounts[1:]:
            if direction < 0 and span.start is not None:
                span = replace(span, start=spans.shift(span.start, -value, unit))
            elif span.end is not None:
                span = replace(span, end=spans.shift(span.end, value, unit))
        return Atom(span=span, next=after)

    def units(self, at: int, *, articles: bool = False, most: int = 9) -> tuple[list[tuple[float, str]], int] | None:
        """"3 months and 2 weeks", "1 year, 2 months", "two and a half years" -> amounts, next."""
        amounts: list[tuple[float, str]] = []
        end = at
        while True:
            number = self.number(at, articles=articles or bool(amounts))
            if number is None or number.ordinal:
                break
            value, after = number.value, number.next
            if self.words[after : after + 3] == ["and", "a", "half"] or self.words[after : after + 2] == ["and", "half"]:
                value, after = value + 0.5, after + (3 if self.word(after + 1) == "a" else 2)
            after = self.skip(after, "full", "whole", "consecutive", "more", "-")
            found = self.unit(after)
            if found is None or (len(self.word(after)) == 1 and not self.glued(after)):
                break
            unit, after = found
            if self.words[after : after + 3] == ["and", "a", "half"]:
                value, after = value + 0.5, after + 3
            amounts.append((value, unit))
            end = after
            at = self.skip(after, ",")
            at = self.skip(at, "and")
            if len(amounts) == most or self.word(at) in ("few", "several", "some"):
                break
        return (amounts, end) if amounts else None

    def ago(self, at: int) -> Atom | None:
        """"3 days ago", "a week earlier", "two weeks before": the day counted back."""
        at = self.skip(at, "about", "around", "roughly", "over", "almost", "nearly")
        counted = self.units(at, articles=True)
        if counted is None:
            return None
        amounts, after = counted
        word = self.word(after)
        if word in ("ago", "back") or (word in ("earlier", "before") and not self._anchored(after + 1)):
            sign, after = -1, after + 1
        elif word in ("later", "hence"):
            sign, after = 1, after + 1
        elif self.words[after : after + 2] == ["from", "now"]:
            sign, after = 1, after + 2
        else:
            return None
        return Atom(span=self._counted(self.now, amounts, sign), next=after)

    def _anchored(self, at: int) -> bool:
        return bool(self.word(at)) and self.atom(at, parts=False) is not None

    def _counted(self, base: datetime, amounts: list[tuple[float, str]], sign: int) -> Span:
        for value, unit in amounts:
            base = spans.shift(base, sign * value, unit)
        if amounts[-1][1] in ("hour", "minute"):
            start = base.replace(minute=0, second=0, microsecond=0)
            return Span(start=start, end=start + timedelta(hours=1), grain="hour")
        return spans.day_span(base.date())

    def offset(self, at: int) -> Atom | None:
        """"2 weeks before yesterday", "3 days after Aug 1"; "in 3 weeks"."""
        if self.word(at) == "in" and (counted := self.units(self.skip(at + 1, "about"), articles=True)):
            after = counted[1]
            while self.word(after) in ("time", "'", "’", "s"):
                after += 1
            return Atom(span=self._counted(self.now, counted[0], 1), next=after)
        counted = self.units(at, articles=True)
        if counted is None or self.word(counted[1]) not in ("before", "after", "from"):
            return None
        base = self.atom(counted[1] + 1, parts=False)
        if base is None or base.span.start is None or base.weak or counted[0][-1][1] in ("hour", "minute"):
            return None
        sign = -1 if self.word(counted[1]) == "before" else 1
        return Atom(span=self._counted(base.span.start, counted[0], sign), next=base.next)

    # ------------------------------------------------------------------ dates

    def numeric(self, at: int) -> Atom | None:
        """2026-08-14, 14/8/2026, 8/14, 2026-08, 08/2026, 14.8.2026, 2026 10 16."""
        if not self.word(at).isdigit() or self._inside_number(at):
            return None
        first = self.word(at)
        mark = self.word(at + 1)
        if mark not in ("-", "/", ".", "−"):
            return self._spaced(at)
        if not self.word(at + 2).isdigit():
            return None
        second = self.word(at + 2)
        tight = self.glued(at + 1) and self.glued(at + 2)
        if self.word(at + 3) in ("-", "/", ".", "−") and self.word(at + 4).isdigit() and self.glued(at + 4):
            mark2 = self.word(at + 3)
            goes_on = self._continues(at + 5) and not (mark == "/" and self.word(at + 5) == "-")
            if tight and not goes_on and (mark == mark2 or len(first) == 4):
                return self._three(first, second, self.word(at + 4), at + 5)
            if mark != "-" or len(first) != 4:
                return self._two(first, second, mark, tight, at + 3) if mark2 == "-" and mark == "/" else None
        return self._two(first, second, mark, tight, at + 3)

    def _spaced(self, at: int) -> Atom | None:
        parts = self.words[at : at + 3]
        if len(parts) == 3 and [len(part) for part in parts] == [4, 2, 2] and all(part.isdigit() for part in parts):
            year, month, day = map(int, parts)
            if 1900 <= year <= 2100 and 1 <= month <= 12 and 1 <= day <= 31:
                return Atom(span=self.date(year, month, day, at + 3), next=at + 3)
        return None

    def _inside_number(self, at: int) -> bool:
        """Part of a longer figure: a phone number, a version, an address."""
        return at != self.joined and self.glued(at) and (
            self.word(at - 1) in ("$", "#", "+")
            or (self.word(at - 1) in ("/", ":", ".", ",") and self.word(at - 2).isdigit())
            or (self.word(at - 1) == "-" and self.word(at - 2).isdigit() and self.word(at + 1) != "/")
        )

    def _continues(self, at: int) -> bool:
        return self.word(at) in ("-", "/", ".") and self.glued(at) and self.word(at + 1).isdigit() and self.glued(at + 1)

    def _three(self, a: str, b: str, c: str, next_: int) -> Atom | None:
        if len(a) == 4:
            year, month, day = int(a), int(b), int(c)
            if not (1000 <= year <= 2999 and len(b) <= 2 and len(c) <= 2):
                return None
            return Atom(span=self.date(year, month, day, next_), next=next_)
        if len(c) not in (2, 4) or len(a) > 2 or len(b) > 2:
            return None
        year = int(c) if len(c) == 4 else full_year(int(c), self.now)
        if len(c) == 4 and not 1000 <= year <= 2999:
            return None
        if self.word(next_ - 2) == ".":  # points are the European way: day, month, year
            return Atom(span=self.date(year, int(b), int(a), next_), next=next_)
        month, day, ambiguous = self._order(int(a), int(b))
        return Atom(span=self.date(year, month, day, next_), next=next_, ambiguous=ambiguous)

    def _order(self, a: int, b: int) -> tuple[int, int, bool]:
        """(month, day, could be the other way round)."""
        if a > 12 or b > 12:
            return (b, a, False) if a > 12 else (a, b, False)
        return (b, a, a != b) if self.day_first else (a, b, a != b)

    def _two(self, a: str, b: str, mark: str, tight: bool, next_: int) -> Atom | None:
        if self._continues(next_) and not (self.word(next_) == "-" and mark != "-"):
            return None
        if len(a) == 4 and len(b) <= 2 and mark in ("-", "/", ".") and 1 <= int(b) <= 12 and 1000 <= int(a) <= 2999:
            if mark == "." and len(b) != 2:
                return None
            return Atom(span=spans.month_span(int(a), int(b)), next=next_)
        if len(b) == 4 and len(a) <= 2 and mark in ("-", "/") and 1 <= int(a) <= 12 and 1000 <= int(b) <= 2999:
            return Atom(span=spans.month_span(int(b), int(a)), next=next_)
        if len(a) > 2 or len(b) > 2 or mark == "." or not (mark == "/" or (mark == "-" and self._alone_or_day(next_))):
            return None
        month, day, ambiguous = self._order(int(a), int(b))
        if not (1 <= month <= 12 and 1 <= day <= 31):
            return None
        if (year := self.year(self.skip(next_, ","), short=False)) and self.word(next_) in (",", "of"):
            return Atom(span=self.date(year[0], month, day, year[1]), next=year[1], month=month, day=day)
        return Atom(
            span=self.past_date(month, day, next_), next=next_, month=month, day=day, year_given=False, weak=not tight,
            ambiguous=ambiguous,
        )  # fmt: skip

    def _alone_or_day(self, next_: int) -> bool:
        """"7-6" is a date after "on" or a weekday, or when it is the whole text; else a score or a version."""
        before = self.word(next_ - 4)
        return before == "on" or before in WEEKDAYS or (next_ == 3 and len(self.words) == 3)

    def month_date(self, at: int) -> Atom | None:
        """"Aug 3 2026", "3rd of August", "August 2026", "2026 Aug", "21-APR-16", "March" where it is a month."""
        return self._month_first(at) or self._day_first(at) or self._year_first(at)

    def _month_first(self, at: int) -> Atom | None:
        found = self.month(at)
        if found is None:
            return None
        month, after = found
        after = self.skip(after, "the")
        mark = self.skip(after, "-", "/", "of", ",", ".")
        number = self.number(mark)
        if number and not self._is_unit(number.next) and number.value == int(number.value):
            if number.digits == 4 or (number.digits == 0 and number.value > 999):
                year = self.year(mark, short=False)
                return Atom(span=spans.month_span(year[0], month), next=year[1]) if year else None
            if 1 <= number.value <= 31 and self.word(mark - 1) != "," and not self._clock(number):
                return self._with_year(month, int(number.value), number.next)
            if number.digits == 2 and number.value > 31 and self.word(mark - 1) != ",":
                return Atom(span=spans.month_span(full_year(int(number.value), self.now), month), next=number.next)
        if self.word(after) in ("of", "in") and (year := self.year(after + 1, short=False)):
            return Atom(span=spans.month_span(year[0], month), next=year[1])
        if self.word(after) in ("of", "in", ",") or self.word(after) in THIS | PAST:
            at2 = self.skip(after, "of", "in", ",")
            ref = self.reference(at2)
            if ref and ref.span.grain == "year" and ref.span.start and not ref.weak:
                return Atom(span=spans.month_span(ref.span.start.year, month), next=ref.next)
        if self.word(after) in ("'", "’") and (year := self.year(after)):
            return Atom(span=spans.month_span(year[0], month), next=year[1])
        return self._bare_month(at, month, found[1])

    def _clock(self, number: Number) -> bool:
        return self.word(number.next) in (":", "am", "pm") or (self.word(number.next) == "%" and not number.ordinal)

    def _is_unit(self, at: int) -> bool:
        return self.word(at) in UNITS and len(self.word(at)) > 1 or self.word(at) in ("million", "billion", "percent")

    def _with_year(self, month: int, day: int, after: int) -> Atom:
        """Month and day read; take a year where one follows."""
        at = self.skip(after, ",", "-", "/", ".")
        at = self.skip(at, "of", "in")
        if self.word(at) in ("of", "in"):
            at += 1
        dashed = self.word(after) in ("-", "/") and self.glued(at) and self.word(after - 2) == self.word(after)
        year = self.year(at, short=dashed or "'" in (self.word(after), self.word(at)) or "’" in (self.word(after), self.word(at)))
        if year is None and after == at and self.number(at) and self.glued_year(at):
            year = self.year(at)
        if year and not self._is_unit(year[1]):
            return Atom(span=self.date(year[0], month, day, year[1]), next=year[1], month=month, day=day)
        ref = self.reference(at) if self.word(after) in ("of", "in", ",") or self.word(after) in THIS | PAST else None
        if ref and ref.span.grain == "year" and ref.span.start and not ref.weak:
            return Atom(span=self.date(ref.span.start.year, month, day, ref.next), next=ref.next, month=month, day=day)
        span = self.past_date(month, day, after)
        return Atom(span=span, next=after, month=month, day=day, year_given=False)

    def glued_year(self, at: int) -> bool:
        """A two-digit year at the end of a short date: "3 Aug 96"."""
        number = self.number(at)
        return bool(number and number.digits == 2 and number.value > 31 and not self._is_unit(number.next))

    def _bare_month(self, at: int, month: int, after: int) -> Atom | None:
        word = self.word(at)
        sure = word in FULL_NAMES or self.word(at - 1) in BEFORE_MONTH or (
            word not in ("may", "march", "mar", "dec", "jan", "sun", "mon", "sat") and self.tokens[at].text.istitle()
        )
        ranged = self.word(after) in ("-", "to", "through", "till", "until") and self.word(after + 1) in MONTHS
        if not (sure or ranged) and len(self.words) > after - at:
            return None
        if word in ("may", "march") and self.word(at - 1) in ("to", "and", "this", "past", "last") and not self._capital(at):
            return None
        if self.word(at - 1) in ("$", "#", "@") and self.glued(at):
            return None
        return Atom(span=self.past_month(month), next=after, month=month, year_given=False)

    def _day_first(self, at: int) -> Atom | None:
        at = self.skip(at, "the")
        number = self.number(at)
        if number is None or not 1 <= number.value <= 31 or number.digits > 2 or self._inside_number(at):
            return None
        if self.word(at - 1) in ("$", "€", "£", "¥"):
            return None
        after = self.skip(number.next, "day")
        after = self.skip(after, "of", "-", "/")
        after = self.skip(after, "of")
        found = self.month(after)
        if found is None:
            return None
        if self.word(after) in ("may", "march", "mar", "sat", "sun") and number.digits == 0 and not number.ordinal:
            return None
        month, after2 = found
        follow = self.number(after2)
        if follow and follow.digits == 2 and follow.value > 31:
            return Atom(
                span=self.date(full_year(int(follow.value), self.now), month, int(number.value), follow.next),
                next=follow.next, month=month, day=int(number.value),
            )  # fmt: skip
        return self._with_year(month, int(number.value), after2)

    def _year_first(self, at: int) -> Atom | None:
        year = self.year(at, short=False)
        if year is None:
            return None
        after = self.skip(year[1], ",", "-", "/")
        if self.word(after).isdigit() and self.word(after + 1) in ("/", "-") and (found := self.month(after + 2)):
            return Atom(span=self.date(year[0], found[0], int(self.word(after)), found[1]), next=found[1])
        found = self.month(after)
        if found is None:
            return None
        month, after = found
        after = self.skip(after, "-", "/")
        number = self.number(after)
        if number and 1 <= number.value <= 31 and number.digits in (0, 1, 2):
            return Atom(span=self.date(year[0], month, int(number.value), number.next), next=number.next)
        return Atom(span=spans.month_span(year[0], month), next=found[1])

    def day_of_month(self, at: int) -> Atom | None:
        """"the 18th", "on the first", "20th of this month", "the 15th day of next month"."""
        start = at
        at = self.skip(at, "the", "on")
        at = self.skip(at, "the")
        number = self.number(at)
        if number is None or number.digits > 2 or not 1 <= number.value <= 31:
            return None
        after = self.skip(number.next, "day")
        inner = self.skip(after, "of", "in")
        ref = self.reference(inner) if inner > after or self.word(inner) in THIS | PAST | NEXT else None
        if ref and ref.span.grain == "month" and ref.span.start:
            base = ref.span.start
            return Atom(span=self.date(base.year, base.month, int(number.value), ref.next), next=ref.next)
        before = self.word(start - 1)
        if not number.ordinal or number.digits == 0 or after != number.next:
            return None
        led = ("on", "since", "until", "by", "before", "after", "from", "around")
        if self.word(start) != "on" and not (self.word(start) == "the" and before in led):
            return None
        if self.word(after) in ("of", "century") or (self.word(after).isalpha() and self.word(after) not in (
            "and", "or", "to", "at", "for", "with", "in", "on", "until", "till", "through",
        )):  # fmt: skip
            return None
        return Atom(span=self.past_day(int(number.value), number.next), next=number.next, day=int(number.value),
                    year_given=False)  # fmt: skip

    def past_day(self, day: int, next_: int) -> Span:
        """The last day of that number in a month that has begun."""
        for back in range(0, 13):
            at = spans.add_months(self.today.replace(day=1), -back)
            try:
                found = at.replace(day=day)
            except ValueError:
                continue
            if found <= self.now:
                return spans.day_span(found.date())
        raise ImpossibleDate(next_)

    # ------------------------------------------------------------------ weekdays

    def weekday(self, at: int) -> Atom | None:
        """"Monday", "last Friday", "Monday of last week", "last week Monday", "Tuesday the 15th", "Sun, Mar 6"."""
        if (atom := self._week_then_day(at)) is not None:
            return atom
        start = at
        at = self.skip(at, "on", "the") if self.word(at + 1) in WEEKDAYS else at
        step: int | None = None
        near = False
        if self.word(at) == "this" and self.word(at + 1) in PAST | NEXT and self.word(at + 2) in WEEKDAYS:
            step, near, at = (-1 if self.word(at + 1) in PAST else 1), True, at + 2
        elif self.word(at) in PAST | NEXT | THIS and self.word(at + 1) in WEEKDAYS:
            word = self.word(at)
            step, near = (-1 if word in PAST else 1 if word in NEXT else 0), word in ("past", "coming", "upcoming")
            at += 1
        word = self.word(at)
        if word not in WEEKDAYS:
            return None
        day, after = WEEKDAYS[word], at + 1
        if len(word) < 6 and self.word(after) == "." and self.glued(after):
            after += 1
        after = self.skip(after, ",") if self._date_follows(self.skip(after, ",")) else after
        if (dated := self._dated_weekday(day, after)) is not None:
            return dated
        sure = word in FULL_NAMES or step is not None or self.word(start - 1) in BEFORE_MONTH | {"on"} or start != at
        if not sure and len(self.words) > after - at:
            return None
        if self.words[after : after + 2] in (["of", "last"], ["of", "this"], ["of", "next"], ["of", "the"]):
            ref = self.reference(after + 1)
            if ref and ref.span.grain == "week" and ref.span.start:
                return Atom(span=self._day_in(ref.span, day), next=ref.next, weekday=day)
        if self.word(after) in ("last", "this", "next", "previous") and self.word(after + 1) == "week":
            ref = self.reference(after)
            assert ref is not None
            return Atom(span=self._day_in(ref.span, day), next=ref.next, weekday=day)
        return Atom(span=self._weekday_by(day, step, near), next=after, weekday=day, year_given=step is not None)

    def _week_then_day(self, at: int) -> Atom | None:
        ref = self.reference(at) if self.word(at) in PAST | THIS | NEXT | ARTICLES else None
        if ref is None or ref.span.grain != "week":
            return None
        after = self.skip(ref.next, "on", "-", ",")
        if self.word(after) in WEEKDAYS:
            day = WEEKDAYS[self.word(after)]
            return Atom(span=self._day_in(ref.span, day), next=after + 1, weekday=day)
        return None

    def _day_in(self, week: Span, day: int) -> Span:
        assert week.start is not None
        return spans.day_span((week.start + timedelta(days=(day - week.start.weekday()) % 7)).date())

    def _weekday_by(self, day: int, step: int | None, near: bool) -> Span:
        back = (self.today.weekday() - day) % 7
        if step is None:
            return spans.day_span((self.today - timedelta(days=back)).date())
        if near:
            days = -(back or 7) if step < 0 else 7 - back
            return spans.day_span((self.today + timedelta(days=days)).date())
        week = spans.neighbour("week", self.now, step, self.week_first)
        return self._day_in(week, day)

    def _date_follows(self, at: int) -> bool:
        number = self.number(self.skip(at, "the"))
        return self.month(at) is not None or bool(number and number.value <= 3000)

    def _dated_weekday(self, day: int, after: int) -> Atom | None:
        """A weekday before its date: the date decides; "Tuesday the 15th" is the last such Tuesday."""
        dated = self.numeric(after) or self.month_date(after)
        if dated is not None and (dated.day or dated.span.grain == "day"):
            return dated
        at = self.skip(after, "the")
        number = self.number(at)
        if number is None or number.digits > 2 or not 1 <= number.value <= 31:
            return None
        if not number.ordinal and (self.word(number.next) not in ("", ".", ",", "!", "?") or number.digits == 0):
            return None
        inner = self.skip(number.next, "of")
        if inner > number.next and (ref := self.reference(inner)) and ref.span.grain == "month" and ref.span.start:
            base = ref.span.start
            return Atom(span=self.date(base.year, base.month, int(number.value), ref.next), next=ref.next)
        for back in range(0, 120):
            month = spans.add_months(self.today.replace(day=1), -back)
            try:
                at_day = month.replace(day=int(number.value))
            except ValueError:
                continue
            if at_day <= self.now and at_day.weekday() == day:
                return Atom(span=spans.day_span(at_day.date()), next=number.next, day=int(number.value))
        return None

    # ------------------------------------------------------------------ parts of larger units

    def nth_of(self, at: int) -> Atom | None:
        """"first week of October", "last Friday of May", "third quarter of 2026", "first 2 weeks of 2026"."""
        at = self.skip(at, "the")
        number, after, count = self._rank(at)
        if number is None:
            return None
        what = self.word(after)
        weekday = WEEKDAYS.get(what)
        unit = self.unit(after)
        if weekday is None and unit is None and what not in ("half", "weekend"):
            return None
        inner = unit[1] if unit else after + 1
        if what == "half":
            inner = after + 1
        holder = self._holder(inner)
        if holder is None:
            return self._bare_part(what, unit, number, inner)
        span = holder.span
        if span.start is None or span.end is None or span.grain in ("day", "hour"):
            return None
        if weekday is not None:
            found = spans.nth_weekday(span, weekday, number) if span.grain in ("month", "year") else None
        elif what == "half":
            found = self._half(span, number)
        elif unit is not None:
            found = spans.nth_unit(span, unit[0], number, count)
        else:
            found = None
        if found is None:
            return None
        result = Atom(span=found, next=holder.next, weak=holder.weak, year_given=holder.year_given)
        if unit and unit[0] == "week" and self.word(holder.next) == "on" and self.word(holder.next + 1) in WEEKDAYS:
            day = WEEKDAYS[self.word(holder.next + 1)]
            return replace(result, span=self._day_in(found, day), next=holder.next + 2)
        return result

    def _rank(self, at: int) -> tuple[int | None, int, int]:
        """(rank, next, how many): "third" 3, "last" -1, "third last" -3, "first two" (1, count 2)."""
        rank: int | None = None
        number = self.number(at)
        if self.word(at) in ("last", "final"):
            rank, at = -1, at + 1
        elif number and number.ordinal:
            rank, at = int(number.value), number.next
            at2 = self.skip(at, "to", "-")
            at2 = self.skip(at2, "-")
            if self.word(at2) == "last":
                rank, at = -rank, at2 + 1
        if rank is None:
            return None, at, 1
        if rank in (1, -1) and (many := self.number(at)) and not many.ordinal and many.digits < 4:
            return rank, many.next, int(many.value)
        return rank, at, 1 if rank != -1 else 1

    def _holder(self, at: int) -> Atom | None:
        """The larger unit a part belongs to: "of October", "in 2026", "2016", "of the year"."""
        at2 = self.skip(at, "of", "in", ",")
        if at2 == at and not (self.year(at, short=False) or self.word(at) in THIS | PAST):
            return None
        if year := self.year(at2, short=False):
            found = self._year_first(at2)
            return found or Atom(span=spans.year_span(year[0]), next=year[1])
        if (month := self.month(at2)) is not None:
            return self._month_first(at2) or Atom(span=self.past_month(month[0]), next=month[1], year_given=False)
        found = self.quarter(at2) or self.reference(at2) or self.decade(at2)
        return replace(found, weak=False) if found else None

    def _bare_part(self, what: str, unit: tuple[str, int] | None, number: int, after: int) -> Atom | None:
        """"the third quarter", "first half" without a year: the last one that has begun."""
        if unit and unit[0] == "quarter" and what != "q" and 1 <= number <= 4:
            return Atom(span=self._past_quarter(number), next=after, year_given=False)
        return None

    def _half(self, span: Span, number: int) -> Span | None:
        if number not in (1, 2, -1) or span.start is None or span.end is None:
            return None
        if span.grain == "year":
            return spans.half_span(span.start.year, 1 if number == 1 else 2)
        if span.grain == "month":
            middle = span.start + timedelta(days=15)
        else:
            middle = span.start + (span.end - span.start) / 2
        return Span(start=span.start, end=middle) if number == 1 else Span(start=middle, end=span.end)

    def _past_quarter(self, quarter: int) -> Span:
        span = spans.quarter_span(self.now.year, quarter)
        assert span.start is not None
        return span if span.start <= self.now else spans.quarter_span(self.now.year - 1, quarter)

    def part_of(self, at: int) -> Atom | None:
        """"early March", "mid-2025", "end of last week", "late this month", "rest of the week", "all week"."""
        at = self.skip(at, "the")
        word = self.word(at)
        if word == "rest":
            return self._rest(at + 1)
        if word in ("all", "whole", "entire") and self.word(at + 1) in ("week", "month", "year", "quarter"):
            return Atom(span=spans.unit_span(UNITS[self.word(at + 1)], self.now, self.week_first), next=at + 2)
        if word in ("eom", "eoy", "boy", "bom") and len(self.words) <= 3:
            unit = "month" if word.endswith("m") else "year"
            which: Literal["early", "late"] = "late" if word.startswith("e") else "early"
            return Atom(span=spans.part(spans.unit_span(unit, self.now), which), next=at + 1)
        if word not in PARTS:
            return None
        after = self.skip(at + 1, "of", "in", "-")
        if word in ("beginning", "end", "start", "middle") and after == at + 1 and self.month(after) is None:
            return None
        holder = self._holder_of_part(after)
        if holder is None or holder.span.grain in ("day", "hour", "span"):
            return None
        span = holder.span
        current = span.start is not None and span.end is not None and span.start <= self.now < span.end
        if word in ("earlier", "later") and current:
            to_now = Span(start=span.start, end=self.now, rolling=True)
            span = to_now if word == "earlier" else Span(start=self.today, end=span.end)
        else:
            span = spans.part(span, PARTS[word], edge=word in EDGES)
        return Atom(span=span, next=holder.next, year_given=holder.year_given)

    def _holder_of_part(self, at: int) -> Atom | None:
        found = self.quarter(at) or self.reference(at, calendar=True) or self.decade(at)
        if found is None and (month := self.month(at)) is not None:
            found = self._month_first(at) or Atom(span=self.past_month(month[0]), next=month[1], year_given=False)
        if found is None and (year := self.year(at, short=False)):
            found = self._year_first(at) or Atom(span=spans.year_span(year[0]), next=year[1])
        if found is None and self.word(at) in ("year", "month", "week", "quarter"):
            found = Atom(span=spans.unit_span(self.word(at), self.now, self.week_first), next=at + 1)
        return found

    def _rest(self, at: int) -> Atom | None:
        at = self.skip(at, "of")
        at = self.skip(at, "the", "this")
        if self.word(at) not in ("week", "month", "year", "quarter"):
            return None
        span = spans.unit_span(self.word(at), self.now, self.week_first)
        assert span.end is not None
        return Atom(span=Span(start=self.today, end=span.end, last=span.end - timedelta(days=1)), next=at + 1)

    def to_date(self, at: int) -> Atom | None:
        """"year to date", "YTD", "so far this month"."""
        at = self.skip(at, "the")
        short = {"ytd": "year", "mtd": "month", "qtd": "quarter", "wtd": "week"}.get(self.word(at))
        if short:
            unit, after = short, at + 1
        elif self.words[at + 1 : at + 3] == ["to", "date"] and self.word(at) in ("year", "month", "quarter", "week"):
            unit, after = self.word(at), at + 3
        elif self.words[at : at + 3] == ["so", "far", "this"] and self.word(at + 3) in UNITS:
            unit, after = UNITS[self.word(at + 3)], at + 4
        else:
            return None
        span = spans.unit_span(unit, self.now, self.week_first)
        return Atom(span=Span(start=span.start, end=self.now, rolling=True), next=after)

    # ------------------------------------------------------------------ quarters, weeks, decades, years

    def quarter(self, at: int) -> Atom | None:
        """"Q3", "Q3 2026", "2026 Q3", "2026-H1", "18q4", "1H 2026", "Q2 of this year"."""
        year = self.year(at, short=False)
        glued_short = self.word(at).isdigit() and len(self.word(at)) == 2 and self.glued(at + 1)
        if year is None and glued_short and self.word(at + 1) in ("q", "h"):
            year = (full_year(int(self.word(at)), self.now), at + 1)
        if year is not None:
            after = self.skip(year[1], "-", ",", "/", "the")
            if (found := self._quarter_name(after)) is not None:
                return Atom(span=self._quarter_span(found, year[0]), next=found[2])
            rank, inner, _ = self._rank(self.skip(after, "the"))
            unit = self.unit(inner)
            if rank and unit and unit[0] == "quarter" and 1 <= rank <= 4:
                return Atom(span=spans.quarter_span(year[0], rank), next=unit[1])
            return None
        found = self._quarter_name(at)
        if found is None:
            return None
        after = self.skip(found[2], "-", ",", "of", "in", "/")
        after = self.skip(after, "the")
        if (year := self.year(after)) is not None:
            return Atom(span=self._quarter_span(found, year[0]), next=year[1])
        ref = self.reference(after)
        if ref and ref.span.grain == "year" and ref.span.start:
            return Atom(span=self._quarter_span(found, ref.span.start.year), next=ref.next)
        span = self._quarter_span(found, self.now.year)
        if span.start is not None and span.start > self.now:
            span = self._quarter_span(found, self.now.year - 1)
        return Atom(span=span, next=found[2], year_given=False)

    def _quarter_name(self, at: int) -> tuple[str, int, int] | None:
        word, digit = self.word(at), self.word(at + 1)
        top = {"q": 4, "h": 2}.get(word)
        if top and digit.isdigit() and self.glued(at + 1) and 1 <= int(digit) <= top and len(digit) == 1:
            return word, int(digit), at + 2
        top = {"q": 4, "h": 2}.get(digit)
        if top and word.isdigit() and self.glued(at + 1) and 1 <= int(word) <= top and len(word) == 1 and self.year(at + 2):
            return digit, int(word), at + 2
        return None

    def _quarter_span(self, found: tuple[str, int, int], year: int) -> Span:
        return spans.quarter_span(year, found[1]) if found[0] == "q" else spans.half_span(year, found[1])

    def decade(self, at: int) -> Atom | None:
        """"the 1990s", "the 70's", "'40s", "the nineties", "nineteen seventies", "20th century"."""
        at = self.skip(at, "the")
        at = self.skip(at, "'", "’")
        number = self.number(at)
        word = self.word(at)
        if number and number.digits in (2, 4) and number.value % 10 == 0 and not number.ordinal:
            after = self.skip(number.next, "'", "’")
            if self.word(after) == "s" and (self.glued(after) or number.digits == 4 or self.word(at - 1) == "in"):
                value = int(number.value)
                year = value if number.digits == 4 else full_decade(value)
                return Atom(span=spans.decade_span(year), next=after + 1)
        if number and self.word(number.next) == "century" and number.value <= 21 and (number.ordinal or number.digits):
            return Atom(span=spans.century_span(int(number.value)), next=number.next + 1)
        prefix, tens = (1900, word)
        if word in ("nineteen", "eighteen"):
            prefix, tens = (1900 if word == "nineteen" else 1800), self.word(at + 1)
        names = "twenties thirties forties fifties sixties seventies eighties nineties".split()
        if tens in names:
            return Atom(span=spans.decade_span(prefix + 20 + 10 * names.index(tens)), next=at + 1 + (tens != word))
        if word == "noughties" or self.words[at : at + 2] == ["two", "thousands"]:
            return Atom(span=spans.decade_span(2000), next=at + 1 + (word == "two"))
        return None

    def week_number(self, at: int) -> Atom | None:
        """"week 23", "week 1 of 2026"; "week of October 6", "month of September 16", "week commencing Feb 4"."""
        at = self.skip(at, "the")
        word = self.word(at)
        if word not in ("week", "month", "year", "weekend"):
            return None
        if self.word(at + 1) in ("of", "commencing", "beginning", "starting", "from"):
            inner = self.skip(at + 2, "the", "on")
            dated = self.month_date(inner) or self.numeric(inner) or self.weekday(inner)
            if dated and dated.span.start and (dated.day or dated.span.grain == "day") and word != "weekend":
                span = spans.unit_span(word, dated.span.start, self.week_first)
                return Atom(span=span, next=dated.next, year_given=dated.year_given)
            if word == "month" and dated and dated.span.grain == "month":
                return dated
            return None
        number = self.number(at + 1)
        if word != "week" or number is None or number.ordinal or not 1 <= number.value <= 53:
            return None
        year = self.year(self.skip(number.next, "of", ",", "in"), short=False)
        base = spans.year_span(year[0] if year else self.now.year)
        return Atom(span=spans.nth_week(base, int(number.value)), next=year[1] if year else number.next)

    def bare_year(self, at: int) -> Atom | None:
        """A year alone: certain after a preposition or "year", weak otherwise."""
        start = at
        at = self.skip(at, "calendar")
        at = self.skip(at, "the") if self.word(at + 1) == "year" else at
        if self.word(at) == "cy":
            number = self.number(at + 1)
            if number and number.digits in (2, 4):
                value = int(number.value)
                return Atom(span=spans.year_span(value if value > 99 else 2000 + value), next=number.next)
        named = self.word(at) == "year"
        year = self.year(at, short=False)
        if year is None or (self.glued(at) and not named and self.word(at - 1) not in ("=", "(", '"', "~", "-", "'")):
            return None
        value, after = year
        if not named and self._dashed(at, after):
            return None
        era = self.skip(after, "ad", "ce")
        if self.word(after) in ("-", "/", ".", ",") and self.glued(after) and self.word(after + 1).isdigit() and (
            self.glued(after + 1) and len(self.word(after + 1)) != 4
        ):
            return None
        if self.glued(after) and self.word(after).isalpha() and era == after:
            return None
        prepositions = ("in", "of", "during", "since", "by", "from", "between", "until", "till", "through", "before",
                        "after", "for", "=", "than", "to", "and", "throughout", "early", "late", "mid")  # fmt: skip
        anchored = named or self.word(start - 1) in prepositions or self.word(at - 1) in ("-", "–", "~")
        follow = self.word(era)
        counting = follow.isalpha() and follow not in _AFTER_YEAR and not named
        if (counting and self.word(start - 1) not in ("in", "since", "during", "of")) or (
            not named and self.tokens[at].text.isalpha() and not anchored
        ):
            return None if self.word(at).isalpha() else self._weak_year(value, at, era)
        return Atom(span=spans.year_span(value), next=era) if anchored else self._weak_year(value, at, era)

    def _dashed(self, at: int, after: int) -> bool:
        """Beside a dash a figure is a year only in a led range: "from 2014-2018", not a telephone number."""
        led = ("from", "between", "in", "during", "of", "for")
        if self.word(at - 1) in ("-", "–", "~"):
            return not (self.year(at - 2, short=False) and self.word(at - 3) in led)
        return self.word(after) in ("-", "–", "~") and self.word(at - 1) not in led

    def _weak_year(self, value: int, at: int, after: int) -> Atom | None:
        """A figure that may be a year: only a present-day one, and not a count of things."""
        if not 1900 <= value <= self.now.year + 1 or self.word(after) in ("pieces", "people", "dollars", "euros"):
            return None
        code = at > 0 and self.tokens[at - 1].text.isupper() and self.tokens[at - 1].text.isalpha()
        return None if code or self.word(at - 1) in ("$", "#") else Atom(span=spans.year_span(value), next=after, weak=True)


_AFTER_YEAR = frozenset(
    "and or but to through till until is was were are will the a an s q in on with for at by of from between before "
    "after so because when while who what how which it they we he she i that this".split()
)


def full_year(short: int, now: datetime) -> int:
    """Two digits -> the year nearest the present that is at most ten years ahead ("96" 1996, "26" 2026)."""
    year = now.year - now.year % 100 + short
    return year - 100 if year > now.year + 10 else year


def full_decade(tens: int) -> int:
    """"the 70s" -> 1970; 10s and 20s belong to this century."""
    return 2000 + tens if tens <= 20 else CENTURY_START + tens
