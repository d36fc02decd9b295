"""Runs in the server's memory, and how they look under other settings; all sessions share them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

import pipeline
from pages.parts import collector, server
from pages.parts.view import View

KEPT_RUNS = 6  # loaded runs held by the server at once
Moves = tuple[tuple[str, Any], ...]
Said = tuple[tuple[str, str], ...]


def run(name: str) -> Any:
    """A stored run, None when it is gone."""
    try:
        return _run(server.store().runs.resolve(name))  # one that another process deleted is not read from the cache
    except pipeline.InputError:  # deleted, or a mistyped address: the page says so
        return None


def forget(name: str) -> None:
    _run.clear(name)


@st.cache_resource(max_entries=KEPT_RUNS, show_spinner=False)
def _run(name: str) -> Any:
    found = server.store().runs.load(name)
    collector.freeze()
    return found


@st.cache_resource(max_entries=4 * KEPT_RUNS, show_spinner=False)
def view(name: str, moves: Moves = (), said: Said = ()) -> View:
    """A run under moved settings (none: its own), with the analyst's words on its items."""
    current = _run(name)
    gone = {item for item, kind in said if kind == "dismiss"}
    flags = [item in gone for item in current.table.ids]
    wanted = replace(current.settings, **dict(moves))
    if wanted == current.settings and flags == current.table.dismissed.tolist():
        return View(current, marks=dict(said))
    base = _interested(name, wanted.interests)
    dismissed = current.table.dismissed.copy()
    dismissed[:] = flags
    now = replace(base, table=replace(base.table, dismissed=dismissed))
    return View(current, pipeline.rescore(now, wanted), dict(said), now)


@st.cache_resource(max_entries=2 * KEPT_RUNS, show_spinner=False)
def _interested(name: str, interests: tuple[str, ...]) -> Any:
    """The run as if it had been asked with these interest words: the one change that reads every text, so made once."""
    current = _run(name)
    if interests == current.settings.interests:
        return current
    asked = replace(current.settings, interests=interests)
    values = pipeline.rescore(current, asked).values
    return replace(current, settings=asked, table=replace(current.table, values=values))
