"""What is not shown: every bucket with its count and its items, best first, and the way back of what was dismissed."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from pages.parts import card, download, failures, feedback, loosen, reader, results_file, words
from pages.parts.paging import paged
from pages.parts.safe import anchor, text
from pages.parts.view import View
from pipeline import Bucket

LISTED = 25  # rows of a bucket on one page


def draw(view: View) -> None:
    """Every bucket with its count, the nearest misses, and the clicks that loosen the step that took them."""
    if not view.buckets:
        return
    total = sum(len(rows) for rows in view.buckets.values())
    said = " · ".join(words.bucketed(bucket, len(rows)) for bucket, rows in view.buckets.items())
    st.html(f'<p class="lt-sub" id="not-shown">{total:,} not shown: {text(said)}</p>')
    loosen.draw(view)
    _by_bucket(view)


@st.fragment
@failures.told()
def _by_bucket(view: View) -> None:
    """The items of one bucket, a page at a time, and all of them as a file."""
    tabs = list(view.buckets)
    chosen = st.pills(
        "Show", tabs, format_func=lambda bucket: words.bucketed(bucket, len(view.buckets[bucket])), key="bucket",
        label_visibility="collapsed",
    )  # fmt: skip
    download.table(
        "Not shown (CSV)", f"lately-{view.report.run_id}-not-shown", results_file.COLUMNS,
        lambda: (results_file.record(view, row) for rows in view.buckets.values() for row in rows), key="csv-not-shown",
    )  # fmt: skip
    if chosen is not None and chosen in view.buckets:
        rows = view.buckets[chosen]
        _rejects(view, rows[paged(len(rows), LISTED, f"bucket-{int(chosen)}")], chosen)


def _rejects(view: View, rows: Iterable[int], bucket: Bucket) -> None:
    dismissed = [row for row in rows if bucket == Bucket.DISMISSED]
    if not dismissed:
        st.html(f'<ul class="lt-list">{"".join(_reject(view, row) for row in rows)}</ul>')
    for row in dismissed:
        with st.container(horizontal=True, vertical_alignment="center", key=f"gone-{row}"):
            st.html(f'<ul class="lt-list">{_reject(view, row)}</ul>')
            if st.button("Restore", key=f"back-{row}", type="tertiary"):
                feedback.mark(view.report, row, "restore")
                st.rerun()
            if not feedback.given_here(view, row):
                st.caption("dismissed in another run")


def _reject(view: View, row: int) -> str:
    item = view.item(row)
    points = f'<span class="n">{view.total(row):.1f}</span> ' if view.total(row) else ""
    title = anchor(item.url, text(card.headline(item)))
    when = words.time_html(item.published_at, reader.zone())
    why = text(item.reason or item.judged.verdict.reason)
    where = f"{text(item.judged.candidate.domain)}, {when}"
    return f'<li dir="auto">{points}{title} <span class="lt-faint">{where}. {why}</span></li>'
