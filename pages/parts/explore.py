"""The timeline page's body: chart, what is selected in it, and the list that follows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import streamlit as st

from pages.parts import (
    current,
    days,
    download,
    evidence,
    failures,
    reader,
    reading,
    theme,
    timeline,
    words,
)
from pages.parts import lanes as timelines
from pages.parts.hints import say
from pages.parts.paging import paged
from pages.parts.results_story import story
from pages.parts.safe import cut, text
from pages.parts.view import View
from pipeline import Bucket

LANES = 30  # lanes on one page
EVENTS = {"shown": "Shown events", "scored": "All scored events"}
HANDS = {"read": "Click to read", "days": "Drag to select days"}  # the drawing library does one or the other


@st.fragment
@failures.told()
def draw(view: View) -> None:
    """Chart at the left, the opened report and the coverage at the right, the selected reports below."""
    kind, drag, named = _ask(view)
    order = _order(current.seen_under(view), kind, view)
    if not order:
        st.html(f'<div class="lt-empty"><p>{text(say("nothing"))}</p><p>{text(say("nothing_try"))}</p></div>')
        return
    page = timelines.made(view, order[paged(len(order), LANES, "lanes")])
    chart, side = st.columns([2.3, 1], gap="large")
    with chart:
        chosen_days = None if reader.presenting() else days.choose(view, page)
        figure, rows = _chart(view, page, drag, chosen_days)
        rows = rows or named
        if not reader.presenting():
            _saved(view, order, figure)
    with side:
        if len(rows) == 1:
            reading.opened(view, rows[0])
        within = _within(page, chosen_days)
        reading.coverage(timelines.coverage(view, rows or within))
    if not reader.presenting() and len(rows) != 1:
        _below(view, rows or within, "Selected" if rows else days.said(chosen_days))


def _ask(view: View) -> tuple[str, bool, list[int]]:
    """Which events get a lane, whether dragging selects days, and the report chosen without the mouse."""
    if reader.presenting():
        return "shown", False, []
    with st.container(horizontal=True, vertical_alignment="center", key="timeline-ask"):
        kind = _switch("Events", EVENTS, "lanes-of")
        hand = _switch("In the chart", HANDS, "hand")
        named = st.selectbox(
            "Read a report", view.selected, index=None, key="read", placeholder="Or choose a report to read",
            format_func=lambda row: f"{_day(view, row)} · {cut(view.report.table.titles[row], 90)}",
            label_visibility="collapsed", width=300,
        )  # fmt: skip
    return kind, hand == "days", [] if named is None else [named]


@st.cache_resource(max_entries=12, show_spinner=False)
def _order(seen: tuple[Any, ...], kind: str, _view: View) -> list[int]:
    """The best row of each event that gets a lane; of thousands it is found once."""
    scored = (Bucket.BELOW_THRESHOLD, Bucket.OVER_LIMIT) if kind == "scored" else ()
    more = [row for bucket in scored for row in _view.buckets.get(bucket, ())]
    return timelines.ordered(_view, (*_view.selected, *more))


def _day(view: View, row: int) -> str:
    at = view.report.table.published[row]
    return words.day(timelines.moment(view, row), reader.zone()) if at == at else "undated"


def _switch(label: str, words: dict[str, str], key: str) -> str:
    return st.segmented_control(
        label, list(words), default=next(iter(words)), required=True, format_func=words.__getitem__, key=key,
        label_visibility="collapsed", persist_state="session",
    )  # fmt: skip


def _chart(
    view: View, lanes: tuple[timelines.Lane, ...], drag: bool, chosen: days.Days | None
) -> tuple[Any, list[int]]:
    """Draw; the figure and the rows clicked in it."""
    rows = tuple(lane.row for lane in lanes)
    figure = _figure(current.seen_under(view), rows, reader.zone(), theme.mode(), drag, chosen, view, lanes)
    picked = st.plotly_chart(
        figure, key="timeline", theme=None, selection_mode=("points", "box"),
        on_select=(lambda: days.drag(view, lanes, st.session_state["timeline"])) if drag else "rerun",
        config=download.config(f"timeline-{view.report.run_id}"), alt=_alt(view, lanes),
    )  # fmt: skip
    st.html(_legend(view))
    return figure, [] if drag else clicked(picked)


@st.cache_resource(max_entries=12, show_spinner=False)
def _figure(
    seen: tuple[Any, ...],
    rows: tuple[int, ...],
    zone: str,
    mode: str,
    drag: bool,
    chosen: days.Days | None,
    _view: View,
    _lanes: tuple[timelines.Lane, ...],
) -> Any:
    """Kept, for most of what is clicked on the page leaves the chart as it is."""
    since, until = timeline.span(_view, _lanes)
    published, window = _view.report.table.published, _view.report.plan.window
    members = published[[point.row for lane in _lanes for point in lane.points if point.row >= 0]]
    fetched = timelines.per_day(published, zone, window.since, window.until)
    shown = timelines.per_day(members, zone, since, until)
    lit = None if chosen is None else [days.holds(chosen, point.at) for lane in _lanes for point in lane.points]
    return timeline.figure(_view, _lanes, fetched, shown, zone, drag=drag, lit=lit)


def _within(lanes: tuple[timelines.Lane, ...], chosen: days.Days | None) -> list[int]:
    """Rows of the reports drawn, of the chosen days."""
    points = (point for lane in lanes for point in lane.points if point.row >= 0)
    return [point.row for point in points if chosen is None or days.holds(chosen, point.at)]


def _saved(view: View, order: list[int], figure: Any) -> None:
    """The chart and its marks as files; PNG is the button over the chart."""
    name = f"timeline-{view.report.run_id}"
    with st.container(horizontal=True, key="timeline-saved", gap="xsmall"):
        download.chart(figure, name, key="html-timeline")
        download.table("Marks (CSV)", name, timelines.COLUMNS, lambda: _marks(view, order), key="csv-timeline")


def _marks(view: View, order: list[int]) -> Iterator[tuple[object, ...]]:
    """Of all lanes, also those of other pages."""
    return timelines.rows(view, timelines.made(view, order))


def clicked(picked: Any) -> list[int]:
    """Rows of the dots clicked; diamonds, titles and bars have none."""
    marks = [point.get("customdata") for point in picked.selection.points]
    return list(dict.fromkeys(int(mark[0]) for mark in marks if mark and int(mark[0]) >= 0))


def _alt(view: View, lanes: tuple[timelines.Lane, ...]) -> str:
    return f"{len(lanes)} events over time: " + "; ".join(cut(lane.title, 60) for lane in lanes[:6])


def _legend(view: View) -> str:
    keys = (
        ("lt-key fact", "fact"),
        ("lt-key lead", "lead"),
        ("lt-key none", "below threshold"),
        ("lt-key hollow", "upstream: before the window"),
        ("lt-key diamond", "event time, where it differs"),
    )
    return (
        '<p class="lt-legend">' + "".join(f'<span><i class="{css}"></i>{text(said)}</span>' for css, said in keys)
        + "<span>larger: more independent sources</span><span>small, beneath: further reports and copies</span></p>"
        + f'<p class="lt-quiet">{text(evidence.tiers(view.settings))}</p>'
    )  # fmt: skip


def _below(view: View, rows: list[int], chosen: str) -> None:
    """The shown reports of the events that these rows tell of; of everything when nothing is chosen."""
    events = {event.id for row in rows if (event := view.event_of(row)) is not None}
    counts = f"{words.count(len(rows), 'report')} of {words.count(len(events), 'event')}"
    st.html(f'<p class="lt-sub">{text(f"{chosen}: {counts}" if chosen else "The story")}</p>')
    story(view, view.story(events=events if chosen else None))
