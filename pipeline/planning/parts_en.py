"""Parts of larger units: "first week of October", "early March", "end of last week", "year to date"."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Literal

from pipeline.planning import spans
from pipeline.planning.cursor import Atom
from pipeline.planning.quarters_en import Quarters
from pipeline.planning.spans import Span
from pipeline.planning.tokens_en import PAST, THIS, UNITS, WEEKDAYS

PARTS: dict[str, Literal["early", "mid", "late"]] = {
    "early": "early", "beginning": "early", "start": "early", "earlier": "early",
    "mid": "mid", "middle": "mid", "late": "late", "end": "late", "later": "late",
}  # fmt: skip
EDGES = frozenset({"beginning", "start", "end"})
"""Words for the edge of a unit, narrower than "early" and "late"."""


class Parts(Quarters):
    """The nth of a unit, its edges, and what has passed of it."""

    def nth_of(self, at: int) -> Atom | None:
        """ "first week of October", "last Friday of May", "third quarter of 2026", "first 2 weeks of 2026"."""
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
        result = Atom(span=found, end=holder.end, weak=holder.weak, year_given=holder.year_given)
        if unit and unit[0] == "week" and self.word(holder.end) == "on" and self.word(holder.end + 1) in WEEKDAYS:
            day = WEEKDAYS[self.word(holder.end + 1)]
            return replace(result, span=self._day_in(found, day), end=holder.end + 2)
        return result

    def _holder(self, at: int) -> Atom | None:
        """The larger unit a part belongs to: "of October", "in 2026", "2016", "of the year"."""
        at2 = self.skip(at, "of", "in", ",")
        if at2 == at and not (self.year(at, short=False) or self.word(at) in THIS | PAST):
            return None
        if year := self.year(at2, short=False):
            found = self._year_first(at2)
            return found or Atom(span=spans.year_span(year[0]), end=year[1])
        if (month := self.month(at2)) is not None:
            return self._month_first(at2) or Atom(span=self.past_month(month[0]), end=month[1], year_given=False)
        found = self.quarter(at2) or self.reference(at2) or self.decade(at2)
        return replace(found, weak=False) if found else None

    def _bare_part(self, what: str, unit: tuple[str, int] | None, number: int, after: int) -> Atom | None:
        """ "the third quarter", "first half" without a year: the last one that has begun."""
        if unit and unit[0] == "quarter" and what != "q" and 1 <= number <= 4:
            return Atom(span=self._past_quarter(number), end=after, year_given=False)
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
        """ "early March", "mid-2025", "end of last week", "late this month", "rest of the week", "all week"."""
        at = self.skip(at, "the")
        word = self.word(at)
        if word == "rest":
            return self._rest(at + 1)
        if word in ("all", "whole", "entire") and self.word(at + 1) in ("week", "month", "year", "quarter"):
            return Atom(span=spans.unit_span(UNITS[self.word(at + 1)], self.now, self.week_first), end=at + 2)
        if word in ("eom", "eoy", "boy", "bom") and len(self.words) <= 3:
            unit = "month" if word.endswith("m") else "year"
            which: Literal["early", "late"] = "late" if word.startswith("e") else "early"
            return Atom(span=spans.part(spans.unit_span(unit, self.now), which, edge=True), end=at + 1)
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
        return Atom(span=span, end=holder.end, year_given=holder.year_given)

    def _holder_of_part(self, at: int) -> Atom | None:
        found = self.quarter(at) or self.reference(at, calendar=True) or self.decade(at)
        if found is None and (month := self.month(at)) is not None:
            found = self._month_first(at) or Atom(span=self.past_month(month[0]), end=month[1], year_given=False)
        if found is None and (year := self.year(at, short=False)):
            found = self._year_first(at) or Atom(span=spans.year_span(year[0]), end=year[1])
        if found is None and self.word(at) in ("year", "month", "week", "quarter"):
            found = Atom(span=spans.unit_span(self.word(at), self.now, self.week_first), end=at + 1)
        return found

    def _rest(self, at: int) -> Atom | None:
        at = self.skip(at, "of")
        at = self.skip(at, "the", "this")
        if self.word(at) not in ("week", "month", "year", "quarter"):
            return None
        span = spans.unit_span(self.word(at), self.now, self.week_first)
        assert span.end is not None
        return Atom(span=Span(start=self.today, end=span.end, last=span.end - timedelta(days=1)), end=at + 1)

    def to_date(self, at: int) -> Atom | None:
        """ "year to date", "YTD", "so far this month"."""
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
        return Atom(span=Span(start=span.start, end=self.now, rolling=True), end=after)
