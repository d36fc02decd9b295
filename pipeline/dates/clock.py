"""The time of day in a string, and the zone that stands with it: 20:30, 8 p.m. ET, 14h30, 下午3时20分, 晚上8点半."""

from __future__ import annotations

import re
from datetime import UTC, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pipeline.dates.names import AMERICAN, ZONES, han_number

BEIJING = "Asia/Shanghai"
"""All places whose news is written in Chinese keep its time: the mainland, Taiwan, Hong Kong, Singapore, Malaysia."""

_PM = frozenset(("p", "下午", "午后", "午後", "傍晚", "오후"))
_AM = frozenset(("a", "凌晨", "午前", "오전"))
_NIGHT = frozenset(("晚上", "晚间", "夜间", "深夜", "夜里", "晚", "夜"))
_NOON = frozenset(("中午", "午间"))
_PARTS = "|".join(
    sorted(
        (*(_PM | _AM | _NIGHT | _NOON) - {"p", "a"}, "上午", "早上", "早晨", "清晨", "早", "晨"), key=len, reverse=True
    )
)
_HAN = "[零一二三四五六七八九十]{1,3}"
_TIME = re.compile(
    rf"(?<![\d:])(?P<part>{_PARTS})?\s*"
    r"(?P<h>\d{1,2})\s?(?:[:.h：时時点點]|시)\s?(?P<m>\d{2})(?:\s?[:.：分]\s?(?P<s>\d{2})(?P<f>[.,]\d{1,9})?)?(?:\s?[分秒])?"
    r"(?!\d)\s*(?:(?P<half>[ap])\.?m\b\.?)?",
    re.IGNORECASE,
)
_HOUR = re.compile(
    rf"(?P<part>{_PARTS})?\s*(?P<h>\d{{1,2}}|{_HAN})\s?"
    rf"(?:[点點时時](?![间間候代段期])(?:(?P<m>半|一刻|三刻)|(?P<m2>\d{{1,2}}|{_HAN})分)?|(?P<half>[ap])\.?m\b\.?)",
    re.IGNORECASE,
)
"""An hour without minutes in figures: it is one only where a day stands beside it."""
_PIECES = {"半": 30, "一刻": 15, "三刻": 45}
_LEAD = re.compile(r"[\s,，(（]*(?:at\s+)?")
_BETWEEN = re.compile(r"\s*\(?(?:[A-Z]{2,4}\)?)?,?\s*(?:on\s*)?")

_OFFSET = re.compile(
    r"(?:\b(?:gmt|utc|ut|z)\s*)?(?P<sign>[+\-−])(?P<h>\d{1,2})(?::?(?P<m>\d{2}))?(?!\d)", re.IGNORECASE
)
_NAMED = re.compile(r"\(?\b([A-Za-z]{1,5})\b\)?")
_IANA = re.compile(r"\b(?:Africa|America|Asia|Atlantic|Australia|Europe|Pacific)/[A-Za-z_]+\b")


class Clock(NamedTuple):
    hour: int
    """0..24; 24 is the midnight that ends the day."""
    minute: int
    second: int = 0
    micro: int = 0
    zone: tzinfo | None = None
    """None where none is stated."""


class Beside(NamedTuple):
    """A time of day that stands with a day in running text."""

    hour: int
    minute: int
    start: int
    end: int


def clock(rest: str) -> Clock | None:
    """The time of day in what follows a date: anywhere with minutes, at its beginning an hour alone."""
    return clock_in(rest) or _clock(_HOUR.match(rest, _LEAD.match(rest).end()), rest)  # type: ignore[union-attr]


def clock_in(text: str) -> Clock | None:
    """A time of day with minutes, anywhere in a string."""
    return _clock(_TIME.search(text), text)


def clock_after(text: str, at: int) -> Beside | None:
    """The time of day that follows a day which ends at `at`: 昨晚|10点半, on Nov 29| at 8 p.m."""
    start = _LEAD.match(text, at).end()  # type: ignore[union-attr]
    return _beside(_TIME.match(text, start) or _HOUR.match(text, start))


def clock_before(text: str, at: int, reach: int) -> Beside | None:
    """The time of day that a day follows which begins at `at`: "at 8 p.m. ET |on Nov 29"."""
    near = [*_TIME.finditer(text, max(0, at - reach), at), *_HOUR.finditer(text, max(0, at - reach), at)]
    last = max(near, key=lambda found: found.end(), default=None)
    return _beside(last) if last and _BETWEEN.fullmatch(text, last.end(), at) else None


def _beside(found: re.Match[str] | None) -> Beside | None:
    read = _hour_minute(found) if found else None
    return Beside(*read, found.start(), found.end()) if found and read else None


def _clock(found: re.Match[str] | None, text: str) -> Clock | None:
    if found is None or (read := _hour_minute(found)) is None:
        return None
    given = found.groupdict()
    micro = int(float("0" + given["f"].replace(",", ".")) * 1_000_000) if given.get("f") else 0
    return Clock(*read, int(given.get("s") or 0), micro, zone_of(text[found.end() :]))


def _hour_minute(found: re.Match[str]) -> tuple[int, int] | None:
    """None where the words leave open which hour is meant: 晚上1点 is of this night or of the next day."""
    minute = found["m"] or found.groupdict().get("m2") or "0"
    hour = _of_day(_number(found["h"]), found["part"] or (found["half"] or "").lower())
    return None if hour is None else (hour, _PIECES.get(minute) or _number(minute))


def _number(digits: str) -> int:
    return int(digits) if digits.isdigit() else han_number(digits)


def _of_day(hour: int, part: str) -> int | None:
    """0..24 from an hour of twelve and its part of the day; an hour of 24 stays."""
    if part in _NIGHT and hour <= 12:
        return None if hour < 5 else hour + 12
    if part in _PM and hour < 12 or part in _NOON and hour < 3:
        return hour + 12
    return 0 if part in _AM and hour == 12 else hour


# --------------------------------------------------------------------------- zones


def zone_of(rest: str) -> tzinfo | None:
    """The zone in what follows a time: an offset, an IANA name, an abbreviation; None when there is none."""
    if offset := _OFFSET.search(rest):
        minutes = int(offset["h"]) * 60 + int(offset["m"] or 0)
        if minutes <= 15 * 60:
            return timezone(timedelta(minutes=minutes if offset["sign"] == "+" else -minutes))
        return None
    if named := _IANA.search(rest):
        return zone_info(named.group())
    for word in _NAMED.findall(rest[:24]):
        if (zone := _abbreviated(word)) is not None:
            return zone
    if "北京时间" in rest or "北京時間" in rest:
        return timezone(timedelta(hours=8))
    return None


def _abbreviated(word: str) -> tzinfo | None:
    if (hours := ZONES.get(word.lower())) is not None:
        return timezone(timedelta(hours=hours), word.upper())
    return zone_info(AMERICAN[word.lower()]) if word.lower() in AMERICAN else None


_BEHIND = re.compile(r"\s*[,(]?\s*(?P<name>[A-Z]{2,4})\b(?P<offset>[+\-−]\d{1,2})?")
_AHEAD = re.compile(r"(?P<place>[\u4e00-\u9fff]{2,4}?)时间\s*(?:[周星期礼拜]{1,2}[一二三四五六日天])?\s*$")


def zone_beside(text: str, start: int, end: int, *, chinese: bool) -> tuple[tzinfo | None, bool]:
    """(zone of a time in running text, whether the text states it); a zone of None is one that can't be known.

    In Chinese the clock is Beijing's unless the text names another place's (当地时间: some other).
    """
    behind = _BEHIND.match(text, end)
    if behind and (zone := zone_of(behind["name"] + (behind["offset"] or ""))) is not None:
        return zone, True
    if not chinese:
        return None, False
    if ahead := _AHEAD.search(text, max(0, start - 12), start):
        return (zone_info(BEIJING) if ahead["place"].endswith("北京") else None), True
    return zone_info(BEIJING), False


@lru_cache(maxsize=256)
def zone_info(name: str) -> tzinfo:
    """The zone of an IANA name; UTC when there is no such zone."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return UTC
