"""What the timeline draws: one lane an event, its points in time, the volume per day, the coverage by source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from math import isnan, sqrt
from typing import Any

from pages.parts import words
from pages.parts.view import View
from pipeline import Bucket

DOT, GROWTH = 10.0, 7.0  # pixels of a report alone, and what more independent sources add
MEMBER, COPY = 8.0, 6.0  # pixels of a folded report, of a copy


@dataclass(frozen=True)
class Point:
    """One mark in a lane. `row` is -1 for the diamond of an event's own time."""

    lane: int
    at: datetime
    row: int
    size: float
    tier: str
    upstream: bool
    copy: bool = False
    beneath: bool = False
    """A further report or a copy: drawn below its event's best report, which would cover it."""


@dataclass(frozen=True)
class Lane:
    """One event: its representative row and its marks, in time order."""

    event: Any
    row: int
    title: str
    points: tuple[Point, ...]


def lanes(view: View, rows: Iterable[int]) -> tuple[Lane, ...]:
    """A lane for the event of each row, earliest event first. Events without a mark in time have none."""
    return made(view, ordered(view, rows))


def made(view: View, best: Sequence[int]) -> tuple[Lane, ...]:
    """The lanes of these rows, each the best of its event, in this order."""
    found = (_lane(view, row) for row in best)
    return tuple(replace(lane, points=tuple(_moved(p, at) for p in lane.points)) for at, lane in enumerate(found))


def ordered(view: View, rows: Iterable[int]) -> list[int]:
    """The best row of each event that can be drawn, earliest event first: what is cheap to know of all the lanes."""
    best: dict[str, int] = {}
    for row in rows:
        event = view.event_of(row)
        if event is not None and (event.id not in best or view.total(row) > view.total(best[event.id])):
            best[event.id] = row
    published = view.report.table.published.tolist()
    begins = {row: first for row in best.values() if (first := _begins(view, row, published)) is not None}
    return sorted(begins, key=begins.__getitem__)


def _begins(view: View, row: int, published: Sequence[float]) -> float | None:
    """Epoch seconds of the first mark of a lane."""
    event = view.event_of(row)
    dated = [at for name in event.members if name in view.row_of and not isnan(at := published[view.row_of[name]])]
    if event.event_at is not None and all(_apart(event.event_at, datetime.fromtimestamp(at, UTC)) for at in dated):
        dated.append(event.event_at.timestamp())
    return min(dated, default=None)


def _lane(view: View, row: int) -> Lane:
    event = view.event_of(row)
    marks = [point for name in event.members if (point := _point(view, event, view.row_of.get(name, -1), row))]
    if event.event_at is not None and all(_apart(event.event_at, mark.at) for mark in marks):
        marks.append(Point(0, event.event_at, -1, DOT, view.tier(row), False))
    return Lane(event, row, event.title or view.report.table.titles[row], tuple(sorted(marks, key=lambda m: m.at)))


def by_day(at: datetime) -> bool:
    """Whether an event's time, read from a text, names a day only."""
    return at.time() == time()


def _apart(event_at: datetime, published: datetime) -> bool:
    """Whether an event's own time is another one than that of a report; a day is not apart from its own hours."""
    ends = event_at + (timedelta(days=1) if by_day(event_at) else timedelta())
    return published < event_at - timedelta(hours=1) or published > ends + timedelta(hours=1)


def _point(view: View, event: Any, row: int, best: int) -> Point | None:
    if row < 0 or isnan(view.report.table.published[row]):
        return None
    copy = Bucket(int(view.outcome.bucket[row])) == Bucket.COPY
    size = DOT + GROWTH * sqrt(max(event.independent - 1, 0)) if row == best else COPY if copy else MEMBER
    upstream = bool(view.report.table.upstream[row])
    beneath = row != best and not upstream
    return Point(0, moment(view, row), row, size, view.tier(row), upstream, copy, beneath)


def _moved(point: Point, lane: int) -> Point:
    return replace(point, lane=lane)


COLUMNS = ("event", "mark", "at_utc", "title", "site", "points", "tier", "independent", "url")


def rows(view: View, drawn: Iterable[Lane]) -> Iterator[tuple[object, ...]]:
    """The lanes as a table: one row a mark, in the columns of COLUMNS."""
    table = view.report.table
    for lane in drawn:
        for point in lane.points:
            at = f"{point.at:%Y-%m-%d}" if point.row < 0 and by_day(point.at) else point.at.isoformat()
            about = ("", "", "", "", lane.event.independent, "")
            if point.row >= 0:
                about = (
                    table.titles[point.row], table.domains[point.row], round(view.total(point.row), 2),
                    "" if point.tier == "none" else point.tier, lane.event.independent, table.urls[point.row],
                )  # fmt: skip
            yield (lane.title, kind(point), at, *about)


def kind(point: Point) -> str:
    """What a mark is, in a word."""
    if point.row < 0:
        return "event time"
    return "upstream" if point.upstream else "copy" if point.copy else "report"


def moment(view: View, row: int) -> datetime:
    return datetime.fromtimestamp(float(view.report.table.published[row]), UTC)


def per_day(published: Any, zone: str, since: datetime, until: datetime) -> dict[str, int]:
    """ISO day in the analyst's zone -> how many of the given times (epoch seconds, NaN undated) lie in it."""
    there = words.zone_of(zone)
    day, last = since.astimezone(there).date(), until.astimezone(there).date()
    found: dict[str, int] = {}
    while day <= last:
        opens, closes = (datetime.combine(one, time(), there).timestamp() for one in (day, day + timedelta(days=1)))
        if n := int(((published >= opens) & (published < closes)).sum()):
            found[day.isoformat()] = n
        day += timedelta(days=1)
    return found


def coverage(view: View, rows: Collection[int], most: int = 8) -> tuple[tuple[str, int], ...]:
    """(site or account, reports) of the given rows, the largest first; what is beyond `most` as "others"."""
    counts = Counter(view.report.table.authority_keys[row] for row in rows).most_common()
    rest = sum(n for _, n in counts[most:])
    return (*counts[:most], *((("others", rest),) if rest else ()))
