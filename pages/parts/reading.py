"""Beside the timeline: the report that was clicked, its event, and the analyst's word on what belongs together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts import card, evidence, session, theme
from pages.parts.safe import clean, text
from pages.parts.view import View


def coverage(shares: Sequence[tuple[str, int]]) -> None:
    """Share of coverage: one bar a site or account."""
    whole = sum(n for _, n in shares) or 1
    colours = theme.source_colours(tuple(name for name, _ in shares))
    rows = "".join(
        f'<div><span>{text(name)}</span><span class="n">{n}</span>'
        f'<i style="width:{100 * n / whole:.0f}%;background:{colours[name]}"></i></div>'
        for name, n in shares
    )
    st.html(f'<p class="lt-sub">Share of coverage, reports a site</p><div class="lt-share">{rows}</div>')


def opened(view: View, row: int) -> None:
    """The clicked report as a card with its event's tree."""
    item = view.item(row)
    with st.container(key=f"card-open-{row}"):
        st.html(card.html(view, row, item))
        if not session.presenting():
            card.actions(view, row, item)
    if not session.presenting() and (event := view.event_of(row)) is not None:
        evidence.tree(view, event)
        _together(view, row, event)


def _together(view: View, row: int, event: Any) -> None:
    """Split a report off its event, or join two events; every later run follows the decision."""
    mine = view.report.table.ids[row]
    others = [name for name in event.members if name != mine]
    rest = [other for other in view.report.events if other.id != event.id and other.members]
    shown = {view.report.table.event[at] for at in view.selected}
    near = [other for at, other in enumerate(view.report.events) if at in shown and other in rest] or rest[:50]
    with st.expander("Split or join", type="compact"):
        if others and st.button("This report is another event", key=f"split-{row}"):
            session.decide([(mine, other) for other in others], joined=False)
            st.toast("Noted. Later runs keep it apart.")
        chosen = st.selectbox(
            "The same event as", near, index=None, key=f"join-{row}", placeholder="choose an event",
            format_func=lambda other: clean(other.title)[:70],
        )  # fmt: skip
        if chosen is not None and st.button("Join the two", key=f"joined-{row}"):
            session.decide([(mine, name) for name in chosen.members[:1]], joined=True)
            st.toast("Noted. Later runs join them.")
        _decided(view, mine)


def _decided(view: View, mine: str) -> None:
    """What was decided about this report before, with the way back."""
    known = view.row_of
    pairs = [(pair, joined) for pair, joined in session.decisions().items() if mine in pair]
    for pair, joined in pairs:
        other = pair[0] if pair[1] == mine else pair[1]
        title = view.report.table.titles[known[other]] if other in known else other
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(f'<p class="lt-faint">{"joined with" if joined else "kept apart from"} {text(title[:80])}</p>')
            if st.button("Take back", key=f"undecide-{pair[0]}-{pair[1]}", type="tertiary"):
                session.undecide([pair])
                st.rerun()
