"""When a text says its event happened: "announced last month", "released on 3 June 2025", "上个月发布", "昨晚10点半".

Only a time that stands with a verb of happening counts, so that a founding year or a comparison is not taken for the
news. Anniversaries, "since" and comparisons never count. Times after the reference are left out. A time of day counts
where its zone is known: stated beside it, or in Chinese Beijing's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from pipeline.dates.clock import BEIJING, clock_after, clock_before, zone_beside, zone_info, zone_of
from pipeline.dates.names import ENGLISH_DAYS, ENGLISH_MONTHS, MONTHS, fold
from pipeline.dates.strings import Precision, counted, parse_date
from pipeline.types import DateClaim, DateLedger

LOOKED_AT = 1_200
"""Characters of a text that are read: an event is dated in the lead or not at all."""
LEAD = 300
REACH = 60
"""Characters between the verb and the time."""
_IN_LEAD, _LATER = 0.6, 0.4

_VERB = re.compile(
    r"\b(?:announc|releas|launch|unveil|publish|reveal|introduc|report|happen|occur|took place|sign(?:ed|s)\b|approv|"
    r"acquir|open-sourc|ship(?:ped|s)\b|debut|resign|died|struck|hit\b|held\b|won\b|passed\b|ruled\b|arrest|elect|"
    r"confirm|disclos|discover|patched|recall|banned)\w*|"
    r"发布|發布|宣布|推出|公布|上线|发表|發表|开源|举行|举办|发生|披露|签署|通过|收购|辞职|去世|逝世|当选|获批|确认|曝光|首发|亮相",
    re.IGNORECASE,
)
_NEVER = re.compile(
    r"\bsince\b|compared|than in|\bfrom\b|founded|established|born\b|until|through\b|"
    r"year-(?:on|over)-year|\bversus\b|以来|同比|环比|相比|较\s*去年|较\s*上|成立|创立|创办|出生|截至|至今|自\s*$",
    re.IGNORECASE,
)
_MEMORY = re.compile(r"anniversar|birthday|commemorat|周年|纪念|诞辰", re.IGNORECASE)
_PLAN = re.compile(
    r"\bwill\b|\bwould\b|scheduled|planned|\bset for\b|\bdue\b|\bexpected\b|将|拟|计划|预计", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"(?<![ap]\.m)\.(?= )|[!?](?= )|[。！？；]")
_TICK = timedelta(seconds=1)
HALF_YEAR = timedelta(days=183)
"""A day without a year lies nearer than this: "June 3" said in January may be one to come."""
_UNITS = {"day": 1, "week": 7, "month": 30, "year": 365, "天": 1, "日": 1, "周": 7, "星期": 7, "月": 30, "年": 365}
_MONTH_WORD = "|".join([*ENGLISH_MONTHS, "sept", *(month[:3] for month in ENGLISH_MONTHS)])
_RELATIVE = re.compile(
    r"\b(?P<last>last) (?P<last_unit>month|year|week|quarter)\b|"
    r"\b(?P<n>\d{1,3}|an?|one|two|three|four|five|six|several) (?P<unit>day|week|month|year)s? (?:ago|earlier)\b|"
    r"(?P<zh_last>上个?月|上周|上星期|去年|前年|上季度|上个季度)|"
    r"(?P<zh_n>(?<!\d)\d{1,3}|[一二三四五六七八九十两数几]{1,3})\s?个?(?P<zh_unit>天|日|周|星期|月|年)(?:之|以)?前",
    re.IGNORECASE,
)
_EXPLICIT = re.compile(
    rf"\b(?:{_MONTH_WORD})\.? \d{{1,2}}(?:st|nd|rd|th)?(?:,? (?:19|20)\d\d)?\b|"
    rf"\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTH_WORD})\.?,?(?: (?:19|20)\d\d)?\b|"
    rf"\b(?:in|of|early|late|mid-?) (?P<month>(?:{_MONTH_WORD})\.?,? (?:19|20)\d\d)\b|"
    r"(?:19|20)\d\d\s?年\s?\d{1,2}\s?月(?:\s?\d{1,2}\s?[日号])?|(?<![\d年])\d{1,2}\s?月\s?\d{1,2}\s?[日号]|"
    r"\b(?:19|20)\d\d-\d\d-\d\d\b|"
    r"\bin (?P<year>(?:19|20)\d\d)\b|(?<!\d)(?P<zh_year>(?:19|20)\d\d)\s?年(?=[底末]?[^\W\d度款版代前后以])",
    re.IGNORECASE,
)
_WEEKDAYS = {day: number for number, day in enumerate((*ENGLISH_DAYS, *"一二三四五六日"))} | {"天": 6}
"""Name -> number; those of Chinese begin anew: taken modulo 7."""
_SPOKEN = re.compile(
    r"\b(?:yesterday|last night|today|tonight|this (?:morning|afternoon|evening))\b|昨[天日]|今[天日]|前天|[昨今](?=[早晨晚夜])|"
    rf"\bon (?P<en>{'|'.join(ENGLISH_DAYS)})\b(?!,? (?:\d|(?:{_MONTH_WORD})\b))|"
    r"(?<![上下每到至])(?:周|星期)(?P<zh>[一二三四五六日天])(?![至到])",
    re.IGNORECASE,
)
"""A day as seen from the day of the report."""
_BACK = {"yesterday": 1, "last night": 1, "昨": 1, "昨天": 1, "昨日": 1, "前天": 2}
_OFFSET = re.compile(r"[+\-]\d{2}:?\d{2}$")
_YEAR = re.compile(r"(?:19|20)\d\d")


class Time(NamedTuple):
    """A time that a text names, and where."""

    at: datetime
    precision: Precision
    start: int
    end: int
    words: str
    zone: str = "stated"
    """As in DateClaim."""


def text_dates(text: str, reference: datetime) -> tuple[DateClaim, ...]:
    """Claims of kind "text" for when the event happened, in the order of the text; `reference` is aware.

    A month stands for its last moment, "last year" for its end: the claim is never older than what was said. What is
    coarser than a day has the precision "month".
    Reliability 0.6 in the lead, 0.4 later. `raw` quotes the verb and the time.
    """
    text = text[:LOOKED_AT]
    claims = []
    for found in (*text_times(text, reference), *_spoken(text, reference)):
        verb = _verb_near(text, found)
        if verb is None or found.at > reference or _never(text, found):
            continue
        start, end = min(verb.start(), found.start), max(verb.end(), found.end)
        claims.append(
            DateClaim(
                kind="text",
                at=_midnight(found.at) if found.precision == "day" else found.at.astimezone(UTC),
                reliability=_IN_LEAD if found.start < LEAD else _LATER,
                raw=text[start:end],
                zone=found.zone,
                precision=found.precision,
            )
        )
    return tuple(sorted(claims, key=lambda claim: text.find(claim.raw)))


def with_event(ledger: DateLedger, text: str) -> DateLedger:
    """The ledger with the time of the event, where the beginning of the text names its day: midnight UTC stands for all
    of that day.
    """
    if ledger.chosen is None:
        return ledger
    told = text_dates(text[:LEAD], _as_written(ledger.claims[ledger.chosen]))
    found = next((claim for claim in told if claim.precision != "month"), None)
    return ledger if found is None else replace(ledger, event_at=found.at)


def _as_written(claim: DateClaim) -> datetime:
    """A claim's moment in the zone it was written in: its yesterday is the author's."""
    offset = _OFFSET.search(claim.raw)
    zone = zone_of(offset.group()) if offset else zone_info(claim.zone.removeprefix("assumed "))
    return claim.at.astimezone(zone or UTC)


def text_times(text: str, reference: datetime) -> tuple[Time, ...]:
    """Every time that a text names, whatever it is the time of: counted from the reference first, then the dates."""
    return (*_relative(text, reference), *_explicit(text, reference))


def _spoken(text: str, reference: datetime) -> Iterator[Time]:
    """Yesterday, on Tuesday, 昨晚: the latest such day that is not after the reference's. That day itself, without a time
    of day, tells no other time than that of the report.
    """
    for found in _SPOKEN.finditer(text):
        chinese = not found.group().isascii()
        today = reference.astimezone(zone_info(BEIJING)) if chinese else reference
        if day := (found["en"] or found["zh"] or "").lower():
            back = (today.weekday() - _WEEKDAYS[day]) % 7
        else:
            back = _BACK.get(found.group().lower(), 0)
        at = _midnight(today - timedelta(days=back))
        time = _with_clock(text, Time(at, "day", found.start(), found.end(), found.group()))
        if back or time.precision != "day":
            yield time


def _midnight(at: datetime) -> datetime:
    """A day's midnight in UTC, whatever its zone: it stands for the day."""
    return at.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=UTC)


def _with_clock(text: str, day: Time) -> Time:
    """A day, its midnight in UTC, with the time of day that stands beside it in a zone that can be known."""
    beside = clock_after(text, day.end) or clock_before(text, day.start, REACH // 2)
    if beside is None:
        return day
    start, end = min(day.start, beside.start), max(day.end, beside.end)
    zone, stated = zone_beside(text, start, beside.end, chinese=not text[start:end].isascii())
    if zone is None:
        return day
    at = (day.at + timedelta(hours=beside.hour, minutes=beside.minute)).replace(tzinfo=zone).astimezone(UTC)
    return Time(at, "minute", start, end, text[start:end], "stated" if stated else f"assumed {BEIJING}")


def _verb_near(text: str, found: Time) -> re.Match[str] | None:
    """The nearest verb of happening in the same sentence."""
    start = max(_sentence_start(text, found.start), found.start - REACH)
    near = [*_VERB.finditer(text, start, found.start)][-1:] or [*_VERB.finditer(text, found.end, found.end + REACH)][:1]
    if not near or any(mark in text[found.end : near[0].start()] for mark in ".。!?！？;；"):
        return None
    return near[0]


def _sentence_start(text: str, at: int) -> int:
    return max((found.end() for found in _SENTENCE_END.finditer(text, 0, at)), default=0)


def _never(text: str, found: Time) -> bool:
    """Words beside the time that make it background, or words of its sentence that make it a memory or a plan."""
    beside = text[max(0, found.start - 24) : found.end + 16]
    sentence = text[_sentence_start(text, found.start) : found.end + REACH]
    return bool(
        _NEVER.search(beside) or _MEMORY.search(sentence) or _PLAN.search(text[max(0, found.start - 24) : found.start])
    )


def _relative(text: str, reference: datetime) -> Iterator[Time]:
    for found in _RELATIVE.finditer(text):
        if last := (found["last_unit"] or found["zh_last"]):
            at, precision = _last(last.lower(), reference)
        else:
            unit = _UNITS[(found["unit"] or found["zh_unit"]).lower()]
            at = reference - timedelta(days=counted((found["n"] or found["zh_n"]).lower()) * unit)
            precision = "day" if unit == 1 else "month"  # three weeks ago names no day
        yield Time(at, precision, found.start(), found.end(), found.group())


def _last(word: str, reference: datetime) -> tuple[datetime, Precision]:
    """The end of the unit before the current one (calendar; a week starts on Monday)."""
    midnight = reference.replace(hour=0, minute=0, second=0, microsecond=0)
    if word in ("week", "上周", "上星期"):
        return midnight - timedelta(days=midnight.weekday()) - _TICK, "month"
    if word in ("month", "上个月", "上月"):
        return midnight.replace(day=1) - _TICK, "month"
    if "quarter" in word or "季" in word:
        return midnight.replace(month=3 * ((midnight.month - 1) // 3) + 1, day=1) - _TICK, "month"
    year = midnight.replace(month=1, day=1) - _TICK
    return (year.replace(year=year.year - 1) if word == "前年" else year), "month"


def _explicit(text: str, reference: datetime) -> Iterator[Time]:
    for found in _EXPLICIT.finditer(text):
        yearless = not _YEAR.search(found.group())
        if (read := _read(found, reference)) and not (yearless and reference - read[0] > HALF_YEAR):
            time = Time(*read, found.start(), found.end(), found.group())
            yield _with_clock(text, time) if time.precision == "day" else time


def _read(found: re.Match[str], reference: datetime) -> tuple[datetime, Precision] | None:
    if year := found["year"] or found["zh_year"]:
        return reference.replace(
            year=int(year) + 1, month=1, day=1, hour=0, minute=0, second=0, microsecond=0
        ) - _TICK, "month"
    words = found["month"] or found.group()
    claim = parse_date(words, reference=reference, kind="text")
    if claim is None and (month := next((MONTHS[f] for w in words.split() if (f := fold(w.strip(".,"))) in MONTHS), 0)):
        claim = _without_year(words, month, reference)
    if claim is None:
        return None
    return (month_end(claim.at), "month") if claim.precision == "month" else (claim.at, claim.precision)


def _without_year(words: str, month: int, reference: datetime) -> DateClaim | None:
    """ "June 3" is the latest such day that is not after the reference."""
    day = int(re.search(r"\d{1,2}", words)[0])  # type: ignore[index]
    year = reference.year - ((month, day) > (reference.month, reference.day))
    return parse_date(f"{year}-{month}-{day}", kind="text")


def month_end(first: datetime) -> datetime:
    """The last second of the month that begins with a day."""
    return (first.replace(day=28) + timedelta(days=4)).replace(day=1) - _TICK
