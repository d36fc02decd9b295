"""Kept runs, each with its address: open, delete, and how long they stay."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.parts import current, reader, server, words
from pages.parts.hints import say
from pages.parts.safe import text

SHOWN = 8  # runs on one page


def draw() -> None:
    """What was asked before, newest first; folded while a run is on the screen."""
    if reader.presenting():
        return
    missing = current.run_id() and current.report() is None
    if missing:
        st.html(f'<div class="lt-empty"><p>{text(say("missing"))}</p></div>')
    count = server.store().runs.count()
    if not count:
        return
    if current.run_id() and not missing:
        with st.expander("Kept runs", type="compact", key="kept-runs", on_change="rerun") as folded:
            if folded.open:
                _list(count)
    else:
        st.html('<p class="lt-sub">Kept runs</p>')
        _list(count)


def _list(count: int) -> None:
    last = (count + SHOWN - 1) // SHOWN
    at = 1 if last < 2 else int(st.number_input(f"Page, 1 to {last}", 1, last, key="page-runs", width=140))
    with st.container(gap=None, key="recent"):
        for run in server.store().runs.recent(limit=SHOWN, offset=(at - 1) * SHOWN):
            _row(run)
    limits = server.settings().pipeline.store
    said = (
        f"The newest {limits.keep_runs:,} runs are kept, each for {words.count(limits.keep_days, 'day')} "
        "(store in pipeline.yaml). Adopted items, feedback and labels stay when a run goes."
    )
    st.html(f'<p class="lt-quiet">{text(said)}</p>')


def _row(run: Any) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"run-{run.id}", gap="xsmall"):
        here = run.id == current.run_id()
        st.button(
            words.run_label(run, reader.zone()) + (" · on the screen" if here else ""), key=f"open-{run.id}",
            type="tertiary", width="stretch", disabled=here, on_click=current.choose, args=(run.id,),
        )  # fmt: skip
        with st.popover("Delete", type="tertiary", key=f"ask-delete-{run.id}"):
            st.html(f'<p class="lt-quiet">{text(_what_goes(run))}</p>')
            st.button("Delete this run", key=f"delete-{run.id}", on_click=current.delete, args=(run.id,))


def _what_goes(run: Any) -> str:
    return f"{words.count(run.items, 'item')}, {run.bytes / 1000:,.0f} KB. This can't be undone."
