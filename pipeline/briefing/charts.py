"""The charts inside a brief as inline SVG: the items over time, and the score of one as six segments.

Nothing is fetched and nothing runs; text from outside is escaped and cut to a width, for SVG can't wrap it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from html import escape
from zoneinfo import ZoneInfo

from pipeline.briefing.words import many, plain
from pipeline.text import HAN
from pipeline.types import Brief, Statement

# Okabe and Ito (2008), as on every page; completeness is a purple-grey of our own.
COLOURS = {
    "timeliness": "#56B4E9",
    "relevance": "#0072B2",
    "authority": "#009E73",
    "corroboration": "#E69F00",
    "completeness": "#9887A8",
    "preference": "#F0E442",
}
LANES = 30  # items drawn; a longer chart would not fit on a page
_WIDTH, _LEFT, _RIGHT, _LANE, _TOP = 680, 250, 12, 22, 26
_COLUMNS = 40  # of a label, Chinese characters counting two
_MARKS = 6  # days named on the axis, about


def timeline(brief: Brief) -> str:
    """One lane an item in the order of the brief: its publication as a dot, its other cited reports as ticks.

    Facts are filled, leads are outlined; a larger dot has more independent sources. "" when nothing is dated.
    """
    lanes = [s for s in (*brief.facts, *brief.leads) if s.at is not None][:LANES]
    if not lanes or brief.until <= brief.since:
        return ""
    start = min([brief.since, *(s.at for s in lanes if s.at is not None)])
    scale = _Scale(start, brief.until)
    height = _TOP + _LANE * len(lanes) + 4
    body = "".join(_axis(scale, height, brief.zone))
    body += "".join(_lane(brief, lane, scale, _TOP + _LANE * at + _LANE / 2) for at, lane in enumerate(lanes))
    said = f"{many(len(lanes), 'item')} over time, one line each"
    return f'<svg class="timeline" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{said}">{body}</svg>'


def bar(statement: Statement, threshold: float) -> str:
    """Six segments, each as long as the points it brings; the mark stands at the threshold."""
    x, segments = 0.0, ""
    for name, points in statement.points:
        if points > 0:
            segments += (
                f'<rect x="{x:.2f}" y="2" width="{points:.2f}" height="4" fill="{COLOURS[name]}">'
                f"<title>{name} {points:.1f} points</title></rect>"
            )
            x += points
    said = ", ".join(f"{name} {points:.1f}" for name, points in statement.points) or "not scored"
    return (
        f'<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="{said}">'
        f'<rect class="track" y="2" width="100" height="4"/>{segments}'
        f'<rect class="mark" x="{min(max(threshold, 0.0), 99.5):.2f}" width="0.5" height="8"/></svg>'
    )


def key() -> str:
    """The names of the six colours."""
    names = "".join(f'<span><i style="background:{colour}"></i>{name}</span>' for name, colour in COLOURS.items())
    return f'<p class="key">{names}<span><i class="at"></i>threshold</span></p>'


class _Scale:
    """Time -> x."""

    def __init__(self, start: datetime, end: datetime) -> None:
        self.start, self.end = start, end

    def __call__(self, at: datetime) -> float:
        share = (at - self.start) / (self.end - self.start)
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * min(max(share, 0.0), 1.0)


def _axis(scale: _Scale, height: float, zone: str) -> Iterator[str]:
    """Days named above, a thin line down from each."""
    for at in _days(scale.start, scale.end, zone):
        x = scale(at)
        yield f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP - 6}" y2="{height}"/>'
        yield f'<text class="axis" x="{x:.1f}" y="{_TOP - 12}" text-anchor="middle">{at.day} {at:%b}</text>'


def _days(start: datetime, end: datetime, zone: str) -> Iterator[datetime]:
    """Midnights in the analyst's zone, evenly apart."""
    first = start.astimezone(ZoneInfo(zone)).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    step = max(1, round((end - start).days / _MARKS))
    while first < end:
        yield first
        first += timedelta(days=step)


def _lane(brief: Brief, statement: Statement, scale: _Scale, y: float) -> str:
    kind = "fact" if statement.tier == "fact" else "lead"
    times = [c.published_at for c in brief.citations if c.number in statement.citations[1:] and c.published_at]
    ticks = "".join(
        f'<rect class="tick" x="{scale(at) - 0.75:.1f}" y="{y - 5:.1f}" width="1.5" height="10"/>' for at in times
    )
    at = scale(statement.at) if statement.at else _LEFT
    title = plain(statement.headline)
    return (
        f'<a href="#i{statement.citations[0]}"><text class="label" x="0" y="{y + 4:.1f}">{escape(cut(title))}</text>'
        f'<line class="rule" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>{ticks}'
        f'<circle class="{kind}" cx="{at:.1f}" cy="{y:.1f}" r="{3.5 + min(statement.independent, 6) * 0.6:.1f}"/>'
        f"<title>{escape(title)}</title></a>"
    )


def cut(text: str, columns: int = _COLUMNS) -> str:
    """At most `columns` wide, Chinese characters counting two, with an ellipsis where it was cut."""
    used = 0
    for at, char in enumerate(text):
        used += 2 if HAN.match(char) or "\u3000" <= char <= "\u303f" or "\uff00" <= char <= "\uffef" else 1
        if used > columns:
            return text[:at].rstrip() + "…"
    return text
