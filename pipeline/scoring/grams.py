"""Chinese by pairs of characters: BM25 that does not depend on where words were cut.

A word list cuts 新手机 and 手机 differently, and names it doesn't know at random. Pairs of neighbouring characters are found
inside words and across their borders, so the mean of both shares misses neither (rank_drcd_zh: MRR 0.960 by words,
0.954 by pairs, 0.968 by both).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.lexical import ABSENT_IDF, TITLE_WEIGHT
from pipeline.text import Corpus, Ragged, normalise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.types import Floats

_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")


def pairs_in(text: str) -> list[str]:
    """The distinct pairs of neighbouring Chinese characters, in order."""
    runs = _RUN.findall(normalise(text))
    return list(dict.fromkeys(run[at : at + 2] for run in runs for at in range(len(run) - 1)))


class Grams:
    """Characters of a pool's words in arrays, made once for all queries."""

    def __init__(self, words: Corpus) -> None:
        self.words = words
        self.han = np.flatnonzero(words.han).tolist()
        self.first = np.zeros(len(words.words), np.int64)
        self.last = np.zeros(len(words.words), np.int64)
        self.lengths = np.zeros(len(words.words), np.int64)
        for number in self.han:
            word = words.words[number]
            self.first[number], self.last[number], self.lengths[number] = ord(word[0]), ord(word[-1]), len(word)
        self.holders: dict[str, list[int]] = {}  # pair -> the words that hold it, once for each place
        for number in self.han:
            word = words.words[number]
            for at in range(len(word) - 1):
                self.holders.setdefault(word[at : at + 2], []).append(number)

    def share(self, query: str, *, k1: float, b: float) -> Floats:
        """[n] 0..1: BM25 over the query's pairs, by its best (as lexical.values)."""
        asked, count = pairs_in(query), len(self.words)
        if not asked or not self.han:
            return np.zeros(count, np.float32)
        tf = TITLE_WEIGHT * self._counts(self.words.titles, asked) + self._counts(self.words.texts, asked)
        sizes = TITLE_WEIGHT * self._sizes(self.words.titles) + self._sizes(self.words.texts)
        holders = (tf > 0).sum(0)
        idf = np.log(1 + (count - holders + 0.5) / (holders + 0.5))
        norm = k1 * (1 - b + b * sizes / max(float(sizes.mean()), 1))
        scores = (tf * (k1 + 1) / (tf + norm[:, None])) @ idf
        weight = np.where(holders > 0, idf, np.minimum(idf, ABSENT_IDF)).sum()
        best = weight * TITLE_WEIGHT * (k1 + 1) / (TITLE_WEIGHT + k1)
        shares: Floats = np.clip(scores / max(best, 1e-9), 0, 1).astype(np.float32)
        return shares

    def _sizes(self, field: Ragged) -> NDArray[np.float64]:
        """[n] Chinese characters in a field."""
        return np.bincount(field.rows, self.lengths[field.flat], len(field)).astype(np.float64)

    def _counts(self, field: Ragged, asked: Sequence[str]) -> NDArray[np.float64]:
        """[n, pairs] occurrences inside words and across the borders of neighbouring words."""
        width, rows = len(asked), field.rows.astype(np.int64)
        cells = [self._inside(field, rows, asked), self._across(field, rows, asked)]
        found = np.bincount(np.concatenate(cells), minlength=len(field) * width)
        return found.reshape(len(field), width).astype(np.float64)

    def _inside(self, field: Ragged, rows: NDArray[np.int64], asked: Sequence[str]) -> NDArray[np.int64]:
        """Cells (row x width + pair) of the pairs inside words."""
        holding: dict[int, list[int]] = {}
        for at, pair in enumerate(asked):
            for number in self.holders.get(pair, ()):
                holding.setdefault(number, []).append(at)
        marks = np.zeros(len(self.words.words), bool)
        marks[list(holding)] = True
        places = np.flatnonzero(marks[field.flat])
        numbers = field.flat[places].tolist()
        spread = [holding[number] for number in numbers]
        owners = np.repeat(rows[places], [len(hits) for hits in spread])
        pairs = np.fromiter((pair for hits in spread for pair in hits), np.int64, len(owners))
        return owners * len(asked) + pairs

    def _across(self, field: Ragged, rows: NDArray[np.int64], asked: Sequence[str]) -> NDArray[np.int64]:
        """Cells of the pairs that two neighbouring words of a row make."""
        codes = np.array([(ord(pair[0]) << 21) | ord(pair[1]) for pair in asked], np.int64)
        order = np.argsort(codes)
        left, right = field.flat[:-1], field.flat[1:]
        made = (self.last[left] << 21) | self.first[right]
        at = np.minimum(np.searchsorted(codes[order], made), len(codes) - 1)
        hits = np.flatnonzero((codes[order][at] == made) & (rows[:-1] == rows[1:]))
        return rows[hits] * len(asked) + order[at[hits]]
