"""Words for times, counts and codes: the same thing has one name on every page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pages.parts.safe import cut, md, text
from pipeline import Bucket

LANGUAGES = {"en": "English", "zh": "Chinese", "fr": "French", "de": "German", "es": "Spanish", "it": "Italian"}
ROUTES = {"recent": "recent events", "evergreen": "not about recent events", "unsure": "perhaps recent events"}
DEPTHS = {"quick": "quick", "default": "standard", "deep": "deep"}
HOW = {
    "text": "from {}",
    "argument": "chosen by you",
    "fast subject": "short, because the subject changes fast",
    "default": "the usual one",
}


def zone_of(name: str) -> ZoneInfo:
    """The named zone; UTC where this machine doesn't know it."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def moment(at: datetime | None, zone: str, *, year: int | None = None) -> str:
    """Such as "27 Nov 14:05" in the analyst's zone; the year only where it isn't `year`."""
    if at is None:
        return "no date"
    there = at.astimezone(zone_of(zone))
    years = "" if year in (None, there.year) else f" {there.year}"
    return f"{there.day} {there:%b}{years} {there:%H:%M}"


def day(at: datetime, zone: str, *, year: int | None = None) -> str:
    there = at.astimezone(zone_of(zone))
    return f"{there.day} {there:%b}" + ("" if year in (None, there.year) else f" {there.year}")


def time_html(at: datetime | None, zone: str) -> str:
    """The moment in the analyst's zone, with UTC on hover."""
    if at is None:
        return '<span class="lt-faint">no date</span>'
    utc = at.astimezone(UTC)
    return f'<time datetime="{utc:%Y-%m-%dT%H:%M:%SZ}" title="{utc:%Y-%m-%d %H:%M} UTC">{text(moment(at, zone))}</time>'


def day_html(at: datetime) -> str:
    """Where only the day is known, whose midnight UTC stands for it: the day, in no zone."""
    return f'<time datetime="{at:%Y-%m-%d}">{text(day(at, "UTC"))}</time>'


def span(since: datetime, until: datetime, zone: str) -> str:
    """Such as "31 Oct – 30 Nov"; years only where the two differ."""
    here, there = since.astimezone(zone_of(zone)), until.astimezone(zone_of(zone))
    if here.year == there.year:
        return f"{here.day} {here:%b} – {there.day} {there:%b}"
    return f"{here.day} {here:%b} {here.year} – {there.day} {there:%b} {there.year}"


def ago(at: datetime, now: datetime) -> str:
    minutes = int((now - at).total_seconds() // 60)
    for size, name in ((1440, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            return f"{count(minutes // size, name)} ago"
    return "just now"


def count(n: int, one: str, many: str = "") -> str:
    """Such as "1 copy", "1,200 copies"."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def bucketed(bucket: Bucket, n: int) -> str:
    """Such as "12 off topic", "2 copies"."""
    return count(n, "copy", "copies") if bucket == Bucket.COPY else f"{n:,} {bucket.label}"


def seconds(ms: int) -> str:
    return f"{ms} ms" if ms < 1000 else f"{ms / 1000:.1f} s"


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Such as "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}" if parts else ""


def run_label(run: Any, zone: str) -> str:
    """A stored run in one line of Markdown: when, what, how many shown."""
    demo = " · demo" if run.demo else ""
    return f"{moment(run.created_at, zone)} · {md(cut(run.query, 90))} · {run.selected} shown{demo}"
