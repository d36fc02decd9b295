"""The rows of time_expressions as cases in one form. Scope is decided here, from the row's own fields alone.

In scope is a row (of Recognizers: each result of a row) that denotes a day or a range of days in the past or present:

- recognizers_*_DateTimeModel: results whose resolved values have type `date` or `daterange` (not `time`, `datetime`,
  `datetimerange`, `duration`, `set`, and not "not resolved"). Of several readings those that have begun at the
  reference are accepted. recognizers_*_DatePeriodParser: `PastResolution` with dates; that
  component leaves modifiers after its phrase ("or later", 以后) to another, so the text is read up to the phrase's end.
- duckling: `grain` day or coarser. chrono: no hour asserted (`hour` in the components; in `start_datetime` only the
  implied noon is a day). jionlp: type time_point or time_span whose bounds are whole days or the reference itself, not
  `time_delta` and `time_period`, definition accurate or blur, reference an instant. dateparser: `direction` past,
  offsets of whole days and more, and a text that holds an anchor ("ago", "before", "yesterday", a sign, 前, 昨):
  "15 hr" and "1 decade 2 years" are durations without one.
- Out: whatever begins after the reference, or is counted from the reference onwards (readings only in the future:
  "within 3 years", 60日内), and holidays and lunar dates: phrases that name more than the calendar (`_calendar_words`).

Rows that expect nothing (`Results` empty in the DateTimeModel files, `expected` null): finding anything is false. The
DatePeriodParser files answer for ranges only, so their empty rows say nothing about dates.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pipeline.evaluation.rows import json_rows
from pipeline.evaluation.suites._calendar_words import names_more

Bounds = tuple[datetime | None, datetime | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What one phrase denotes by the row's own account; `accepted` empty means nothing may be found."""

    id: str
    lang: str
    text: str
    now: datetime
    accepted: tuple[Bounds, ...]
    """[start, end) pairs, naive local; None = open (or, for chrono without an end, not asserted)."""
    place: tuple[int, int] | None = None
    end_asserted: bool = True
    named_end: bool = False
    """The source ends a range of two named units where the last one begins (Recognizers)."""
    months_only: bool = False
    """The source asserts year and month only."""
    day_first: bool = False


def read_cases(folder: Path) -> Iterator[Case]:
    for path in sorted(folder.glob("*.jsonl*")):
        maker = next((make for prefix, make in _MAKERS.items() if path.name.startswith(prefix)), None)
        if maker is None:
            continue
        for row in json_rows(path):
            if row.get("lang") in ("en", "zh"):
                yield from maker(row)


def _case(row: Any, text: str, now: datetime, accepted: list[Bounds], **more: Any) -> Iterator[Case]:
    """The case when any accepted reading has begun at the reference."""
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    begun = [(a, b) for a, b in accepted if (a is not None and a <= now) or (a is None and b and b <= today + _DAY)]
    counted = more.pop("counted", False)
    begun = [(a, b) for a, b in begun if not (counted and a in (now, today) and b and b > today + _DAY)]
    if begun and not names_more(more.pop("phrase", text), row["lang"]):
        yield Case(id=row["id"], lang=row["lang"], text=text, now=now, accepted=tuple(begun), **more)


def _nothing(row: Any, text: str, now: datetime) -> Case:
    return Case(id=row["id"], lang=row["lang"], text=text, now=now, accepted=())


_DAY = timedelta(days=1)

# --------------------------------------------------------------------------- Recognizers


def _recognizers(row: Any) -> Iterator[Case]:
    raw = row.get("Context", {}).get("ReferenceDateTime")
    now = datetime.fromisoformat(raw) if raw else datetime(2019, 1, 1)
    period = "DatePeriodParser" in row["id"]
    if not row["Results"]:
        if not period:
            yield _nothing(row, row["Input"], now)
        return
    for result in row["Results"]:
        accepted = _period_values(result) if period else _model_values(result)
        if accepted:
            timex = str((result.get("Value") or {}).get("Timex", "")) + json.dumps(result.get("Resolution") or {})
            start = result.get("Start", 0)
            end = start + result["Length"] if "Length" in result else result.get("End", start) + 1
            text = row["Input"][:end] if period else row["Input"]
            yield from _case(
                row, text, now, accepted, place=(start, end), phrase=result["Text"],
                named_end=_counted(timex), counted=_counted(timex), day_first=row["lang"] == "zh",
            )  # fmt: skip


def _counted(timex: str) -> bool:
    """A range given by two ends and a length, not a unit of the calendar."""
    return bool(re.search(r"\([^()]*,[^()]*,P", timex))


def _model_values(result: Any) -> list[Bounds]:
    accepted: list[Bounds] = []
    for value in (result.get("Resolution") or {}).get("values", ()):
        if value["type"] == "date" and _iso(value.get("value")):
            at = _iso(value["value"])
            assert at is not None
            accepted.append((at, at + _DAY))
        elif value["type"] == "daterange":
            start, end = _iso(value.get("start")), _iso(value.get("end"))
            if value.get("Mod") == "approx" and start:
                end = start + _DAY
            if start or end:
                accepted.append((start, end))
    return accepted


def _period_values(result: Any) -> list[Bounds]:
    past = (result.get("Value") or {}).get("PastResolution") or {}
    start, end = _iso(past.get("startDate")), _iso(past.get("endDate"))
    return [(start, end)] if start or end else []


def _iso(raw: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(raw).replace(tzinfo=None) if raw else None
    except ValueError:
        return None


# --------------------------------------------------------------------------- Duckling

_COARSE = ("day", "week", "month", "quarter", "year")


def _duckling(row: Any) -> Iterator[Case]:
    now = datetime.fromisoformat(row["ref"]).replace(tzinfo=None)
    expected = row["expected"]
    if expected is None:
        yield _nothing(row, row["text"], now)
        return
    if expected["grain"] not in _COARSE:
        return
    start, end = _padded(expected.get("start")), _padded(expected.get("end_exclusive"))
    kind = expected["kind"]
    if kind == "instant" and start:
        accepted: list[Bounds] = [(start, _after(start, expected["grain"]))]
    elif kind == "interval" and start and end:
        accepted = [(start, end)]
        if (count := _whole_units(start, end, now, expected["grain"])) > 1:
            back = _before(now, count, expected["grain"])
            accepted.append((back, now))
            if row["text"].endswith("前"):
                accepted.append((back, back + _DAY))
    elif kind == "open_after" and start:
        accepted = [(start, None)]
    elif kind == "open_before" and start:
        accepted = [(None, start)]
    else:
        return
    yield from _case(row, row["text"], now, accepted)


def _padded(raw: Any) -> datetime | None:
    """Some of its starts have month or day 00: the first one is meant."""
    return _iso(re.sub(r"-00", "-01", raw)) if raw else None


def _after(at: datetime, grain: str) -> datetime:
    if grain in ("day", "week"):
        return at + timedelta(days=1 if grain == "day" else 7)
    months = {"month": 1, "quarter": 3, "year": 12}[grain]
    index = at.year * 12 + at.month - 1 + months
    return at.replace(year=index // 12, month=index % 12 + 1)


def _whole_units(start: datetime, end: datetime, now: datetime, grain: str) -> int:
    """How many whole units of the grain an interval holds when it ends where the present unit begins, else 0.

    That is Duckling's calendar reading of "last 2 weeks"; the product rolls "N units back" to now, so both are right.
    Of 两天前 ("two days ago") it makes the same interval; chrono, dateparser, JioNLP and Recognizers mean the day
    counted back, so that is accepted as well.
    """
    begins = {"month": now.replace(day=1), "year": now.replace(month=1, day=1)}.get(grain, now)
    if grain == "week":
        begins = now - timedelta(days=now.weekday())
    if end.date() != begins.date():
        return 0
    if grain == "day":
        return (end - start).days
    months = (end.year - start.year) * 12 + end.month - start.month
    return (end - start).days // 7 if grain == "week" else months if grain == "month" else months // 12


def _before(now: datetime, count: int, grain: str) -> datetime:
    if grain in ("day", "week"):
        return now - timedelta(days=count * (7 if grain == "week" else 1))
    index = now.year * 12 + now.month - 1 - count * (12 if grain == "year" else 1)
    return now.replace(year=index // 12, month=index % 12 + 1, day=min(now.day, 28))


# --------------------------------------------------------------------------- chrono


def _chrono(row: Any) -> Iterator[Case]:
    now = datetime.fromisoformat(row["ref"])
    expected = row["expected"]
    if expected is None:
        yield _nothing(row, row["text"], now)
        return
    start, end = expected.get("start"), expected.get("end")
    phrase = expected.get("matched_text") or row["text"]
    if raw := expected.get("start_datetime"):
        at = _iso(raw)
        if at is None or (at.hour, at.minute) != (12, 0) or expected.get("end_datetime"):
            return
        day = at.replace(hour=0)
        yield from _case(row, row["text"], now, [(day, day + _DAY)], end_asserted=False, phrase=phrase)
        return
    if not start or "hour" in start or "hour" in (end or {}) or not {"day", "month"} & set(start):
        return
    first, last = _components(start, now), _components(end, now) if end else None
    if first is None:
        return
    months = "day" not in start or bool(end and "day" not in end)
    yield from _case(
        row, row["text"], now, [(first, last + _DAY if last else None)], end_asserted=bool(end), months_only=months,
        phrase=phrase,
    )  # fmt: skip


def _components(parts: Any, now: datetime) -> datetime | None:
    try:
        return datetime(parts.get("year", now.year), parts.get("month", now.month), parts.get("day", 1))
    except ValueError:
        return None


# --------------------------------------------------------------------------- JioNLP and dateparser


def _jionlp(row: Any) -> Iterator[Case]:
    expected = row["expected"]
    if expected is None:
        yield _nothing(row, row["text"], datetime(2021, 6, 14))
        return
    if expected["type"] not in ("time_point", "time_span") or "T" not in str(row["ref"]):
        return
    now = datetime.fromisoformat(row["ref"]).replace(tzinfo=None)
    low, high = expected["time"]
    start, end = _iso(low), _iso(high)
    whole = (start is None or start == now or start.time() == datetime.min.time()) and (
        end is None or end == now or (end.hour, end.minute) == (23, 59)
    )
    if not whole or (start is None and end is None) or start == end or _lunar(row["text"], start):
        return
    if end is not None and end != now:
        end += timedelta(seconds=1)
    yield from _case(row, row["text"], now, [(start, end)], counted=start == now)


_CHINESE_MONTHS = {name: number for number, name in enumerate("一 二 三 四 五 六 七 八 九 十 十一 十二".split(), 1)}


def _lunar(text: str, start: datetime | None) -> bool:
    """The text names one month and the value lies in another: a date of the lunar calendar."""
    said = re.fullmatch(r".*?([一二三四五六七八九十]{1,2})月[一二三四五六七八九十]+", text)
    return bool(said and start and _CHINESE_MONTHS.get(said[1], start.month) != start.month)


_ANCHOR = re.compile(r"\b(?:ago|before|yesterday|earlier|back|last|past)\b|^-|前|昨")


def _dateparser(row: Any) -> Iterator[Case]:
    offset, text = row["expected"]["offset"], row["text"]
    coarse = set(offset) <= {"years", "months", "weeks", "days"} and all(v == int(v) for v in offset.values())
    if row["expected"]["direction"] != "past" or not coarse or not _ANCHOR.search(text.lower()):
        return
    now = datetime.fromisoformat(row["ref"]).replace(tzinfo=None)
    index = now.year * 12 + now.month - 1 - offset.get("years", 0) * 12 - offset.get("months", 0)
    if index < 12:
        return
    day = now.replace(year=index // 12, month=index % 12 + 1, hour=0, minute=0) - timedelta(
        days=offset.get("days", 0) + 7 * offset.get("weeks", 0)
    )
    yield from _case(row, text, now, [(day, day + _DAY)], phrase=text)


_MAKERS = {
    "recognizers_": _recognizers, "duckling_": _duckling, "chrono_": _chrono, "jionlp_": _jionlp,
    "dateparser_": _dateparser,
}  # fmt: skip
