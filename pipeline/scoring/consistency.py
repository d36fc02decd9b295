"""Title and body: how much of what the headline names the body speaks of.

    consistency = sum over the title's content words of idf x [the body holds it] / sum of idf,   0..1

Words meet by stem. idf over the bodies of the pool, so that a word every body holds (the query's own) proves little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.roots import Roots
from pipeline.text import Corpus

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.types import Floats


def consistency(words: Corpus, stems: Roots) -> Floats:
    """[n] 0..1; 1 for a title without content words (nothing is promised) or an item without a text."""
    roots, root_of = stems.total, stems.of
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


def _in_sorted(wanted: NDArray[np.int64], sorted_: NDArray[np.int64]) -> NDArray[np.bool_]:
    if not len(sorted_):
        return np.zeros(len(wanted), bool)
    at = np.minimum(np.searchsorted(sorted_, wanted), len(sorted_) - 1)
    found: NDArray[np.bool_] = sorted_[at] == wanted
    return found
