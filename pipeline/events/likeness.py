"""How alike two reports are in what they say: weighted words of title and lead, beside the embedding's meaning.

Both are unit vectors laid side by side, so that the likeness of two groups of reports is one product of their sums.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipeline.events.entities import stem
from pipeline.events.fingerprint import LEAD_TOKENS, head, mix
from pipeline.text import Corpus, Ragged

if TYPE_CHECKING:
    from pipeline.types import Floats, Ints

DIMS = 512  # signed hashing (Weinberger et al. 2009): two unrelated texts differ from 0 by 0.04
TITLE_WEIGHT = 2.0  # a word of the title counts as that many of the lead


def stems(corpus: Corpus) -> tuple[Ints, int]:
    """[V] id of each word's stem, and their number; stop words are -1."""
    numbers: dict[str, int] = {}
    found = np.fromiter(
        (numbers.setdefault(stem(word), len(numbers)) for word in corpus.words), np.int32, len(corpus.words)
    )
    found[corpus.stop] = -1
    return found, len(numbers)


def entries(corpus: Corpus, stem_of: Ints, rows: Ints, lead_words: int = LEAD_TOKENS) -> tuple[Ints, Ints, Floats]:
    """Of `rows` (positions in it): (position, stem, weight) of each distinct content word of title and lead."""
    parts = [
        _part(corpus.titles, stem_of, rows, TITLE_WEIGHT),
        _part(head(corpus.texts, lead_words), stem_of, rows, 1.0),
    ]
    width = int(stem_of.max(initial=0)) + 1
    keys = np.concatenate([position.astype(np.int64) * width + word for position, word, _ in parts])
    weights = np.concatenate([weight for _, _, weight in parts])
    distinct, place = np.unique(keys, return_inverse=True)
    heaviest = np.zeros(len(distinct), np.float32)
    np.maximum.at(heaviest, place, weights)
    return (distinct // width).astype(np.int32), (distinct % width).astype(np.int32), heaviest


def _part(ragged: Ragged, stem_of: Ints, rows: Ints, weight: float) -> tuple[Ints, Ints, Floats]:
    lengths = ragged.lengths[rows]
    ends = np.concatenate(([0], np.cumsum(lengths)))
    at = np.arange(ends[-1]) - np.repeat(ends[:-1] - ragged.starts[:-1][rows], lengths)
    words = stem_of[ragged.flat[at]]
    position = np.repeat(np.arange(len(rows), dtype=np.int32), lengths)
    keep = words >= 0
    return position[keep], words[keep], np.full(int(keep.sum()), weight, np.float32)


def lexical(corpus: Corpus, rows: Ints) -> Floats:
    """[len(rows), DIMS] unit vectors of the words of title and lead, weighted by rarity in the pool."""
    stem_of, count = stems(corpus)
    position, word, weight = entries(corpus, stem_of, rows)
    seen = np.bincount(word, minlength=count)
    rarity = np.log((len(rows) + 1) / (seen + 0.5)).astype(np.float32)
    codes = mix(np.arange(count, dtype=np.uint64))
    spot, sign = (codes % np.uint64(DIMS)).astype(np.int64), np.where(codes >> np.uint64(63), 1.0, -1.0)
    values = weight * np.maximum(rarity[word], 0.0) * sign[word]
    flat = np.bincount(position.astype(np.int64) * DIMS + spot[word], weights=values, minlength=len(rows) * DIMS)
    return unit(flat.reshape(len(rows), DIMS).astype(np.float32))


def unit(vectors: Floats) -> Floats:
    """Rows scaled to length 1; zero rows stay zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 1e-9)
