"""The words that set some posts apart from the rest of their corpus.

    gain of a word  = s x ln(s / c)     s = share of the chosen posts (by weight) that hold it, c = of all posts
    share of a post = sum of the gains of the best words that it holds / sum of the `full_terms` best gains, at most 1

A gain is the word's part in the divergence of the chosen posts from all (Lavrenko & Croft, 2001).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.xlane.reading import Reading

if TYPE_CHECKING:
    from pipeline.settings import XContext
    from pipeline.types import Floats
    from pipeline.xlane.reading import Places

_SMOOTH = 0.01


def key_shares(words: Reading, chosen: Places, weights: Floats, tuning: XContext) -> Floats:
    """[N] how much of what sets the `chosen` posts apart each post holds, 0..1. `weights`: of those posts, sum 1."""
    import numpy as np

    posts = len(words.texts)
    weight = np.zeros(posts)
    weight[chosen] = weights
    shares = np.bincount(words.words, weight[words.rows], words.size)
    often = words.of(chosen)
    often = often[(shares[often] > tuning.key_share) & (often % 2 == 0)]
    share, common = shares[often], words.held_by[often] / posts
    gain = share * np.log((share + _SMOOTH) / (common + _SMOOTH))
    apart = np.flatnonzero((common < tuning.too_common) & (gain > 0))
    best = apart[np.argsort(-gain[apart], kind="stable")[: tuning.key_terms]]
    gains = np.zeros(words.size)
    gains[often[best]] = gain[best]
    full = gain[best[: tuning.full_terms]].sum() + 1e-9
    found: Floats = np.minimum(1.0, np.bincount(words.rows, gains[words.words], posts) / full).astype(np.float32)
    return found
