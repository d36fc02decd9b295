"""Stems of a pool's words as numbers, so that words meet by stem in flat arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipeline.scoring.stem import stem
from pipeline.text import Corpus

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Roots(NamedTuple):
    numbers: dict[str, int]
    """Stem -> its number."""
    of: NDArray[np.int64]
    """[V] number of the stem of every word."""

    @property
    def total(self) -> int:
        """How many there are, at least one."""
        return max(len(self.numbers), 1)


def roots_of(words: Corpus) -> Roots:
    numbers: dict[str, int] = {}
    of = [numbers.setdefault(stem(word), len(numbers)) for word in words.words]
    return Roots(numbers, np.asarray(of, np.int64))
