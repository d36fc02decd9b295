"""Do two short texts say the same? One figure from two models and what the letters show.

    similarity = 0.90 meaning + 0.10 words - 0.25 words (1 - order) - 0.08 figures

meaning: cosines of the two embedders, 7 to 2 for the larger one; words: Dice of the content words' stems; order: how
alike the letter sequences are (Indel ratio), which tells "A beats B" from "B beats A"; figures: share of the numbers
that only one of the two holds. The five constants were chosen on headline_similarity_sts (2013, 2014),
sentence_duplicates_mrpc and question_pairs_zh.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.events.numbers import numbers
from pipeline.events.stems import stem
from pipeline.text import normalise, stopwords, tokens
from pipeline.types import Embedder

MEANING, WORDS, REORDERED, FIGURES = 0.90, 0.10, 0.25, 0.08
SECOND_SHARE = 7 / 9  # of the second, larger model in the meaning
SAME = 0.61  # from here two sentences are duplicates; the best F1 on sentence_duplicates_mrpc


def similarity(
    a: Sequence[str],
    b: Sequence[str],
    langs: Sequence[str],
    *,
    first: Embedder | None = None,
    second: Embedder | None = None,
) -> NDArray[np.float64]:
    """[n] similarity of each a with its b, about -0.2..1; without any embedder the letters stand in for the meaning."""
    words, order, figures = np.array([_letters(x, y) for x, y in zip(a, b, strict=True)]).reshape(-1, 3).T
    meaning = _meaning(a, b, langs, first, second)
    if meaning is None:
        meaning = (words + order) / 2
    return np.asarray(MEANING * meaning + WORDS * words - REORDERED * words * (1 - order) - FIGURES * figures)


def _meaning(
    a: Sequence[str], b: Sequence[str], langs: Sequence[str], first: Embedder | None, second: Embedder | None
) -> NDArray[np.float64] | None:
    cosines = [_cosines(model, a, b, langs) for model in (first, second) if model is not None]
    if not cosines:
        return None
    return cosines[0] if len(cosines) == 1 else (1 - SECOND_SHARE) * cosines[0] + SECOND_SHARE * cosines[1]


def _cosines(model: Embedder, a: Sequence[str], b: Sequence[str], langs: Sequence[str]) -> NDArray[np.float64]:
    vectors = model.encode([*a, *b], [*langs, *langs]).astype(np.float64)
    return np.asarray(np.einsum("ij,ij->i", vectors[: len(a)], vectors[len(a) :]))


def _letters(a: str, b: str) -> tuple[float, float, float]:
    """(words, order, figures) of one pair."""
    from rapidfuzz import fuzz

    left, right = normalise(a), normalise(b)
    one, other = _content(left), _content(right)
    words = 2 * len(one & other) / max(len(one) + len(other), 1)
    mine, theirs = numbers(left), numbers(right)
    return words, fuzz.ratio(left, right) / 100, len(mine ^ theirs) / max(len(mine | theirs), 1)


def _content(plain: str) -> set[str]:
    stop = stopwords()
    return {stem(word) for word in tokens(plain) if word not in stop}
