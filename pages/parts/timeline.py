"""The timeline as a figure: a strip of volume per day above, one lane an event below, all dots in one trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import accumulate
from typing import Any

import streamlit as st

from pages.parts import theme, words
from pages.parts.lanes import Lane, Point, by_day
from pages.parts.safe import clean, cut, plot
from pages.parts.view import View

LANE, STRIP, FOOT = 46, 74, 40  # pixels of a lane, of the strip of days, of the axis
LINE = 0.34  # of a lane: what a second line of its headline takes
BENEATH = 0.27  # of a lane: how far below the line further reports stand
TITLE = 56  # columns of one line of a headline: what a window of 390 pixels holds
HAN = 2.5  # columns of a Chinese character in this type
DOTS = "dots"


@st.cache_resource(show_spinner=False)
def warm() -> bool:
    """Load the drawing library and draw once, in the background: the first figure costs four times a later one."""
    from threading import Thread

    def once() -> None:
        from plotly import graph_objects as go

        go.Figure(go.Scatter(x=[0], y=[0])).to_json()

    Thread(target=once, daemon=True).start()
    return True


def figure(
    view: View,
    lanes: Sequence[Lane],
    fetched: Mapping[str, int],
    shown: Mapping[str, int],
    zone: str,
    *,
    drag: bool,
    lit: Sequence[bool] | None = None,
) -> Any:
    """`fetched` and `shown` are counts per ISO day. `drag`: dragging selects days; else a click selects a dot.

    `lit`: which marks, lane by lane, are of the chosen days; the others fade. None: all of them.
    """
    from plotly import graph_objects as go

    return go.Figure(
        [
            _days(go, fetched, "in the window", theme.grid()),
            _days(go, shown, "in the events below", theme.tier("fact")),
            _spans(go, view, lanes, zone),
            _titles(go, lanes, _local(_left(view, lanes), zone)),
            _dots(go, view, lanes, zone, lit),
        ],
        layout=_layout(view, lanes, zone, max(fetched.values(), default=0))
        | {"dragmode": "select" if drag else "pan"},  # an update afterwards would check it all anew
    )


def span(view: View, lanes: Sequence[Lane]) -> tuple[datetime, datetime]:
    """What the axis shows: what is drawn, with a little air."""
    since, until = extent(view, lanes)
    air = (until - since) / 60
    return since - air, until + air


def extent(view: View, lanes: Sequence[Lane]) -> tuple[datetime, datetime]:
    """From the window's start, or the earliest report before it, to its end.

    An event's own time widens it by a quarter of the window at most; one further off is drawn at the edge.
    """
    window = view.report.plan.window
    quarter = timedelta(days=window.days / 4)
    marks = [point.at for lane in lanes for point in lane.points if point.row >= 0]
    since, until = min([window.since, *marks]), max([window.until, *marks])
    own = [point.at for lane in lanes for point in lane.points if point.row < 0]
    since = min([since, *(at for at in own if at >= since - quarter)])
    return since, max([until, *(at for at in own if at <= until + quarter)])


def _left(view: View, lanes: Sequence[Lane]) -> datetime:
    """Where headlines begin: behind the line of the window's start, unless that stands far in the chart."""
    since, until = span(view, lanes)
    opens = view.report.plan.window.since
    return opens + (until - since) / 120 if opens - since < (until - since) / 8 else since


def _at(view: View, lanes: Sequence[Lane], point: Point) -> datetime:
    """A mark's place in time; an event's own time that is off the chart stands at its edge."""
    since, until = span(view, lanes)
    air = (until - since) / 120
    return min(max(point.at, since + air), until - air) if point.row < 0 else point.at


def _heights(lanes: Sequence[Lane]) -> list[float]:
    """Where the line of each lane stands, in lanes from the top; a headline of two lines takes more."""
    found, at = [], 0.0
    for lane in lanes:
        at += LINE * ("<br>" in _title(lane))
        found.append(at)
        at += 1
    return found


def _local(at: datetime, zone: str) -> datetime:
    """Plotly has no zones: wall-clock time of the analyst's zone."""
    return at.astimezone(words.zone_of(zone)).replace(tzinfo=None)


def _days(go: Any, counts: Mapping[str, int], name: str, colour: str) -> Any:
    return go.Bar(
        x=[f"{day} 12:00" for day in counts],
        y=list(counts.values()),
        width=20 * 3_600_000,
        marker={"color": colour, "line": {"width": 0}},
        yaxis="y2",
        hovertemplate="%{x|%-d %b}: %{y} " + name + "<extra></extra>",
        name=name,
    )


def _spans(go: Any, view: View, lanes: Sequence[Lane], zone: str) -> Any:
    """A thin line from the first mark of a lane to its last."""
    x: list[datetime | None] = []
    y: list[float | None] = []
    for at, lane in zip(_heights(lanes), lanes, strict=True):
        first, last = (_local(_at(view, lanes, lane.points[end]), zone) for end in (0, -1))
        x += [first, last, None]
        y += [at, at, None]
    return go.Scatter(x=x, y=y, mode="lines", line={"color": theme.grid(), "width": 3}, hoverinfo="skip")


def _titles(go: Any, lanes: Sequence[Lane], left: datetime) -> Any:
    """The headline of each lane, above its dots."""
    titles = [_title(lane) for lane in lanes]
    return go.Scatter(
        x=[left] * len(lanes),
        y=[at - 0.43 - LINE / 2 * ("<br>" in title) for at, title in zip(_heights(lanes), titles, strict=True)],
        text=titles,
        mode="text",
        textposition="middle right",
        textfont={"size": 13, "color": theme.ink(), "family": theme.SERIF, "shadow": theme.halo()},
        hoverinfo="skip",
        cliponaxis=False,
        unselected={"textfont": {"color": theme.ink()}},
    )


def _title(lane: Lane) -> str:
    """The headline in one line or two, and how many independent sources tell it."""
    n = lane.event.independent
    room = 0 if n < 2 else 15
    first, rest = _line(lane.title)
    if rest:
        rest = cut(rest, int((TITLE - room) * 2 / HAN) if _han(rest) else TITLE - room)
    lines = [plot(line) for line in (first, rest) if line]
    if n >= 2:
        said = f'<span style="font-size:11px;color:{theme.faint()}">{n} independent</span>'
        lines = [*lines[:-1], f"{lines[-1]}  {said}"] if rest or _width(first) <= TITLE - room else [*lines, said]
    return "<br>".join(lines)


@lru_cache(maxsize=512)
def _line(title: str) -> tuple[str, str]:
    """What fits in the first line of a headline, and the rest."""
    plain = clean(title)
    widths = accumulate(HAN if _han(char) else 1 for char in plain)
    fits = next((at for at, width in enumerate(widths) if width > TITLE), len(plain))
    if fits == len(plain):
        return plain, ""
    space = plain.rfind(" ", fits // 2, fits + 1)
    fits = space if space > 0 else fits
    return plain[:fits].rstrip(), plain[fits:].lstrip()


def _han(char: str) -> bool:
    return any("\u2e80" <= one <= "\uffef" for one in char)


def _width(plain: str) -> float:
    return sum(HAN if _han(char) else 1 for char in plain)


def _dots(go: Any, view: View, lanes: Sequence[Lane], zone: str, lit: Sequence[bool] | None) -> Any:
    """Every report: size by independent sources, colour by tier, hollow upstream, a diamond at an event's own time."""
    points = [point for lane in lanes for point in lane.points]
    heights = _heights(lanes)
    return go.Scatter(
        x=[_local(_at(view, lanes, point), zone) for point in points],
        y=[heights[point.lane] + BENEATH * point.beneath for point in points],
        mode="markers",
        marker={
            "size": [point.size for point in points],
            "color": [theme.tier(point.tier) for point in points],
            "symbol": [_symbol(point) for point in points],
            "opacity": [0.55 if point.copy else 1.0 for point in points],
            "line": {"width": [2 if "open" in _symbol(point) else 1 for point in points], "color": _edges(points)},
        },
        customdata=[[point.row, lane.event.id] for lane in lanes for point in lane.points],
        hovertext=[_hover(view, lane, point, zone) for lane in lanes for point in lane.points],
        hoverinfo="text",
        name=DOTS,
        cliponaxis=False,
        selectedpoints=None if lit is None else [at for at, here in enumerate(lit) if here],
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 0.3}},
    )


def _edges(points: Sequence[Point]) -> list[str]:
    return [theme.tier(point.tier) if "open" in _symbol(point) else theme.paper() for point in points]


def _symbol(point: Point) -> str:
    return "diamond-open" if point.row < 0 else "circle-open" if point.upstream else "circle"


def _hover(view: View, lane: Lane, point: Point, zone: str) -> str:
    if point.row < 0:
        at, year = point.at, view.report.plan.now.year
        when = words.day(at, "UTC", year=year) if by_day(at) else words.moment(at, zone, year=year)
        return f"<b>{plot(cut(lane.title, 70))}</b><br>event time, from the text: {when}"
    table = view.report.table
    said = [words.moment(point.at, zone), table.domains[point.row], f"{view.total(point.row):.1f} points"]
    if point.upstream:
        said.append("upstream")
    if point.copy:
        said.append("copy")
    return f"<b>{plot(cut(table.titles[point.row], 70))}</b><br>{plot(' · '.join(said))}"


def height(lanes: Sequence[Lane]) -> int:
    return STRIP + FOOT + int(LANE * (_heights(lanes)[-1] + 1)) if lanes else STRIP + FOOT + LANE


def _layout(view: View, lanes: Sequence[Lane], zone: str, most: int) -> dict[str, Any]:
    """most: items of the fullest day in the window."""
    tall, n = height(lanes), (_heights(lanes)[-1] + 1 if lanes else 1)
    strip = (STRIP - 18) / (tall - FOOT)
    since, until = (_local(at, zone) for at in span(view, lanes))
    opens = _local(view.report.plan.window.since, zone)
    return theme.layout(
        template="none",
        height=tall,
        margin={"l": 4, "r": 12, "t": 4, "b": FOOT - 4},
        barmode="overlay",
        selectdirection="h",
        hovermode="closest",
        xaxis={
            "range": [since, until],
            "showgrid": True,
            "gridcolor": theme.grid(),
            "zeroline": False,
            "tickformat": "%-d %b",
            "tickfont": {"color": theme.faint(), "size": 12},
            "fixedrange": True,
            "dtick": _tick(until - since),
        },
        yaxis={
            "domain": [0, 1 - strip - 0.01],
            "range": [n - 0.5, -0.8],
            "visible": False,
            "fixedrange": True,
        },
        yaxis2={
            "domain": [1 - strip, 1],
            "anchor": "x",
            "visible": False,
            "fixedrange": True,
        },
        annotations=[
            {"text": f"fetched each day, {most:,} on the fullest", "yref": "paper", "x": _local(_left(view, lanes), zone), "y": 1,
             "showarrow": False, "xanchor": "left", "yanchor": "top", "xshift": -2,
             "font": {"size": 11, "color": theme.faint()}},
        ] if most else [],
        shapes=[
            {"type": "line", "x0": opens, "x1": opens, "y0": 0, "y1": 1, "yref": "paper", "layer": "below",
             "line": {"color": theme.faint(), "width": 1, "dash": "dot"}},
        ],
    )  # fmt: skip


def _tick(span: timedelta) -> int:
    """Milliseconds between two labels of the axis."""
    day = 86_400_000
    return day * (1 if span.days <= 9 else 2 if span.days <= 18 else 7 if span.days <= 60 else 14)
