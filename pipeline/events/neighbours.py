"""Pairs of reports that may tell of one event: near in meaning, or sharing rare words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipeline.events import candidates as look
from pipeline.events.likeness import entries, stems
from pipeline.text import Corpus

if TYPE_CHECKING:
    from pipeline.types import Floats, Ints

RARE = 12  # reports that may share a word for it to propose them; a commoner word says too little
SHARED = 2  # rare words that two reports must share to be compared
LEAD_WORDS = 24  # words of the text looked at beside the title


def by_words(corpus: Corpus, rows: Ints) -> look.Pairs:
    """Positions in `rows` of reports that share at least SHARED rare words: at most RARE / 2 pairs a word."""
    stem_of, count = stems(corpus)
    position, word, _ = entries(corpus, stem_of, rows, LEAD_WORDS)
    seen = np.bincount(word, minlength=count)
    keep = (seen[word] > 1) & (seen[word] <= RARE)
    order = np.argsort(word[keep], kind="stable")
    word, position = word[keep][order], position[keep][order]
    found = []
    for step in range(1, RARE):  # each occurrence with the one `step` places on, while the word is the same
        same = word[step:] == word[:-step]
        if not same.any():
            break
        a, b = position[:-step][same].astype(np.int64), position[step:][same].astype(np.int64)
        found.append(np.minimum(a, b) * len(rows) + np.maximum(a, b))
    if not found:
        return np.empty(0, np.int32), np.empty(0, np.int32)
    keys, times = np.unique(np.concatenate(found), return_counts=True)
    keys = keys[times >= SHARED]
    return (keys // len(rows)).astype(np.int32), (keys % len(rows)).astype(np.int32)


def by_meaning(vectors: Floats, floor: float) -> look.Pairs:
    """Positions of embedded reports (non-zero rows) that are near each other."""
    embedded = np.flatnonzero(vectors.any(axis=1)).astype(np.int32)
    return look.by_embedding(vectors, embedded, floor)
