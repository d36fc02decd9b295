"""Dates: 2026-08-14, 8/14, "Aug 3 2026", "3rd of August", "the 18th"."""

from __future__ import annotations

from calendar import monthrange

from pipeline.planning import spans
from pipeline.planning.cursor import Atom, ImpossibleDate, full_year
from pipeline.planning.spans import Span
from pipeline.planning.tokens_en import FULL_NAMES, MONTHS, NEXT, PAST, THIS, UNITS, WEEKDAYS, Number
from pipeline.planning.units_en import Units

BEFORE_MONTH = frozenset(
    """
    in since during by until till from of before after early mid late through thru last next this previous past
    between to end beginning start middle each sometime and around throughout
    """.split()
)
"""Words after which "may", "march", "sat" are a month or a day."""


class Dates(Units):
    """Dates in figures and with month names."""

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
            if (
                tight
                and not goes_on
                and (mark == mark2 or len(first) == 4)
                and (len(first) < 4 or len(self.word(at + 4)) < 3)
            ):
                return self._three(first, second, self.word(at + 4), at + 5)
            if mark != "-" or len(first) != 4:
                return self._two(first, second, mark, tight, at + 3) if mark2 == "-" and mark in ("/", ".") else None
        return self._two(first, second, mark, tight, at + 3)

    def _spaced(self, at: int) -> Atom | None:
        parts = self.words[at : at + 3]
        if len(parts) == 3 and [len(part) for part in parts] == [4, 2, 2] and all(part.isdigit() for part in parts):
            year, month, day = map(int, parts)
            if 1900 <= year <= 2100 and 1 <= month <= 12 and 1 <= day <= 31:
                return Atom(span=self.date(year, month, day, at + 3), end=at + 3)
        return None

    def _inside_number(self, at: int) -> bool:
        """Part of a longer figure: a phone number, a version, an address."""
        return (
            at != self.joined
            and self.glued(at)
            and (
                self.word(at - 1) in ("$", "#", "+")
                or (self.word(at - 1) in ("/", ":", ".", ",") and self.word(at - 2).isdigit())
                or (self.word(at - 1) == "-" and self.word(at - 2).isdigit() and self.word(at + 1) != "/")
            )
        )

    def _continues(self, at: int) -> bool:
        return (
            self.word(at) in ("-", "/", ".") and self.glued(at) and self.word(at + 1).isdigit() and self.glued(at + 1)
        )

    def _three(self, a: str, b: str, c: str, next_: int) -> Atom | None:
        if len(a) == 4:
            year, month, day = int(a), int(b), int(c)
            if not (1000 <= year <= 2999 and len(b) <= 2 and len(c) <= 2):
                return None
            if month > 12 and self.word(next_ - 2) == ".":
                return None  # a version or an amount, not a slip
            return Atom(span=self.date(year, month, day, next_), end=next_)
        if len(c) not in (2, 4) or len(a) > 2 or len(b) > 2:
            return None
        year = int(c) if len(c) == 4 else full_year(int(c), self.now)
        if len(c) == 4 and not 1000 <= year <= 2999:
            return None
        if self.word(next_ - 2) == ".":  # points are the European way: day, month, year
            return Atom(span=self.date(year, int(b), int(a), next_), end=next_) if 1 <= int(b) <= 12 else None
        month, day, ambiguous = self._order(int(a), int(b))
        if not (1 <= month <= 12 and 1 <= day <= 31):
            return None
        return Atom(span=self.date(year, month, day, next_), end=next_, ambiguous=ambiguous)

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
            return Atom(span=spans.month_span(int(a), int(b)), end=next_)
        if len(b) == 4 and len(a) <= 2 and mark in ("-", "/") and 1 <= int(a) <= 12 and 1000 <= int(b) <= 2999:
            return Atom(span=spans.month_span(int(b), int(a)), end=next_)
        if len(a) > 2 or len(b) > 2 or mark == "." or not (mark == "/" or (mark == "-" and self._alone_or_day(next_))):
            return None
        month, day, ambiguous = self._order(int(a), int(b))
        if not (1 <= month <= 12 and 1 <= day <= monthrange(2000, month)[1]):
            return None
        if (year := self.year(self.skip(next_, ","), short=False)) and self.word(next_) in (",", "of"):
            return Atom(span=self.date(year[0], month, day, year[1]), end=year[1], month=month, day=day)
        return Atom(
            span=self.past_date(month, day, next_), end=next_, month=month, day=day, year_given=False, weak=not tight,
            ambiguous=ambiguous,
        )  # fmt: skip

    def _alone_or_day(self, next_: int) -> bool:
        """ "7-6" is a date after "on" or a weekday, or when it is the whole text; else a score or a version."""
        before = self.word(next_ - 4)
        return before == "on" or before in WEEKDAYS or (next_ == 3 and len(self.words) == 3)

    def month_date(self, at: int) -> Atom | None:
        """ "Aug 3 2026", "3rd of August", "August 2026", "2026 Aug", "21-APR-16", "March" where it is a month."""
        return self._month_first(at) or self._day_first(at) or self._year_first(at)

    def _month_first(self, at: int) -> Atom | None:
        found = self.month(at)
        if found is None:
            return None
        month, after = found
        after = self.skip(after, "the")
        mark = self.skip(after, "-", "/", "of", ",", ".")
        number = self.number(mark)
        if number and not self._is_unit(number.end) and number.value == int(number.value):
            if number.digits == 4 or (number.digits == 0 and number.value > 999):
                year = self.year(mark, short=False)
                return Atom(span=spans.month_span(year[0], month), end=year[1]) if year else None
            if 1 <= number.value <= 31 and self.word(mark - 1) != "," and not self._clock(number):
                return self._with_year(month, int(number.value), number.end)
            if number.digits == 2 and number.value > 31 and self.word(mark - 1) != ",":
                return Atom(span=spans.month_span(full_year(int(number.value), self.now), month), end=number.end)
        if self.word(after) in ("of", "in") and (year := self.year(after + 1, short=False)):
            return Atom(span=spans.month_span(year[0], month), end=year[1])
        if self.word(after) in ("of", "in", ",") or self.word(after) in THIS | PAST:
            at2 = self.skip(after, "of", "in", ",")
            ref = self.reference(at2)
            if ref and ref.span.grain == "year" and ref.span.start and not ref.weak:
                return Atom(span=spans.month_span(ref.span.start.year, month), end=ref.end)
        if self.word(after) in ("'", "’") and (year := self.year(after)):
            return Atom(span=spans.month_span(year[0], month), end=year[1])
        return self._bare_month(at, month, found[1])

    def _clock(self, number: Number) -> bool:
        return self.word(number.end) in (":", "am", "pm") or (self.word(number.end) == "%" and not number.ordinal)

    def _is_unit(self, at: int) -> bool:
        return self.word(at) in UNITS and len(self.word(at)) > 1 or self.word(at) in ("million", "billion", "percent")

    def _with_year(self, month: int, day: int, after: int) -> Atom:
        """Month and day read; take a year where one follows."""
        at = self.skip(after, ",", "-", "/", ".")
        at = self.skip(at, "of", "in")
        if self.word(at) in ("of", "in"):
            at += 1
        dashed = self.word(after) in ("-", "/") and self.glued(at) and self.word(after - 2) == self.word(after)
        year = self.year(
            at, short=dashed or "'" in (self.word(after), self.word(at)) or "’" in (self.word(after), self.word(at))
        )
        if year is None and after == at and self.number(at) and self.glued_year(at):
            year = self.year(at)
        if year and not self._is_unit(year[1]):
            return Atom(span=self.date(year[0], month, day, year[1]), end=year[1], month=month, day=day)
        ref = self.reference(at) if self.word(after) in ("of", "in", ",") or self.word(after) in THIS | PAST else None
        if ref and ref.span.grain == "year" and ref.span.start and not ref.weak:
            return Atom(span=self.date(ref.span.start.year, month, day, ref.end), end=ref.end, month=month, day=day)
        span = self.past_date(month, day, after)
        return Atom(span=span, end=after, month=month, day=day, year_given=False)

    def glued_year(self, at: int) -> bool:
        """A two-digit year at the end of a short date: "3 Aug 96"."""
        number = self.number(at)
        return bool(number and number.digits == 2 and number.value > 31 and not self._is_unit(number.end))

    def _bare_month(self, at: int, month: int, after: int) -> Atom | None:
        word = self.word(at)
        sure = (
            word in FULL_NAMES
            or self.word(at - 1) in BEFORE_MONTH
            or (
                word not in ("may", "march", "mar", "dec", "jan", "sun", "mon", "sat")
                and self.tokens[at].text.istitle()
            )
        )
        ranged = self.word(after) in ("-", "to", "through", "till", "until") and self.word(after + 1) in MONTHS
        if not (sure or ranged) and len(self.words) > after - at:
            return None
        if (
            word in ("may", "march")
            and self.word(at - 1) in ("to", "and", "this", "past", "last")
            and not self._capital(at)
        ):
            return None
        if self.word(at - 1) in ("$", "#", "@") and self.glued(at):
            return None
        return Atom(span=self.past_month(month), end=after, month=month, year_given=False)

    def _day_first(self, at: int) -> Atom | None:
        at = self.skip(at, "the")
        number = self.number(at)
        if number is None or not 1 <= number.value <= 31 or number.digits > 2 or self._inside_number(at):
            return None
        if self.word(at - 1) in ("$", "€", "£", "¥"):
            return None
        after = self.skip(number.end, "day")
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
                span=self.date(full_year(int(follow.value), self.now), month, int(number.value), follow.end),
                end=follow.end, month=month, day=int(number.value),
            )  # fmt: skip
        return self._with_year(month, int(number.value), after2)

    def _year_first(self, at: int) -> Atom | None:
        year = self.year(at, short=False)
        if year is None:
            return None
        after = self.skip(year[1], ",", "-", "/")
        if self.word(after).isdigit() and self.word(after + 1) in ("/", "-") and (found := self.month(after + 2)):
            return Atom(span=self.date(year[0], found[0], int(self.word(after)), found[1]), end=found[1])
        found = self.month(after)
        if found is None:
            return None
        month, after = found
        after = self.skip(after, "-", "/")
        number = self.number(after)
        if number and 1 <= number.value <= 31 and number.digits in (0, 1, 2):
            return Atom(span=self.date(year[0], month, int(number.value), number.end), end=number.end)
        return Atom(span=spans.month_span(year[0], month), end=found[1])

    def day_of_month(self, at: int) -> Atom | None:
        """ "the 18th", "on the first", "20th of this month", "the 15th day of next month"."""
        start = at
        at = self.skip(at, "the", "on")
        at = self.skip(at, "the")
        number = self.number(at)
        if number is None or number.digits > 2 or not 1 <= number.value <= 31:
            return None
        after = self.skip(number.end, "day")
        inner = self.skip(after, "of", "in")
        ref = self.reference(inner) if inner > after or self.word(inner) in THIS | PAST | NEXT else None
        if ref and ref.span.grain == "month" and ref.span.start:
            base = ref.span.start
            return Atom(span=self.date(base.year, base.month, int(number.value), ref.end), end=ref.end)
        before = self.word(start - 1)
        if not number.ordinal or number.digits == 0 or after != number.end:
            return None
        led = ("on", "since", "until", "by", "before", "after", "from", "around")
        if self.word(start) != "on" and not (self.word(start) == "the" and before in led):
            return None
        if self.word(after) in ("of", "century") or (self.word(after).isalpha() and self.word(after) not in (
            "and", "or", "to", "at", "for", "with", "in", "on", "until", "till", "through",
        )):  # fmt: skip
            return None
        return Atom(span=self.past_day(int(number.value), number.end), end=number.end, day=int(number.value),
                    year_given=False)  # fmt: skip

    def past_day(self, day: int, next_: int) -> Span:
        """The last day of that number in a month that has begun."""
        for back in range(13):
            at = spans.add_months(self.today.replace(day=1), -back)
            try:
                found = at.replace(day=day)
            except ValueError:
                continue
            if found <= self.now:
                return spans.day_span(found.date())
        raise ImpossibleDate(next_)
