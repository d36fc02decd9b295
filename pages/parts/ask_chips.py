"""The chips beneath the question: what was understood, each with the widgets that correct it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.parts import ask_more, planned, prefs, server, sources, words
from pages.parts.ask_question import asked_sources, chosen, list_of_feeds, source_names
from pages.parts.hints import say
from pages.parts.safe import md

WINDOWS = (7, 14, 30, 90)


def draw(plan: Any, *, beside: bool) -> None:
    """One line of chips; plan: None while there is no question that can be read. beside: a run is on the screen."""
    with st.container(horizontal=True, key="plan-line", vertical_alignment="center", gap="xsmall"):
        if beside:
            st.html('<span class="lt-next">Next run</span>', width="content")
        st.pills(
            "Window in days", WINDOWS, format_func=lambda n: f"{n} d", key="days", label_visibility="collapsed",
            persist_state="session",
        )  # fmt: skip
        span = "window" if plan is None else words.span(plan.window.since, plan.window.until, plan.zone)
        _chip(span, "chip-window", lambda: _window(plan))
        _chip("recent or not" if plan is None else words.ROUTES[plan.route], "chip-route", lambda: _route(plan))
        _chip(_kinds_said(), "chip-sources", _sources)
        depth = words.DEPTHS[st.session_state.get("depth") or "default"]
        _chip(f"{depth} depth", "chip-depth", _depth)
        _chip(_queries_said(), "chip-queries", lambda: _queries(plan))
        _chip(ask_more.said(), "chip-more", ask_more.draw)


def _chip(label: str, key: str, draw: Callable[[], None]) -> None:
    """What a chip holds is drawn when it is opened: folded it costs one message a rerun instead of ten.

    While it is open it is called as when it was opened: under another label it would be another chip, and closed.
    """
    if not st.session_state.get(key):
        st.session_state[f"{key}-label"] = label
    with st.popover(st.session_state.setdefault(f"{key}-label", label), key=key, on_change="rerun") as chip:
        if chip.open:
            draw()


def _window(plan: Any) -> None:
    st.date_input("From", value=None, key="since", persist_state="session")
    st.date_input("To, this day included", value=None, key="until", persist_state="session")
    if plan is not None:
        st.caption(md(f"Window: {planned.how(plan.window)}; {plan.window.days:.3g} days."))


def _route(plan: Any) -> None:
    st.checkbox("Search recent events in any case", key="force", persist_state="session")
    if plan is not None:
        st.caption(md(f"Subject: {plan.core_subject or '–'} ({plan.stability}). " + ". ".join(plan.reasons)))
        for signal in plan.signals:
            st.caption(md(f"“{signal.text}” says {signal.says}"))


def _kinds_said() -> str:
    if list_of_feeds() and not chosen():
        return "only the feed list"
    return words.count(len(asked_sources()), "source kind")


def _sources() -> None:
    kinds = st.multiselect(
        "Ask only these kinds", source_names(), key="sources", placeholder=", ".join(asked_sources()),
        persist_state="session", format_func=sources.kind,
        help="Nothing chosen: the source set of the sidebar. Keyed sources join when their key is set.",
    )  # fmt: skip
    st.caption(say("kinds"))
    prefs.save_set(tuple(kinds))
    st.checkbox("Fresh answers, nothing from the cache", key="refresh", persist_state="session")
    st.checkbox("Hide what I have already seen", key="hide-seen", persist_state="session", help=say("seen"))


def _depth() -> None:
    settings = server.settings().pipeline
    st.segmented_control(
        "Depth", list(words.DEPTHS), default="default", format_func=words.DEPTHS.get, key="depth",
        persist_state="session", help=say("depth"),
    )  # fmt: skip
    st.number_input(
        "Threshold, points of 100", 0, 100, value=None, placeholder=f"{settings.threshold:g}", key="threshold",
        persist_state="session", help=say("threshold"),
    )  # fmt: skip
    st.number_input(
        "Shown events, at most", 1, 500, value=None, placeholder=str(settings.max_results), key="max-results",
        persist_state="session",
    )  # fmt: skip


def _queries_said() -> str:
    edited = [name for name in source_names() if st.session_state.get(f"query-{name}")]
    return words.count(len(edited), "edited query", "edited queries") if edited else "queries"


def _queries(plan: Any) -> None:
    if plan is None:
        st.caption("What each source is sent appears here once there is a question.")
        return
    for sub in plan.subqueries:
        st.caption(md(f"{sub.label}: {sub.search_query}"))
    for name in asked_sources():
        st.text_input(
            f"Send to {name} instead", key=f"query-{name}", placeholder=plan.subqueries[0].search_query,
            persist_state="session",
        )  # fmt: skip
