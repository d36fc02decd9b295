"""One date string -> one claim, or None. Never guesses: what is not clearly a date is not one.

The readers are tried in order; each returns the fields it saw. Nothing here reads the clock: relative words
("2 hours ago", "昨天") are understood only with a `reference`. Field order of `04/05/2026` follows `day_first`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any, Literal

from pipeline.dates.clock import clock, clock_in, zone_info, zone_of
from pipeline.dates.names import COUNTS, HAN_DIGITS, MONTHS, fold, han_number
from pipeline.types import DateClaim, DateKind

Precision = Literal["second", "minute", "day", "month"]

MIN_YEAR, MAX_YEAR = 1990, 2100
"""Outside these a "date" is a default value (1970, 0001) or a typing error, never a report's."""
MAX_CHARS = 120
DAY_OR_MONTH, YEAR_OR_DAY = 0.8, 0.5
"""Share of its reliability that a claim keeps where these could be swapped. Our judgement: a wrong month is often seen
by another claim; a wrong year is worse than any other evidence.
"""

RELIABILITY: dict[DateKind, float] = {
    # our judgement of how often a claim of this kind is the day of publication, best first
    "post id": 0.98,
    "given": 0.95,
    "json-ld": 0.95,
    "api": 0.95,
    "meta": 0.90,
    "feed": 0.90,
    "time": 0.75,
    "url": 0.70,
    "text": 0.50,
    "first seen": 0.30,
}


@dataclass(frozen=True, slots=True)
class Fields:
    """What a reader saw in a string. `zone` is None when the string gave none."""

    year: int
    month: int
    day: int = 0
    hour: int | None = None
    minute: int = 0
    second: int = 0
    micro: int = 0
    zone: tzinfo | None = None
    sure: float = 1.0
    """Below 1 where its parts could as well be meant in another order."""


_Day = tuple[int, int, int]
"""(year, month, day)"""


@dataclass(frozen=True, slots=True)
class Hints:
    day_first: bool | None
    reference: datetime | None


def parse_date(
    raw: str,
    *,
    zone: str = "UTC",
    kind: DateKind = "feed",
    day_first: bool | None = None,
    reference: datetime | None = None,
    reliability: float | None = None,
) -> DateClaim | None:
    """Read one date string of any known format; None when it is no date (or a year outside 1990..2100).

    zone: IANA name for strings without one (the claim says "assumed <zone>"); an abbreviation that it goes by, as CST in
    Shanghai, means it.
    day_first: order of 04/05/2026; None = by the separator (a dot means day first), else month first. What could as well
    be meant otherwise is less reliable and marked so.
    reference: aware datetime that relative words and missing years are counted from.
    reliability: 0..1, overrides the kind's own.
    """
    text = unicodedata.normalize("NFKC", raw[: MAX_CHARS * 2]).replace("\u200e", "").replace("\u200f", "")
    text = " ".join(text.split())[:MAX_CHARS]
    here = reference.astimezone(zone_info(zone)) if reference else None  # "today" is the source's own
    fields = _fields(text, Hints(day_first, here)) if text else None
    if fields is None or not MIN_YEAR <= fields.year <= MAX_YEAR:
        return None
    try:
        at, stated, precision = _moment(fields, zone)
    except (ValueError, OverflowError):
        return None
    sure = RELIABILITY[kind] if reliability is None else reliability
    return DateClaim(
        kind=kind,
        at=at,
        reliability=round(sure * fields.sure, 3),
        raw=raw.strip()[:MAX_CHARS],
        zone="stated" if stated else f"assumed {zone}",
        precision=precision,
        ambiguous=fields.sure < 1,
    )


def _moment(fields: Fields, zone: str) -> tuple[datetime, bool, Precision]:
    precision: Precision = "second"
    if not fields.day:
        precision = "month"
    elif fields.hour is None:
        precision = "day"
    elif not fields.second and not fields.micro:
        precision = "minute"
    if (fields.hour or 0) > 24 or fields.minute > 59:  # an impossible time leaves the day
        fields, precision = Fields(fields.year, fields.month, fields.day), "day"
    hour, extra = fields.hour or 0, timedelta()
    if hour == 24:
        hour, extra = 0, timedelta(days=1)
    second = min(fields.second, 59)  # a leap second is the last of its minute
    local = datetime(fields.year, fields.month, fields.day or 1, hour, fields.minute, second, fields.micro)
    at = (local + extra).replace(tzinfo=_meant(fields.zone, zone_info(zone), local)).astimezone(UTC)
    return at, fields.zone is not None, precision


def _meant(stated: tzinfo | None, home: tzinfo, local: datetime) -> tzinfo:
    """The zone a string states; one abbreviation serves several zones, and means the source's own where that has it."""
    own = local.replace(tzinfo=home).tzname()
    return home if stated is None or stated.tzname(None) == own else stated


# --------------------------------------------------------------------------- pieces of a string


def _clock(rest: str) -> dict[str, Any]:
    """Hour, minute, second and zone in what follows the date."""
    return found._asdict() if (found := clock(rest)) else {}


def _clock_ahead(text: str) -> dict[str, Any]:
    """The same in what stands before it."""
    return found._asdict() if (found := clock_in(text)) else {}


def _year(digits: str) -> int:
    """Two digits are of this century up to 49 (RFC 2822, 4.3): 98 is 1998, never a year to come."""
    return int(digits) + (0 if len(digits) == 4 else 2000 if int(digits) < 50 else 1900)


# --------------------------------------------------------------------------- readers, in the order they are tried

_DIGITS = re.compile(r"(\d{8,19})(?:\.\d+)?")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})[T ]?(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{2}:?\d{2})?")
_ISO = re.compile(r"(?<!\d)(\d{4})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{1,2})(?!\d)\.?")
_ISO_MONTH = re.compile(r"(\d{4})-(\d{2})")
_CJK = re.compile(r"(?<!\d)(\d{4}|\d{2})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(?:(\d{1,2})\s?[日号號일])?")
_CJK_SHORT = re.compile(r"(?<!\d)(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号號일]")
_ROC = re.compile(r"民国\s?(\d{2,3})\s?年|民國\s?(\d{2,3})\s?年")
_HAN_DATE = re.compile(
    r"([〇零一二三四五六七八九]{4}|\d{4})年([一二三四五六七八九十]{1,3})月([一二三四五六七八九十]{1,3})[日号號]"
)
_WORD = r"[^\W\d_]+(?:['’][^\W\d_]+)?"
_DAY_MONTH = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th|er|º|ª|ος|η|-?го)?[.,]?[\s\-/]*(?:de |of |d'|di |ta |le )?\s*({_WORD})[.,]?'?"
    rf"[\s\-/,]*(?:de |del |do |of )?\s*['’]?(\d{{4}}|\d{{2}})(?![\d:])",
    re.IGNORECASE,
)
_MONTH_DAY = re.compile(
    rf"({_WORD})\.?[\s\-/]*(\d{{1,2}})(?!\d|:)(?:st|nd|rd|th)?[.,]?\s*(?:,|de|of|-|/)?\s*(\d{{4}}|['’]\d{{2}})(?!\d)",
    re.IGNORECASE,
)
_MONTH_DAY_LATE_YEAR = re.compile(rf"({_WORD})\.?\s+(\d{{1,2}})\s+(\d{{1,2}}:\d{{2}}\S*.*?)\s(\d{{4}})$")
_YEAR_MONTH_DAY = re.compile(
    rf"(?<!\d)(\d{{4}})[.,]?[\s\-/]*(?:m|г)?\.?\s*({_WORD})[.,]?[\s\-/]*(\d{{1,2}})(?!\d)", re.IGNORECASE
)
_MONTH_YEAR = re.compile(rf"^({_WORD})\.?,?\s+(?:de\s+)?(\d{{4}})$")
_NUMERIC = re.compile(r"(?<![\d.,/\-])(\d{1,2})\s?([./\-])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?!\d|[./\-]\d)")
_VIETNAMESE = re.compile(r"(\d{1,2})\s+th[aá]ng\s+(\d{1,2}),?\s*(?:n[aă]m\s*)?(\d{4})", re.IGNORECASE)


def _fields(text: str, hints: Hints) -> Fields | None:
    for reader in _READERS:
        if (found := reader(text, hints)) is not None:
            return found
    return None


def _digits(text: str, hints: Hints) -> Fields | None:
    """20260810 is a day, 20260810183000 a moment, ten digits Unix seconds, 13 milliseconds, 16 and 19 finer."""
    if not (found := _DIGITS.fullmatch(text)):
        return None
    digits = found.group(1)
    if len(digits) in (8, 12, 14) and (day := _compact_day(digits)):
        return day
    scale = {9: 1, 10: 1, 13: 1_000, 16: 1_000_000, 19: 1_000_000_000}.get(len(digits))
    if scale is None:
        return None
    at = datetime.fromtimestamp(0, UTC) + timedelta(seconds=int(digits) // scale)
    return Fields(at.year, at.month, at.day, at.hour, at.minute, at.second, 0, UTC)


def _compact_day(digits: str) -> Fields | None:
    year, month, day = int(digits[:4]), int(digits[4:6]), int(digits[6:8])
    if not (MIN_YEAR <= year <= MAX_YEAR and 1 <= month <= 12 and 1 <= day <= 31):
        return None
    if len(digits) == 8:
        return Fields(year, month, day)
    return Fields(year, month, day, int(digits[8:10]), int(digits[10:12]), int(digits[12:14] or 0))


def _compact(text: str, hints: Hints) -> Fields | None:
    """20260326T183000Z and the like."""
    if not (found := _COMPACT.fullmatch(text)):
        return None
    year, month, day, hour, minute = (int(part) for part in found.groups()[:5])
    zone = _zone_suffix(found[7] or "")
    return Fields(year, month, day, hour, minute, int(found[6] or 0), 0, zone)


def _zone_suffix(suffix: str) -> tzinfo | None:
    return UTC if suffix.upper() == "Z" else zone_of(suffix)


def _iso(text: str, hints: Hints) -> Fields | None:
    """2026-08-03, 2026/8/3 09:30, 2026.08.03, 2026-08-03T09:30:00.123+08:00, 2026-08-03 09:30 PM CST."""
    if not (found := _ISO.search(text)):
        return None
    year, month, day = int(found[1]), int(found[3]), int(found[4])
    if month > 12 >= day and found[2] == "-":  # year-day-month happens; a month beyond 12 can only be that
        month, day = day, month
    rest = text[found.end() :]
    return Fields(year, month, day, **_clock(rest.removeprefix("T")))


def _iso_month(text: str, hints: Hints) -> Fields | None:
    return Fields(int(found[1]), int(found[2])) if (found := _ISO_MONTH.fullmatch(text)) else None


def _cjk(text: str, hints: Hints) -> Fields | None:
    """2026年8月3日 09:30, 26年8月3日, 2026년 3월 4일 오후 3시 20분, 民國115年8月3日."""
    if roc := _ROC.search(text):
        text = f"{int(roc[1] or roc[2]) + 1911}年" + text[roc.end() :]
    if not (found := _CJK.search(text)):
        return None
    year = _year(found[1])
    if not found[3]:
        return Fields(year, int(found[2]))
    return Fields(year, int(found[2]), int(found[3]), **_clock(text[found.end() :]))


def _han(text: str, hints: Hints) -> Fields | None:
    """二〇二六年八月三日, 2026年八月三日."""
    if not (found := _HAN_DATE.search(text)):
        return None
    year = int("".join(str(HAN_DIGITS.get(char, char)) for char in found[1]))
    return Fields(year, han_number(found[2]), han_number(found[3]), **_clock(text[found.end() :]))


def counted(word: str) -> float:
    """How many: 12 -> 12, an -> 1, 半 -> 0.5, 十二 -> 12."""
    return float(word) if word.isascii() and word.isdigit() else COUNTS.get(word) or float(han_number(word))


def _vietnamese(text: str, hints: Hints) -> Fields | None:
    if not (found := _VIETNAMESE.search(text)):
        return None
    return Fields(int(found[3]), int(found[2]), int(found[1]), **_clock(text[found.end() :]))


def _named(text: str, hints: Hints) -> Fields | None:
    """Month names: "Mon, 03 Aug 2026 09:30 GMT", "3 de agosto de 2026", "August 3rd, 2026", "2026 m. spalio 26 d."."""
    for pattern, (d, m, y) in ((_DAY_MONTH, (1, 2, 3)), (_MONTH_DAY, (2, 1, 3)), (_YEAR_MONTH_DAY, (3, 2, 1))):
        for found in pattern.finditer(text):
            if month := MONTHS.get(fold(found[m])):
                year = _year(found[y].lstrip("'’"))
                rest = text[found.end() :]
                return Fields(year, month, int(found[d]), **(_clock(rest) or _clock_ahead(text[: found.start()])))
    if (late := _MONTH_DAY_LATE_YEAR.search(text)) and (month := MONTHS.get(fold(late[1]))):
        return Fields(int(late[4]), month, int(late[2]), **_clock(late[3]))
    if (only := _MONTH_YEAR.search(text)) and (month := MONTHS.get(fold(only[1]))):
        return Fields(int(only[2]), month)
    return None


def _numeric(text: str, hints: Hints) -> Fields | None:
    """03.08.2026, 3/8/2026, 08-03-2026, 3/8/26; a part beyond 12 settles the order, else the separator or the hint."""
    if not (found := _NUMERIC.search(text)):
        return None
    time = _clock(text[found.end() :]) or _clock_ahead(text[: found.start()])
    first, second, last = int(found[1]), int(found[3]), found[4]
    if found[2] == "-" and first > 12 >= second and len(last) == 2:
        year, month, day = _either_end((_year(last), second, first), (_year(found[1]), second, int(last)), hints)
        return Fields(year, month, day, sure=YEAR_OR_DAY, **time)
    day_first = hints.day_first if hints.day_first is not None else found[2] != "/"
    if found[2] == ".":
        day_first = True
    day, month = (first, second) if (day_first and second <= 12) or first > 12 else (second, first)
    open_ = found[2] != "." and hints.day_first is None and first <= 12 and second <= 12 and first != second
    return Fields(_year(last), month, day, sure=DAY_OR_MONTH if open_ else 1.0, **time)


def _either_end(day_first: _Day, year_first: _Day, hints: Hints) -> _Day:
    """26-08-03: the later of both that is not after the reference; without one, the day comes first."""
    if hints.reference is None:
        return day_first
    tomorrow = hints.reference + timedelta(days=1)
    return max(day_first, year_first, key=lambda day: (day <= (tomorrow.year, tomorrow.month, tomorrow.day), day))


# --------------------------------------------------------------------------- words that need a reference

_AGO = re.compile(
    rf"(?<!\w)(?P<n>\d{{1,4}}|{'|'.join(COUNTS)}|[一二三四五六七八九十]{{1,3}})\s?(?:个|個)?\s?"
    r"(?P<unit>seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|"
    r"秒钟?|分钟|分鐘|小时|小時|天|日|周|週|星期|个?月|年)\s?(?P<ago>ago|之?以?前)",
    re.IGNORECASE,
)
_UNIT_SECONDS = (
    (("second", "sec", "秒"), 1),
    (("minute", "min", "分"), 60),
    (("hour", "hr", "小"), 3_600),
    (("day", "天", "日"), 86_400),
    (("week", "周", "週", "星"), 7 * 86_400),
    (("month", "月"), 30 * 86_400),
    (("year", "年"), 365 * 86_400),
)
_DAY_WORDS = (
    (re.compile("前天"), 2),
    (re.compile("昨[天日]|昨(?=[早晨晚夜])|yesterday"), 1),
    (re.compile("今[天日]|今(?=[早晨晚夜])|today"), 0),
)
_JUST_NOW = ("just now", "刚刚", "剛剛")


def _relative(text: str, hints: Hints) -> Fields | None:
    """Counted from the reference: "3 hours ago", "2天前", "昨天 09:30", "8月3日"."""
    if hints.reference is None:
        return None
    now = hints.reference
    if found := _AGO.search(text):
        count = counted(found["n"].lower())
        unit = found["unit"].lower()
        seconds = next(size for starts, size in _UNIT_SECONDS if unit.startswith(starts))
        then = now - timedelta(seconds=count * seconds)
        coarse = seconds >= 86_400
        return _of(then, None if coarse else then.hour, then.minute)
    low = text.lower()
    if any(word in low for word in _JUST_NOW):
        return _of(now, now.hour, now.minute)
    for word, back in _DAY_WORDS:
        if found := word.search(low):
            day = now - timedelta(days=back)
            return Fields(day.year, day.month, day.day, **_clock(text[found.end() :]))
    return _without_year(text, now)


def _of(at: datetime, hour: int | None, minute: int) -> Fields:
    return Fields(at.year, at.month, at.day, hour, minute if hour is not None else 0, 0, 0, at.tzinfo)


def _without_year(text: str, now: datetime) -> Fields | None:
    """A day without a year is the latest such day that is not more than two days after the reference."""
    if not (found := _CJK_SHORT.search(text)):
        return None
    month, day = int(found[1]), int(found[2])
    year = now.year - (1 if (month, day) > ((now + timedelta(days=2)).month, (now + timedelta(days=2)).day) else 0)
    return Fields(year, month, day, **_clock(text[found.end() :]))


_READERS: tuple[Callable[[str, Hints], Fields | None], ...] = (
    _digits,
    _compact,
    _iso,
    _iso_month,
    _cjk,
    _han,
    _vietnamese,
    _named,
    _numeric,
    _relative,
)


def day_written(claim: DateClaim) -> date:
    """The calendar day as the source wrote it, in its own zone: what a reader of the page would call its date."""
    text = " ".join(unicodedata.normalize("NFKC", claim.raw).split())
    utc_day = claim.at.date()
    for day_first in (None, True, False):
        fields = _fields(text, Hints(day_first, None))
        try:
            day = date(fields.year, fields.month, fields.day or 1) if fields else utc_day
        except ValueError:
            continue
        if abs(day - utc_day) <= timedelta(days=1):
            return day
    return utc_day
