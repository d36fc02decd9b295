"""Days, weeks and counted units from now: 昨天, 上周五, 近三个月, 48小时内, 三天前."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from pipeline.planning import spans
from pipeline.planning.cursor import Atom
from pipeline.planning.cursor_zh import (
    DAYS,
    HALF_UNIT,
    NUMBER,
    UNIT,
    UNIT_NAMES,
    WEEK_DAYS,
    ChineseCursor,
    longest,
)
from pipeline.planning.numbers import chinese_number
from pipeline.planning.spans import Span


class Units(ChineseCursor):
    """Relative days, named weeks, counted units."""

    def relative_day(self, at: int) -> Atom | None:
        found = self.match(longest(DAYS), at)
        if found:
            day = (self.today + timedelta(days=DAYS[found.group()])).date()
            return Atom(span=spans.day_span(day), end=found.end())
        found = self.match(r"今明两(年|天|日)|昨今两(天|日)", at)
        if found:
            if found.group().endswith("年"):
                return Atom(span=spans.months_span(self.now.year, 1, 24, "span"), end=found.end())
            start = self.today - timedelta(days=found.group()[0] == "昨")
            return Atom(span=Span(start=start, end=start + timedelta(days=2)), end=found.end())
        if found := self.match(r"全天|全日|当天|当日", at):
            return Atom(span=spans.day_span(self.today.date()), end=found.end(), weak=found.group()[0] == "当")
        return None

    def week(self, at: int) -> Atom | None:
        found = self.match(
            r"(上+|下+|这|本|今|当)?一?个?(周|星期|礼拜)\s*([一二三四五六日天末]|[1-6](?!\d|[天日周月年点号]))?", at
        )
        if found is None or (found[1] is None and found[3] is None):
            return self._half_week(at)
        if found[3] and found[1] is None and self.match(r"[一二三四五六日]\s*(?:个|年)", found.start(3)):
            return None
        step = {"上": -1, "下": 1}.get((found[1] or "")[:1], 0) * max(1, len(found[1] or ""))
        week = spans.neighbour("week", self.now, step, self.week_first)
        assert week.start is not None
        end = found.end()
        day = found[3]
        if day is None and (again := self.match(r"的?(?:周|星期|礼拜)([一二三四五六日天末])", end)):
            day, end = again[1], again.end()
        if day is None:
            if part := self.match(r"(初|末)", end):
                return Atom(span=spans.part(week, "early" if part[1] == "初" else "late"), end=part.end())
            return Atom(span=week, end=end)
        number = WEEK_DAYS[day]
        if number == 7:
            start = spans.neighbour("week", self.now, step).start
            assert start is not None
            start += timedelta(days=5)
            if found[1] is None and start > self.now:
                start -= timedelta(days=7)
            return Atom(span=Span(start=start, end=start + timedelta(days=2)), end=end)
        if found[1] is None:
            at_day = self.today - timedelta(days=(self.today.weekday() - number) % 7)
        else:
            at_day = week.start + timedelta(days=(number - week.start.weekday()) % 7)
        return Atom(span=spans.day_span(at_day.date()), end=end, weekday=number, year_given=found[1] is not None)

    def _half_week(self, at: int) -> Atom | None:
        found = HALF_UNIT.match(self.text, at)
        if found is None:
            return None
        early = found[1] in "上前"
        if found[2] == "周":
            week = spans.unit_span("week", self.now, self.week_first).start
            assert week is not None
            middle = week + timedelta(days=3)
            return Atom(span=Span(start=week if early else middle, end=middle if early else week + timedelta(days=7)),
                        end=found.end())  # fmt: skip
        if found[2] == "月":
            month = spans.month_span(self.now.year, self.now.month)
            return Atom(span=self._half_month(month, early), end=found.end())
        span = spans.half_span(self.now.year, 1 if early else 2)
        if span.start is not None and span.start > self.now:
            span = spans.half_span(self.now.year - 1, 2)
        return Atom(span=span, end=found.end())

    _COUNT = rf"({NUMBER}|几|数|半)\s*(?:个)?(半)?多?(?:个)?\s*({UNIT})(半)?"

    def amount(self, raw: str) -> float | None:
        if raw in ("几", "数"):
            return 3
        return 0.5 if raw == "半" else chinese_number(raw)

    def counted(self, at: int) -> Atom | None:
        """近30天, 最近三个月, 过去的48小时, 半个月内, 这几天, 三年来; 未来7天."""
        found = self.match(
            rf"(最近|近|过去|刚过去|以往|前|上|这|此前|未来|今后|后|下|再过|最近这|过去这)\s*的?\s*这?\s*{self._COUNT}\s*"
            r"(?:(?:以|之)?(?:内|来|间|里)|期间|当中|中)?",
            at,
        )
        if found is None:
            return self._within(at)
        lead, amount, unit = found[1], self.amount(found[2]), UNIT_NAMES[found[4]]
        if amount is not None and (amount > 400 or (unit == "year" and amount > 99) or len(found[2]) > 3):
            return None
        if lead in ("上", "下", "前", "后") and at and self.text[at - 1] == "一":
            return None
        if amount is None or (
            lead in ("上", "下", "后", "前", "这") and found[2] == "一" and unit in ("month", "week", "year")
        ):
            return self._named(found[1], unit, found.end()) if amount == 1 else None
        if lead == "上" and found[2] in ("半",):
            return None
        amount += 0.5 if found[3] or found[5] else 0
        if lead in ("未来", "今后", "后", "下", "再过"):
            return Atom(span=spans.ahead(self.now, amount, unit), end=found.end())
        end = found.end()
        if lead == "前" and (self.match(r"前", end) or (at and self.text[at - 1] in "年月周度")):
            return None
        return Atom(span=spans.rolling(self.now, amount, unit), end=end)

    def _named(self, lead: str, unit: str, end: int) -> Atom | None:
        """上一周, 前一个月, 下一年: the neighbouring unit of the calendar."""
        step = {"上": -1, "前": -1, "下": 1, "后": 1, "这": 0}[lead]
        if lead in ("前", "后"):
            return Atom(span=spans.rolling(self.now, 1, unit) if step < 0 else spans.ahead(self.now, 1, unit), end=end)
        return Atom(span=spans.neighbour(unit, self.now, step, self.week_first), end=end)

    def _within(self, at: int) -> Atom | None:
        """48小时内, 半个月以来: counted back as a product that looks back reads it."""
        found = self.match(rf"{self._COUNT}\s*((?:以|之)?(?:内|来)(?!自))", at)
        if found is None or self.match(rf"(?:{NUMBER}\s*月|0\d|\d{{4}})", at):
            return None
        amount = self.amount(found[1])
        if amount is None:
            return None
        amount += 0.5 if found[2] or found[4] else 0
        return Atom(span=spans.rolling(self.now, amount, UNIT_NAMES[found[3]]), end=found.end())

    def ago(self, at: int) -> Atom | None:
        """3天前, 两周之前, 一年半以前, 1年2个月前; 20天后."""
        amounts: list[tuple[float, str]] = []
        end = at
        while found := self.match(self._COUNT + r"\s*[,零又]?\s*", end):
            amount = self.amount(found[1])
            if amount is None:
                return None
            amounts.append((amount + (0.5 if found[2] or found[4] else 0), UNIT_NAMES[found[3]]))
            end = found.end()
        tail = self.match(r"(之前|以前|前|之后|以后|后)(?![天年日\d一二三四五六七八九十两])", end) if amounts else None
        if tail is None or (amounts[0][1] == "year" and amounts[0][0] > 150):
            return None
        if len(amounts) == 1 and self.match(rf"{NUMBER}\s*月|0\d|\d{{4}}", at):
            return None
        if at and self.text[at - 1] in "月年":
            return None
        base = self.now
        sign = -1 if "前" in tail[1] else 1
        for amount, unit in amounts:
            base = spans.shift(base, sign * amount, unit)
        if amounts[-1][1] in ("hour", "minute"):
            start = base.replace(minute=0, second=0, microsecond=0)
            return Atom(span=Span(start=start, end=start + timedelta(hours=1), grain="hour"), end=tail.end())
        return Atom(span=replace(spans.day_span(base.date()), rolling=True), end=tail.end())
