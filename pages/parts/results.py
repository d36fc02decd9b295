"""A run as the analyst reads it: sources, funnel, the story, and all that is not shown; else why there is nothing."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.parts import (
    background,
    compare,
    current,
    frame,
    funnel,
    not_shown,
    planned,
    reader,
    results_story,
    sources,
)
from pages.parts.hints import say, symptoms
from pages.parts.safe import text
from pages.parts.view import View


def draw(view: View) -> None:
    """The whole of a run."""
    report = view.report
    frame.header(report, len(view.selected), aside=compare.choose)
    if reader.presenting():
        results_story.story(view, view.story())
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
        results_story.filtered(view)
        _hints(view)
    else:
        _empty(view)
    not_shown.draw(view)


def _hints(view: View) -> None:
    for hint in symptoms(view):
        st.html(f'<p class="lt-hint">{text(hint)}</p>')


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
