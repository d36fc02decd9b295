"""Finding words and phrases of a list in normalised text, without gluing Latin words to their neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from pipeline.text import HAN, Corpus, any_in

if TYPE_CHECKING:
    from pipeline.types import Flags


def holds(phrase: str, text: str) -> bool:
    """Whether `phrase` stands in `text` (both normalised): at word borders, except beside Chinese characters."""
    at = text.find(phrase)
    while at >= 0:
        if _border(text, at - 1, phrase[0]) and _border(text, at + len(phrase), phrase[-1]):
            return True
        at = text.find(phrase, at + 1)
    return False


def found(phrases: Iterable[str], text: str) -> tuple[str, ...]:
    """Those of `phrases` that stand in `text`. A plain substring test first: almost all phrases fail it."""
    return tuple(phrase for phrase in any_in(phrases, text) if holds(phrase, text))


def any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    """What finds any of `phrases`, also inside a word; nothing where there are none."""
    return re.compile("|".join(map(re.escape, phrases)) or "(?!)")


def words_with(pattern: re.Pattern[str], words: Corpus, among: Flags) -> list[int]:
    """Numbers of those words of a pool, `among` [V] them, in which `pattern` is found, ascending."""
    return [number for number in np.flatnonzero(among).tolist() if pattern.search(words.words[number])]


def _border(text: str, at: int, edge: str) -> bool:
    """Whether the character at `at` can stand next to `edge` without both being one word."""
    if not 0 <= at < len(text):
        return True
    neighbour = text[at]
    if not (neighbour.isalnum() and edge.isalnum()):
        return True
    return bool(HAN.match(neighbour) or HAN.match(edge))
