"""The question box: what is asked, how it is understood, and the chips by which the analyst corrects that."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.parts import ask_chips, current, failures, planned
from pages.parts.ask_question import question
from pages.parts.hints import say
from pages.parts.safe import text


def box() -> Any:
    """Draw the box and the plan beneath it. Returns the Question to run now, or None."""
    _box()
    return st.session_state.pop("asked", None)


@st.fragment
@failures.told()
def _box() -> None:
    """A fragment: typing draws the box anew and nothing else of the page."""
    run = current.report()
    _prefill(run)
    line = st.container(horizontal=True, vertical_alignment="bottom", key="ask-line")
    with line:
        st.text_input(
            say("ask"), key="text", live="400ms", placeholder=say("placeholder"),
            persist_state="session",
        )  # fmt: skip
        pressed = st.button("Run", key="run", type="primary", shortcut="ctrl+enter")
    asked = question()
    plan, problem = planned.plan_of(asked) if asked.text.strip() else (None, "")
    ask_chips.draw(plan, beside=run is not None)
    _understood(plan, problem, run)
    if pressed and not asked.text.strip():
        st.html(f'<p class="lt-plan"><span class="lt-bad">{text(say("nothing_asked"))}</span></p>')
    elif pressed and plan is not None:
        st.session_state["asked"] = asked
        st.rerun()


def _prefill(opened: Any) -> None:
    """An opened run's question, or a suggestion that was clicked, is what the box holds."""
    if opened is not None and st.session_state.get("prefilled") != opened.run_id:
        st.session_state["prefilled"] = opened.run_id
        st.session_state["text"] = opened.plan.text
    if suggestion := st.session_state.pop("suggested", ""):
        st.session_state["text"] = suggestion


def _understood(plan: Any, problem: str, run: Any) -> None:
    """The plan in one line, before anything is sent; not where it is that of the run on the screen."""
    if problem:
        st.html(f'<p class="lt-plan"><span class="lt-bad">{text(problem)}</span></p>')
    elif plan is not None and (run is None or planned.said(plan) != planned.said(run.plan)):
        said = (*planned.said(plan), *plan.warnings)
        st.html(f'<p class="lt-plan">{" · ".join(text(part) for part in said)}</p>')
