"""The timeline page's body: chart, what is selected in it, and the list that follows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import streamlit as st

from pages.parts import download, reader, reading, results, timeline, words
from pages.parts import lanes as timelines
from pages.parts.hints import say
from pages.parts.safe import cut, text
from pages.parts.view import View
from pipeline import Bucket

LANES = 30  # lanes on one page
EVENTS = {"shown": "Shown events", "scored": "All scored events"}
HANDS = {"read": "Click to read", "days": "Drag to select days"}  # the drawing library does one or the other


def draw(view: View) -> None:
    """Chart at the left, the opened report and the coverage at the right, the selected reports below."""
    chosen, drag, named = _ask(view)
    order = timelines.ordered(view, chosen)
    if not order:
        st.html(f'<div class="lt-empty"><p>{text(say("nothing"))}</p><p>{text(say("nothing_try"))}</p></div>')
        return
    page = timelines.made(view, order[results.paged(len(order), LANES, "lanes")])
    chart, side = st.columns([2.3, 1], gap="large")
    with chart:
        figure, rows = _chart(view, page, drag)
        rows = rows or named
        if not reader.presenting():
            _saved(view, order, figure)
    with side:
        if len(rows) == 1:
            reading.opened(view, rows[0])
        every = rows or [point.row for lane in page for point in lane.points if point.row >= 0]
        reading.coverage(timelines.coverage(view, every))
    if not reader.presenting():
        _below(view, rows)


def _ask(view: View) -> tuple[tuple[int, ...], bool, list[int]]:
    """Rows whose events get a lane, whether dragging selects days, and the report chosen without the mouse."""
    if reader.presenting():
        return view.selected, False, []
    with st.container(horizontal=True, vertical_alignment="bottom", key="timeline-ask"):
        kind = _switch("Events", EVENTS, "lanes-of")
        hand = _switch("In the chart", HANDS, "hand")
        named = st.selectbox(
            "Read a report", view.selected, index=None, key="read", placeholder="Or choose a report to read",
            format_func=lambda row: f"{_day(view, row)} · {cut(view.report.table.titles[row], 90)}",
            label_visibility="collapsed", width=300,
        )  # fmt: skip
    scored = (Bucket.BELOW_THRESHOLD, Bucket.OVER_LIMIT)
    more = [row for bucket in scored for row in view.buckets.get(bucket, ())] if kind == "scored" else []
    return (*view.selected, *more), hand == "days", [] if named is None else [named]


def _day(view: View, row: int) -> str:
    at = view.report.table.published[row]
    return words.day(timelines.moment(view, row), reader.zone()) if at == at else "undated"


def _switch(label: str, words: dict[str, str], key: str) -> str:
    return st.segmented_control(
        label, list(words), default=next(iter(words)), required=True, format_func=words.__getitem__, key=key,
        label_visibility="collapsed", persist_state="session",
    )  # fmt: skip


def _chart(view: View, lanes: tuple[timelines.Lane, ...], drag: bool) -> tuple[Any, list[int]]:
    """Draw; the figure and the rows selected in it."""
    zone = reader.zone()
    since, until = timeline.span(view, lanes)
    published, window = view.report.table.published, view.report.plan.window
    members = published[[point.row for lane in lanes for point in lane.points if point.row >= 0]]
    fetched = timelines.per_day(published, zone, window.since, window.until)
    figure = timeline.figure(view, lanes, fetched, timelines.per_day(members, zone, since, until), zone, drag=drag)
    picked = st.plotly_chart(
        figure, key="timeline", on_select="rerun", selection_mode=("points", "box"),
        config=download.config(f"timeline-{view.report.run_id}"), alt=_alt(view, lanes),
    )  # fmt: skip
    st.html(_legend())
    return figure, selected_rows(picked)


def _saved(view: View, order: list[int], figure: Any) -> None:
    """The chart and its marks as files; PNG is the button over the chart."""
    name = f"timeline-{view.report.run_id}"
    with st.container(horizontal=True, key="timeline-saved", gap="xsmall"):
        download.chart(figure, name, key="html-timeline")
        download.table("Marks (CSV)", name, timelines.COLUMNS, lambda: _marks(view, order), key="csv-timeline")


def _marks(view: View, order: list[int]) -> Iterator[tuple[object, ...]]:
    """Of all lanes, also those of other pages."""
    return timelines.rows(view, timelines.made(view, order))


def selected_rows(picked: Any) -> list[int]:
    """Rows of the dots in a selection; diamonds, titles and bars have none."""
    marks = [point.get("customdata") for point in picked.selection.points]
    return list(dict.fromkeys(int(mark[0]) for mark in marks if mark and int(mark[0]) >= 0))


def _alt(view: View, lanes: tuple[timelines.Lane, ...]) -> str:
    return f"{len(lanes)} events over time: " + "; ".join(cut(lane.title, 60) for lane in lanes[:6])


def _legend() -> str:
    keys = (
        ("lt-key fact", "fact"),
        ("lt-key lead", "lead"),
        ("lt-key none", "below the line"),
        ("lt-key hollow", "upstream: before the window"),
        ("lt-key diamond", "event time, where it differs"),
    )
    return (
        '<p class="lt-legend">' + "".join(f'<span><i class="{css}"></i>{text(said)}</span>' for css, said in keys)
        + "<span>larger: more independent sources</span><span>small, beneath: further reports and copies</span></p>"
    )  # fmt: skip


def _below(view: View, rows: list[int]) -> None:
    """The shown reports of what is selected; of everything when nothing is."""
    if len(rows) == 1:
        return
    events = {event.id for row in rows if (event := view.event_of(row)) is not None} if rows else None
    said = f"{len(rows)} reports selected, {len(events)} events" if events is not None else "The story"
    st.html(f'<p class="lt-sub">{text(said)}</p>')
    results.story(view, view.story(events=events))
