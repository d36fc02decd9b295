"""The collector of garbage, which Streamlit calls after every rerun: what stays is taken out of its sight."""

from __future__ import annotations

import gc

import streamlit as st


def freeze() -> None:
    """What is in memory now is never looked at again: a run of 20,000 items costs 60 ms and more a rerun else."""
    gc.collect()
    gc.freeze()


@st.cache_resource(show_spinner=False)
def settle(page: str) -> bool:
    """Freeze what the first drawing of a page brought in (its modules, the drawing library); to be called when the
    page has been drawn.
    """
    freeze()
    return True
