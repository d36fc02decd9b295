"""What this is, the demo and questions to try: on the first visit, and within reach whatever is on the screen."""

from __future__ import annotations

from typing import Any, Literal

import streamlit as st

from pages.parts import background, reader
from pages.parts.ask_question import question
from pages.parts.hints import SUGGESTIONS, say
from pages.parts.safe import md, text

DEMOS = {"en": "Load the demo", "zh": "中文演示"}
CHINESE = "最近30天发布的智能体框架"


def draw(view: Any) -> None:
    """On the first visit what this is and where to begin; beneath a run the same, folded."""
    if reader.presenting() or background.job() is not None:
        return
    if view is None:
        st.html(f'<div class="lt-hero"><p>{text(say("first"))}</p><p>{text(say("demo"))}</p></div>')
        _demos(first=reader.hint_language())
        st.html('<p class="lt-sub">Or ask, for example</p>')
        _questions()
        return
    with st.expander("Demo and examples", type="compact", key="examples", on_change="rerun") as folded:
        if not folded.open:
            return
        st.caption(md(say("demo")))
        _demos()
        _questions()


def _demos(first: str = "") -> None:
    """first: the language whose demo is the one to begin with."""
    with st.container(horizontal=True):
        for language, label in DEMOS.items():
            kind: Literal["primary", "secondary"] = "primary" if language == first else "secondary"
            st.button(label, key=f"demo-{language}", type=kind, on_click=_start, args=(language,))


def _questions() -> None:
    with st.container(horizontal=True):
        for language, questions in SUGGESTIONS.items():
            for at, one in enumerate(questions):
                st.button(md(one), key=f"example-{language}-{at}", on_click=_suggest, args=(one,))


def _start(language: str) -> None:
    asked = CHINESE if language == "zh" else SUGGESTIONS["en"][0]
    background.start(question(text=asked, demo=True))


def _suggest(asked: str) -> None:
    """The question stands in the box above."""
    st.session_state["suggested"] = asked
