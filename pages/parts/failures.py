"""What a click could not do: kept until the page is drawn, which says it at its head."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st

import pipeline

P = ParamSpec("P")


def careful(change: Callable[P, None]) -> Callable[P, None]:
    """For callbacks: what the store or the settings refuse is said at the head of the page, and the page goes on."""

    @wraps(change)
    def kept(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            change(*args, **kwargs)
        except pipeline.LatelyError as error:
            st.session_state["failed"] = (*st.session_state.get("failed", ()), str(error))

    return kept


def since_last_look() -> tuple[str, ...]:
    """What callbacks could not do since this was asked before."""
    return tuple(st.session_state.pop("failed", ()))
