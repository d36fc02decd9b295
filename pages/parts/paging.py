"""Long lists a page at a time."""

from __future__ import annotations

import streamlit as st


def paged(n: int, size: int, key: str) -> slice:
    """The slice of a long list that is drawn; a page chooser appears only where it is needed."""
    if n <= size:
        return slice(0, n)
    last = (n + size - 1) // size
    at = st.number_input(f"Page, 1 to {last}", 1, last, key=f"page-{key}", width=140)
    return slice((int(at) - 1) * size, int(at) * size)
