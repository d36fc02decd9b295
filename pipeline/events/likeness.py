"""How alike two reports are in what they say: weighted words of title and lead, beside the embedding's meaning.

Both are unit vectors laid side by side, so that the likeness of two groups of reports is one product of their sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pipeline.events.entities import stem
from pipeline.events.fingerprint import head, mix
from pipeline.text import Corpus, Ragged

if TYPE_CHECKING:
    from pipeline.types import Floats, Ints

DIMS = 512  # signed hashing (Weinberger et al. 2009): two unrelated texts differ from 0 by 0.04
LEAD_WORDS = 32  # words of a text that count as its lead here
TITLE_WEIGHT = 2.0  # a word of the title counts as that many of the lead


@dataclass(frozen=True, slots=True)
class Bags:
    """The distinct content words (as stems) of n reports' titles and leads, one entry a report and word."""

    count: int
    """n"""
    place: Ints
    """[entries] which report, ascending"""
    word: Ints
    """[entries] id of the stem"""
    weight: Floats
    """[entries] TITLE_WEIGHT when the title holds it, else 1"""
    seen: NDArray[np.int64]
    """[stems] number of reports that hold it"""


def bags(corpus: Corpus, rows: Ints) -> Bags:
    """Words of the given rows."""
    stem_of, count = _stems(corpus)
    parts = (
        _part(corpus.titles, stem_of, rows, TITLE_WEIGHT),
        _part(head(corpus.texts, LEAD_WORDS), stem_of, rows, 1.0),
    )
    keys = np.concatenate([place.astype(np.int64) * count + word for place, word, _ in parts])
    order = np.argsort(keys, kind="stable")  # the title's entry comes first, its weight counts
    keys = keys[order]
    new = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1]))) if len(keys) else np.empty(0, np.int64)
    word = (keys[new] % count).astype(np.int32)
    return Bags(
        count=len(rows),
        place=(keys[new] // count).astype(np.int32),
        word=word,
        weight=np.concatenate([weight for _, _, weight in parts])[order][new],
        seen=np.bincount(word, minlength=count),
    )


def _stems(corpus: Corpus) -> tuple[Ints, int]:
    """[V] id of each word's stem, and their number; stop words are -1."""
    numbers: dict[str, int] = {}
    stemmed = [numbers.setdefault(stem(word), len(numbers)) for word in corpus.words]
    found = np.array(stemmed, np.int32)
    found[corpus.stop] = -1
    return found, max(len(numbers), 1)


def _part(ragged: Ragged, stem_of: Ints, rows: Ints, weight: float) -> tuple[Ints, Ints, Floats]:
    lengths = ragged.lengths[rows]
    ends = np.concatenate(([0], np.cumsum(lengths)))
    at = np.arange(ends[-1]) - np.repeat(ends[:-1] - ragged.starts[:-1][rows], lengths)
    words = stem_of[ragged.flat[at]]
    position = np.repeat(np.arange(len(rows), dtype=np.int32), lengths)
    keep = words >= 0
    return position[keep], words[keep], np.full(int(keep.sum()), weight, np.float32)


def lexical(bags: Bags, chosen: Ints) -> Floats:
    """[len(chosen), DIMS] unit vectors of the words of the chosen reports, weighted by rarity among all of them."""
    spot = np.full(bags.count, -1, np.int64)
    spot[chosen] = np.arange(len(chosen))
    keep = spot[bags.place] >= 0
    place, word, weight = spot[bags.place[keep]], bags.word[keep], bags.weight[keep]
    rarity = np.log((bags.count + 1) / (bags.seen + 0.5))
    codes = mix(np.arange(len(bags.seen), dtype=np.uint64))
    column, sign = (codes % np.uint64(DIMS)).astype(np.int64), np.where(codes >> np.uint64(63), 1.0, -1.0)
    values = weight * np.maximum(rarity[word], 0.0) * sign[word]
    flat = np.bincount(place * DIMS + column[word], weights=values, minlength=len(chosen) * DIMS)
    return unit(flat.reshape(len(chosen), DIMS).astype(np.float32))


def unit(vectors: Floats) -> Floats:
    """Rows scaled to length 1; zero rows stay zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Floats = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 1e-9)
    return scaled
