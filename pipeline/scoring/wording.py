"""One wording of a question, looked up in a pool: by words, and in Chinese by pairs of characters too (grams.py)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.frame import is_chinese
from pipeline.scoring.grams import Grams
from pipeline.scoring.lexical import Lexical, lexical
from pipeline.scoring.roots import Roots
from pipeline.scoring.translated import translated
from pipeline.text import Corpus

if TYPE_CHECKING:
    from pipeline.types import Flags, Floats


@dataclass(frozen=True, slots=True)
class Wording:
    found: Lexical
    pairs: Floats | None
    """[n] share by pairs of characters; None unless the wording is Chinese."""

    @property
    def share(self) -> Floats:
        """[n] 0..1 of an item in the wording's own language."""
        return self.found.values if self.pairs is None else ((self.found.values + self.pairs) / 2).astype(np.float32)


def look_up(words: Corpus, query: str, *, k1: float, b: float, stems: Roots, grams: Grams | None = None) -> Wording:
    """grams: the pool's, made here when they are wanted and not given."""
    found = lexical(words, query, k1=k1, b=b, stems=stems)
    if not is_chinese(query):
        return Wording(found, None)
    return Wording(found, (grams or Grams(words)).share(query, k1=k1, b=b))


def in_other_language(
    words: Corpus, query: str, foreign: Flags, *, k1: float, b: float, stems: Roots
) -> Wording | None:
    """The question put into the other language; None where nobody writes it or no word of it is known there."""
    other = translated(query) if foreign.any() else ""
    return look_up(words, other, k1=k1, b=b, stems=stems) if other else None
