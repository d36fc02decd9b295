"""Preference: how many of the analyst's interest words an item holds.

    value = min(1, matched / min(3, number of interest words))

Three matches are full marks, however long the list: a longer list must not make each word worth less. Without interest
words the dimension is off (weight 0, the others renormalised).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.frame import Dimension, Evidence, Pool
from pipeline.scoring.phrases import holds
from pipeline.text import normalise

if TYPE_CHECKING:
    from pipeline.types import Floats

FULL = 3  # matches that make 1.0


def matched(interests: Sequence[str], text: str) -> tuple[str, ...]:
    """The interest words that occur in the text: whole words in spaced scripts, anywhere in Chinese."""
    plain = normalise(text)
    return tuple(word for word in interests if (folded := normalise(word)) and holds(folded, plain))


def overlap(interests: Sequence[str], text: str) -> float:
    """0..1, by the formula above; 0 without interest words."""
    return min(1.0, len(matched(interests, text)) / min(FULL, len(interests))) if interests else 0.0


@dataclass(frozen=True, slots=True)
class Preference:
    values: Floats
    pool: Pool

    def explain(self, row: int) -> Evidence:
        candidate = self.pool.candidates[row]
        return explain(self.pool.scores.interests, f"{candidate.title} {candidate.text}")


def explain(interests: Sequence[str], text: str) -> Evidence:
    if not interests:
        return Evidence("off: no interest words are set", (("interests", "0"), ("matched", "0")))
    hits = matched(interests, text)
    says = f"{len(hits)} of your {len(interests)} interest words" + (f": {', '.join(hits)}" if hits else "")
    full = min(FULL, len(interests))
    return Evidence(f"{says}; {full} make 1.0", (("matched", str(len(hits))), ("interests", str(len(interests)))))


def measure(pool: Pool) -> Preference:
    words = pool.scores.interests
    if not words:
        return Preference(np.zeros(len(pool), np.float32), pool)
    texts = (f"{c.title} {c.text}" for c in pool.candidates)
    return Preference(np.fromiter((overlap(words, text) for text in texts), np.float32, len(pool)), pool)


DIMENSION = Dimension("preference", measure)
