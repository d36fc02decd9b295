"""Time phrases in text -> what they denote, before any clipping.

`find_phrases(text, now, ...)` reads English and Chinese in one pass each and returns the phrases in text order,
none overlapping. A product that looks back prefers the past reading: a bare weekday, a date without a year, a month
is the last one that has begun.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pipeline.planning.spans import Span
from pipeline.text import HAN

Strength = Literal["explicit", "weak"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """A stretch of text and the time it denotes."""

    span: Span
    text: str
    start: int
    end: int
    strength: Strength = "explicit"
    """weak: reads as a time only by itself ("the day", a bare year): shown, never decides a window."""
    ambiguous: bool = False
    """Day and month could be the other way round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Impossible:
    """A date that no calendar has, with its place."""

    text: str
    start: int
    end: int


Found = Phrase | Impossible


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How the analyst's texts are read."""

    now: datetime
    """Naive local time of asking."""
    week_first: int = 0
    """Weekday a week starts on, 0 = Monday."""
    day_first: bool = False
    """04/05/2026 is 4 May."""


def find_phrases(text: str, reading: Reading) -> tuple[Found, ...]:
    """Every time phrase of `text`, in order; a calendar overflow drops that phrase alone."""
    from pipeline.planning.window_en import read_english

    readers: list[Callable[[str, Reading], list[Found]]] = [read_english]
    if HAN.search(text):
        from pipeline.planning.window_zh import read_chinese

        readers.insert(0, read_chinese)
    found: list[Found] = []
    for reader in readers:
        for phrase in reader(text, reading):
            if not any(phrase.start < other.end and other.start < phrase.end for other in found):
                found.append(phrase)
    return tuple(sorted(found, key=lambda phrase: phrase.start))
