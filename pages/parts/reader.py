"""Who reads: in which zone and language, and whether the page is shown to others."""

from __future__ import annotations

from functools import cache
from zoneinfo import available_timezones

import streamlit as st

from pages.parts import server


def zone() -> str:
    """The analyst's zone: chosen in the sidebar, else the settings', else the browser's."""
    chosen = st.session_state.get("zone", "")
    configured = server.settings().pipeline.timezone
    return chosen or (configured if configured != "auto" else st.context.timezone or "UTC")


@cache
def zones() -> tuple[str, ...]:
    """Names of all zones; cached, for the list is read from some 600 files."""
    return tuple(sorted(name for name in available_timezones() if "/" in name or name == "UTC"))


def hint_language() -> str:
    """Such as "en" or "zh": chosen in the sidebar, else the settings', else the browser's."""
    chosen = st.session_state.get("hints", "auto")
    if chosen == "auto":
        chosen = server.settings().pipeline.locale
    if chosen == "auto":
        return "zh" if (st.context.locale or "").lower().startswith("zh") else "en"
    return str(chosen)


def presenting() -> bool:
    return st.query_params.get("present") == "1"
