"""Chinese time phrases: single ones, ranges (到, 至, -) and open ends (以来, 之前), read left to right.

The text is folded character by character first, so places stay true. Days and months inherit what the other end of a
range says.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from pipeline.planning import spans
from pipeline.planning.cursor import Atom, ImpossibleDate
from pipeline.planning.cursor_zh import NUMBER, UNIT, fold
from pipeline.planning.dates_zh import Dates
from pipeline.planning.numbers import HAN_NUMERAL, chinese_number
from pipeline.planning.spans import Span
from pipeline.planning.window import Found, Impossible, Phrase, Reading


def read_chinese(text: str, reading: Reading) -> list[Found]:
    """All phrases of `text`, left to right, the longest at each place."""
    reader = Chinese(fold(text), reading)
    found: list[Found] = []
    at = 0
    while at < len(text):
        if reader.text[at] not in _START:
            at += 1
            continue
        try:
            atom = reader.phrase(at)
        except ImpossibleDate as error:
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


_START = frozenset(
    HAN_NUMERAL + "0123456789今昨前大明后听寻琴本这当去上下次周星礼最近过未从自在截到至第首半年月季全Qq由再"
)
"""What a phrase can begin with; elsewhere no reader is asked."""
_SKIP = re.compile(
    rf"每隔?{NUMBER}?个?(?:半个?)?{UNIT}|(?:农历|阴历|旧历)\S{{0,12}}|(?:闰|正|腊|冬)月\S{{0,3}}|"
    rf"[\d.]+(?:-[\d.]+){{2,}}|\d+(?:\.\d+){{2,}}|{NUMBER}"
)
"""What is stepped over whole when no phrase begins in it: recurrences, lunar dates, long figures."""


CLOCK = (
    rf"\s*(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|晚|早)?\s*"
    rf"(?:{NUMBER}\s*[点时]\s*(?:半|整|钟|{NUMBER}\s*分?)?|\d{{1,2}}:\d{{2}}(?::\d{{2}})?)"
)


class Chinese(Dates):
    """Phrases built from atoms: 去年3月 alone, 8月1日到10日, 9月以来."""

    def skip(self, at: int) -> int:
        found = _SKIP.match(self.text, at)
        return max(found.end(), at + 1) if found else at + 1

    def phrase(self, at: int) -> Atom | None:
        if at and self.text[at - 1] == "每":
            return None
        lead = self.match(r"(?:从|自从|自|由|在|于|截止到|截至到|截至|截止|到|至)\s*(?:包括)?\s*", at)
        start, led = (lead.end(), lead.group()) if lead else (at, "")
        best: Atom | None = None
        if atom := self.atom(start):
            best = self.ranged(start, atom) or self.opened(led, atom)
            if best is None and not led.startswith("截"):
                best = atom
        short = self.days_range(start)
        if short is not None and (best is None or short.end > best.end):
            best = short
        return best

    def ranged(self, start: int, first: Atom) -> Atom | None:
        if first.span.start is None or first.span.end is None:
            return None
        end = self.after_clock(first.end)
        mark = self.match(r"\s*起?\s*(?:到|至|—+|–|-+|~+|直到)\s*", end)
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
            return Atom(
                span=Span(start=first.span.start, end=second.span.start, last=second.span.start), end=before.end()
            )
        second = self.agree(first, second)
        first = self.agree_back(first, second)
        end = tail.end() if tail else self.after_clock(second.end)
        return Atom(span=spans.join(first.span, second.span), end=end, weak=first.weak and second.weak,
                    ambiguous=first.ambiguous or second.ambiguous)  # fmt: skip

    def after_clock(self, at: int) -> int:
        """Past a time of day: 晚上10点半, 9:30. A window is made of days."""
        found = self.match(CLOCK, at)
        return found.end() if found else at

    def day_of_first(self, first: Atom, at: int) -> Atom | None:
        return self.partial(first, at) if first.day and self.match(rf"{NUMBER}\s*[日号]", at) else None

    def partial(self, first: Atom, at: int) -> Atom | None:
        """A second end that says only what differs: 12日, 11月, 19."""
        number = self.match(rf"({NUMBER})\s*(日|号|月份?|年)?", at)
        if number is None or first.span.start is None:
            return None
        value = chinese_number(number.group(1))
        base = first.span.start
        if value is None:
            return None
        if first.day and (number.group(2) in ("日", "号", None)) and value <= 31:
            return Atom(span=self.date(base.year, base.month, value, number.end()), end=number.end(), day=value,
                        month=base.month)  # fmt: skip
        return None

    def agree(self, first: Atom, second: Atom) -> Atom:
        """A month or day without a year follows the first end."""
        if second.year_given or not second.month or first.span.start is None:
            return second
        base = first.span.start
        later = (second.month, second.day or 31) >= (base.month, base.day if first.day else 0)
        return self.in_year(second, base.year + (0 if later else 1))

    def agree_back(self, first: Atom, second: Atom) -> Atom:
        """五月到2018年六月: the year said at the end holds for the start."""
        if (
            first.year_given
            or not first.month
            or not second.year_given
            or second.span.start is None
            or not second.month
        ):
            return first
        end = second.span.start
        earlier = (first.month, first.day) <= (end.month, second.day or 31)
        return self.in_year(first, end.year - (0 if earlier else 1))

    def in_year(self, atom: Atom, year: int) -> Atom:
        if atom.day:
            return replace(atom, span=self.date(year, atom.month, atom.day, atom.end))
        return replace(atom, span=spans.month_span(year, atom.month))

    def days_range(self, at: int) -> Atom | None:
        """2019年4月12-19日, 2018年2——4月, 1-五月, 4月12日至19日 are read through `atom`; these lack the first unit."""
        found = self.match(
            rf"(?:({NUMBER})\s*年\s*)?(?:({NUMBER})\s*月\s*)?({NUMBER})\s*(?:到|至|—+|-+|~+)\s*({NUMBER})\s*(日|号|月份?)(?!\S?期)",
            at,
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
                self.past_date(month, low, found.end()).start
                if year is None
                else datetime(self.year_of(year, found.group(1)), month, 1)
            )
            assert begun is not None
            begin = self.date(begun.year, month, low, found.end())
            close = self.date(begun.year, month, high, found.end())
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
            return replace(
                atom, span=Span(start=span.start if whole else span.end, end=None), end=after.end(), weak=False
            )
        if before := self.match(
            r"(?:(?:或|及|和)(?:之前|以前)|之前|以前|为止|(?<=[年月日号])前(?![\d一二三四五六七八九十几两后]))",
            atom.end,
        ):
            end = span.end if before.group()[0] in "或及和为" or lead.startswith("截") else span.start
            return replace(atom, span=Span(start=None, end=end, last=span.start), end=before.end(), weak=False)
        if lead.startswith("截"):
            return replace(atom, span=Span(start=None, end=span.end, last=span.start), weak=False)
        return None

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
