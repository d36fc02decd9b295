"""The sources page's frame: the current run above, then one of its four parts."""

from __future__ import annotations

import streamlit as st

from pages.parts import (
    authority_history,
    authority_table,
    failures,
    frame,
    reader,
    sources_add,
    sources_feedback,
    sources_health,
)
from pages.parts.view import View

PARTS = {
    "authority": "Authority",
    "add": "New source",
    "health": "Health",
    "feedback": "Feedback",
}


def draw(view: View | None) -> None:
    """Everything here works without a run; with one, its sources come first and edits are tried on it."""
    if view is not None:
        frame.header(view.report, len(view.selected))
    else:
        st.html('<div class="lt-head"><h1>Sources</h1><p>How far each is believed, and how it answers</p></div>')
    if reader.presenting():
        authority_table.read_only(view)
        return
    part = st.segmented_control(
        "Part of this page", list(PARTS), default="authority", required=True, format_func=PARTS.__getitem__,
        key="sources-part", label_visibility="collapsed", persist_state="session",
    )  # fmt: skip
    if part == "add":
        sources_add.draw()
    elif part == "health":
        sources_health.draw()
    elif part == "feedback":
        sources_feedback.draw()
    else:
        _authority(view)


@st.fragment
@failures.told()
def _authority(view: View | None) -> None:
    """Table, edits and history together: saving shows at once in the history."""
    authority_table.draw(view)
    authority_history.draw()
