"""A run as the analyst reads it: sources, funnel, the story as cards, and all that is not shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import streamlit as st

from pages.parts import (
    background,
    card,
    compare,
    current,
    download,
    evidence,
    failures,
    feedback,
    frame,
    funnel,
    planned,
    reader,
    server,
    sources,
    words,
)
from pages.parts.hints import say, symptoms
from pages.parts.safe import anchor, cut, md, text
from pages.parts.view import View
from pipeline import DIMENSION_NAMES, Bucket

LISTED = 25  # rows of a bucket on one page
CARDS = 30  # cards on one page
MORE = 20  # events that one click adds to those shown
ROWS = (
    "ended", "points", "tier", "published_at", "title", "site", "author", "source", "url", "event", "independent",
    "copies", *DIMENSION_NAMES, "penalties", "reason",
)  # fmt: skip


def draw(view: View) -> None:
    """The whole of a run."""
    report = view.report
    frame.header(report, len(view.selected), aside=compare.choose)
    if reader.presenting():
        story(view, view.story())
        return
    planned.ran(report)
    if (other := current.compared()) is not None:
        compare.draw(view, other)
        return
    frame.warnings(report)
    sources.line(report.outcomes)
    if report.outcomes or len(report.table):
        funnel.draw(view)
        with st.expander("Funnel by source", type="compact"):
            funnel.by_source(view)
    if view.selected:
        _filtered(view)
        _hints(view)
    else:
        _empty(view)
    not_shown(view)


# --------------------------------------------------------------------------- the story


@st.fragment
@failures.told()
def _filtered(view: View) -> None:
    """A fragment: order and filters draw the story anew and nothing else of the page."""
    rows = _filters(view)
    evidence.legend(view, view.item(view.selected[0]))
    story(view, rows)
    _saved(view, rows)


def _filters(view: View) -> tuple[int, ...]:
    """Order and filters in one line; returns the rows that pass."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="filters"):
        order = st.segmented_control(
            "Order", ("time", "score"), default="time", required=True, format_func=lambda name: f"by {name}",
            key="order", label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
        tiers = st.pills(
            "Tier", ("fact", "lead"), selection_mode="multi", format_func={"fact": "Facts", "lead": "Leads"}.get,
            key="tiers", label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
        names = view.shown_sources()
        sources_ = () if len(names) < 2 else st.pills(
            "Source", names, selection_mode="multi", key="shown-sources", label_visibility="collapsed"
        )  # fmt: skip
        typed = st.text_input(
            "Filter", key="filter", live=True, placeholder="Filter by word, site or account",
            label_visibility="collapsed", type="search", persist_state="session", width=260,
        )  # fmt: skip
    return view.story(order=order or "time", tiers=tiers or (), sources=sources_ or (), words=typed or "")


def story(view: View, rows: tuple[int, ...]) -> None:
    """The given rows as cards, a page at a time."""
    if not rows:
        st.html(f'<div class="lt-empty"><p>{text(say("filtered"))}</p></div>')
    page = paged(len(rows), CARDS, "cards")
    with st.container(key="story", gap=None):
        for row in rows[page]:
            card.draw(view, row)


def paged(n: int, size: int, key: str) -> slice:
    """The slice of a long list that is drawn; a page chooser appears only where it is needed."""
    if n <= size:
        return slice(0, n)
    last = (n + size - 1) // size
    at = st.number_input(f"Page, 1 to {last}", 1, last, key=f"page-{key}", width=140)
    return slice((int(at) - 1) * size, int(at) * size)


def _saved(view: View, shown: tuple[int, ...]) -> None:
    """The shown items as a file: the rows that pass the filters, in their order."""
    download.table(
        "Shown items (CSV)", f"lately-{view.report.run_id}", ROWS, lambda: (_cells(view, row) for row in shown),
        key="csv-shown",
    )  # fmt: skip


def _cells(view: View, row: int) -> tuple[object, ...]:
    """One item of a download, in the columns of ROWS."""
    item, event = view.item(row), view.event_of(row)
    candidate = item.judged.candidate
    values = {part.name: round(part.value, 3) for part in item.parts}
    return (
        item.bucket.label, item.total, "" if item.tier == "none" else item.tier,
        candidate.published_at.isoformat() if candidate.published_at else "",
        item.title or candidate.text[:120], candidate.domain, candidate.author, candidate.source, item.url,
        event.title if event is not None else "", event.independent if event is not None else "", len(item.copies),
        *(values.get(name, "") for name in DIMENSION_NAMES),
        ", ".join(penalty.name for penalty in item.penalties), item.reason or item.judged.verdict.reason,
    )  # fmt: skip


def _hints(view: View) -> None:
    for hint in symptoms(view):
        st.html(f'<p class="lt-hint">{text(hint)}</p>')


# --------------------------------------------------------------------------- nothing to show


def _empty(view: View) -> None:
    """Why nothing is shown, what to do, and one click that does it."""
    report = view.report
    if report.plan.route == "evergreen" and not report.outcomes:
        _evergreen(report)
        return
    answered = any(outcome.status in ("ok", "empty") for outcome in report.outcomes)
    key = "nothing" if answered else "no_source"
    st.html(f'<div class="lt-empty"><p>{text(say(key))}</p><p>{text(say(key + "_try"))}</p></div>')
    _hints(view)


def _evergreen(report: Any) -> None:
    why = ". ".join(report.plan.reasons)
    st.html(f'<div class="lt-empty"><p>{text(say("evergreen"))}</p><p>{text(why)}</p></div>')
    if st.button("Search recent events anyway", key="anyway", type="primary"):
        background.again(report, route="recent")
        st.rerun()


# --------------------------------------------------------------------------- what is not shown


def not_shown(view: View) -> None:
    """Every bucket with its count, the nearest misses, and the clicks that loosen the step that took them."""
    if not view.buckets:
        return
    total = sum(len(rows) for rows in view.buckets.values())
    said = " · ".join(words.bucketed(bucket, len(rows)) for bucket, rows in view.buckets.items())
    st.html(f'<p class="lt-sub" id="not-shown">{total:,} not shown: {text(said)}</p>')
    _loosen(view)
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
        "Not shown (CSV)", f"lately-{view.report.run_id}-not-shown", ROWS,
        lambda: (_cells(view, row) for rows in view.buckets.values() for row in rows), key="csv-not-shown",
    )  # fmt: skip
    if chosen is not None and chosen in view.buckets:
        rows = view.buckets[chosen]
        _rejects(view, rows[paged(len(rows), LISTED, f"bucket-{int(chosen)}")], chosen)


def _loosen(view: View) -> None:
    report = view.report
    near = view.nearest(Bucket.BELOW_THRESHOLD, 1)
    with st.container(horizontal=True, key="loosen", gap="small"):
        if near:
            lower = float(int(view.total(near[0])))
            st.button(
                f"Lower threshold to {lower:g}", key="lower", on_click=current.move, args=(report.run_id,),
                kwargs={"threshold": lower},
                help=md(f"Nearest: {view.total(near[0]):.1f}, {cut(report.table.titles[near[0]], 80)}"),
            )  # fmt: skip
        if view.threshold != report.settings.threshold:
            st.button(
                f"Back to threshold {report.settings.threshold:g}", key="unmove", on_click=current.move, args=(report.run_id,),
                kwargs={"threshold": None},
            )  # fmt: skip
        _more(view)
        if hidden := view.buckets.get(Bucket.SEEN_BEFORE):
            _show_seen(view, len(hidden))
        if view.buckets.get(Bucket.OUT_OF_WINDOW) or not view.selected:
            _widen(view)


def _more(view: View) -> None:
    """Raise how many events are shown at most, and the way back."""
    report, limit = view.report, view.settings.max_results
    if over := len(view.buckets.get(Bucket.OVER_LIMIT, ())):
        st.button(
            f"Show {min(over, MORE):,} more", key="more", on_click=current.move, args=(report.run_id,),
            kwargs={"max_results": limit + min(over, MORE)},
            help=f"{over:,} reach the threshold and are over the limit: {limit:,} events are shown at most "
            "(“Shown events, at most” beside the question, or max_results in pipeline.yaml). Nothing is fetched.",
        )  # fmt: skip
    if limit != report.settings.max_results:
        st.button(
            f"Back to {report.settings.max_results:,} events", key="fewer", on_click=current.move, args=(report.run_id,),
            kwargs={"max_results": None},
        )  # fmt: skip


def _show_seen(view: View, n: int) -> None:
    """What was hidden never was scored, so it takes a new run; its sources answer from the cache for a while."""
    if st.button(f"Show the {n:,} seen before", key="show-seen", help="A new run"):
        background.again(view.report, hide_seen=False)
        st.rerun()


def _widen(view: View) -> None:
    """A wider window fetches, so it is a new run beside this one."""
    report = view.report
    days = min(round(report.plan.window.days * 1.5), server.settings().pipeline.time_window.max_days)
    if days > report.plan.window.days and st.button(f"Widen to {days} days", key="widen", help="A new run"):
        background.again(report, days=days, since=None, until=None)
        st.rerun()


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
