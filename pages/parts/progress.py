"""A run under way: its stage, what each source has brought so far, and the button that stops it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.parts import background, current, failures, sources
from pages.parts.safe import text

EVERY = 0.5  # seconds between two looks
STAGES = {
    "words": "reading the texts",
    "embed": "comparing meanings",
    "events": "grouping into events",
    "score": "scoring",
    "select": "choosing what is shown",
}


def draw() -> None:
    """Nothing when no run is under way in this session; else a fragment that looks again by itself."""
    if background.job() is not None:
        _live()


@st.fragment(run_every=EVERY)
@failures.told()
def _live() -> None:
    job = background.job()
    if job is None:
        return
    if job.state == "done":
        background.forget()
        current.choose(job.run)
        st.rerun()
    if job.live:
        _running(job)
    else:
        _ended(job)


def _running(job: Any) -> None:
    said = job.progress
    stage = "stopping" if job.cancelling else _stage(said)
    with st.container(key="progress"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(f'<p><b>{text(stage)}</b> <span class="lt-faint">{text(job.label)}, '
                    f"{background.since(job.created_at):.0f} s</span></p>")  # fmt: skip
            st.button("Stop", key="stop", on_click=background.stop, disabled=job.cancelling)
        rows = "".join(_endpoint(one) for one in said.get("endpoints", ()))
        st.html(f'<div class="lt-lines">{rows}</div>')


def _stage(said: Mapping[str, Any]) -> str:
    """What is under way, in words: while sources are out, that."""
    stage = str(said.get("stage", "waiting for its turn"))
    if stage != "plan":
        return STAGES.get(stage, stage)
    return "asking the sources" if said.get("endpoints") else "reading the question"


def _endpoint(one: Mapping[str, Any]) -> str:
    status = one.get("status") or "asking"
    dot = "asking" if status == "asking" else sources.dot(status)
    said = sources.SAID.get(status, status)
    return sources.row_html(dot, one["endpoint"], one.get("items", 0), one.get("elapsed_ms", 0), said)


def _ended(job: Any) -> None:
    """Failed, stopped or interrupted: said once, with the way on."""
    said = "The run was stopped." if job.state == "cancelled" else job.error or "The run failed."
    st.html(f'<div class="lt-empty"><p>{text(said)}</p><p>{text(job.label)}</p></div>')
    if st.button("Close this note", key="forget", type="tertiary"):
        background.forget()
        st.rerun(scope="app")
