"""The X judge page: the current run, or a file that the analyst has."""

from __future__ import annotations

from typing import Any

import streamlit as st

import pipeline
from pages.parts import (
    frame,
    progress,
    reader,
    sources,
    xjudge_file,
    xjudge_handles,
    xjudge_posts,
    xjudge_review,
    xjudge_verdict,
)
from pages.parts.hints import say
from pages.parts.safe import text
from pages.parts.view import View

RUN, FILE = "This run", "A file of posts"
NAMES = {"x": "X", "bluesky": "Bluesky", "hackernews": "Hacker News"}


def draw(view: View | None) -> None:
    """Header, then one of the two tabs; presenting shows the run alone."""
    if view is not None:
        frame.header(view.report, len(view.selected))
    if reader.presenting() and view is not None:
        _run(view)
        return
    progress.draw()
    run, file = st.tabs((RUN, FILE), key="x-tabs", on_change="rerun")
    if file.open:
        with file:
            xjudge_file.draw()
    else:
        with run:
            _run(view)


def _run(view: View | None) -> None:
    if view is None:
        frame.no_run(say("no_run_x"))
        return
    source = _source(xjudge_review.judged_sources(view.report))
    why, outcome = pipeline.silence(view.report) if source == "x" else ("", None)
    if why:
        _silent(why, outcome)
    review = xjudge_review.of_run(view.report, source)
    if review is None or not review.posts:
        return
    if not why:
        xjudge_verdict.draw(review)
    if not reader.presenting():
        xjudge_handles.queries(review)
        xjudge_handles.accounts(review)
    xjudge_posts.draw(review, xjudge_posts.RunRestores(view))


def _source(found: tuple[str, ...]) -> str:
    """Which judged source is looked at; a choice only where there are several. X is always among them."""
    names = tuple(dict.fromkeys(("x", *found)))
    if len(names) == 1:
        return names[0]
    if reader.presenting():
        return str(st.session_state.get("judged-source", found[0]))
    chosen = st.segmented_control(
        "Source", names, default=found[0], required=True, format_func=lambda name: NAMES.get(name, name.capitalize()),
        key="judged-source", label_visibility="collapsed", persist_state="session",
    )  # fmt: skip
    return str(chosen)


def _silent(why: str, outcome: Any) -> None:
    """Why there is no post to judge, and what to do, with one button that does it."""
    key = f"x_{why.replace(' ', '_')}"
    detail = _detail(outcome) if why in ("failed", "empty") else ""
    lines = "".join(f"<p>{text(line)}</p>" for line in (say(key), detail, say(f"{key}_try")) if line)
    st.html(f'<div class="lt-empty">{lines}</div>')
    if reader.presenting():
        return
    if why in ("failed", "empty"):
        frame.to_query()
    elif why != "invented":
        st.button("Judge a file of posts", key="x-to-file", on_click=_to_file)


def _to_file() -> None:
    st.session_state["x-tabs"] = FILE


def _detail(outcome: Any) -> str:
    """How the service answered, with its own words and the seconds to wait."""
    said = f"{outcome.endpoint}: {sources.SAID[outcome.status]}"
    if outcome.retry_after_s:
        said += f", again in {outcome.retry_after_s:.0f} s"
    return f"{said}: {outcome.detail}." if outcome.detail else f"{said}."
