"""Recent runs, each with its address."""

from __future__ import annotations

import streamlit as st

from pages.parts import session, words
from pages.parts.hints import say
from pages.parts.safe import text

SHOWN = 8


def draw() -> None:
    """What was asked before, newest first; nothing while a run is on the screen."""
    if session.presenting():
        return
    if session.run_id():
        if session.report() is None:
            st.html(f'<div class="lt-empty"><p>{text(say("missing"))}</p></div>')
        else:
            return
    runs = session.recent_runs(SHOWN)
    if not runs:
        return
    st.html('<p class="lt-sub">Recent runs</p>')
    with st.container(gap=None, key="recent"):
        for run in runs:
            st.button(
                words.run_label(run, session.zone()),
                key=f"open-{run.id}",
                type="tertiary",
                on_click=session.choose_run,
                args=(run.id,),
            )
