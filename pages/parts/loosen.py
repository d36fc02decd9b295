"""One click that loosens the step which took most: a lower threshold, more events, a wider window; and the way back."""

from __future__ import annotations

import streamlit as st

from pages.parts import background, current, server
from pages.parts.safe import cut, md
from pages.parts.view import View
from pipeline import Bucket

MORE = 20  # events that one click adds to those shown


def draw(view: View) -> None:
    """The buttons that fit this run, in one line."""
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
