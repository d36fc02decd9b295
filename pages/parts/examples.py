"""The demo and questions to try, within reach whatever is on the screen; the demo can be asked in Chinese, too."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.parts import ask, background, reader
from pages.parts.hints import SUGGESTIONS, say
from pages.parts.safe import md

DEMOS = {"en": "Load the demo", "zh": "中文演示"}
CHINESE = "最近30天发布的智能体框架"


def draw(view: Any) -> None:
    """Beneath a run all of it, folded; on the first visit, which offers the rest itself, the demo in Chinese."""
    if reader.presenting() or background.job() is not None:
        return
    if view is None:
        with st.container(key="examples"):
            _demo("zh")
        return
    with st.expander("Demo and examples", type="compact", key="examples", on_change="rerun") as folded:
        if not folded.open:
            return
        st.caption(md(say("demo")))
        with st.container(horizontal=True, vertical_alignment="center"):
            for language in DEMOS:
                _demo(language)
            for language, questions in SUGGESTIONS.items():
                for at, one in enumerate(questions):
                    st.button(md(one), key=f"example-{language}-{at}", on_click=_suggest, args=(one,))


def _demo(language: str) -> None:
    said = "The demo asked in Chinese" if language == "zh" else "The demo asked in English"
    st.button(DEMOS[language], key=f"demo-{language}", help=said, on_click=_start, args=(language,))


def _start(language: str) -> None:
    asked = CHINESE if language == "zh" else SUGGESTIONS["en"][0]
    background.start(ask.question(text=asked, demo=True))


def _suggest(text: str) -> None:
    """The question stands in the box above."""
    st.session_state["suggested"] = text
