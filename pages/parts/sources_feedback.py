"""What was said about items: adopted, dismissed, restored, with what each did to its source, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import streamlit as st

import pipeline
from pages.parts import authority_state, current, download, failures, reader, server, words
from pages.parts.hints import say
from pages.parts.paging import paged
from pages.parts.safe import anchor, cut, text

ROWS = 15  # words on one page
SAID = {"adopt": "Adopted", "dismiss": "Dismissed", "restore": "Restored"}
COLUMNS = ("id", "when_utc", "what", "title", "source", "url", "run", "note", "effect", "undone_utc")


@st.fragment
@failures.told()
def draw() -> None:
    kept = server.store().feedback
    n = kept.count()
    if problem := st.session_state.pop("feedback-problem", ""):
        st.html(f'<p class="lt-warning">{text(problem)}</p>')
    if not n:
        st.html(f'<div class="lt-empty"><p>{text(say("no_feedback"))}</p><p>{text(say("no_feedback_try"))}</p></div>')
        return
    st.html(f'<p class="lt-source-said">{text(words.count(n, "entry", "entries"))} of feedback, newest '
            "first. The latest one on an item holds and can be undone.</p>")  # fmt: skip
    page = paged(n, ROWS, "feedback")
    given = kept.log(limit=ROWS, offset=page.start)
    standings = authority_state.standings_of(
        (one.key for word in given for one in (*word.effect.gave, *word.effect.took)), current.report()
    )
    with st.container(key="feedback", gap=None):
        for one in given:
            _word(one, standings)
    download.table("Feedback (CSV)", "feedback", COLUMNS, lambda: map(_record, kept.log(limit=n)), key="feedback-csv")


def _word(one: Any, standings: Mapping[str, Any]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"word-{one.id}"):
        st.html(_html(one, standings))
        if one.latest:
            st.button("Undo", key=f"word-undo-{one.id}", type="tertiary", on_click=_undo, args=(one.id,))


def _html(one: Any, standings: Mapping[str, Any]) -> str:
    zone = reader.zone()
    undone = one.undone_at is not None
    flag = f' <span class="lt-flag">undone {words.time_html(one.undone_at, zone)}</span>' if undone else ""
    if not undone and not one.latest:
        flag = ' <span class="lt-faint">replaced by a later one</span>'
    note = f" “{text(one.note)}”." if one.note else ""
    title = anchor(one.url, text(cut(one.title or one.candidate, 120)))
    return (
        f'<p class="lt-change{" undone" if undone else ""}" dir="auto"><b>{SAID[one.kind]}</b> {title}{flag}<br>'
        f'<span class="lt-faint">{words.time_html(one.at, zone)}, {text(one.source)}.{note} '
        f"{text(effect(one, standings))}</span></p>"
    )


def effect(word: Any, standings: Mapping[str, Any]) -> str:
    """What a word did to its source: the evidence, and the posterior mean with and without it."""
    if word.undone_at is not None:
        return "It no longer counts."
    if not (word.effect.gave or word.effect.took):
        label = " It became a label “on topic”." if word.effect.label else ""
        return f"No posterior was moved: {_unmoved(word)}.{label}"
    said = [f"+1 {_side(one)} {one.key}" for one in word.effect.gave]
    said += [f"its {one.kind} no longer counts {_side(one)} {one.key}" for one in word.effect.took]
    sentence = f"{words.listed(said)}."
    for one in word.effect.gave:
        if (standing := standings.get(one.key)) is not None and word.latest:
            left = server.store().authority.faded(one, datetime.now(UTC))
            other = pipeline.without_evidence(standing, *((left, 0.0) if one.success else (0.0, left)))
            sentence += f" Its mean is {standing.mean:.3f}, without this {other:.3f}."
    return sentence + (" It became a label “on topic”." if word.effect.label else "")


def _unmoved(word: Any) -> str:
    """Which of the reasons it was that a word taught nothing."""
    try:
        if server.store().runs.show(word.run).demo:
            return "its run is the demo"
    except pipeline.InputError:
        return "its run, which is deleted, was the demo, a replay or asked as of a past date"
    if word.kind == "restore":
        return "there was no earlier word on it to take back"
    return "its run is a replay or was asked as of a past date"


def _side(one: Any) -> str:
    return "for" if one.success else "against"


@failures.careful
def _undo(number: int) -> None:
    try:
        server.store().feedback.undo(number, datetime.now(UTC))
    except pipeline.LatelyError as error:
        st.session_state["feedback-problem"] = str(error)


def _record(one: Any) -> tuple[Any, ...]:
    undone = one.undone_at.isoformat() if one.undone_at else ""
    said = effect(one, {})
    return one.id, one.at.isoformat(), one.kind, one.title, one.source, one.url, one.run, one.note, said, undone
