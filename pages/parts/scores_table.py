"""The ranking: one row an item, a page at a time, its points as six coloured segments; the row clicked is chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import streamlit as st

import pipeline
from pages.parts import download, evidence, reader, theme, words
from pages.parts.hints import say
from pages.parts.paging import paged
from pages.parts.safe import clean, md, text
from pages.parts.view import TIER_NAMES, View
from pipeline import DIMENSION_NAMES, Bucket

KEY = "scores-table"
SIZES = (100, 50, 500)  # rows on one page, the first unless chosen otherwise
ROW, TALL, SHORT = 35, 18, 8  # pixels of a row; rows visible before the table scrolls
TITLE = 400, 90  # bytes of a headline in its cell: on a page of usual length, on the longest
KINDS = {"all": "All", "shown": "Shown", "below": "Below threshold", "moved": "Moved"}
_SVG = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='100' height='26' style='background:linear-gradient(90deg"
_STRIP = "0 9px/100px 9px no-repeat'/>"
_FILL = tuple(theme.DIMENSIONS[name].replace("#", "%23") for name in DIMENSION_NAMES)
COLUMNS = ("rank", "moved", "total", *DIMENSION_NAMES, "penalty_factor", "tier", "bucket", "title", "source", "site",
           "author", "url", "id")  # fmt: skip


def draw(view: View, ranking: Any, chosen: int, *, tall: bool) -> None:
    """Filters, a page of rows, and below it the pages, their size and the whole as a file."""
    places = _of_kind(ranking, "shown") if reader.presenting() else _filtered(view, ranking)
    if not len(places):
        st.html(f'<div class="lt-empty"><p>{text(say("filtered"))}</p></div>')
        return
    grid, foot = st.container(), st.container(horizontal=True, vertical_alignment="bottom", key="scores-foot")
    with foot:
        page = _page(view, ranking, places, chosen)
    st.html(f'<p class="lt-quiet">{text(_counted(view, ranking, len(places)))}</p>')
    with grid:
        _grid(view, ranking, places[page], chosen, TALL if tall else SHORT)


def _counted(view: View, ranking: Any, listed: int) -> str:
    """What the rows are, of how many."""
    scored, fetched = len(ranking.order), len(view.report.table)
    left = (
        f"; the other {fetched - scored:,} of {fetched:,} fetched were stopped before scoring"
        if fetched > scored
        else ""
    )
    return f"{listed:,} of {words.count(scored, 'scored item')}, copies and folded reports among them{left}."


def _page(view: View, ranking: Any, places: Any, chosen: int) -> slice:
    if reader.presenting():
        return slice(0, SIZES[0])
    size = SIZES[0]
    if len(places) > min(SIZES):
        size = st.selectbox("Rows on a page", SIZES, key="scores-size", persist_state="session", width=140)
    _turn_to(places, ranking, chosen, size)
    page = paged(len(places), size, "scores")
    download.table(
        f"Table, {words.count(len(places), 'row')} (CSV)", "scores", COLUMNS, lambda: _records(view, ranking, places),
        key="scores-csv",
    )  # fmt: skip
    return page


# --------------------------------------------------------------------------- which rows


def _filtered(view: View, ranking: Any) -> Any:
    """Places in the ranking that pass the filters."""
    with st.container(horizontal=True, vertical_alignment="center", key="scores-filters"):
        kind = st.segmented_control(
            "Items", list(KINDS), default="all", required=True, format_func=KINDS.__getitem__, key="scores-kind",
            label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
        typed = st.text_input(
            "Filter", key="scores-filter", live=True, placeholder="Filter by word, site or account",
            label_visibility="collapsed", type="search", persist_state="session", width="stretch",
        )  # fmt: skip
    places = _of_kind(ranking, kind or "all")
    if wanted := clean(typed or "").casefold():
        said, rows = haystack(view.report.run_id, view.report), ranking.order[places].tolist()
        places = places[[wanted in said[row] for row in rows]]
    return places


def _of_kind(ranking: Any, kind: str) -> Any:
    """Places (0 is the best) of the rows of a kind, ascending."""
    rows = ranking.order
    passes = {
        "shown": lambda: ranking.bucket[rows] == Bucket.SELECTED,
        "below": lambda: ranking.bucket[rows] == Bucket.BELOW_THRESHOLD,
        "moved": lambda: ranking.rank_change[rows] != 0,
    }.get(kind, lambda: rows >= 0)
    return passes().nonzero()[0]


@st.cache_resource(max_entries=6, show_spinner=False)
def haystack(run: str, _report: Any) -> list[str]:
    """What the filter looks in, a row at a time; made when somebody first types."""
    table = _report.table
    fields = zip(table.titles, table.domains, table.authors, table.sources, strict=True)
    return [" ".join(said).casefold() for said in fields]


def _turn_to(places: Any, ranking: Any, chosen: int, size: int) -> None:
    """Open the page that holds the item, once for each item that becomes the chosen one; keep within the pages."""
    last = (len(places) + size - 1) // size
    if st.session_state.get("scores-turned") != chosen:
        st.session_state["scores-turned"] = chosen
        at = (ranking.order[places] == chosen).nonzero()[0]
        if len(at):
            st.session_state["page-scores"] = int(at[0]) // size + 1
    if st.session_state.get("page-scores", 1) > last:
        st.session_state["page-scores"] = last


# --------------------------------------------------------------------------- the grid


def _grid(view: View, ranking: Any, places: Any, chosen: int, visible: int) -> None:
    rows = ranking.order[places]
    ids = view.report.table.ids
    st.session_state["scores-ids"] = [ids[row] for row in rows.tolist()]
    _mark(rows, chosen)
    st.dataframe(
        cells(view, ranking, places), key=KEY, on_select=_choose, selection_mode=("single-row", "single-cell"),
        hide_index=True, height=ROW * (min(len(rows), visible) + 1) + 3, column_config=_columns(ranking), row_height=ROW,
        alt=f"{len(rows)} items, best first",
    )  # fmt: skip


def _mark(rows: Any, chosen: int) -> None:
    """Select the chosen item's row, wherever the new order put it."""
    wanted = (rows == chosen).nonzero()[0].tolist()
    state = st.session_state.get(KEY)
    if (list(state["selection"]["rows"]) if state else []) != wanted:
        st.session_state[KEY] = {"selection": {"rows": wanted, "columns": [], "cells": []}}


def _choose() -> None:
    """The row clicked becomes the item of the address."""
    picked = st.session_state[KEY]["selection"]
    ids = st.session_state.get("scores-ids", [])
    at = [cell[0] for cell in picked["cells"]] or list(picked["rows"])
    if at and at[0] < len(ids):
        st.query_params["item"] = ids[at[0]]


def cells(view: View, ranking: Any, places: Any) -> dict[str, list[Any]]:
    """The columns of one page."""
    table, rows = view.report.table, ranking.order[places]
    picked = rows.tolist()
    return {
        "rank": (places + 1).tolist(),
        "moved": [arrow(change) for change in ranking.rank_change[rows].tolist()],
        "parts": bars(view, ranking, rows),
        "total": [round(total, 2) for total in ranking.total[rows].tolist()],
        "title": [_title(table.titles[row], TITLE[len(picked) > max(SIZES[:2])]) for row in picked],
        "tier": [theme.TIERS.get(TIER_NAMES[tier], "") for tier in ranking.tier[rows].tolist()],
        "bucket": [Bucket(bucket).label for bucket in ranking.bucket[rows].tolist()],
        "source": [view.voice(row) for row in picked],
    }


def _title(raw: str, size: int) -> str:
    """Cut by bytes: a page of long Chinese headlines is not to weigh three times one of English ones."""
    plain = clean(raw) or "(no title)"
    data = plain.encode()
    return plain if len(data) <= size else data[:size].decode(errors="ignore") + "…"


def arrow(change: int) -> str:
    """Places risen or fallen since the run."""
    return f"▲ {change}" if change > 0 else f"▼ {-change}" if change < 0 else ""


def bars(view: View, ranking: Any, rows: Any) -> list[str]:
    """Six segments as a tiny picture a row: hard stops of one gradient, the shortest way to say them, for 500 are sent."""
    factor = view.report.table.factors[rows].prod(axis=1)[:, None]
    points = 100 * ranking.values[rows] * pipeline.effective_weights(ranking.settings) * factor
    return [_bar(row) for row in points.cumsum(axis=1).round().astype(int).tolist()]


def _bar(ends: Sequence[int]) -> str:
    start, stops = 0, ""
    for fill, end in zip(_FILL, ends, strict=True):
        if end > start:
            stops += f",{fill} {'0 ' if start else ''}{end}px"  # 0: from where the one before it ends
            start = end
    return f"{_SVG}{stops},%238883 0){_STRIP}"


def _columns(ranking: Any) -> dict[str, Any]:
    """What moved is hidden where nothing did, so that titles have its room."""
    column = st.column_config
    moved = column.TextColumn("Moved", width=54, help="Places risen or fallen since the run.")
    return {
        "rank": column.NumberColumn("#", width=40, help="Place in the ranking under these settings."),
        "moved": moved if ranking.rank_change.any() else None,
        "parts": column.ImageColumn("Points", width=116, help="Points by dimension, after penalties."),
        "total": column.NumberColumn("Total", width=52, format="%.1f", help="Of 100."),
        "title": column.TextColumn("Title", width=340),
        "tier": column.TextColumn("Tier", width=56, help=md(evidence.tiers(ranking.settings))),
        "bucket": column.TextColumn("Where it ended", width=140),
        "source": column.TextColumn("Source", width=150),
    }


def _records(view: View, ranking: Any, places: Any) -> Iterator[tuple[object, ...]]:
    """Every row that passes the filters, for the file."""
    table = view.report.table
    factors = table.factors.prod(axis=1)
    for place in places.tolist():
        row = int(ranking.order[place])
        yield (
            place + 1, int(ranking.rank_change[row]), round(float(ranking.total[row]), 2),
            *(round(value, 4) for value in ranking.values[row].tolist()), round(float(factors[row]), 4),
            TIER_NAMES[int(ranking.tier[row])], Bucket(int(ranking.bucket[row])).label, table.titles[row],
            table.sources[row], table.domains[row], table.authors[row], table.urls[row], table.ids[row],
        )  # fmt: skip
