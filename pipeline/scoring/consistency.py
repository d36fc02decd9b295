"""Title and body: how much of what the headline names the body speaks of.

    borne out   = sum over the title's content words of idf x [the body holds it] / sum of idf,   0..1
    consistency = (borne out + cosine of title and the body's beginning) / 2     with a model
                = borne out                                                      without

Words meet by stem; one of another script than the body's can't be expected there, and counts only where it is found.
idf over the bodies of the pool, so that a word every body holds (the query's own) proves little among many and keeps its
weight among few. On headline_body_fnc1 RELATED separates headlines of other texts from the body's own (F1 0.97 with a
model, 0.95 without).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.roots import Roots
from pipeline.text import Corpus

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.types import Floats, Ints

LEAD_CHARS = 400  # of the body that the model reads
BACKGROUND = 50  # bodies thought beside the pool, so that in a small one what all bodies hold keeps some weight
RELATED, RELATED_BY_WORDS = 0.27, 0.30


def consistency(borne: Floats, title_vectors: Floats | None, lead_vectors: Floats | None) -> Floats:
    """[m] 0..1 from what is borne out and, where a model is at hand, unit vectors [m, d] of titles and leads."""
    if title_vectors is None or lead_vectors is None:
        return borne
    cosine = np.einsum("ij,ij->i", title_vectors, lead_vectors)
    half: Floats = ((borne + np.maximum(cosine, 0)) / 2).astype(np.float32)
    return half


def borne_out(words: Corpus, stems: Roots, original_of: Ints | None = None) -> Floats:
    """[n] 0..1; 1 for a title without content words (nothing is promised) or an item without a text.

    original_of: [n] row of the original of each item's copies; a text counts once however often it was reprinted.
    """
    roots, root_of = stems.total, stems.of
    count = len(words)
    body = _distinct(words.texts.rows.astype(np.int64) * roots + root_of[words.texts.flat])
    own = np.ones(count, bool) if original_of is None else original_of == np.arange(count)
    holders = np.bincount((body % roots)[own[body // roots]], minlength=roots)
    idf = np.log(1 + (own.sum() + BACKGROUND - holders + 0.5) / (holders + 0.5)).astype(np.float32)
    content = ~words.stop[words.titles.flat]
    owner, word = words.titles.rows[content], words.titles.flat[content]
    root = root_of[word]
    held = _in_sorted(owner.astype(np.int64) * roots + root, body)
    weight = idf[root] * (held | (words.han[word] == _in_han(words)[owner]))
    whole = np.bincount(owner, weight, count)
    part = np.bincount(owner, weight * held, count)
    judged = (whole > 0) & (words.texts.lengths > 0)
    return np.where(judged, part / np.maximum(whole, 1e-9), 1).astype(np.float32)


def _in_han(words: Corpus) -> NDArray[np.bool_]:
    """[n] texts most of whose words are Chinese."""
    found: NDArray[np.bool_] = (
        2 * np.bincount(words.texts.rows, words.han[words.texts.flat], len(words)) > words.texts.lengths
    )
    return found


def _in_sorted(wanted: NDArray[np.int64], sorted_: NDArray[np.int64]) -> NDArray[np.bool_]:
    if not len(sorted_):
        return np.zeros(len(wanted), bool)
    at = np.minimum(np.searchsorted(sorted_, wanted), len(sorted_) - 1)
    found: NDArray[np.bool_] = sorted_[at] == wanted
    return found


def _distinct(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sorted distinct values; several times as fast as np.unique, which hashes first."""
    values.sort()
    return values[np.concatenate(([True], values[1:] != values[:-1]))] if len(values) else values
