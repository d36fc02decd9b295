"""Title and body: how much of what the headline names the body speaks of.

    consistency = sum over the title's content words of idf x [the body holds it] / sum of idf,   0..1

Words meet by stem. idf over the bodies of the pool, so that a word every body holds (the query's own) proves little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.stem import stem
from pipeline.text import Corpus

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.types import Floats


def consistency(words: Corpus) -> Floats:
    """[n] 0..1; 1 for a title without content words (nothing is promised) or an item without a text."""
    roots, root_of = _roots(words)
    count = len(words)
    body = np.unique(words.texts.rows.astype(np.int64) * roots + root_of[words.texts.flat])
    holders = np.bincount(body % roots, minlength=roots) if len(body) else np.zeros(roots, np.int64)
    idf = np.log(1 + (count - holders + 0.5) / (holders + 0.5)).astype(np.float32)
    content = ~words.stop[words.titles.flat]
    owner, root = words.titles.rows[content], root_of[words.titles.flat[content]]
    weight = idf[root]
    held = _in_sorted(owner.astype(np.int64) * roots + root, body)
    whole = np.bincount(owner, weight, count)
    part = np.bincount(owner, weight * held, count)
    judged = (whole > 0) & (words.texts.lengths > 0)
    return np.where(judged, part / np.maximum(whole, 1e-9), 1).astype(np.float32)


def _roots(words: Corpus) -> tuple[int, NDArray[np.int64]]:
    """Number of distinct stems (at least 1), and [V] the stem's number of every word."""
    numbers: dict[str, int] = {}
    root_of = [numbers.setdefault(stem(word), len(numbers)) for word in words.words]
    return max(len(numbers), 1), np.asarray(root_of, np.int64)


def _in_sorted(wanted: NDArray[np.int64], sorted_: NDArray[np.int64]) -> NDArray[np.bool_]:
    if not len(sorted_):
        return np.zeros(len(wanted), bool)
    at = np.minimum(np.searchsorted(sorted_, wanted), len(sorted_) - 1)
    found: NDArray[np.bool_] = sorted_[at] == wanted
    return found
