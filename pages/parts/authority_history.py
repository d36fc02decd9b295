"""Who changed which source, when and why; each change can be taken back. Exchange as YAML."""

from __future__ import annotations

from typing import Any

import streamlit as st

import pipeline
from pages.parts import authority_state as state
from pages.parts import download, failures, reader, server, words
from pages.parts.paging import paged
from pages.parts.safe import cut, text

ROWS = 10  # changes on one page
PROBLEMS = 10  # entries of a file that are named when they can't be used; the others are counted
COLUMNS = ("id", "when_utc", "who", "source", "bias", "reason", "undone_utc")


def draw() -> None:
    changes = server.store().authority.history()
    st.html('<h3 class="lt-source-head">History</h3>')
    if not changes:
        st.html('<p class="lt-hint">No authority was changed yet. Edit a bias in the table above; it is kept here '
                "with who, when and why, and can be undone.</p>")  # fmt: skip
    page = changes[paged(len(changes), ROWS, "history")] if changes else ()
    with st.container(key="authority-history", gap=None):
        for change in page:
            _change(change)
    _exchange(changes)


def _change(change: Any) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"change-{change.id}"):
        st.html(_html(change))
        if change.undone_at is None:
            st.button("Undo", key=f"undo-{change.id}", type="tertiary", on_click=_undo, args=(change.id,))


def _html(change: Any) -> str:
    what = "bias removed" if change.bias is None else f"bias {change.bias:.2f}"
    undone = ""
    if change.undone_at is not None:
        undone = f' <span class="lt-flag">undone {words.time_html(change.undone_at, reader.zone())}</span>'
    css = "lt-change undone" if change.undone_at is not None else "lt-change"
    return (
        f'<p class="{css}"><b>{text(cut(change.key, 60))}</b> {what}{undone}<br>'
        f'<span class="lt-faint">{words.time_html(change.at, reader.zone())}, {text(change.who or "unknown")}: '
        f"{text(change.reason)}</span></p>"
    )


@failures.careful
def _undo(number: int) -> None:
    st.session_state["authority-problem"] = state.undo(number)


# --------------------------------------------------------------------------- exchange


def _exchange(changes: tuple[Any, ...]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="authority-exchange"):
        st.download_button(
            "Biases (YAML)", lambda: server.store().authority.export(), "authority.yaml", "application/yaml",
            key="authority-export", on_click="ignore", type="tertiary",
        )  # fmt: skip
        download.table(
            "History (CSV)", "authority-history", COLUMNS, lambda: map(_record, changes), key="authority-history-csv"
        )
        with st.popover("Import biases (YAML)", key="authority-import", type="tertiary"):
            file = st.file_uploader(
                "File with biases", ["yaml", "yml"], key="authority-file", max_upload_size=2,
                help="What the export writes. Its entries become edits: you see what they would do before saving.",
            )  # fmt: skip
            if file is not None and st.button("Read as edits", key="authority-read", type="primary"):
                _read(file)


def _read(file: Any) -> None:
    """Entries that can't be used are named; the others wait above, unsaved."""
    try:
        n, problems = state.take_in(file.getvalue().decode("utf-8-sig"))
    except UnicodeDecodeError:
        st.html(f'<p class="lt-warning">{text(file.name)} is not UTF-8 text; save it as UTF-8.</p>')
        return
    except pipeline.InputError as error:
        st.html(f'<p class="lt-warning">{text(file.name)}: {text(error)}</p>')
        return
    left_out = f"; {words.count(len(problems), 'entry', 'entries')} left out: " if problems else ""
    shown = "; ".join(problems[:PROBLEMS]) + ("; …" if len(problems) > PROBLEMS else "")
    st.session_state["authority-problem"] = f"{words.count(n, 'edit')} from {file.name}{left_out}{shown}"
    st.rerun()


def _record(change: Any) -> tuple[Any, ...]:
    undone = change.undone_at.isoformat() if change.undone_at else ""
    bias = "" if change.bias is None else change.bias
    return change.id, change.at.isoformat(), change.who, change.key, bias, change.reason, undone
