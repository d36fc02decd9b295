"""What can't be done, in one sentence: a click that was refused, a page that can't go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec

import streamlit as st

import pipeline
from pages.parts.safe import md, text

P = ParamSpec("P")


def careful(change: Callable[P, None]) -> Callable[P, None]:
    """For callbacks: what the store or the settings refuse is said where the page is drawn anew, and it goes on."""

    @wraps(change)
    def kept(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            change(*args, **kwargs)
        except pipeline.LatelyError as error:
            st.session_state["failed"] = (*st.session_state.get("failed", ()), str(error))

    return kept


@contextmanager
def told() -> Iterator[None]:
    """What callbacks could not do is said first; what can't go on here (a locked database, a folder that is gone) ends
    as one sentence that says what to do. For the page as a whole and for each fragment, which is drawn without it.
    """
    try:
        for failed in st.session_state.pop("failed", ()):
            st.error(md(failed))
        yield
    except pipeline.LatelyError as error:
        st.html(f'<div class="lt-empty"><p>Lately can\'t go on like this.</p><p>{text(error)}</p></div>')
        st.button("Try again", type="primary", key="try-again")
        st.stop()
