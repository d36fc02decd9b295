"""Chinese time phrases. The text is folded character by character first, so places stay true.

An atom is one unit or point (去年3月, 上周五, 近三个月, 第三季度, 8月1日); ranges (到, 至, -) and open ends (以来, 之前) are
built from atoms. Days and months inherit what the other end of a range says.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache

from pipeline.planning import spans
from pipeline.planning.atoms_en import full_decade, full_year
from pipeline.planning.numbers import HAN_NUMERAL, chinese_number
from pipeline.planning.spans import Span
from pipeline.planning.window import Found, Impossible, Phrase, Reading

_TRADITIONAL = "週個後兩這禮號點鐘時節內開間從來幾發過聽尋當舊於屆廿歲陰曆農與"
_SIMPLIFIED = "周个后两这礼号点钟时节内开间从来几发过听寻当旧于届廿岁阴历农与"
_FOLD = str.maketrans(
    _TRADITIONAL + "０１２３４５６７８９－／．～：　，",
    _SIMPLIFIED + "0123456789-/.~: ,",
)

_N = rf"(?:\d+|[{HAN_NUMERAL}]+)"
_UNIT = r"(?:小时|钟头|分钟|天|日|周|星期|礼拜|月|季度|年|世纪)"
_UNIT_NAMES = {
    "小时": "hour", "钟头": "hour", "分钟": "minute", "天": "day", "日": "day", "周": "week", "星期": "week",
    "礼拜": "week", "月": "month", "季度": "quarter", "年": "year", "世纪": "century",
}  # fmt: skip
_DAYS = {
    "今天": 0, "今日": 0, "今晚": 0, "今早": 0, "今晨": 0, "今夜": 0, "昨天": -1, "昨日": -1, "昨晚": -1, "昨夜": -1,
    "昨早": -1, "寻日": -1, "琴日": -1, "前天": -2, "前日": -2, "前晚": -2, "大前天": -3, "大前日": -3, "大前晚": -3,
    "明天": 1, "明日": 1, "明早": 1, "明晚": 1, "听日": 1, "后天": 2, "后日": 2, "大后天": 3, "大后日": 3, "大后早": 3,
    "大大后天": 4, "大大前天": -4,
}  # fmt: skip
_YEARS = {"今年": 0, "本年": 0, "本年度": 0, "这一年": 0, "当年": 0, "去年": -1, "上年": -1, "前年": -2, "大前年": -3,
          "明年": 1, "次年": 1, "后年": 2}  # fmt: skip
_MONTHS = {"本月": 0, "这个月": 0, "今个月": 0, "当月": 0, "这月": 0, "上月": -1, "上个月": -1, "上一个月": -1,
           "上上个月": -2, "上上月": -2, "下月": 1, "下个月": 1, "下一个月": 1}  # fmt: skip
_WEEK_DAYS = {char: number for number, char in enumerate("一二三四五六日")} | {"天": 6, "末": 7} | {
    str(number + 1): number for number in range(6)
}  # fmt: skip
_HALF = re.compile(r"([上下前后])半(年|月|周)")


def _longest(table: dict[str, int]) -> str:
    return "|".join(sorted(table, key=len, reverse=True))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def fold(text: str) -> str:
    """Traditional time characters and full-width digits to the form the patterns use; same length."""
    return text.translate(_FOLD)


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    span: Span
    end: int
    year: int | None = None
    """The year when it was said, for the other end of a range."""
    month: int = 0
    day: int = 0
    weekday: int | None = None
    said_year: bool = True
    weak: bool = False
    ambiguous: bool = False


class Bad(Exception):
    def __init__(self, end: int) -> None:
        super().__init__()
        self.end = end


def read_chinese(text: str, reading: Reading) -> list[Found]:
    """All phrases of `text`, left to right, the longest at each place."""
    reader = Chinese(fold(text), reading)
    found: list[Found] = []
    at = 0
    while at < len(text):
        if not _starts(reader.text, at):
            at += 1
            continue
        try:
            atom = reader.phrase(at)
        except Bad as error:
            found.append(Impossible(text=text[at : error.end], start=at, end=error.end))
            at = max(error.end, at + 1)
            continue
        except (OverflowError, ValueError):
            atom = None
        if atom is None or atom.end <= at:
            at = reader.skip(at)
            continue
        found.append(
            Phrase(span=atom.span, text=text[at : atom.end], start=at, end=atom.end, ambiguous=atom.ambiguous,
                   strength="weak" if atom.weak else "explicit")
        )  # fmt: skip
        at = atom.end
    return found


_START = frozenset(HAN_NUMERAL + "0123456789今昨前大明后听寻琴本这当去上下次周星礼最近过未从自在截到至第首半年月季全Qq由再")


def _starts(text: str, at: int) -> bool:
    return text[at] in _START


_SKIP = re.compile(
    rf"每隔?{_N}?个?(?:半个?)?{_UNIT}|(?:农历|阴历|旧历)\S{{0,12}}|(?:闰|正|腊|冬)月\S{{0,3}}|"
    rf"[\d.]+(?:-[\d.]+){{2,}}|\d+(?:\.\d+){{2,}}|{_N}"
)
"""What is stepped over whole when no phrase begins in it: recurrences, lunar dates, long figures."""


class Chinese:
    def __init__(self, text: str, reading: Reading) -> None:
        self.text = text
        self.now = reading.now
        self.today = reading.now.replace(hour=0, minute=0, second=0, microsecond=0)
        self.day_first = reading.day_first
        self.week_first = reading.week_first
        self.joined = -1
        """Where the second end of a range begins: a dash before it joins, it is no part of a figure."""

    def match(self, pattern: str, at: int) -> re.Match[str] | None:
        return _compiled(pattern).match(self.text, at)

    def skip(self, at: int) -> int:
        found = _SKIP.match(self.text, at)
        return max(found.end(), at + 1) if found else at + 1

    # ------------------------------------------------------------------ phrases

    def phrase(self, at: int) -> Atom | None:
        if at and self.text[at - 1] == "每":
            return None
        lead = self.match(r"(?:从|自从|自|由|在|于|截止到|截至到|截至|截止|到|至)\s*(?:包括)?\s*", at)
        start = lead.end() if lead else at
        best: Atom | None = None
        atom = self.atom(start)
        if atom is not None:
            best = self.ranged(start, atom) or self.opened(lead.group() if lead else "", atom)
            if best is None and (lead is None or lead.group()[0] in "从自由在于到至"):
                if lead is not None:
                    best = atom
                else:
                    best = atom
        short = self.days_range(start)
        if short is not None and (best is None or short.end > best.end):
            best = short
        return best

    def ranged(self, start: int, first: Atom) -> Atom | None:
        if first.span.start is None or first.span.end is None:
            return None
        mark = self.match(r"\s*起?\s*(?:到|至|—+|–|-+|~+|直到)\s*", first.end)
        joint = None if mark else self.match(r"\s*(?:与|和|跟|同)\s*", first.end)
        after_before = self.match(r"(?:之后|以后|后)\s*,?\s*", first.end)
        if mark is None and joint is None and after_before is None:
            return None
        lead = mark or joint or after_before
        assert lead is not None
        if (now := self.match(r"现在|目前|如今|今(?![天日年早晚])|此刻", lead.end())) and mark:
            return replace(first, span=Span(start=first.span.start, end=self.now, rolling=True), end=now.end())
        self.joined = lead.end()
        second = self.day_of_first(first, lead.end()) or self.atom(lead.end()) or self.partial(first, lead.end())
        if second is None or second.span.start is None or second.span.end is None:
            return None
        tail = self.match(r"\s*(?:之间|期间|间|为止|止)", second.end)
        if joint is not None and (tail is None or "间" not in tail.group()):
            return None
        if mark is None and joint is None:
            before = self.match(r"(?:之前|以前|前)", second.end)
            if before is None:
                return None
            return Atom(span=Span(start=first.span.start, end=second.span.start, last=second.span.start), end=before.end())
        second = self.agree(first, second)
        first = self.agree_back(first, second)
        end = tail.end() if tail else second.end
        return Atom(span=spans.join(first.span, second.span), end=end, weak=first.weak and second.weak,
                    ambiguous=first.ambiguous or second.ambiguous)  # fmt: skip

    def day_of_first(self, first: Atom, at: int) -> Atom | None:
        return self.partial(first, at) if first.day and self.match(rf"{_N}\s*[日号]", at) else None

    def partial(self, first: Atom, at: int) -> Atom | None:
        """A second end that says only what differs: 12日, 11月, 19."""
        number = self.match(rf"({_N})\s*(日|号|月份?|年)?", at)
        if number is None or first.span.start is None:
            return None
        value = chinese_number(number.group(1))
        base = first.span.start
        if value is None:
            return None
        if first.day and (number.group(2) in ("日", "号", None)) and value <= 31:
            return Atom(span=self.day(base.year, base.month, value, number.end()), end=number.end(), day=value,
                        month=base.month)  # fmt: skip
        return None

    def agree(self, first: Atom, second: Atom) -> Atom:
        """A month or day without a year follows the first end."""
        if second.said_year or not second.month or first.span.start is None:
            return second
        base = first.span.start
        later = (second.month, second.day or 31) >= (base.month, base.day if first.day else 0)
        return self.in_year(second, base.year + (0 if later else 1))

    def agree_back(self, first: Atom, second: Atom) -> Atom:
        """五月到2018年六月: the year said at the end holds for the start."""
        if first.said_year or not first.month or not second.said_year or second.span.start is None or not second.month:
            return first
        end = second.span.start
        earlier = (first.month, first.day) <= (end.month, second.day or 31)
        return self.in_year(first, end.year - (0 if earlier else 1))

    def in_year(self, atom: Atom, year: int) -> Atom:
        if atom.day:
            return replace(atom, span=self.day(year, atom.month, atom.day, atom.end))
        return replace(atom, span=spans.month_span(year, atom.month))

    def days_range(self, at: int) -> Atom | None:
        """2019年4月12-19日, 2018年2——4月, 1-五月, 4月12日至19日 are read through `atom`; these lack the first unit."""
        found = self.match(
            rf"(?:({_N})\s*年\s*)?(?:({_N})\s*月\s*)?({_N})\s*(?:到|至|—+|-+|~+)\s*({_N})\s*(日|号|月份?)(?!\S?期)", at
        )
        if found is None:
            return None
        year, month, low, high = (chinese_number(part) if part else None for part in found.groups()[:4])
        if low is None or high is None or low > 31 or high > 31:
            return None
        if found.group(5)[0] == "月" and found.group(2) is None and low <= 12 and high <= 12:
            base = self.year_of(year, found.group(1)) if year is not None else self.past_month(low).start
            begin = spans.month_span(base if isinstance(base, int) else base.year, low)  # type: ignore[union-attr]
            assert begin.start is not None
            close = spans.month_span(begin.start.year + (high < low), high)
        elif found.group(5)[0] != "月" and month:
            begun = (
                self.past_day_of(month, low, found.end()).start
                if year is None
                else datetime(self.year_of(year, found.group(1)), month, 1)
            )
            assert begun is not None
            begin = self.day(begun.year, month, low, found.end())
            close = self.day(begun.year, month, high, found.end())
        else:
            return None
        return Atom(span=spans.join(begin, close), end=found.end())

    def opened(self, lead: str, atom: Atom) -> Atom | None:
        """以来, 起, 开始, 至今 / 之后 / 之前, 截至."""
        span = atom.span
        if span.start is None or span.rolling:
            return None
        if since := self.match(r"\s*(?:至今|以来|开始|起|到现在|到目前|至现在)", atom.end):
            return replace(atom, span=Span(start=span.start, end=None), end=since.end(), weak=False)
        if after := self.match(r"(?:(?:或|及|和)(?:之后|以后)|之后|以后|过后|(?<=[年月])后(?!来|[台续勤]))", atom.end):
            whole = span.grain == "day" or after.group()[0] in "或及和"
            return replace(atom, span=Span(start=span.start if whole else span.end, end=None), end=after.end(), weak=False)
        if before := self.match(r"(?:(?:或|及|和)(?:之前|以前)|之前|以前|为止|(?<=[年月日号])前(?![\d一二三四五六七八九十几两后]))", atom.end):
            end = span.end if before.group()[0] in "或及和为" or lead.startswith("截") else span.start
            return replace(atom, span=Span(start=None, end=end, last=span.start), end=before.end(), weak=False)
        if lead.startswith("截"):
            return replace(atom, span=Span(start=None, end=span.end, last=span.start), weak=False)
        return None

    # ------------------------------------------------------------------ atoms

    def atom(self, at: int) -> Atom | None:
        readers: tuple[Callable[[int], Atom | None], ...] = (
            self.numeric, self.relative_day, self.week, self.counted, self.ago, self.quarter, self.decade, self.year,
            self.month, self.day_alone, self.season_of_year,
        )  # fmt: skip
        best: Atom | None = None
        for reader in readers:
            found = reader(at)
            if found is not None and (best is None or found.end > best.end):
                best = found
        return best

    def day(self, year: int, month: int, day: int, end: int) -> Span:
        try:
            return spans.day_span(datetime(year, month, day).date())
        except ValueError:
            raise Bad(end) from None

    def past_month(self, month: int) -> Span:
        return spans.month_span(self.now.year if month <= self.now.month else self.now.year - 1, month)

    def past_day_of(self, month: int, day: int, end: int) -> Span:
        for year in range(self.now.year, self.now.year - 9, -1):
            try:
                at = datetime(year, month, day)
            except ValueError:
                continue
            if at <= self.now:
                return spans.day_span(at.date())
        raise Bad(end)

    def year_of(self, value: int, raw: str) -> int:
        """A year as written: four digits, or the last two of one (07年, 九七年)."""
        return full_year(value, self.now) if value < 100 and len(raw.strip()) <= 2 else value

    def numeric(self, at: int) -> Atom | None:
        marks = "./" if at == self.joined else "-./"
        if at and (self.text[at - 1].isdigit() or (self.text[at - 1] in marks and at > 1 and self.text[at - 2].isdigit())):
            return None
        found = self.match(r"(\d{4})\s?([-/.])\s?(\d{1,2})\s?[-/.]\s?(\d{1,2})(?!\d|\.\d)", at)
        if found and 1000 <= int(found[1]) <= 2999:
            tail = self.match(r"\s*日", found.end())
            year, month, day = int(found[1]), int(found[3]), int(found[4])
            return Atom(span=self.day(year, month, day, found.end()), end=tail.end() if tail else found.end(), year=year,
                        month=month, day=day)  # fmt: skip
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
                return Atom(span=self.past_day_of(month, day, found.end()), end=found.end(), month=month, day=day,
                            said_year=False, ambiguous=a <= 12 and b <= 12 and a != b)  # fmt: skip
        found = self.match(r"(\d{4})(?=\s*(?:到|至|-|~|—))", at) or self.match(r"(?<=[到至\-~—])\s*(\d{4})(?![\d年./-])", at)
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
        return Atom(span=self.day(year, month, day, found.end()), end=found.end(), year=year, month=month, day=day,
                    ambiguous=open_)  # fmt: skip

    def relative_day(self, at: int) -> Atom | None:
        found = self.match(_longest(_DAYS), at)
        if found:
            day = (self.today + timedelta(days=_DAYS[found.group()])).date()
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
        found = self.match(r"(上+|下+|这|本|今|当)?一?个?(周|星期|礼拜)\s*([一二三四五六日天末]|[1-6](?!\d|[天日周月年点号]))?", at)
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
        number = _WEEK_DAYS[day]
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
        return Atom(span=spans.day_span(at_day.date()), end=end, weekday=number, said_year=found[1] is not None)

    def _half_week(self, at: int) -> Atom | None:
        found = _HALF.match(self.text, at)
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

    def _half_month(self, month: Span, early: bool) -> Span:
        assert month.start is not None
        middle = month.start + timedelta(days=15)
        return Span(start=month.start, end=middle) if early else Span(start=middle, end=month.end)

    # ------------------------------------------------------------------ counted units

    _COUNT = rf"({_N}|几|数|半)\s*(?:个)?(半)?多?(?:个)?\s*({_UNIT})(半)?"

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
        lead, amount, unit = found[1], self.amount(found[2]), _UNIT_NAMES[found[4]]
        if amount is not None and (amount > 400 or (unit == "year" and amount > 99) or len(found[2]) > 3):
            return None
        if lead in ("上", "下", "前", "后") and at and self.text[at - 1] == "一":
            return None
        if amount is None or (lead in ("上", "下", "后", "前", "这") and found[2] == "一" and unit in ("month", "week", "year")):
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
        if found is None or self.match(rf"(?:{_N}\s*月|0\d|\d{{4}})", at):
            return None
        amount = self.amount(found[1])
        if amount is None:
            return None
        amount += 0.5 if found[2] or found[4] else 0
        return Atom(span=spans.rolling(self.now, amount, _UNIT_NAMES[found[3]]), end=found.end())

    def ago(self, at: int) -> Atom | None:
        """3天前, 两周之前, 一年半以前, 1年2个月前; 20天后."""
        amounts: list[tuple[float, str]] = []
        end = at
        while found := self.match(self._COUNT + r"\s*[,零又]?\s*", end):
            amount = self.amount(found[1])
            if amount is None:
                return None
            amounts.append((amount + (0.5 if found[2] or found[4] else 0), _UNIT_NAMES[found[3]]))
            end = found.end()
        tail = self.match(r"(之前|以前|前|之后|以后|后)(?![天年日\d一二三四五六七八九十两])", end) if amounts else None
        if tail is None or (amounts[0][1] == "year" and amounts[0][0] > 150):
            return None
        if len(amounts) == 1 and self.match(rf"{_N}\s*月|0\d|\d{{4}}", at):
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

    # ------------------------------------------------------------------ quarters, decades

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
        return Atom(span=span, end=end, said_year=False)

    def quarter_number(self, at: int) -> tuple[int, int] | None:
        found = self.match(r"第?([一二三四1-4])个?季度?(?=度)度|第([一二三四1-4])个?季(?![节军])|(首)季度?|[Qq]([1-4])(?!\d)(?:季度)?|(末)季度", at)
        if found is None:
            return None
        raw = found[1] or found[2] or found[4]
        return (chinese_number(raw) or 1, found.end()) if raw else (1 if found[3] else 4, found.end())

    def decade(self, at: int) -> Atom | None:
        found = self.match(rf"(上个?世纪|本世纪|({_N})世纪)?的?\s*({_N})\s*年代(初|末|中期?|后期|前期|早期)?", at)
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
        found = self.match(rf"(上个?|本|({_N}))世纪(初|末|中叶|中期)?", at)
        if found and (number := chinese_number(found[2]) if found[2] else self.now.year // 100 + (found[1] == "本")):
            return Atom(span=self._phased(spans.century_span(number), found[3]), end=found.end())
        return None

    def _phased(self, span: Span, word: str | None) -> Span:
        if not word:
            return span
        return spans.part(span, "early" if word in ("初", "前期", "早期") else "late" if word[0] in "末后" else "mid")

    # ------------------------------------------------------------------ years, months, days

    def year(self, at: int) -> Atom | None:
        found = self.match(_longest(_YEARS), at)
        if found:
            year, end, said = self.now.year + _YEARS[found.group()], found.end(), True
            weak = found.group() == "当年"
        else:
            if at and self.text[at - 1] in "第近":
                return None
            found = self.match(rf"(\d{{4}}|\d{{2}}|[零〇○一二三四五六七八九]{{4}}|[零〇九八七六][零〇一二三四五六七八九])\s*年(?!代|级|以上|多|龄|薪|前后)度?", at)
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
        return Atom(span=spans.year_span(year), end=end, year=year, weak=weak)

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
            return Atom(span=spans.half_span(year, 1 if found[1] in "上前" else 2), end=found.end(), year=year)
        if quarter := self.quarter_number(at):
            return Atom(span=spans.quarter_span(year, quarter[0]), end=quarter[1], year=year)
        if found := self.match(rf"(前|首|最后|后)\s*({_N}|几)\s*个?\s*(天|日|周|星期|礼拜|月|季度)", at):
            count = self.amount(found[2])
            if count:
                ranked = spans.nth_unit(
                    spans.year_span(year), _UNIT_NAMES[found[3]], 1 if found[1] in "前首" else -1, int(count)
                )
                return Atom(span=ranked or spans.year_span(year), end=found.end(), year=year)
        if found := self.match(rf"第\s*({_N})\s*个?\s*(天|日|周|星期|礼拜|月)", at):
            ranked = spans.nth_unit(spans.year_span(year), _UNIT_NAMES[found[2]], chinese_number(found[1]) or 1)
            return Atom(span=ranked, end=found.end(), year=year) if ranked else None
        if found := self.match(r"首(月|周)", at):
            ranked = spans.nth_unit(spans.year_span(year), _UNIT_NAMES[found[1]], 1)
            return Atom(span=ranked, end=found.end(), year=year) if ranked else None
        if found := self.match(r"(暑假|暑期)", at):
            return Atom(span=spans.months_span(year, 7, 2, "span"), end=found.end(), year=year)
        return self.month_in(at, year)

    def _year_edge(self, year: int, word: str, end: int, said: bool) -> Atom:
        """年初 January-February, 年中 May-August, 年底 November-December."""
        low, count = {"初": (1, 2), "中": (5, 4)}.get(word, (11, 2))
        return Atom(span=spans.months_span(year, low, count, "span"), end=end, year=year, said_year=said)

    def month_in(self, at: int, year: int) -> Atom | None:
        found = self.match(rf"({_N})\s*月(?:份)?", at)
        month = chinese_number(found[1]) if found else None
        if found is None or month is None:
            return None
        if not 1 <= month <= 12:
            raise Bad(found.end())
        return self.month_part(found.end(), year, month, said=True)

    def month(self, at: int) -> Atom | None:
        found = self.match(_longest(_MONTHS), at)
        if found:
            base = spans.add_months(self.today.replace(day=1), _MONTHS[found.group()])
            return self.month_part(found.end(), base.year, base.month, said=True)
        if at and self.text[at - 1] in HAN_NUMERAL + "0123456789第":
            return None
        if edge := self.match(r"月(初|底|末|中)(?!国|央|东|心|学)", at):
            if at and (self.text[at - 1].isdigit() or self.text[at - 1] in HAN_NUMERAL + "个本上下"):
                return None
            return self.month_part(at + 1, self.now.year, self.now.month, said=True, end0=edge.start() + 1)
        found = self.match(rf"({_N})\s*月(?!饼|球|光|亮|子|嫂|票|经|租|薪)份?", at)
        month = chinese_number(found[1]) if found else None
        if found is None or month is None or not 1 <= month <= 12:
            return None
        atom = self.month_part(found.end(), 0, month, said=False)
        return atom

    def month_part(self, at: int, year: int, month: int, *, said: bool, end0: int | None = None) -> Atom | None:
        """What may follow a month: 3日, 初, 上旬, 第二周, 前两天."""
        span = spans.month_span(year, month) if said else self.past_month(month)
        assert span.start is not None and span.end is not None
        keep = {"year": year if said else None, "month": month, "said_year": said}
        inner = self.match(r"\s*的?\s*", at)
        assert inner is not None
        start = inner.end()
        if found := self.match(rf"({_N})\s*(日|号)(?!线|楼|院|机)", start):
            value = chinese_number(found[1])
            if value is not None:
                dated = self.day(year, month, value, found.end()) if said else self._past(month, value, found.end())
                tail = self.match(r"\s*[,(（]?\s*(?:周|星期|礼拜)[一二三四五六日天][)）]?", found.end())
                return Atom(span=dated, end=tail.end() if tail else found.end(), day=value, **keep)  # type: ignore[arg-type]
        if found := self.match(r"(\d{1,2})(?![\d.:年月个%点天周])", at):
            value = int(found[1])
            if 1 <= value <= 31 and not self.match(r"\s*[-—~至到]\s*\d+\s*[日号]", found.end()):
                dated = self.day(year, month, value, found.end()) if said else self._past(month, value, found.end())
                return Atom(span=dated, end=found.end(), day=value, **keep)  # type: ignore[arg-type]
        if (found := self.match(rf"[{HAN_NUMERAL}]{{2,3}}(?![{HAN_NUMERAL}个月年周天%])", at)) and found.group()[0] in "十二三":
            value = chinese_number(found.group())
            if value is not None and 11 <= value <= 31:
                dated = self.day(year, month, value, found.end()) if said else self._past(month, value, found.end())
                return Atom(span=dated, end=found.end(), day=value, **keep)  # type: ignore[arg-type]
        for pattern, which in ((r"上旬|初", "early"), (r"中旬|中(?!国|央|东|心|学|美|欧)", "mid"), (r"下旬|底|末", "late")):
            if found := self.match(pattern, start):
                return Atom(span=self._edge(span, found.group(), which), end=found.end(), **keep)  # type: ignore[arg-type]
        if found := self.match(r"(上|下|前|后)半月", start):
            return Atom(span=self._half_month(span, found[1] in "上前"), end=found.end(), **keep)  # type: ignore[arg-type]
        if found := self.match(rf"第\s*({_N})\s*个?\s*(天|日|周|星期|礼拜)", start):
            ranked = spans.nth_unit(span, _UNIT_NAMES[found[2]], chinese_number(found[1]) or 1, full_weeks=True)
            return Atom(span=ranked or span, end=found.end(), **keep)  # type: ignore[arg-type]
        if found := self.match(r"(首|最后一?个?)(周|星期|礼拜)", start):
            ranked = spans.nth_unit(span, "week", 1 if found[1] == "首" else -1, full_weeks=True)
            return Atom(span=ranked or span, end=found.end(), **keep)  # type: ignore[arg-type]
        if found := self.match(rf"(前|头|首|最后|后)\s*({_N}|几)\s*个?\s*(天|日|周|星期|礼拜)", start):
            count = int(self.amount(found[2]) or 1)
            ranked = spans.nth_unit(
                span, _UNIT_NAMES[found[3]], 1 if found[1] in "前头首" else -1, count, full_weeks=True
            )
            return Atom(span=ranked or span, end=found.end(), **keep)  # type: ignore[arg-type]
        if not said and self.text[at - 1] in HAN_NUMERAL:
            return None
        if not said and (lunar := self.match(rf"初?[{HAN_NUMERAL}]+", at)) and lunar.end() > at:
            return None
        return Atom(span=span, end=at, **keep)  # type: ignore[arg-type]

    def _past(self, month: int, day: int, end: int) -> Span:
        return self.past_day_of(month, day, end)

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
        found = self.match(rf"({_N})\s*(日|号)(?!线|楼|院|机|内|店|选|球|位|种)", at)
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
                return Atom(span=spans.day_span(day.date()), end=found.end(), day=value, month=day.month, said_year=True)
        return None

    def season_of_year(self, at: int) -> Atom | None:
        """今年以来 and 本月以来 are read as open ends; 年内 is this year."""
        found = self.match(r"年内|年度内", at)
        if found and not (at and (self.text[at - 1].isdigit() or self.text[at - 1] in HAN_NUMERAL + "半多今去")):
            return Atom(span=spans.year_span(self.now.year), end=found.end())
        return None
