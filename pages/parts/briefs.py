"""The briefs page's body: the list and its words at the left, the sheet as it will look at the right."""

from __future__ import annotations

from base64 import b64encode
from datetime import UTC, datetime
from typing import Any

import streamlit as st

import pipeline
from pages.parts import brief_items, brief_words, frame, reader, server, theme, words
from pages.parts.hints import say
from pages.parts.safe import clean, text
from pages.parts.view import View

SHEET = 900  # pixels; style.css makes it as high as the window


def draw(view: View) -> None:
    """The brief of the run on the screen; what to do where nothing is adopted yet."""
    report = view.report
    draft = server.store().briefs.draft(report)
    if not draft.items:
        _empty(report, draft)
        return
    made = pipeline.compose(report, draft, now=datetime.now(UTC))
    if reader.presenting():
        _sheet(made)
        return
    _save(report, made)
    left, right = st.columns([1, 1.25], gap="large")
    with left:
        _write(report, draft, made)
    with right:
        _sheet(made)


def _write(report: Any, draft: Any, made: Any) -> None:
    """Everything that can be changed."""
    with st.container(key="brief-head"):
        brief_words.line(report, draft, "title", "Title", placeholder=clean(report.plan.raw_topic or report.plan.text))
        brief_words.area(report, draft, "introduction", "Introduction", placeholder="What a reader should know first")
    brief_items.draw(report, draft, made)
    _adopt_rest(report, draft)


def _sheet(made: Any) -> None:
    """The HTML file itself, at the item that was touched last.

    As a data address it has an origin of its own, so it sees nothing of the app; it has no script, and forbids
    itself to run or fetch anything.
    """
    page = b64encode(pipeline.brief_html(made, scheme=theme.mode()).encode()).decode()
    with st.container(key="brief-sheet"):
        st.iframe(
            f"data:text/html;charset=utf-8;base64,{page}{_touched(made)}", height=SHEET,
            alt=f"Preview of the brief {made.title[:80]}",
        )  # fmt: skip


def _touched(made: Any) -> str:
    """The anchor of the item that was moved or edited last."""
    last = st.session_state.get("brief-touched")
    found = [one.citations[0] for one in (*made.facts, *made.leads) if one.item_id == last]
    return f"#i{found[0]}" if found else ""


def _save(report: Any, made: Any) -> None:
    """One button a format; a file is made when its button is pressed, from what is kept then."""
    store = server.store()
    with st.container(horizontal=True, vertical_alignment="center", key="brief-save", gap="small"):
        st.html('<p class="lt-faint">Save as</p>', width="content")
        for export in pipeline.EXPORTS:
            st.download_button(
                export.label, _maker(store, report, export.name), pipeline.brief_file(made, export.name),
                export.media_type, key=f"save-{export.name}", on_click="ignore",
            )  # fmt: skip


def _maker(store: Any, report: Any, form: str) -> Any:
    def make() -> bytes:
        made = pipeline.compose(report, store.briefs.draft(report), now=datetime.now(UTC))
        return pipeline.export_brief(made, form, report)  # type: ignore[no-any-return]

    return make


# --------------------------------------------------------------------------- nothing adopted, or not all


def _empty(report: Any, draft: Any) -> None:
    """Why there is no brief yet, and the one click that makes one."""
    rows, kind = _left(report, draft)
    key = "brief_empty" if rows else "brief_nothing"
    st.html(f'<div class="lt-empty"><p>{text(say(key))}</p><p>{text(say(key + "_try"))}</p></div>')
    with st.container(horizontal=True, vertical_alignment="center"):
        if rows and not reader.presenting():
            _adopt(report, rows, f"Adopt all {words.count(len(rows), kind)}", "primary")
        st.page_link(frame.pages()[0], label="Go to Query", query_params={"run": report.run_id})


def _adopt_rest(report: Any, draft: Any) -> None:
    """The facts that are shown by the run and not in the brief."""
    rows, kind = _left(report, draft)
    if rows and kind == "fact":
        _adopt(report, rows, f"Adopt {words.count(len(rows), 'more fact')}", "tertiary")


def _left(report: Any, draft: Any) -> tuple[tuple[int, ...], str]:
    """Rows that the run shows and nobody adopted or dismissed: its facts, or where it has none, all of them."""
    table = report.table
    rows = [row for row in report.selected_rows if table.ids[row] not in draft.dismissed]
    facts = tuple(row for row in rows if brief_items.is_fact(report, row))
    kind, wanted = ("fact", facts) if facts else ("item", tuple(rows))
    return tuple(row for row in wanted if table.ids[row] not in draft.items), kind


def _adopt(report: Any, rows: tuple[int, ...], label: str, kind: Any) -> None:
    st.button(label, key="adopt-all", type=kind, on_click=brief_items.adopt, args=(report, rows))
