"""The timeline as a figure: a strip of volume per day above, one lane an event below, all dots in one trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import streamlit as st

from pages.parts import theme, words
from pages.parts.lanes import Lane, Point
from pages.parts.safe import cut, plot
from pages.parts.view import View

LANE, STRIP, FOOT = 46, 74, 40  # pixels of a lane, of the strip of days, of the axis
TITLE = 78  # columns of a headline above its lane
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
    view: View, lanes: Sequence[Lane], fetched: Mapping[str, int], shown: Mapping[str, int], zone: str, *, drag: bool
) -> Any:
    """`fetched` and `shown` are counts per ISO day. `drag`: dragging selects days; else a click selects a dot."""
    from plotly import graph_objects as go

    chart = go.Figure(
        [
            _days(go, fetched, "in the window", theme.grid()),
            _days(go, shown, "in the events below", theme.tier("fact")),
            _spans(go, lanes, zone),
            _titles(go, lanes, _local(span(view, lanes)[0], zone)),
            _dots(go, view, lanes, zone),
        ]
    )
    chart.update_layout(_layout(view, lanes, zone), dragmode="select" if drag else "pan")
    return chart


def span(view: View, lanes: Sequence[Lane]) -> tuple[datetime, datetime]:
    """From the window's start, or the earliest mark before it, to its end, with a little air."""
    window = view.report.plan.window
    marks = [point.at for lane in lanes for point in lane.points]
    since, until = min([window.since, *marks]), max([window.until, *marks])
    air = (until - since) / 60
    return since - air, until + air


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


def _spans(go: Any, lanes: Sequence[Lane], zone: str) -> Any:
    """A thin line from the first mark of a lane to its last."""
    x: list[datetime | None] = []
    y: list[int | None] = []
    for at, lane in enumerate(lanes):
        x += [_local(lane.points[0].at, zone), _local(lane.points[-1].at, zone), None]
        y += [at, at, None]
    return go.Scatter(x=x, y=y, mode="lines", line={"color": theme.grid(), "width": 3}, hoverinfo="skip")


def _titles(go: Any, lanes: Sequence[Lane], left: datetime) -> Any:
    """The headline of each lane, above its dots."""
    return go.Scatter(
        x=[left] * len(lanes),
        y=[at - 0.42 for at in range(len(lanes))],
        text=[_title(lane) for lane in lanes],
        mode="text",
        textposition="middle right",
        textfont={"size": 13, "color": theme.ink(), "family": theme.SERIF},
        hoverinfo="skip",
        cliponaxis=False,
        unselected={"textfont": {"color": theme.ink()}},
    )


def _title(lane: Lane) -> str:
    title = plot(cut(lane.title, TITLE))
    if lane.event.independent < 2:
        return title
    return f'{title}  <span style="font-size:11px;color:{theme.faint()}">{lane.event.independent} independent</span>'


def _dots(go: Any, view: View, lanes: Sequence[Lane], zone: str) -> Any:
    """Every report: size by independent sources, colour by tier, hollow upstream, a diamond at an event's own time."""
    points = [point for lane in lanes for point in lane.points]
    return go.Scatter(
        x=[_local(point.at, zone) for point in points],
        y=[point.lane for point in points],
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
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 0.3}},
    )


def _edges(points: Sequence[Point]) -> list[str]:
    return [theme.tier(point.tier) if "open" in _symbol(point) else theme.paper() for point in points]


def _symbol(point: Point) -> str:
    return "diamond-open" if point.row < 0 else "circle-open" if point.upstream else "circle"


def _hover(view: View, lane: Lane, point: Point, zone: str) -> str:
    when = words.moment(point.at, zone)
    if point.row < 0:
        return f"event time, from the text: {when}"
    table = view.report.table
    said = [when, table.domains[point.row], f"{view.total(point.row):.1f} points"]
    if point.upstream:
        said.append("upstream")
    if point.copy:
        said.append("copy")
    return f"<b>{plot(cut(table.titles[point.row], 70))}</b><br>{plot(' · '.join(said))}"


def height(lanes: Sequence[Lane]) -> int:
    return STRIP + FOOT + LANE * max(len(lanes), 1)


def _layout(view: View, lanes: Sequence[Lane], zone: str) -> dict[str, Any]:
    tall, n = height(lanes), max(len(lanes), 1)
    strip = (STRIP - 18) / (tall - FOOT)
    since, until = (_local(at, zone) for at in span(view, lanes))
    opens = _local(view.report.plan.window.since, zone)
    return theme.layout(
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
            "range": [n - 0.45, -0.85],
            "visible": False,
            "fixedrange": True,
        },
        yaxis2={
            "domain": [1 - strip, 1],
            "anchor": "x",
            "visible": False,
            "fixedrange": True,
        },
        shapes=[
            {"type": "line", "x0": opens, "x1": opens, "y0": 0, "y1": 1, "yref": "paper", "layer": "below",
             "line": {"color": theme.faint(), "width": 1, "dash": "dot"}},
        ],
    )  # fmt: skip


def _tick(span: timedelta) -> int:
    """Milliseconds between two labels of the axis."""
    day = 86_400_000
    return day * (1 if span.days <= 9 else 2 if span.days <= 18 else 7 if span.days <= 60 else 14)
