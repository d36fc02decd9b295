"""Chinese time words, a folded text, and the helpers that the readers of single time phrases share."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import cache

from pipeline.planning.cursor import Cursor, full_year
from pipeline.planning.numbers import HAN_NUMERAL
from pipeline.planning.spans import Span
from pipeline.planning.window import Reading

_TRADITIONAL = "週個後兩這禮號點鐘時節內開間從來幾發過聽尋當舊於屆廿歲陰曆農與"
_SIMPLIFIED = "周个后两这礼号点钟时节内开间从来几发过听寻当旧于届廿岁阴历农与"
_FOLD = str.maketrans(
    _TRADITIONAL + "０１２３４５６７８９－／．～：　，",
    _SIMPLIFIED + "0123456789-/.~: ,",
)

NUMBER = rf"(?:\d+|[{HAN_NUMERAL}]+)"
UNIT = r"(?:小时|钟头|分钟|天|日|周|星期|礼拜|月|季度|年|世纪)"
UNIT_NAMES = {
    "小时": "hour", "钟头": "hour", "分钟": "minute", "天": "day", "日": "day", "周": "week", "星期": "week",
    "礼拜": "week", "月": "month", "季度": "quarter", "年": "year", "世纪": "century",
}  # fmt: skip
DAYS = {
    "今天": 0, "今日": 0, "今晚": 0, "今早": 0, "今晨": 0, "今夜": 0, "昨天": -1, "昨日": -1, "昨晚": -1, "昨夜": -1,
    "昨早": -1, "寻日": -1, "琴日": -1, "前天": -2, "前日": -2, "前晚": -2, "大前天": -3, "大前日": -3, "大前晚": -3,
    "明天": 1, "明日": 1, "明早": 1, "明晚": 1, "听日": 1, "后天": 2, "后日": 2, "大后天": 3, "大后日": 3, "大后早": 3,
    "大大后天": 4, "大大前天": -4,
}  # fmt: skip
YEARS = {"今年": 0, "本年": 0, "本年度": 0, "这一年": 0, "当年": 0, "去年": -1, "上年": -1, "前年": -2, "大前年": -3,
          "明年": 1, "次年": 1, "后年": 2}  # fmt: skip
MONTHS = {"本月": 0, "这个月": 0, "今个月": 0, "当月": 0, "这月": 0, "上月": -1, "上个月": -1, "上一个月": -1,
           "上上个月": -2, "上上月": -2, "下月": 1, "下个月": 1, "下一个月": 1}  # fmt: skip
WEEK_DAYS = {char: number for number, char in enumerate("一二三四五六日")} | {"天": 6, "末": 7} | {
    str(number + 1): number for number in range(6)
}  # fmt: skip
HALF_UNIT = re.compile(r"([上下前后])半(年|月|周)")


def longest(table: dict[str, int]) -> str:
    return "|".join(sorted(table, key=len, reverse=True))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def fold(text: str) -> str:
    """Traditional time characters and full-width digits to the form the patterns use; same length."""
    return text.translate(_FOLD)


class ChineseCursor(Cursor):
    """One folded text and the moment it is read at."""

    def __init__(self, text: str, reading: Reading) -> None:
        super().__init__(reading)
        self.text = text

    def match(self, pattern: str, at: int) -> re.Match[str] | None:
        return _compiled(pattern).match(self.text, at)

    def year_of(self, value: int, raw: str) -> int:
        """A year as written: four digits, or the last two of one (07年, 九七年)."""
        return full_year(value, self.now) if value < 100 and len(raw.strip()) <= 2 else value

    def _half_month(self, month: Span, early: bool) -> Span:
        assert month.start is not None
        middle = month.start + timedelta(days=15)
        return Span(start=month.start, end=middle) if early else Span(start=middle, end=month.end)
