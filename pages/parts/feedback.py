"""The analyst's word: on single items, and on which items are one event."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import streamlit as st

from pages.parts import loaded, server
from pages.parts.view import View


def mark(run: Any, row: int, kind: str) -> None:
    """Adopt, dismiss or restore an item; the posterior of its source moves (not in the demo)."""
    server.store().feedback.give(kind, run, row, datetime.now(UTC))


def take_back(run: Any, row: int) -> None:
    """Undo the analyst's restoration of an item: the verdict before it holds again, its label goes."""
    name = run.table.ids[row]
    for said in server.store().feedback.log(limit=1_000_000):
        if said.candidate == name and said.latest and said.kind == "restore":
            server.store().feedback.undo(said.id, datetime.now(UTC))
            return


def given_here(view: View, row: int) -> bool:
    """Whether the latest word on an item was said in this run; else it was said in another one."""
    said = tuple(sorted(view.marks.items()))
    return view.report.table.ids[row] in _given(view.report.run_id, said)


@st.cache_resource(max_entries=loaded.KEPT_RUNS, show_spinner=False)
def _given(name: str, said: loaded.Said) -> frozenset[str]:
    log = server.store().feedback.log(run_id=name, limit=1_000_000)
    return frozenset(one.candidate for one in log if one.latest)


def decide(pairs: list[tuple[str, str]], *, joined: bool) -> None:
    """The analyst's word that items are, or are not, one event; every later run follows it."""
    server.store().memory.decide(pairs, joined=joined, at=datetime.now(UTC))


def undecide(pairs: list[tuple[str, str]]) -> None:
    server.store().memory.undecide(pairs)


def decisions() -> dict[tuple[str, str], bool]:
    """(candidate id, candidate id) -> True joined, False split."""
    return dict(server.store().memory.decisions())
