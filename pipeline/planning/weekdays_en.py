"""Weekdays: "Monday", "last Friday", "Monday of last week", "Tuesday the 15th"."""

from __future__ import annotations

from datetime import timedelta

from pipeline.planning import spans
from pipeline.planning.cursor import Atom
from pipeline.planning.dates_en import BEFORE_MONTH, Dates
from pipeline.planning.spans import Span
from pipeline.planning.tokens_en import FULL_NAMES, NEXT, PAST, THIS, WEEKDAYS

ARTICLES = frozenset({"the", "my", "our", "this"})


class Weekdays(Dates):
    """Weekdays alone, in a named week, and before a date."""

    def weekday(self, at: int) -> Atom | None:
        """ "Monday", "last Friday", "Monday of last week", "last week Monday", "Tuesday the 15th", "Sun, Mar 6"."""
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
        led = self.word(start) == "on" or (start == at and self.word(start - 1) in BEFORE_MONTH | {"on"})
        sure = word in FULL_NAMES or step is not None or led
        if not sure and len(self.words) > after - at:
            return None
        if self.words[after : after + 2] in (["of", "last"], ["of", "this"], ["of", "next"], ["of", "the"]):
            ref = self.reference(after + 1)
            if ref and ref.span.grain == "week" and ref.span.start:
                return Atom(span=self._day_in(ref.span, day), end=ref.end, weekday=day)
        if self.word(after) in ("last", "this", "next", "previous") and self.word(after + 1) == "week":
            ref = self.reference(after)
            assert ref is not None
            return Atom(span=self._day_in(ref.span, day), end=ref.end, weekday=day)
        return Atom(span=self._weekday_by(day, step, near), end=after, weekday=day, year_given=step is not None)

    def _week_then_day(self, at: int) -> Atom | None:
        ref = self.reference(at) if self.word(at) in PAST | THIS | NEXT | ARTICLES else None
        if ref is None or ref.span.grain != "week":
            return None
        after = self.skip(ref.end, "on", "-", ",")
        if self.word(after) in WEEKDAYS:
            day = WEEKDAYS[self.word(after)]
            return Atom(span=self._day_in(ref.span, day), end=after + 1, weekday=day)
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
        if not number.ordinal and (self.word(number.end) not in ("", ".", ",", "!", "?") or number.digits == 0):
            return None
        inner = self.skip(number.end, "of")
        if inner > number.end and (ref := self.reference(inner)) and ref.span.grain == "month" and ref.span.start:
            base = ref.span.start
            return Atom(span=self.date(base.year, base.month, int(number.value), ref.end), end=ref.end)
        for back in range(120):
            month = spans.add_months(self.today.replace(day=1), -back)
            try:
                at_day = month.replace(day=int(number.value))
            except ValueError:
                continue
            if at_day <= self.now and at_day.weekday() == day:
                return Atom(span=spans.day_span(at_day.date()), end=number.end, day=int(number.value))
        return None
