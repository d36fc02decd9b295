"""Word lists compiled once: phrases by their first word for spaced scripts, plain substrings for Chinese.

The lists live in config/lexicon/<lang>.yaml; an added language brings its own file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pipeline.text import lexicon

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|\^")


@dataclass(frozen=True, slots=True)
class Word:
    """A word in lower case with its place; a possessive is also known by its bare form."""

    text: str
    start: int
    end: int

    @property
    def bare(self) -> str:
        return self.text[:-2] if self.text.endswith(("'s", "’s")) else self.text


def words_of(text: str) -> list[Word]:
    return [Word(m.group().lower(), m.start(), m.end()) for m in _WORD.finditer(text)]


@dataclass(frozen=True, slots=True)
class Hit:
    """A listed phrase found in a text; `label` is what its list stands for."""

    label: str
    start: int
    end: int


class Phrases:
    """Phrases under labels, found in one pass over the words of a text."""

    def __init__(self, labelled: Iterable[tuple[str, Iterable[str]]], *, chinese: bool = False) -> None:
        self.chinese = chinese
        self._plain: list[tuple[str, str]] = []
        self._first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for label, phrases in labelled:
            for phrase in map(str, phrases):
                if chinese:
                    self._plain.append((phrase, label))
                else:
                    parts = tuple(word.text for word in words_of(phrase)) or (phrase,)
                    self._first.setdefault(parts[0], []).append((parts, label))

    def find(self, text: str, words: Sequence[Word] = ()) -> list[Hit]:
        """All hits in text order; `text` already folded to lower case and simplified characters for Chinese."""
        if self.chinese:
            return sorted(
                (Hit(label, at, at + len(phrase)) for phrase, label in self._plain if (at := text.find(phrase)) >= 0),
                key=lambda hit: (hit.start, -hit.end),
            )
        hits: list[Hit] = []
        for at, word in enumerate(words):
            for form in {word.text, word.bare}:
                for parts, label in self._first.get(form, ()):
                    if len(parts) == 1 or self._follows(words, at, parts):
                        hits.append(Hit(label, word.start, words[at + len(parts) - 1].end))
        return hits

    def _follows(self, words: Sequence[Word], at: int, parts: tuple[str, ...]) -> bool:
        here = words[at + 1 : at + len(parts)]
        return len(here) == len(parts) - 1 and all(
            part in (word.text, word.bare) for part, word in zip(parts[1:], here, strict=True)
        )


@cache
def phrases(lang: str, *path: str) -> Phrases:
    """One list, or a mapping of label to list, of a language's file; empty where it has none."""
    found: Any = lexicon(lang)
    for key in path:
        found = found.get(key, {}) if isinstance(found, dict) else {}
    labelled = found.items() if isinstance(found, dict) else [(path[-1], found)]
    return Phrases(labelled, chinese=lang == "zh")
