"""Texts of a brief that are kept as soon as they are left, and never written over words that were not seen.

What this tab has seen of a text is remembered beside its widget. When another tab wrote meanwhile, both versions are
shown and the analyst chooses.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import streamlit as st

import pipeline
from pages.parts import failures, server
from pages.parts.hints import say
from pages.parts.safe import text

_LINES = {"introduction": 110, "note": 90}  # height of a text area in pixels


def line(report: Any, draft: Any, field: str, label: str, *, item: int = -1, placeholder: str = "") -> None:
    """A text of one line."""
    key = _ready(report, draft, field, item)
    st.text_input(label, key=key, placeholder=placeholder, max_chars=300, on_change=_keep,
                  args=(report, field, item))  # fmt: skip
    _clash(report, draft, field, item)


def area(report: Any, draft: Any, field: str, label: str, *, item: int = -1, placeholder: str = "") -> None:
    """A text of several paragraphs."""
    key = _ready(report, draft, field, item)
    st.text_area(label, key=key, placeholder=placeholder, height=_LINES[field], on_change=_keep,
                 args=(report, field, item))  # fmt: skip
    _clash(report, draft, field, item)


def _ready(report: Any, draft: Any, field: str, item: int) -> str:
    """The widget's key, its text brought up to what is kept unless something unkept is in it."""
    key, stored = _key(report, field, item), _stored(report, draft, field, item)
    state = st.session_state
    mine, seen = state.get(key), state.get(f"{key}-seen")
    if mine is None or seen is None or mine in (seen, stored):
        state[key] = state[f"{key}-seen"] = stored
    return key


@failures.careful
def _keep(report: Any, field: str, item: int) -> None:
    """Write what was typed over what this tab had seen; when that is no longer there, `_clash` asks."""
    key = _key(report, field, item)
    mine = st.session_state[key]
    st.session_state["brief-touched"] = report.table.ids[item] if item >= 0 else ""
    if _write(report, field, item, mine, seen=st.session_state.get(f"{key}-seen", "")):
        st.session_state[key] = st.session_state[f"{key}-seen"] = mine.strip()


def _write(report: Any, field: str, item: int, words: str, *, seen: str) -> bool:
    name = report.table.ids[item] if item >= 0 else ""
    try:
        return bool(server.store().briefs.write(report, field, words, datetime.now(UTC), item=name, seen=seen))
    except pipeline.InputError as error:
        st.toast(str(error))
        return False


def _clash(report: Any, draft: Any, field: str, item: int) -> None:
    """Two versions of one text: this tab's and the one that was kept meanwhile."""
    key, stored = _key(report, field, item), _stored(report, draft, field, item)
    mine = st.session_state[key]
    if st.session_state[f"{key}-seen"] == stored:
        return
    theirs = "<br>".join(text(said) for said in stored.splitlines() if said.strip()) or "<i>nothing</i>"
    st.html(
        f'<div class="lt-clash" role="alert"><p>{text(say("brief_clash"))}</p><blockquote>{theirs}</blockquote></div>'
    )
    with st.container(horizontal=True, gap="small", key=f"clash-{key}"):
        st.button("Keep mine", key=f"mine-{key}", on_click=_settle, args=(report, field, item, mine, stored))
        st.button("Take theirs", key=f"theirs-{key}", on_click=_settle, args=(report, field, item, stored, stored))


@failures.careful
def _settle(report: Any, field: str, item: int, chosen: str, stored: str) -> None:
    key = _key(report, field, item)
    if _write(report, field, item, chosen, seen=stored):
        st.session_state[key] = st.session_state[f"{key}-seen"] = chosen.strip()


def _key(report: Any, field: str, item: int) -> str:
    return f"brief-{field}-{report.run_id}" + (f"-{item}" if item >= 0 else "")


def _stored(report: Any, draft: Any, field: str, item: int) -> str:
    if item < 0:
        return str(getattr(draft, field))
    return str((draft.notes if field == "note" else draft.headlines).get(report.table.ids[item], ""))
