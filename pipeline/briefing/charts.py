"""The charts inside a brief as inline SVG: the items over time, and the score of one as six segments.

Nothing is fetched and nothing runs; text from outside is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from html import escape
from zoneinfo import ZoneInfo

from pipeline.briefing.words import plain, when
from pipeline.text.counts import many
from pipeline.types import Brief, Statement

# Okabe and Ito (2008), as on every page; completeness is a purple-grey of our own.
DIMENSION_COLOURS = {
    "timeliness": "#56B4E9",
    "relevance": "#0072B2",
    "authority": "#009E73",
    "corroboration": "#E69F00",
    "completeness": "#9887A8",
    "preference": "#F0E442",
}
LANES = 30  # items drawn; a longer chart would not fit on a page
_LANE = 22  # height in pixels
_MARKS = 6  # days named on the axis, about


def timeline(brief: Brief) -> str:
    """One lane an item in the order of the brief: its publication as a dot, its other cited reports as ticks.

    Facts are filled, leads are outlined; a larger dot has more independent sources. Places are shares of the width,
    so that the chart keeps its type at every width. "" when nothing is dated.
    """
    lanes = [s for s in (*brief.facts, *brief.leads) if s.at is not None][:LANES]
    if not lanes or brief.until <= brief.since:
        return ""
    scale = _Scale(min([brief.since, *(s.at for s in lanes if s.at is not None)]), brief.until)
    days = [(scale(at), f"{at.day} {at:%b}") for at in _days(scale.start, scale.end, brief.zone)]
    grid = "".join(f'<line class="grid" x1="{x:.2f}%" x2="{x:.2f}%" y2="{_LANE}"/>' for x, _ in days)
    axis = "".join(f'<text x="{x:.2f}%" y="14" text-anchor="middle">{said}</text>' for x, said in days)
    rows = "".join(_lane(brief, lane, scale, grid) for lane in lanes)
    return f'<div class="lanes"><span></span><svg class="axis" height="{_LANE}">{axis}</svg>{rows}</div>'


def bar(statement: Statement, threshold: float) -> str:
    """Six segments, each as long as the points it brings; the mark stands at the threshold."""
    x, segments = 0.0, ""
    for name, points in statement.points:
        if points > 0:
            segments += (
                f'<rect x="{x:.2f}" y="2" width="{points:.2f}" height="4" fill="{DIMENSION_COLOURS[name]}">'
                f"<title>{name} {points:.1f} points</title></rect>"
            )
            x += points
    said = ", ".join(f"{name} {points:.1f}" for name, points in statement.points) or "not scored"
    return (
        f'<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="{said}">'
        f'<rect class="track" y="2" width="100" height="4"/>{segments}'
        f'<rect class="mark" x="{min(max(threshold, 0.0), 99.5):.2f}" width="0.5" height="8"/></svg>'
    )


def key(statements: Sequence[Statement]) -> str:
    """The names of the colours that the bars have."""
    used = {name for statement in statements for name, _ in statement.points}
    names = "".join(
        f'<span><i style="background:{DIMENSION_COLOURS[name]}"></i>{name}</span>'
        for name in DIMENSION_COLOURS
        if name in used
    )
    return f'<p class="key">{names}<span><i class="at"></i>threshold</span></p>'


class _Scale:
    """Time -> percent of the width."""

    def __init__(self, start: datetime, end: datetime) -> None:
        self.start, self.end = start, end

    def __call__(self, at: datetime) -> float:
        return 100 * min(max((at - self.start) / (self.end - self.start), 0.0), 1.0)


def _days(start: datetime, end: datetime, zone: str) -> Iterator[datetime]:
    """Midnights in the analyst's zone, evenly apart."""
    first = start.astimezone(ZoneInfo(zone)).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    step = max(1, round((end - start).days / _MARKS))
    while first < end:
        yield first
        first += timedelta(days=step)


def _lane(brief: Brief, statement: Statement, scale: _Scale, grid: str) -> str:
    kind = "fact" if statement.tier == "fact" else "lead"
    times = [c.published_at for c in brief.citations if c.number in statement.citations[1:] and c.published_at]
    ticks = "".join(f'<line class="tick" x1="{scale(at):.2f}%" x2="{scale(at):.2f}%" y1="6" y2="16"/>' for at in times)
    x, size = scale(statement.at or scale.start), 3.5 + min(statement.independent, 6) * 0.6
    title, middle = escape(plain(statement.headline)), _LANE / 2
    said = f"{when(statement.at, brief.zone)}, {many(statement.independent, 'independent source')}"
    return (
        f'<a href="#i{statement.citations[0]}" dir="auto">{title}</a><svg height="{_LANE}" role="img" '
        f'aria-label="{said}">{grid}<line class="rule" x2="100%" y1="{middle:g}" y2="{middle:g}"/>{ticks}'
        f'<circle class="{kind}" cx="{x:.2f}%" cy="{middle:g}" r="{size:.1f}"><title>{title}: {said}</title></circle></svg>'
    )
