"""The days looked at on the timeline: a slider with two ends, for keys and fingers; dragging in the chart moves it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

import streamlit as st

from pages.parts import reader, timeline, words
from pages.parts.lanes import Lane
from pages.parts.view import View

Days = tuple[date, date]


def choose(view: View, lanes: Sequence[Lane]) -> Days | None:
    """First and last day chosen, in the analyst's zone; None for all of them."""
    ends = _ends(view, lanes)
    if ends[0] == ends[1]:
        return None
    chosen = st.slider(
        "Days", *ends, ends, format="D MMM", key=_key(view, ends), label_visibility="collapsed",
        persist_state="session",
    )  # fmt: skip
    return None if chosen == ends else chosen


def drag(view: View, lanes: Sequence[Lane], picked: Any) -> None:
    """What was dragged over in the chart becomes the days chosen; letting go of it, all of them."""
    ends = _ends(view, lanes)
    st.session_state[_key(view, ends)] = boxed(picked["selection"]["box"], ends)


def boxed(boxes: Sequence[Mapping[str, Any]], ends: Days) -> Days:
    """The days that a box over the chart touches; all of them where there is none."""
    if not boxes:
        return ends
    first, last = sorted(datetime.fromisoformat(str(at)).date() for at in boxes[0]["x"])
    return max(first, ends[0]), min(last, ends[1])


def holds(days: Days, at: datetime) -> bool:
    return days[0] <= at.astimezone(words.zone_of(reader.zone())).date() <= days[1]


def said(days: Days | None) -> str:
    """Such as "24 Nov – 30 Nov"; "" for all days."""
    return " – ".join(f"{day.day} {day:%b}" for day in dict.fromkeys(days or ()))


def _ends(view: View, lanes: Sequence[Lane]) -> Days:
    """First and last day of what the chart shows."""
    since, until = (at.astimezone(words.zone_of(reader.zone())).date() for at in timeline.extent(view, lanes))
    return since, until


def _key(view: View, ends: Days) -> str:
    return f"days-{view.report.run_id}-{ends[0]}-{ends[1]}"
