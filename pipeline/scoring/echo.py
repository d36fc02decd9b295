"""The echo of the best: what the first items found have in common finds others that say it in other words.

Pseudo-relevance feedback (after RM3, Lavrenko & Croft 2001; Abdul-Jaleel 2004) by words. The DOCS best items name TERMS
words, weighed by share of text x idf; an item's echo is its BM25 for those words. The echo counts

    strength = MOST x max(0, (agreement - GATE) / (1 - GATE)),  agreement = score of the DOCS-th item / score of the
    first

and only where even the best item holds less than half of what is asked: then the answers use other words, and many that
agree tell which. Where one item stands out or answers in the words of the query, it is silent. The constants are the
best compromise on rank_cranfield (many answers in other words) and rank_scifact (one answer).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipeline.scoring.lexical import TITLE_WEIGHT
from pipeline.scoring.roots import Roots, roots_of
from pipeline.text import Corpus, Ragged

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.types import Floats

DOCS, TERMS = 8, 40
MOST, GATE = 0.5, 0.5
HALF = 0.5  # of what is asked
SMALLEST_POOL = 40  # items; below it the best are most of the pool


class Echo(NamedTuple):
    strength: float
    """0..MOST"""
    values: Floats
    """[n] 0..1"""
    words: tuple[str, ...]
    """The words it listens for, strongest first."""


def echo(words: Corpus, scores: Floats, *, k1: float, b: float, stems: Roots | None = None) -> Echo:
    """Listen for what the best of `scores` [n] say. Silent (strength 0) in small pools and where they don't agree."""
    silent = Echo(0.0, np.zeros(len(words), np.float32), ())
    if len(words) < SMALLEST_POOL:
        return silent
    top = np.argpartition(-scores, DOCS)[:DOCS]
    top = top[np.argsort(-scores[top], kind="stable")]
    weights = np.maximum(scores[top], 0)
    if not 0 < weights[0] < HALF or weights[-1] <= GATE * weights[0]:
        return silent
    strength = MOST * (weights[-1] / weights[0] - GATE) / (1 - GATE)
    stems = roots_of(words) if stems is None else stems
    return _listen(words, stems, top.tolist(), weights / weights.sum(), float(strength), k1=k1, b=b)


def _listen(
    words: Corpus, stems: Roots, top: Sequence[int], weights: Floats, strength: float, *, k1: float, b: float
) -> Echo:
    roots, root_of = stems.total, stems.of
    said = _said(words, root_of, roots, top, weights)
    terms = _telling(words, root_of, roots, said)
    marks = np.zeros(roots, bool)
    marks[terms] = True
    pairs, tf = _occurrences(words, root_of, roots, marks)
    holders = np.bincount(pairs % roots, minlength=roots)[terms]
    idf = np.log(1 + (len(words) - holders + 0.5) / (holders + 0.5))
    share = said[terms] * idf
    weigh = np.zeros(roots)
    weigh[terms] = share / max(share.sum(), 1e-9) * idf / max(idf.mean(), 1e-9)
    row, root = pairs // roots, pairs % roots
    lengths = TITLE_WEIGHT * words.titles.lengths + words.texts.lengths
    norm = k1 * (1 - b + b * lengths / max(lengths.mean(), 1))
    gained = np.bincount(row, weigh[root] * tf * (k1 + 1) / (tf + norm[row]), len(words))
    best = max(float(gained.max(initial=0)), 1e-9)
    return Echo(strength, (gained / best).astype(np.float32), _names(words, root_of, terms))


def _telling(words: Corpus, root_of: NDArray[np.int64], roots: int, said: NDArray[np.float64]) -> NDArray[np.int64]:
    """The TERMS words with the most share x idf, idf by how often the whole pool uses a word: one count, no sorting."""
    uses = np.bincount(root_of[words.texts.flat], minlength=roots) + np.bincount(
        root_of[words.titles.flat], minlength=roots
    )
    weight = said * np.log1p(len(words) / np.maximum(uses, 1))
    strongest = np.argsort(-weight, kind="stable")[:TERMS]
    return np.asarray(strongest[weight[strongest] > 0], np.int64)


def _said(
    words: Corpus, root_of: NDArray[np.int64], roots: int, top: Sequence[int], weights: Floats
) -> NDArray[np.float64]:
    """[roots] share of each word in the best items, weighed by their scores; stop words and single letters left out."""
    said = np.zeros(roots)
    for row, weight in zip(top, weights.tolist(), strict=True):
        ids = np.concatenate((words.titles[row], words.titles[row], words.texts[row]))
        ids = ids[~words.stop[ids]]
        if len(ids):
            said += weight / len(ids) * np.bincount(root_of[ids], minlength=roots)
    return said


def _occurrences(
    words: Corpus, root_of: NDArray[np.int64], roots: int, marks: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Distinct (row x roots + word) pairs of the marked words in the pool, and their weighted counts."""
    marked = marks[root_of]
    keys, counts = [], []
    for field, weight in ((words.titles, TITLE_WEIGHT), (words.texts, 1)):
        pairs, count = np.unique(_pairs(field, root_of, roots, marked), return_counts=True)
        keys.append(pairs)
        counts.append(weight * count)
    pairs, inverse = np.unique(np.concatenate(keys), return_inverse=True)
    total = np.bincount(inverse.reshape(-1), np.concatenate(counts).astype(np.float64), len(pairs))
    return pairs, np.asarray(total, np.float64)


def _pairs(field: Ragged, root_of: NDArray[np.int64], roots: int, marked: NDArray[np.bool_]) -> NDArray[np.int64]:
    hits = np.flatnonzero(marked[field.flat])
    rows = np.searchsorted(field.starts, hits, side="right") - 1
    pairs: NDArray[np.int64] = rows * roots + root_of[field.flat[hits]]
    return pairs


def _names(words: Corpus, root_of: NDArray[np.int64], terms: NDArray[np.int64]) -> tuple[str, ...]:
    """One word per stem, the first that the pool used."""
    first: dict[int, str] = {}
    wanted = set(terms.tolist())
    for word, root in zip(words.words, root_of.tolist(), strict=True):
        if root in wanted and root not in first:
            first[root] = word
    return tuple(first[root] for root in terms.tolist())
