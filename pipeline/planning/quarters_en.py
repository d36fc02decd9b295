"""Quarters, halves, weeks by number, decades, centuries and years alone."""

from __future__ import annotations

from pipeline.planning import spans
from pipeline.planning.cursor import Atom, full_decade, full_year
from pipeline.planning.spans import Span
from pipeline.planning.weekdays_en import Weekdays

_AFTER_YEAR = frozenset(
    """
    and or but to through till until is was were are will the a an s q in on with for at by of from between before
    after so because when while who what how which it they we he she i that this
    """.split()
)


class Quarters(Weekdays):
    """Units with a number of their own."""

    def _rank(self, at: int) -> tuple[int | None, int, int]:
        """(rank, next, how many): "third" 3, "last" -1, "third last" -3, "first two" (1, count 2)."""
        rank: int | None = None
        number = self.number(at)
        if self.word(at) in ("last", "final"):
            rank, at = -1, at + 1
        elif number and number.ordinal:
            rank, at = int(number.value), number.end
            at2 = self.skip(at, "to", "-")
            at2 = self.skip(at2, "-")
            if self.word(at2) == "last":
                rank, at = -rank, at2 + 1
        if rank is None:
            return None, at, 1
        if rank in (1, -1) and (many := self.number(at)) and not many.ordinal and many.digits < 4:
            return rank, many.end, int(many.value)
        return rank, at, 1 if rank != -1 else 1

    def quarter(self, at: int) -> Atom | None:
        """ "Q3", "Q3 2026", "2026 Q3", "2026-H1", "18q4", "1H 2026", "Q2 of this year"."""
        year = self.year(at, short=False)
        glued_short = self.word(at).isdigit() and len(self.word(at)) == 2 and self.glued(at + 1)
        if year is None and glued_short and self.word(at + 1) in ("q", "h"):
            year = (full_year(int(self.word(at)), self.now), at + 1)
        if year is not None:
            after = self.skip(year[1], "-", ",", "/", "the")
            if (found := self._quarter_name(after)) is not None:
                return Atom(span=self._quarter_span(found, year[0]), end=found[2])
            rank, inner, _ = self._rank(self.skip(after, "the"))
            unit = self.unit(inner)
            if rank and unit and unit[0] == "quarter" and 1 <= rank <= 4:
                return Atom(span=spans.quarter_span(year[0], rank), end=unit[1])
            return None
        found = self._quarter_name(at)
        if found is None:
            return None
        after = self.skip(found[2], "-", ",", "of", "in", "/")
        after = self.skip(after, "the")
        if (year := self.year(after)) is not None:
            return Atom(span=self._quarter_span(found, year[0]), end=year[1])
        ref = self.reference(after)
        if ref and ref.span.grain == "year" and ref.span.start:
            return Atom(span=self._quarter_span(found, ref.span.start.year), end=ref.end)
        span = self._quarter_span(found, self.now.year)
        if span.start is not None and span.start > self.now:
            span = self._quarter_span(found, self.now.year - 1)
        return Atom(span=span, end=found[2], year_given=False)

    def _quarter_name(self, at: int) -> tuple[str, int, int] | None:
        word, digit = self.word(at), self.word(at + 1)
        top = {"q": 4, "h": 2}.get(word)
        if top and digit.isdigit() and self.glued(at + 1) and 1 <= int(digit) <= top and len(digit) == 1:
            return word, int(digit), at + 2
        top = {"q": 4, "h": 2}.get(digit)
        if (
            top
            and word.isdigit()
            and self.glued(at + 1)
            and 1 <= int(word) <= top
            and len(word) == 1
            and self.year(at + 2)
        ):
            return digit, int(word), at + 2
        return None

    def _quarter_span(self, found: tuple[str, int, int], year: int) -> Span:
        return spans.quarter_span(year, found[1]) if found[0] == "q" else spans.half_span(year, found[1])

    def decade(self, at: int) -> Atom | None:
        """ "the 1990s", "the 70's", "'40s", "the nineties", "nineteen seventies", "20th century"."""
        at = self.skip(at, "the")
        at = self.skip(at, "'", "’")
        number = self.number(at)
        word = self.word(at)
        if number and number.digits in (2, 4) and number.value % 10 == 0 and not number.ordinal:
            after = self.skip(number.end, "'", "’")
            if self.word(after) == "s" and (self.glued(after) or number.digits == 4 or self.word(at - 1) == "in"):
                value = int(number.value)
                year = value if number.digits == 4 else full_decade(value)
                return Atom(span=spans.decade_span(year), end=after + 1)
        if number and self.word(number.end) == "century" and number.value <= 21 and (number.ordinal or number.digits):
            return Atom(span=spans.century_span(int(number.value)), end=number.end + 1)
        prefix, tens = (1900, word)
        if word in ("nineteen", "eighteen"):
            prefix, tens = (1900 if word == "nineteen" else 1800), self.word(at + 1)
        names = ["twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"]
        if tens in names:
            return Atom(span=spans.decade_span(prefix + 20 + 10 * names.index(tens)), end=at + 1 + (tens != word))
        if word == "noughties" or self.words[at : at + 2] == ["two", "thousands"]:
            return Atom(span=spans.decade_span(2000), end=at + 1 + (word == "two"))
        return None

    def week_number(self, at: int) -> Atom | None:
        """ "week 23", "week 1 of 2026"; "week of October 6", "month of September 16", "week commencing Feb 4"."""
        at = self.skip(at, "the")
        word = self.word(at)
        if word not in ("week", "month", "year", "weekend"):
            return None
        if self.word(at + 1) in ("of", "commencing", "beginning", "starting", "from"):
            inner = self.skip(at + 2, "the", "on")
            dated = self.month_date(inner) or self.numeric(inner) or self.weekday(inner)
            if dated and dated.span.start and (dated.day or dated.span.grain == "day") and word != "weekend":
                span = spans.unit_span(word, dated.span.start, self.week_first)
                return Atom(span=span, end=dated.end, year_given=dated.year_given)
            if word == "month" and dated and dated.span.grain == "month":
                return dated
            return None
        number = self.number(at + 1)
        if word != "week" or number is None or number.ordinal or not 1 <= number.value <= 53:
            return None
        year = self.year(self.skip(number.end, "of", ",", "in"), short=False)
        base = spans.year_span(year[0] if year else self.now.year)
        return Atom(span=spans.nth_week(base, int(number.value)), end=year[1] if year else number.end)

    def bare_year(self, at: int) -> Atom | None:
        """A year alone: certain after a preposition or "year", weak otherwise."""
        start = at
        at = self.skip(at, "calendar")
        at = self.skip(at, "the") if self.word(at + 1) == "year" else at
        if self.word(at) == "cy":
            number = self.number(at + 1)
            if number and number.digits in (2, 4):
                value = int(number.value)
                return Atom(span=spans.year_span(value if value > 99 else 2000 + value), end=number.end)
        named = self.word(at) == "year"
        year = self.year(at, short=False)
        if year is None or (self.glued(at) and not named and self.word(at - 1) not in ("=", "(", '"', "~", "-", "'")):
            return None
        value, after = year
        if not named and self._dashed(at, after):
            return None
        era = self.skip(after, "ad", "ce")
        if (
            self.word(after) in ("-", "/", ".", ",")
            and self.glued(after)
            and self.word(after + 1).isdigit()
            and (self.glued(after + 1) and len(self.word(after + 1)) != 4)
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
        return Atom(span=spans.year_span(value), end=era) if anchored else self._weak_year(value, at, era)

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
        return (
            None if code or self.word(at - 1) in ("$", "#") else Atom(span=spans.year_span(value), end=after, weak=True)
        )
