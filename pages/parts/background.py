"""Runs in the background, which go on when the tab is closed, and the one this session watches."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from pipeline import jobs


def start(question: Any) -> None:
    st.session_state["job"] = jobs.start(question)


def again(run: Any, **changes: Any) -> None:
    """Ask a run's question once more with some of it changed, as a new run beside it."""
    start(replace(run.plan.question, **({"demo": run.demo} | changes)))


def rank_again(run: Any) -> None:
    """A new run of the same items, with what was restored since."""
    st.session_state["job"] = jobs.rank_again(run.run_id, run.plan.text)


def job() -> Any:
    """State of the run this session started; a new session takes up one that is still under way, else None."""
    if "job" not in st.session_state:
        st.session_state["job"] = next((one.id for one in jobs.recent(limit=5) if one.live), "")
    name = st.session_state["job"]
    return jobs.poll(name) if name else None


def since(moment: datetime) -> float:
    """Seconds from a moment until now."""
    return (datetime.now(UTC) - moment).total_seconds()


def stop() -> None:
    if name := st.session_state.get("job"):
        jobs.cancel(name)


def forget() -> None:
    st.session_state["job"] = ""
