"""The story: what a run shows as cards, ordered and filtered, and as a file."""

from __future__ import annotations

import streamlit as st

from pages.parts import card, download, evidence, failures, results_file
from pages.parts.hints import say
from pages.parts.paging import paged
from pages.parts.safe import text
from pages.parts.view import View

CARDS = 30  # cards on one page


@st.fragment
@failures.told()
def filtered(view: View) -> None:
    """A fragment: order and filters draw the story anew and nothing else of the page."""
    rows = _filters(view)
    evidence.legend(view, view.item(view.selected[0]))
    story(view, rows)
    _saved(view, rows)


def _filters(view: View) -> tuple[int, ...]:
    """Order and filters in one line; returns the rows that pass."""
    with st.container(horizontal=True, vertical_alignment="center", key="filters"):
        order = st.segmented_control(
            "Order", ("time", "score"), default="time", required=True, format_func=lambda name: f"By {name}",
            key="order", label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
        tiers = st.pills(
            "Tier", ("fact", "lead"), selection_mode="multi", format_func={"fact": "Facts", "lead": "Leads"}.get,
            key="tiers", label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
        names = view.shown_sources()
        sources_ = () if len(names) < 2 else st.pills(
            "Source", names, selection_mode="multi", key="shown-sources", label_visibility="collapsed"
        )  # fmt: skip
        typed = st.text_input(
            "Filter", key="filter", live=True, placeholder="Filter by word, site or account",
            label_visibility="collapsed", type="search", persist_state="session", width=260,
        )  # fmt: skip
    return view.story(order=order or "time", tiers=tiers or (), sources=sources_ or (), words=typed or "")


@st.fragment
@failures.told()
def story(view: View, rows: tuple[int, ...]) -> None:
    """The given rows as cards, a page at a time. A fragment: opening one draws the cards anew, not what is above them.

    One for all: a fragment for each card costs a page of cards more than the cards themselves.
    """
    if not rows:
        st.html(f'<div class="lt-empty"><p>{text(say("filtered"))}</p></div>')
    page = paged(len(rows), CARDS, "cards")
    with st.container(key="story", gap=None):
        for row in rows[page]:
            card.draw(view, row)


def _saved(view: View, shown: tuple[int, ...]) -> None:
    """The shown items as a file: the rows that pass the filters, in their order."""
    download.table(
        "Shown items (CSV)", f"lately-{view.report.run_id}", results_file.COLUMNS, lambda: (results_file.record(view, row) for row in shown),
        key="csv-shown",
    )  # fmt: skip
