"""The words that set some posts apart from the rest of their corpus.

    gain of a word  = s x ln(s / c)     s = share of the chosen posts (by weight) that hold it, c = of all posts
    share of a post = sum of the gains of the best words that it holds / sum of the `full_terms` best gains, at most 1

A gain is the word's part in the divergence of the chosen posts from all (Lavrenko & Croft, 2001).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipeline.xlane.reading import Reading

if TYPE_CHECKING:
    from pipeline.settings import XContext
    from pipeline.types import Floats

_SMOOTH = 0.01


def key_shares(words: Reading, chosen: Sequence[int], weights: Floats, tuning: XContext) -> Floats:
    """[N] how much of what sets the `chosen` posts apart each post holds, 0..1. `weights`: of those posts, sum 1."""
    import numpy as np

    often = _often(words, chosen, weights.tolist(), tuning.key_share)
    held = words.matrix(list(often))
    share, common = np.array(list(often.values())), np.count_nonzero(held, axis=1) / len(words.texts)
    gain = share * np.log((share + _SMOOTH) / (common + _SMOOTH))
    apart = np.flatnonzero((common < tuning.too_common) & (gain > 0))
    best = apart[np.argsort(-gain[apart], kind="stable")[: tuning.key_terms]]
    gain = gain[best].astype(np.float32)
    full = float(gain[: tuning.full_terms].sum()) + 1e-9
    found: Floats = np.minimum(1.0, np.einsum("k,kn->n", gain, held[best].astype(np.float32)) / full)
    return found


def _often(words: Reading, chosen: Sequence[int], weights: Sequence[float], least: float) -> dict[int, float]:
    """Number of a word -> share of the chosen posts that hold it, above `least`; in order of appearance."""
    shares: defaultdict[int, float] = defaultdict(float)
    for row, weight in zip(chosen, weights, strict=True):
        for word in words.stems(row):
            shares[word] += weight
    return {word: share for word, share in shares.items() if share > least}
