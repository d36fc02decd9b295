"""Score the examined items of a run: six dimensions, four penalties, as columns beside everything that was fetched.

frame -> redate -> DIMENSIONS -> PENALTIES (clickbait empties completeness) -> Table, and Explain for a row's evidence
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

from pipeline.scoring import authority, completeness, corroboration, preference, relevance, timeliness
from pipeline.scoring.authority import Authority, key_of
from pipeline.scoring.explain import Explain
from pipeline.scoring.frame import DAY_S, Column, Dimension, Pool, epochs, frame, headline, is_social, row_map
from pipeline.scoring.penalties import PENALTIES, factors
from pipeline.scoring.redating import redate
from pipeline.settings import Settings
from pipeline.text import Corpus
from pipeline.types import (
    DIMENSION_NAMES,
    PENALTY_NAMES,
    Authorities,
    Bucket,
    Candidate,
    Embedder,
    Endpoint,
    Grouping,
    Judged,
    Plan,
    ScoreSettings,
    Table,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.types import Flags, Floats, Ints

DIMENSIONS: tuple[Dimension, ...] = (
    timeliness.DIMENSION,
    relevance.DIMENSION,
    authority.DIMENSION,
    corroboration.DIMENSION,
    completeness.DIMENSION,
    preference.DIMENSION,
)
T = TypeVar("T", bound=np.generic)
_COMPLETENESS = DIMENSION_NAMES.index("completeness")
_AUTHORITY = DIMENSION_NAMES.index("authority")
_CLICKBAIT = PENALTY_NAMES.index("clickbait")


def score(
    pool: Sequence[Judged],
    grouping: Grouping,
    rows: Sequence[int],
    plan: Plan,
    *,
    settings: Settings,
    score_settings: ScoreSettings,
    as_of: datetime,
    authorities: Authorities | None = None,
    vectors: Floats | None = None,
    query_vector: Floats | None = None,
    embedder: Embedder | None = None,
    reranker: Embedder | None = None,
    corpus: Corpus | None = None,
    endpoints: Mapping[str, Endpoint] | None = None,
    dismissed: Collection[str] = (),
    adopted: Collection[str] = (),
) -> tuple[Table, Explain]:
    """Columns of the whole pool (outcome still empty: see select), and the builder of explained records.

    pool: all N rows with the verdicts of the gates. rows: pool rows that were examined, n of them, with which grouping,
    vectors [n, d] and corpus are index-aligned; query_vector [d]. A row that is not among them keeps its gate's bucket;
    one that came as an upstream candidate and was not taken into an event stays out of the window.
    embedder: the model of `vectors`, for comparing doubtful titles with their bodies. reranker: a second model for the
    best few. dismissed, adopted: candidate ids.
    """
    examined = frame(
        [pool[row] for row in rows],
        grouping,
        plan,
        settings=settings,
        scores=score_settings,
        as_of=as_of,
        words=corpus,
        vectors=vectors,
        query_vector=query_vector,
        embedder=embedder,
        reranker=reranker,
        authorities=authorities,
        endpoints=endpoints,
        dismissed=frozenset(dismissed),
    )
    redated = redate(examined)
    examined = replace(examined, effective=redated.effective, redated=redated)
    columns = tuple(dimension.measure(examined) for dimension in DIMENSIONS)
    strikes = tuple(kind.measure(examined) for kind in PENALTIES)
    values = np.stack([column.values for column in columns], axis=1).astype(np.float32)
    values[strikes[_CLICKBAIT].struck, _COMPLETENESS] = 0
    at = row_map(rows, len(pool))
    struck = np.stack([one.struck for one in strikes], axis=1)
    table = _table(pool, examined, at, values, factors(strikes, settings.scoring.penalties), struck, columns)
    table = replace(table, adopted=np.fromiter((one.candidate.id in set(adopted) for one in pool), bool, len(pool)))
    return table, Explain(tuple(pool), examined, at, columns, strikes)


def _table(
    pool: Sequence[Judged],
    examined: Pool,
    at: Ints,
    values: Floats,
    multipliers: Floats,
    struck: Flags,
    columns: Sequence[Column],
) -> Table:
    candidates = [one.candidate for one in pool]
    inside = at >= 0
    fixed = _fixed(pool, examined, at)
    inside &= fixed < 0
    here = at[inside]
    grouping, count = examined.grouping, len(pool)
    published = epochs(candidates)
    return Table(
        ids=tuple(c.id for c in candidates),
        titles=tuple(headline(c) for c in candidates),
        urls=tuple(c.url for c in candidates),
        sources=tuple(c.source for c in candidates),
        endpoints=tuple(c.endpoint for c in candidates),
        domains=tuple(c.domain for c in candidates),
        authors=tuple(c.author for c in candidates),
        authority_keys=_keys(candidates, examined, at, cast(Authority, columns[_AUTHORITY])),
        published=published,
        age_days=_ages(published, examined, at),
        values=_spread(values, inside, here, np.zeros((count, len(DIMENSION_NAMES)), np.float32)),
        factors=_spread(multipliers, inside, here, np.ones((count, len(PENALTY_NAMES)), np.float32)),
        struck=_spread(struck, inside, here, np.zeros((count, len(PENALTY_NAMES)), bool)),
        engagement=np.fromiter((engagement(c) for c in candidates), np.float32, count),
        event=_spread(grouping.event_of, inside, here, np.full(count, -1, np.int32)),
        original=_originals(examined, at, inside),
        voice=_spread(grouping.voice_of, inside, here, np.full(count, -1, np.int32)),
        fixed=fixed,
        first_party=np.fromiter((one.verdict.first_party for one in pool), bool, count),
        social=np.fromiter((is_social(c) for c in candidates), bool, count),
        upstream=_spread(grouping.upstream, inside, here, np.zeros(count, bool)),
        dismissed=_spread(examined.dismissed, inside, here, np.zeros(count, bool)),
        adopted=np.zeros(count, bool),
        total=np.zeros(count, np.float32),
        bucket=fixed.copy(),
        tier=np.zeros(count, np.int8),
    )


def _fixed(pool: Sequence[Judged], examined: Pool, at: Ints) -> NDArray[np.int8]:
    """[N] the gate that stopped a row before scoring, -1 for scored rows. What nobody examined and no gate stopped is
    not examined. An item older than the window is scored only when its event took it in."""
    fixed = np.full(len(pool), -1, np.int8)
    for row, one in enumerate(pool):
        stopped = None if one.verdict.keep else one.verdict.bucket
        place = int(at[row])
        if place >= 0 and (stopped is None or (stopped == Bucket.OUT_OF_WINDOW and examined.grouping.upstream[place])):
            continue
        fixed[row] = Bucket.NOT_EXAMINED if stopped is None else stopped
    return fixed


def _spread(found: NDArray[T], inside: Flags, here: Ints, empty: NDArray[T]) -> NDArray[T]:
    """Values of the examined rows at their places in the pool."""
    empty[inside] = found[here]
    return empty


def _originals(examined: Pool, at: Ints, inside: Flags) -> Ints:
    """[N] pool row of each row's original; its own where it is no copy."""
    original = np.arange(len(at), dtype=np.int32)
    pool_row = np.flatnonzero(at >= 0)
    back = np.empty(len(examined), np.int32)
    back[at[pool_row]] = pool_row
    original[inside] = back[examined.grouping.original_of[at[inside]]]
    return original


def _ages(published: NDArray[np.float64], examined: Pool, at: Ints) -> Floats:
    effective = published.copy()
    inside = at >= 0
    effective[inside] = examined.effective[at[inside]]
    return np.maximum(0, (examined.reference.timestamp() - effective) / DAY_S).astype(np.float32)


def _keys(candidates: Sequence[Candidate], examined: Pool, at: Ints, column: Authority) -> tuple[str, ...]:
    places = at.tolist()
    return tuple(
        column.keys[place] if place >= 0 else key_of(candidate, examined.settings)
        for candidate, place in zip(candidates, places, strict=True)
    )


def engagement(candidate: Candidate) -> float:
    """One figure for breaking ties: the sum of the counts a source gives (points, comments, likes)."""
    return float(sum(number for _, number in candidate.engagement))
