"""Units counted from now: "yesterday", "last week", "past 3 days", "two weeks ago", "3 days after Aug 1"."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from pipeline.planning import spans
from pipeline.planning.cursor import Atom
from pipeline.planning.cursor_en import EnglishCursor
from pipeline.planning.spans import Span
from pipeline.planning.tokens_en import NEXT, PAST, THIS, UNITS


class Units(EnglishCursor):
    """Relative days, named units and counted units."""

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
        elif word in ("now", "present", "date") and at == self.joined:
            span = Span(start=self.now, end=self.now, rolling=True)
            return Atom(span=span, end=at + 1)
        if days is None:
            return None
        return Atom(span=spans.day_span((self.today + timedelta(days=days)).date()), end=after)

    def reference(self, at: int, *, calendar: bool = False) -> Atom | None:
        """ "this week", "last month", "the year", "next quarter", "last September", "this weekend"."""
        start = at
        at = self.skip(at, "the", "my")
        word = self.word(at)
        if word in ("week", "month", "year") and self.words[at + 1 : at + 3] == ["before", "last"]:
            return Atom(span=spans.neighbour(word, self.now, -2, self.week_first), end=at + 3)
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
            return Atom(span=self._weekend(step, weak), end=at + 1, weak=weak and self.word(start - 1) != "over")
        if (month := self.month(at)) and not weak:
            number, after = month
            if self.number(after) or (word in ("may", "march") and not self._capital(at) and after < len(self.words)):
                return None
            return Atom(span=self._month_by(step, number), end=after)
        if (found := self.unit(at)) is None:
            return None
        unit, after = found
        if len(self.word(at)) < 2 or unit == "minute":
            return None
        if unit in ("week", "month", "year") and self.words[after : after + 2] in (
            ["after", "next"],
            ["before", "last"],
        ):
            return Atom(
                span=spans.neighbour(unit, self.now, 2 if self.word(after) == "after" else -2, self.week_first),
                end=after + 2,
            )
        if unit == "hour":
            return Atom(span=spans.rolling(self.now, 1, unit), end=after) if step == -1 else None
        word0 = self.word(at - 1)
        if unit == "fortnight" and step == -1 or (word0 in ("past", "trailing") and unit != "day" and not calendar):
            return Atom(span=spans.rolling(self.now, 1, unit), end=after)
        span = spans.neighbour(unit, self.now, step, self.week_first)
        if word == "working" or word == "work":
            assert span.start is not None
            span = replace(span, end=span.start + timedelta(days=5))
        return Atom(span=span, end=after, weak=weak)

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

    def rolling(self, at: int) -> Atom | None:
        """ "last 30 days", "the past few weeks", "5 past years", "within 48 hours", "last 24h"."""
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
            if number and not number.ordinal and (self.word(number.end) in PAST or self.word(number.end) in NEXT):
                direction = -1 if self.word(number.end) in PAST else 1
                found = self.unit(number.end + 1)
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
        return Atom(span=span, end=after)

    def units(self, at: int, *, articles: bool = False, most: int = 9) -> tuple[list[tuple[float, str]], int] | None:
        """ "3 months and 2 weeks", "1 year, 2 months", "two and a half years" -> amounts, next."""
        amounts: list[tuple[float, str]] = []
        end = at
        while True:
            number = self.number(at, articles=articles or bool(amounts))
            if number is None or number.ordinal:
                break
            value, after = number.value, number.end
            if self.words[after : after + 3] == ["and", "a", "half"] or self.words[after : after + 2] == [
                "and",
                "half",
            ]:
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
        """ "3 days ago", "a week earlier", "two weeks before": the day counted back."""
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
        return Atom(span=self._counted(self.now, amounts, sign), end=after)

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
        """ "2 weeks before yesterday", "3 days after Aug 1"; "in 3 weeks"."""
        if self.word(at) == "in" and (counted := self.units(self.skip(at + 1, "about"), articles=True)):
            after = counted[1]
            while self.word(after) in ("time", "'", "’", "s"):
                after += 1
            return Atom(span=self._counted(self.now, counted[0], 1), end=after)
        counted = self.units(at, articles=True)
        if counted is None or self.word(counted[1]) not in ("before", "after", "from"):
            return None
        base = self.atom(counted[1] + 1, parts=False)
        if base is None or base.span.start is None or base.weak or counted[0][-1][1] in ("hour", "minute"):
            return None
        sign = -1 if self.word(counted[1]) == "before" else 1
        return Atom(span=self._counted(base.span.start, counted[0], sign), end=base.end)
