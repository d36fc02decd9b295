"""Pairs of reports that may tell of one event: near in meaning, or sharing rare words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipeline.events import candidates as look
from pipeline.events.likeness import Bags

if TYPE_CHECKING:
    from pipeline.types import Flags, Floats

RARE = 12  # reports that may share a word for it to propose them; a commoner word says too little
SHARED = 2  # rare words that two reports must share to be compared


def by_words(bags: Bags) -> look.Pairs:
    """Reports that share at least SHARED rare words: at most RARE / 2 pairs for each occurrence of one."""
    times_seen = bags.seen[bags.word]
    keep = (times_seen > 1) & (times_seen <= RARE)
    word, position = bags.word, bags.place
    order = np.argsort(word[keep], kind="stable")
    word, position = word[keep][order], position[keep][order]
    found = []
    for step in range(1, RARE):  # each occurrence with the one `step` places on, while the word is the same
        same = word[step:] == word[:-step]
        if not same.any():
            break
        a, b = position[:-step][same].astype(np.int64), position[step:][same].astype(np.int64)
        found.append(np.minimum(a, b) * bags.count + np.maximum(a, b))
    if not found:
        return np.empty(0, np.int32), np.empty(0, np.int32)
    keys, times = np.unique(np.concatenate(found), return_counts=True)
    keys = keys[times >= SHARED]
    return (keys // bags.count).astype(np.int32), (keys % bags.count).astype(np.int32)


def by_meaning(vectors: Floats, floor: float) -> look.Pairs:
    """Positions of embedded reports (non-zero rows) that are near each other."""
    embedded = np.flatnonzero(vectors.any(axis=1)).astype(np.int32)
    return look.by_embedding(vectors, embedded, floor)


def by_meaning_across(vectors: Floats, han: Flags, floor: float) -> look.Pairs:
    """The nearest reports in the other script, which those in one's own would crowd out."""
    embedded = vectors.any(axis=1)
    return look.across(vectors, np.flatnonzero(embedded & han), np.flatnonzero(embedded & ~han), floor)
