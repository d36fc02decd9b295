"""Beside the timeline: the report that was clicked, its event, and the analyst's word on what belongs together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import streamlit as st

from pages.parts import background, card, evidence, feedback, reader, words
from pages.parts.safe import cut, text
from pages.parts.view import View

NAMED = 3  # reports of a decision that are named


def coverage(shares: Sequence[tuple[str, int]]) -> None:
    """Share of coverage: one bar a site or account, with its share and its reports."""
    whole = sum(n for _, n in shares) or 1
    rows = "".join(
        f'<div><span title="{text(name)}">{text(name)}</span><span class="n">{100 * n / whole:.0f} %</span><span class="n lt-faint">{n:,}</span>'
        f'<i style="width:{100 * n / whole:.1f}%"></i></div>'
        for name, n in shares
    )
    st.html(
        f'<p class="lt-sub">Share of coverage, of {text(words.count(whole, "report"))}</p>'
        f'<div class="lt-share">{rows}</div>'
    )


def opened(view: View, row: int) -> None:
    """The clicked report as a card with its event's tree."""
    item = view.item(row)
    with st.container(key=f"card-open-{row}"):
        st.html(card.html(view, row, item))
        if not reader.presenting():
            card.actions(view, row, item)
    if not reader.presenting() and (event := view.event_of(row)) is not None:
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
            feedback.decide([(mine, other) for other in others], joined=False)
            st.toast("Noted. Every later run keeps it apart.")
        chosen = st.selectbox(
            "The same event as", near, index=None, key=f"join-{row}", placeholder="choose an event",
            format_func=lambda other: cut(other.title, 70),
        )  # fmt: skip
        if chosen is not None and st.button("Join the two", key=f"joined-{row}"):
            feedback.decide(list(combinations((*event.members, *chosen.members), 2)), joined=True)
            st.toast("Noted. Every later run joins them.")
        if _decided(view, mine):
            st.button(
                "Run again with this", key=f"again-{row}", on_click=background.again, args=(view.report,),
                help="A new run of the same question; this one stays as it was. Its progress is shown on Query.",
            )  # fmt: skip


def _decided(view: View, mine: str) -> bool:
    """What was decided about this report before, each decision with the way back; whether there is any."""
    said = {"joined with": True, "kept apart from": False}
    decisions = [(pair, joined) for pair, joined in feedback.decisions().items() if mine in pair]
    for words_, kind in said.items():
        pairs = [pair for pair, joined in decisions if joined == kind]
        if not pairs:
            continue
        titles = [_title(view, pair[0] if pair[1] == mine else pair[1]) for pair in pairs]
        more = f" and {len(titles) - NAMED} more" if titles[NAMED:] else ""
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(f'<p class="lt-faint">{words_} {text("; ".join(titles[:NAMED]) + more)}</p>')
            if st.button("Take back", key=f"undecide-{mine}-{kind}", type="tertiary"):
                feedback.undecide(pairs)
                st.rerun()
    return bool(decisions)


def _title(view: View, name: str) -> str:
    row = view.row_of.get(name)
    return "a report of another run" if row is None else f"“{cut(view.report.table.titles[row], 60)}”"
