"""The items of a brief as a list: facts, then leads, each moved within its own part, reworded, noted, removed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import streamlit as st

import pipeline
from pages.parts import brief_words, evidence, failures, feedback, server, words
from pages.parts.paging import paged
from pages.parts.safe import clean, cut, text

LISTED = 20  # items of a part on one page
_FACT = 2  # of Table.tier
_PARTS = (("Facts", "fact"), ("Leads", "lead"))


def is_fact(report: Any, row: int) -> bool:
    return bool(report.table.tier[row] == _FACT)


def draw(report: Any, draft: Any, made: Any) -> None:
    """Both parts, each with its count; what was removed last can be put back."""
    row_of = {name: row for row, name in enumerate(report.table.ids)}
    for (title, kind), statements in zip(_PARTS, (made.facts, made.leads), strict=True):
        meaning = evidence.meaning(kind, report.settings).capitalize()
        st.html(
            f'<h2 class="lt-part">{title} <span class="lt-faint">{len(statements)}</span></h2>'
            f'<p class="lt-quiet">{text(meaning)}.</p>'
        )
        rows = [row_of[statement.item_id] for statement in statements]
        page = paged(len(rows), LISTED, f"brief-{kind}")
        for at in range(*page.indices(len(rows))):
            _item(report, draft, made, statements[at], rows, at)
        if not statements:
            st.html(f'<p class="lt-faint">No {kind} is in the brief.</p>')
    _put_back(report)


def _item(report: Any, draft: Any, made: Any, statement: Any, rows: list[int], at: int) -> None:
    row = rows[at]
    opened = st.session_state.get(_open_key(report, row), False)
    with st.container(key=f"brief-item-{row}", gap="xsmall"):
        st.html(_html(made, statement, with_note=not opened))
        with st.container(horizontal=True, key=f"brief-acts-{row}", gap="xsmall"):
            _mover("Up", report, rows, at, -1)
            _mover("Down", report, rows, at, 1)
            st.button("Done" if opened else "Edit", key=f"edit-{row}", type="tertiary", on_click=_toggle,
                      args=(report, row), help="A note and a headline of your own")  # fmt: skip
            st.button("Remove", key=f"remove-{row}", type="tertiary", on_click=_remove, args=(report, row),
                      help="Takes the adoption back; note and headline are kept")  # fmt: skip
        if opened:
            own = clean(report.table.titles[row])
            brief_words.area(report, draft, "note", "Note", item=row, placeholder="What it means for your readers")
            brief_words.line(report, draft, "headline", "Headline in your words", item=row, placeholder=own)


def _html(made: Any, statement: Any, *, with_note: bool) -> str:
    """Headline, when and who, and the note, as safe HTML."""
    first = made.citations[statement.citations[0] - 1]
    meta = [
        f"<b>{text(first.outlet)}</b>",
        words.time_html(statement.at, made.zone),
        text(words.count(statement.independent, "independent source")),
        f"{statement.total:.1f} of 100",
    ]
    meta += [f'<span class="lt-flag">{text(statement.standing)}</span>'] if statement.standing else []
    meta += ["headline by you"] if statement.reworded else []
    parts = statement.note.split("\n\n") if with_note and statement.note else ()
    note = "".join(f"<p>{text(part)}</p>" for part in parts)
    return (
        f'<div class="lt-brief-item"><h3 dir="auto">{text(statement.headline)}</h3>'
        f'<p class="lt-meta">{" · ".join(meta)}</p>' + (f'<div class="lt-note">{note}</div>' if note else "") + "</div>"
    )


def _mover(label: str, report: Any, rows: list[int], at: int, step: int) -> None:
    """Past its neighbour as it stands on the screen, in the order as it is kept by then."""
    other = at + step
    allowed = 0 <= other < len(rows)
    st.button(
        label, key=f"{label.lower()}-{rows[at]}", type="tertiary", disabled=not allowed, on_click=_move,
        args=(report, rows[at], rows[other] if allowed else rows[at], step),
    )  # fmt: skip


# --------------------------------------------------------------------------- what a click does


@failures.careful
def adopt(report: Any, rows: Iterable[int]) -> None:
    """Adopt several items as one change."""
    with server.store().write():
        for row in rows:
            feedback.mark(report, row, "adopt")


@failures.careful
def _move(report: Any, row: int, past: int, step: int) -> None:
    ids = report.table.ids
    st.session_state["brief-touched"] = ids[row]
    spot = {"before" if step < 0 else "after": ids[past]}
    try:
        server.store().briefs.place(report, ids[row], datetime.now(UTC), **spot)
    except pipeline.InputError:
        st.toast("The list was changed elsewhere meanwhile; here it is as it stands now.")


@failures.careful
def _remove(report: Any, row: int) -> None:
    feedback.mark(report, row, "restore")
    st.session_state["brief-removed"] = (report.run_id, row)


def _put_back(report: Any) -> None:
    run, row = st.session_state.get("brief-removed", ("", -1))
    if run != report.run_id or server.store().feedback.states().get(report.table.ids[row]) == "adopt":
        return
    with st.container(horizontal=True, vertical_alignment="center", key="brief-removed-line"):
        st.html(f'<p class="lt-faint">Removed: {text(cut(report.table.titles[row], 80))}</p>')
        st.button("Put back", key="put-back", type="tertiary", on_click=adopt, args=(report, (row,)))


def _open_key(report: Any, row: int) -> str:
    return f"brief-open-{report.run_id}-{row}"


def _toggle(report: Any, row: int) -> None:
    key = _open_key(report, row)
    st.session_state["brief-touched"] = report.table.ids[row]
    st.session_state[key] = not st.session_state.get(key, False)
