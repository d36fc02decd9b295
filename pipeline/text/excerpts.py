"""Sentences, and excerpts that end where one does."""

from __future__ import annotations

import re

from pipeline.text.forms import HAN

_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[^\sa-z])|(?<=[。！？!?])[”’」』）]*")


def sentences(text: str) -> list[str]:
    """Sentences of English or Chinese text, in order, stripped, none empty."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part and part.strip()]


def excerpt(text: str, low: int, high: int) -> str:
    """The first low..high characters, cut at a sentence end where there is one, else at a word with an ellipsis."""
    if len(text) <= high:
        return text
    end = 0
    for sentence in sentences(text):
        at = text.find(sentence, end) + len(sentence)
        if at > high:
            break
        end = at
    if end >= low:
        return text[:end]
    cut = text[: high - 1]
    if not HAN.search(cut[-1:]) and " " in cut[low:]:
        cut = cut[: cut.rindex(" ")]
    return cut.rstrip(" ,;:，；：、") + "…"
