"""Which items of a large pool are embedded and examined: the best by words, and a share reserved per language.

By words alone every item in another language than the question's would fall out, so part of the list is kept for those,
newest first. What is not on the list is `not examined`, never `off topic`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.frame import chinese, epochs, is_chinese
from pipeline.scoring.lexical import lexical
from pipeline.settings import Settings
from pipeline.text import corpus
from pipeline.types import Candidate, Plan

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.types import Flags


def shortlist(
    candidates: Sequence[Candidate], plan: Plan, settings: Settings, *, always: Collection[int] = ()
) -> tuple[int, ...]:
    """Rows to embed and examine, ascending; all of them when they fit or when no model is used.

    always: rows that are on the list in any case (first-party posts).
    """
    size = settings.pipeline.embedding.shortlist
    if settings.pipeline.embedding.model == "off" or len(candidates) <= size:
        return tuple(range(len(candidates)))
    relevance = settings.scoring.relevance
    scores = lexical(corpus(candidates), plan.ranking_query, k1=relevance.bm25_k1, b=relevance.bm25_b).bm25
    published = np.nan_to_num(epochs(candidates), nan=-np.inf)
    foreign = chinese(candidates) != is_chinese(plan.ranking_query)
    reserved = min(int(size * settings.pipeline.embedding.language_share), int(foreign.sum()))
    chosen = np.zeros(len(candidates), bool)
    chosen[list(always)] = True
    _take(chosen, foreign, np.argsort(-published, kind="stable"), reserved)
    _take(chosen, ~chosen, np.lexsort((-published, -scores)), size - int(chosen.sum()))
    return tuple(np.flatnonzero(chosen).tolist())


def _take(chosen: Flags, eligible: Flags, order: NDArray[np.intp], count: int) -> None:
    """Mark the first `count` eligible rows of an order."""
    rows = order[eligible[order]]
    chosen[rows[: max(count, 0)]] = True
