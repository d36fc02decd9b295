"""The authority table: every source with prior, bias, evidence and posterior; the bias is edited in its cell."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts import authority_edit, authority_picture, download, server, words
from pages.parts import authority_state as state
from pages.parts.hints import say
from pages.parts.paging import paged
from pages.parts.safe import clean, text
from pages.parts.view import View

ROWS = 20  # sources on one page
ROW = 35  # pixels
WHICH = {"all": "All sources", "run": "This run", "bias": "With a bias", "evidence": "With feedback"}
COLUMNS = ("source", "class", "prior", "prior_from", "bias", "for", "against", "posterior_mean", "low_90", "high_90",
           "mean_used_in_run", "items_in_run", "shown_in_run")  # fmt: skip


def draw(view: View | None) -> None:
    """Filters, a page of the table, what the edits would do, and the way to save them."""
    found = state.standings(view)
    authority_edit.said()
    rows = _filtered(view, found)
    if not rows:
        st.html(f'<div class="lt-empty"><p>{text(say("no_source_found"))}</p></div>')
    else:
        grid, foot = st.container(), st.container(horizontal=True, vertical_alignment="bottom", key="authority-foot")
        with foot:
            page = rows[paged(len(rows), ROWS, "authority")]
            download.table(
                f"Table, {words.count(len(rows), 'source')} (CSV)", "authority", COLUMNS,
                lambda: (_record(view, one) for one in rows), key="authority-csv",
            )  # fmt: skip
            authority_edit.today(view)
        with grid:
            _grid(view, page)
    authority_edit.draw(view, {one.key: one for one in found})


def read_only(view: View | None) -> None:
    """For presenting: the sources of the run, without controls."""
    found = [one for one in state.standings(view) if view is None or one.known.items][:ROWS]
    st.dataframe(
        _cells(view, found, {}), hide_index=True, column_config=_columns(view), row_height=ROW, height=_height(len(found)), placeholder="–",
        alt=f"{len(found)} sources and how far each is believed",
    )  # fmt: skip
    st.html(authority_picture.legend())


# --------------------------------------------------------------------------- which sources


def _filtered(view: View | None, found: Sequence[Any]) -> list[Any]:
    kinds = {name: said for name, said in WHICH.items() if name != "run" or view is not None}
    with st.container(horizontal=True, vertical_alignment="center", key="authority-filters"):
        kind = st.segmented_control(
            "Sources", list(kinds), default="all", required=True, format_func=kinds.__getitem__, key="authority-kind",
            label_visibility="collapsed",
        )  # fmt: skip
        typed = st.text_input(
            "Filter", key="authority-filter", live=True, placeholder="Filter by source or class",
            label_visibility="collapsed", type="search", width="stretch",
        )  # fmt: skip
        _adder()
    passes = {
        "run": lambda one: one.known.items,
        "bias": lambda one: one.bias is not None or one.key in state.edits(),
        "evidence": lambda one: one.successes or one.failures,
    }.get(kind or "all", lambda one: True)
    wanted = clean(typed or "").casefold()
    return [one for one in found if passes(one) and wanted in f"{one.key} {one.known.class_}".casefold()]


def _adder() -> None:
    with st.popover("Add a row", key="authority-add"):
        st.text_input(
            "Domain or handle", key="authority-new", placeholder="example.org or @name",
            help="It gets a row here, so that you can give it a bias before any run has met it.",
        )  # fmt: skip
        st.button("Add to the table", key="authority-put", type="primary", on_click=_put)


def _put() -> None:
    st.session_state["authority-problem"] = state.add(st.session_state.get("authority-new", ""))
    st.session_state["authority-kind"] = "all"
    st.session_state["page-authority"] = 1


# --------------------------------------------------------------------------- the grid


def _grid(view: View | None, page: Sequence[Any]) -> None:
    """The page's rows. Edits are kept outside the grid, so that they survive another page or filter."""
    keys = [one.key for one in page]
    name = f"authority-grid-{state.round_()}-{zlib.crc32(chr(0).join(keys).encode('utf-8', 'replace')):08x}"
    _take_edits(name, page)
    versions = server.store().authority.versions()
    state.drawn({key: versions.get(key, 0) for key in keys if key not in state.edits()})
    st.data_editor(
        _cells(view, page, state.edits()), key=name, hide_index=True, num_rows="fixed", column_config=_columns(view),
        disabled=[column for column in _columns(view) if column != "bias"], row_height=ROW, height=_height(len(page)), placeholder="–",
        alt=f"{len(page)} sources; the bias can be edited",
    )  # fmt: skip
    st.html(authority_picture.legend())


def _take_edits(name: str, page: Sequence[Any]) -> None:
    """What was typed since the grid was drawn."""
    typed = st.session_state.get(name) or {}
    for row, cells in dict(typed.get("edited_rows", {})).items():
        if "bias" in cells and int(row) < len(page):
            wanted = cells["bias"]
            state.edit(page[int(row)].key, None if wanted is None else round(min(1.0, max(0.0, float(wanted))), 3))


def _cells(view: View | None, page: Sequence[Any], edits: dict[str, Any]) -> dict[str, list[Any]]:
    """Columns of the page, edits applied: an edited bias moves its posterior at once.

    The bias stands where a narrow window shows it, too: it is what is edited.
    """
    now = [authority_edit.edited(one, edits) for one in page]
    cells: dict[str, list[Any]] = {
        "source": [clean(one.key) for one in now],
        "prior": [one.known.prior for one in now],
        "bias": [float("nan") if one.bias is None else one.bias for one in now],
        "picture": [authority_picture.uri(one.estimate, one.known.prior, one.bias) for one in now],
        "mean": [one.mean for one in now],
        "interval": [f"{one.estimate.low:.2f} – {one.estimate.high:.2f}" for one in now],
        "for": [_some(one.successes) for one in now],
        "against": [_some(one.failures) for one in now],
        "class": [one.known.class_ for one in now],
    }
    if view is not None:
        cells["used"] = [used.mean if (used := state.used(view, one)) else float("nan") for one in page]
        cells["items"] = [one.known.items or None for one in now]
    return cells


def _some(weight: float) -> float:
    """A weight, or nothing where there is none: the eye finds what there is."""
    return round(weight, 1) if weight >= 0.05 else float("nan")


def _columns(view: View | None) -> dict[str, Any]:
    """Without a run there is nothing to say about one."""
    column = st.column_config
    found: dict[str, Any] = {
        "source": column.TextColumn("Source", pinned=True, width=208),
        "class": column.TextColumn("Class", width=72, help="Of the feed, of authority.yaml, or told by the name"),
        "prior": column.NumberColumn(
            "Prior", format="%.2f", width=50,
            help="Belief before any feedback, 0 to 1; of a source of the run the one that the run used",
        ),
        "bias": column.NumberColumn(
            "Bias", format="%.2f", min_value=0, max_value=1, step=0.01, width=68,
            help="Your own belief, 0 to 1; replaces the prior. Empty: no bias.",
        ),
        "for": column.NumberColumn("For", format="%.1f", width=45, help="Items adopted or cited, faded with age"),
        "against": column.NumberColumn(
            "Against", format="%.1f", width=65, help="Items dismissed, pruned, penalised or near misses, faded with age"
        ),
        "picture": column.ImageColumn("Posterior, 0 to 1", width=142),
        "mean": column.NumberColumn("Mean", format="%.2f", width=52, help="Of the posterior: what the next run uses"),
        "interval": column.TextColumn("90% interval", width=94),
    }  # fmt: skip
    if view is not None:
        found["used"] = column.NumberColumn(
            "In run", format="%.2f", width=54, help="The authority that Scores shows for its items in the current run"
        )
        found["items"] = column.NumberColumn("Items", width=50, help="In the current run, shown or not")
    return found


def _height(n: int) -> int:
    return ROW * (n + 1) + 3


def _record(view: View | None, one: Any) -> tuple[Any, ...]:
    found, used = one.estimate, state.used(view, one)
    return (
        one.key, one.known.class_, round(one.known.prior, 3), one.known.prior_from, "" if one.bias is None else one.bias,
        round(one.successes, 3), round(one.failures, 3), round(one.mean, 4), round(found.low, 4), round(found.high, 4),
        "" if used is None else round(used.mean, 4), one.known.items, one.known.shown,
    )  # fmt: skip
