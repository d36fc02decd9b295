"""How a question was understood, in words: of the next run beneath the box, of the run on the screen beneath its title."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any

import streamlit as st

import pipeline
from pages.parts import reader, server, words
from pages.parts.safe import text


def plan_of(question: Any) -> tuple[Any, str]:
    """(plan, "") or (None, what is wrong with the question)."""
    return _plan_of(question, id(server.settings()))


@st.cache_resource(ttl=60, max_entries=64, show_spinner=False, hash_funcs={pipeline.Question: repr})
def _plan_of(question: Any, configured: int) -> tuple[Any, str]:
    """Kept for a minute: most of what is clicked leaves the question as it is. `configured` parts settings loaded anew."""
    try:
        return pipeline.parse_query(question, server.settings(), datetime.now(UTC)), ""
    except pipeline.InputError as error:
        return None, str(error)


def how(window: Any) -> str:
    """Who decided on a window."""
    return words.HOW[window.how].format(window.evidence)


def said(plan: Any) -> tuple[str, ...]:
    """The plan in short parts: window, language, subject, what is left out, why it searches."""
    found = [f"Window: {how(plan.window)}", words.LANGUAGES.get(plan.language, plan.language or "language unknown")]
    if plan.core_subject:
        found.append(f"about “{plan.core_subject}”")
    found += [f"without “{word}”" for word in plan.excluded] + [f"only {site}" for site in plan.sites]
    return (*found, *(reason.rstrip(".") for reason in plan.reasons[:1]))


def ran(report: Any) -> None:
    """The plan of the run on the screen, which the choices beside the question don't change."""
    plan, question = report.plan, report.plan.question
    parts = [*said(plan), f"{words.DEPTHS[question.depth]} depth", f"threshold {report.settings.threshold:g}"]
    kinds = tuple(dict.fromkeys(outcome.source for outcome in report.outcomes))
    if kinds:
        parts.append(f"asked {', '.join(kinds)}")
    if question.opml:
        parts.append(f"feed list {named(question.opml)}")
    if question.as_of:
        parts.append(f"as of {words.moment(question.as_of, reader.zone())}")
    st.html(f'<p class="lt-ran"><b>This run</b> {" · ".join(text(part) for part in parts)}</p>')


def named(opml: str) -> str:
    """A feed list by its address, or by the name of its file."""
    return opml if opml.lower().startswith(("http://", "https://")) else PurePath(opml).name
