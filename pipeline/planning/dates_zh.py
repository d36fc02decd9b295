"""Dates and units of the calendar: 2026-08-14, 去年3月, 第三季度, 90年代, 8月底, 29日."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from pipeline.planning import spans
from pipeline.planning.cursor import Atom, ImpossibleDate, full_decade, full_year
from pipeline.planning.cursor_zh import MONTHS, NUMBER, UNIT_NAMES, YEARS, longest
from pipeline.planning.numbers import HAN_NUMERAL, chinese_number
from pipeline.planning.spans import Span
from pipeline.planning.units_zh import Units


class Dates(Units):
    """Years, quarters, months and days, and their parts."""

    def numeric(self, at: int) -> Atom | None:
        marks = "./" if at == self.joined else "-./"
        if at and (
            self.text[at - 1].isdigit() or (self.text[at - 1] in marks and at > 1 and self.text[at - 2].isdigit())
        ):
            return None
        found = self.match(r"(\d{4})\s?([-/.])\s?(\d{1,2})\s?[-/.]\s?(\d{1,2})(?!\d|\.\d)", at)
        if found and 1000 <= int(found[1]) <= 2999:
            tail = self.match(r"\s*日", found.end())
            year, month, day = int(found[1]), int(found[3]), int(found[4])
            if month > 12 and found[2] == ".":
                return None  # a version or an amount, not a slip
            span = self.date(year, month, day, found.end())
            return Atom(span=span, end=tail.end() if tail else found.end(), month=month, day=day)
        found = self.match(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?![\d])(?!\2\d)", at)
        if found and (found[2] != "." or len(found[4]) == 4):
            return self._short(found)
        found = self.match(r"(\d{4})\s?([-/.])\s?(0?[1-9]|1[0-2])(?![\d日])(?![-/.]\d{1,2}(?!\d))", at)
        if found and 1000 <= int(found[1]) <= 2999:
            return Atom(span=spans.month_span(int(found[1]), int(found[3])), end=found.end(), month=int(found[3]))
        found = self.match(r"(\d{1,2})/(\d{1,2})(?![\d/])", at)
        if found and self.text[:at].strip() == "" and self.text[found.end() :].strip() == "":
            a, b = int(found[1]), int(found[2])
            month, day = (b, a) if a > 12 or (self.day_first and b <= 12) else (a, b)
            if 1 <= month <= 12 and 1 <= day <= 31:
                return Atom(span=self.past_date(month, day, found.end()), end=found.end(), month=month, day=day,
                            year_given=False, ambiguous=a <= 12 and b <= 12 and a != b)  # fmt: skip
        found = self.match(r"(\d{4})(?=\s*(?:到|至|-|~|—))", at) or self.match(
            r"(?<=[到至\-~—])\s*(\d{4})(?![\d年./-])", at
        )
        if found and 1900 <= int(found[1]) <= 2100:
            return Atom(span=spans.year_span(int(found[1])), end=found.end(), weak=True)
        return None

    def _short(self, found: re.Match[str]) -> Atom | None:
        a, b, c = int(found[1]), int(found[3]), int(found[4])
        if len(found[4]) == 2 and found[2] == "-":
            year, month, day, open_ = 2000 + a, b, c, False
        else:
            year = c if len(found[4]) == 4 else full_year(c, self.now)
            open_ = a <= 12 and b <= 12 and a != b
            month, day = (b, a) if a > 12 or (self.day_first and b <= 12) else (a, b)
        if not (1 <= month <= 12 and 1 <= day <= 31):
            return None
        return Atom(span=self.date(year, month, day, found.end()), end=found.end(), month=month, day=day,
                    ambiguous=open_)  # fmt: skip

    def quarter(self, at: int) -> Atom | None:
        if found := self.match(r"(上+|下|本|这)一?个?季度?(?![节军冠])(末|初|底)?", at):
            step = {"上": -1, "下": 1}.get(found[1][0], 0) * len(found[1])
            span = spans.neighbour("quarter", self.now, step)
            if found[2]:
                span = spans.part(span, "early" if found[2] == "初" else "late")
            return Atom(span=span, end=found.end())
        number = self.quarter_number(at)
        if number is None:
            return None
        quarter, end = number
        span = spans.quarter_span(self.now.year, quarter)
        if span.start is not None and span.start > self.now:
            span = spans.quarter_span(self.now.year - 1, quarter)
        return Atom(span=span, end=end, year_given=False)

    def quarter_number(self, at: int) -> tuple[int, int] | None:
        found = self.match(
            r"第?([一二三四1-4])个?季度?(?=度)度|第([一二三四1-4])个?季(?![节军])|(首)季度?|[Qq]([1-4])(?!\d)(?:季度)?|(末)季度",
            at,
        )
        if found is None:
            return None
        raw = found[1] or found[2] or found[4]
        return (chinese_number(raw) or 1, found.end()) if raw else (1 if found[3] else 4, found.end())

    def decade(self, at: int) -> Atom | None:
        found = self.match(
            rf"(上个?世纪|本世纪|({NUMBER})世纪)?的?\s*({NUMBER})\s*年代(初|末|中期?|后期|前期|早期)?", at
        )
        if found:
            tens = chinese_number(found[3])
            if tens is None or tens % 10:
                return None
            year = tens if tens > 99 else full_decade(tens)
            if found[1] and tens < 100:
                base = {"上": self.now.year // 100 - 1, "本": self.now.year // 100}.get(found[1][0])
                century = chinese_number(found[2]) if found[2] else None
                year = (base if base is not None else (century or 20) - 1) * 100 + tens
            return Atom(span=self._phased(spans.decade_span(year), found[4]), end=found.end())
        found = self.match(rf"(上个?|本|({NUMBER}))世纪(初|末|中叶|中期)?", at)
        if found and (number := chinese_number(found[2]) if found[2] else self.now.year // 100 + (found[1] == "本")):
            return Atom(span=self._phased(spans.century_span(number), found[3]), end=found.end())
        return None

    def _phased(self, span: Span, word: str | None) -> Span:
        if not word:
            return span
        return spans.part(span, "early" if word in ("初", "前期", "早期") else "late" if word[0] in "末后" else "mid")

    def year(self, at: int) -> Atom | None:
        found = self.match(longest(YEARS), at)
        if found:
            year, end, said = self.now.year + YEARS[found.group()], found.end(), True
            weak = found.group() == "当年"
        else:
            if at and self.text[at - 1] in "第近":
                return None
            found = self.match(
                r"(\d{4}|\d{2}|[零〇○一二三四五六七八九]{4}|[零〇九八七六][零〇一二三四五六七八九])\s*年(?!代|级|以上|多|龄|薪|前后)度?",
                at,
            )
            if found is None:
                return self.year_part(at, self.now.year, False)
            value = chinese_number(found[1])
            if value is None or not (value < 100 or 1000 <= value <= 2999):
                return None
            if value < 100 and len(found[1]) == 2 and value > 31 and value < 60 and not found[1].startswith("0"):
                return None
            year, end, said, weak = self.year_of(value, found[1]), found.end(), True, False
        inner = self.match(r"\s*,?\s*的?\s*", end)
        assert inner is not None
        part = self.year_part(inner.end(), year, said)
        if part is not None:
            return part
        return Atom(span=spans.year_span(year), end=end, weak=weak)

    def year_part(self, at: int, year: int, said: bool) -> Atom | None:
        """What may follow a year: 3月, 第三季度, 上半年, 初, 底, 前五个月, 第2周."""
        if not said:
            if found := self.match(r"年(初|末|底|中)(?=以来|至今|到|至|前|后|$|[^\w]|[\u4e00-\u9fff])", at):
                if at and self.text[at - 1].isdigit():
                    return None
                return self._year_edge(year, found[1], found.end(), said)
            return None
        if found := self.match(r"年?(初|末|底|中(?!国|央|东|美|俄|心|学|文|超|小|考|医|标|欧|日))", at):
            return self._year_edge(year, found[1], found.end(), said)
        if found := self.match(r"(上|下|前|后)半年", at):
            return Atom(span=spans.half_span(year, 1 if found[1] in "上前" else 2), end=found.end())
        if quarter := self.quarter_number(at):
            return Atom(span=spans.quarter_span(year, quarter[0]), end=quarter[1])
        if found := self.match(rf"(前|首|最后|后)\s*({NUMBER}|几)\s*个?\s*(天|日|周|星期|礼拜|月|季度)", at):
            count = self.amount(found[2])
            if count:
                ranked = spans.nth_unit(
                    spans.year_span(year), UNIT_NAMES[found[3]], 1 if found[1] in "前首" else -1, int(count)
                )
                return Atom(span=ranked or spans.year_span(year), end=found.end())
        if found := self.match(rf"第\s*({NUMBER})\s*个?\s*(天|日|周|星期|礼拜|月)", at):
            ranked = spans.nth_unit(spans.year_span(year), UNIT_NAMES[found[2]], chinese_number(found[1]) or 1)
            return Atom(span=ranked, end=found.end()) if ranked else None
        if found := self.match(r"首(月|周)", at):
            ranked = spans.nth_unit(spans.year_span(year), UNIT_NAMES[found[1]], 1)
            return Atom(span=ranked, end=found.end()) if ranked else None
        if found := self.match(r"(暑假|暑期)", at):
            return Atom(span=spans.months_span(year, 7, 2, "span"), end=found.end())
        return self.month_in(at, year)

    def _year_edge(self, year: int, word: str, end: int, said: bool) -> Atom:
        """年初 January-February, 年中 May-August, 年底 November-December."""
        low, count = {"初": (1, 2), "中": (5, 4)}.get(word, (11, 2))
        return Atom(span=spans.months_span(year, low, count, "span"), end=end, year_given=said)

    def month_in(self, at: int, year: int) -> Atom | None:
        found = self.match(rf"({NUMBER})\s*月(?:份)?", at)
        month = chinese_number(found[1]) if found else None
        if found is None or month is None:
            return None
        if not 1 <= month <= 12:
            raise ImpossibleDate(found.end())
        return self.month_part(found.end(), year, month, said=True)

    def month(self, at: int) -> Atom | None:
        found = self.match(longest(MONTHS), at)
        if found:
            base = spans.add_months(self.today.replace(day=1), MONTHS[found.group()])
            return self.month_part(found.end(), base.year, base.month, said=True)
        if at and self.text[at - 1] in HAN_NUMERAL + "0123456789第":
            return None
        if self.match(r"月(初|底|末|中)(?!国|央|东|心|学)", at):
            if at and (self.text[at - 1].isdigit() or self.text[at - 1] in HAN_NUMERAL + "个本上下"):
                return None
            return self.month_part(at + 1, self.now.year, self.now.month, said=True)
        found = self.match(rf"({NUMBER})\s*月(?!饼|球|光|亮|子|嫂|票|经|租|薪)份?", at)
        month = chinese_number(found[1]) if found else None
        if found is None or month is None or not 1 <= month <= 12:
            return None
        return self.month_part(found.end(), 0, month, said=False)

    def month_part(self, at: int, year: int, month: int, *, said: bool) -> Atom | None:
        """A month and what may follow it: 3日, 初, 上旬, 第二周, 前两天."""
        span = spans.month_span(year, month) if said else self.past_month(month)
        whole = Atom(span=span, end=at, month=month, year_given=said)
        joint = self.match(r"\s*的?\s*", at)
        assert joint is not None
        if found := self._day(at, joint.end()):
            day, place, end = found
            dated = self.date(year, month, day, place) if said else self.past_date(month, day, place)
            return replace(whole, span=dated, end=end, day=day)
        if part := self._part(span, joint.end()):
            return replace(whole, span=part[0], end=part[1])
        if not said and (self.text[at - 1] in HAN_NUMERAL or self.match(rf"初?[{HAN_NUMERAL}]+", at)):
            return None  # a date of the lunar calendar
        return whole

    def _day(self, at: int, start: int) -> tuple[int, int, int] | None:
        """(day, place after it, place after its weekday) of 3日, or of a number alone: 3, 十二."""
        if found := self.match(rf"({NUMBER})\s*(日|号)(?!线|楼|院|机)", start):
            value = chinese_number(found[1])
            if value is not None:
                tail = self.match(r"\s*[,(（]?\s*(?:周|星期|礼拜)[一二三四五六日天][)）]?", found.end())
                return value, found.end(), tail.end() if tail else found.end()
        if found := self.match(r"(\d{1,2})(?![\d.:年月个%点天周])", at):
            value = int(found[1])
            if 1 <= value <= 31 and not self.match(r"\s*[-—~至到]\s*\d+\s*[日号]", found.end()):
                return value, found.end(), found.end()
        if found := self.match(rf"(?=[十二三])[{HAN_NUMERAL}]{{2,3}}(?![{HAN_NUMERAL}个月年周天%])", at):
            value = chinese_number(found.group())
            if value is not None and 11 <= value <= 31:
                return value, found.end(), found.end()
        return None

    def _part(self, month: Span, start: int) -> tuple[Span, int] | None:
        """(days, place after them) of 上旬, 底, 下半月, 第二周, 最后一周, 前两天."""
        for pattern, which in (
            (rf"上旬|初(?![{HAN_NUMERAL}])", "early"),  # 三月初三 is a day of the lunar calendar
            (r"中旬|中(?!国|央|东|心|学|美|欧)", "mid"),
            (r"下旬|底|末", "late"),
        ):
            if found := self.match(pattern, start):
                return self._edge(month, found.group(), which), found.end()
        if found := self.match(r"(上|下|前|后)半月", start):
            return self._half_month(month, found[1] in "上前"), found.end()
        rank, count = 1, 1
        if found := self.match(rf"第\s*({NUMBER})\s*个?\s*(?P<unit>天|日|周|星期|礼拜)", start):
            rank = chinese_number(found[1]) or 1
        elif found := self.match(r"(首|最后一?个?)(?P<unit>周|星期|礼拜)", start):
            rank = 1 if found[1] == "首" else -1
        elif found := self.match(rf"(前|头|首|最后|后)\s*({NUMBER}|几)\s*个?\s*(?P<unit>天|日|周|星期|礼拜)", start):
            rank, count = 1 if found[1] in "前头首" else -1, int(self.amount(found[2]) or 1)
        else:
            return None
        ranked = spans.nth_unit(month, UNIT_NAMES[found["unit"]], rank, count, full_weeks=True)
        return ranked or month, found.end()

    def _edge(self, month: Span, word: str, which: str) -> Span:
        """初 is the first five days, 底/末 the last five; 上中下旬 are thirds."""
        assert month.start is not None and month.end is not None
        if word == "初":
            return Span(start=month.start, end=month.start + timedelta(days=5))
        if word in ("底", "末"):
            return Span(start=month.end - timedelta(days=5), end=month.end)
        low, high = {"early": (0, 10), "mid": (10, 20), "late": (20, 31)}[which]
        return Span(start=month.start + timedelta(days=low), end=min(month.end, month.start + timedelta(days=high)))

    def day_alone(self, at: int) -> Atom | None:
        """29日, 15号: the last such day."""
        if at and self.text[at - 1] in HAN_NUMERAL + "0123456789月第.-":
            return None
        found = self.match(rf"({NUMBER})\s*(日|号)(?!线|楼|院|机|内|店|选|球|位|种)", at)
        value = chinese_number(found[1]) if found else None
        if found is None or value is None or not 1 <= value <= 31:
            return None
        if found[2] == "日" and self.match(r"之?(?:内|前|后)|以(?:内|来)", found.end()):
            return None
        for back in range(13):
            month = spans.add_months(self.today.replace(day=1), -back)
            try:
                day = month.replace(day=value)
            except ValueError:
                continue
            if day <= self.now:
                return Atom(
                    span=spans.day_span(day.date()), end=found.end(), day=value, month=day.month, year_given=True
                )
        return None

    def season_of_year(self, at: int) -> Atom | None:
        """今年以来 and 本月以来 are read as open ends; 年内 is this year."""
        found = self.match(r"年内|年度内", at)
        if found and not (at and (self.text[at - 1].isdigit() or self.text[at - 1] in HAN_NUMERAL + "半多今去")):
            return Atom(span=spans.year_span(self.now.year), end=found.end())
        return None
