"""What scoring works on: the examined items of a pool as columns, and the shapes every dimension and penalty
returns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from pipeline.scoring.roots import Roots, roots_of
from pipeline.settings import Settings
from pipeline.text import HAN, Corpus, corpus
from pipeline.types import Authorities, Candidate, Embedder, Endpoint, Grouping, Judged, Plan, ScoreSettings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.types import Flags, Floats, Ints

DAY_S = 86_400.0


class Evidence(NamedTuple):
    """Why a value is what it is: a sentence, and the same as (name, figure) pairs from which it can be recomputed."""

    sentence: str
    facts: tuple[tuple[str, str], ...] = ()


class Column(Protocol):
    """One dimension of all items: the values, and the evidence of one of them when somebody looks."""

    @property
    def values(self) -> Floats:
        """[n] 0..1"""
        ...

    def explain(self, row: int) -> Evidence: ...


class Strikes(Protocol):
    """One penalty of all items: whom it struck, with which factor, and why."""

    @property
    def struck(self) -> Flags:
        """[n]"""
        ...

    @property
    def effect(self) -> str:
        """What it does, in words."""
        ...

    def explain(self, row: int) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """n examined items, index-aligned with `corpus`, `grouping` and `vectors`, and what they are scored against."""

    judged: tuple[Judged, ...]
    candidates: tuple[Candidate, ...]
    corpus: Corpus
    stems: Roots
    grouping: Grouping
    plan: Plan
    settings: Settings
    scores: ScoreSettings
    as_of: datetime
    vectors: Floats | None
    query_vector: Floats | None
    embedder: Embedder | None = None
    reranker: Embedder | None = None
    authorities: Authorities | None = None
    endpoints: Mapping[str, Endpoint] = field(default_factory=dict)
    dismissed: Flags
    """[n] put aside by the analyst: shown so, and no voice in corroboration."""
    published: NDArray[np.float64]
    """[n] chosen stated publication time, epoch seconds; NaN when undated."""
    effective: NDArray[np.float64]
    """[n] the same after re-dating: what timeliness uses."""
    redated: Strikes | None = None
    """Whom re-dating struck; None before it has looked."""
    first_party: Flags
    social: Flags
    zh: Flags
    """[n] written in Chinese."""

    def __len__(self) -> int:
        return len(self.candidates)

    @property
    def reference(self) -> datetime:
        """The moment ages are counted back from: the earlier of as_of and the window's end."""
        return min(self.as_of, self.plan.window.until)


class Dimension(NamedTuple):
    name: str
    measure: Callable[[Pool], Column]


def frame(
    judged: Sequence[Judged],
    grouping: Grouping,
    plan: Plan,
    *,
    settings: Settings,
    scores: ScoreSettings,
    as_of: datetime,
    words: Corpus | None = None,
    vectors: Floats | None = None,
    query_vector: Floats | None = None,
    embedder: Embedder | None = None,
    reranker: Embedder | None = None,
    authorities: Authorities | None = None,
    endpoints: Mapping[str, Endpoint] | None = None,
    dismissed: frozenset[str] = frozenset(),
) -> Pool:
    """Columns of the examined items. `words` is tokenised here when the caller has not done so already."""
    candidates = tuple(one.candidate for one in judged)
    count = len(candidates)
    published = epochs(candidates)
    words = corpus(candidates) if words is None else words
    return Pool(
        judged=tuple(judged),
        candidates=candidates,
        corpus=words,
        stems=roots_of(words),
        grouping=grouping,
        plan=plan,
        settings=settings,
        scores=scores,
        as_of=as_of,
        vectors=vectors,
        query_vector=query_vector,
        embedder=embedder,
        reranker=reranker,
        authorities=authorities,
        endpoints=endpoints or {},
        dismissed=np.fromiter((c.id in dismissed for c in candidates), bool, count),
        published=published,
        effective=published,
        first_party=np.fromiter((one.verdict.first_party for one in judged), bool, count),
        social=np.fromiter((is_social(c) for c in candidates), bool, count),
        zh=chinese(candidates),
    )


def epochs(candidates: Sequence[Candidate]) -> NDArray[np.float64]:
    """[n] chosen publication times as epoch seconds, NaN for undated ones."""
    times = (c.published_at for c in candidates)
    return np.fromiter((at.timestamp() if at else np.nan for at in times), np.float64, len(candidates))


def chinese(candidates: Sequence[Candidate]) -> Flags:
    """[n] items written in Chinese, by the declared language, else by script."""
    return np.fromiter(
        (c.lang.startswith("zh") if c.lang else _reads_chinese(c) for c in candidates), bool, len(candidates)
    )


def _reads_chinese(candidate: Candidate) -> bool:
    """By the title; under a title that is but a name in Latin letters, by most of the text's beginning."""
    lead = candidate.text[:140]
    return is_chinese(headline(candidate)) or 2 * len(HAN.findall(lead)) > len(lead)


def is_chinese(text: str) -> bool:
    """Two or more Chinese characters: names alone are written in Latin letters too often to ask for a majority."""
    return len(HAN.findall(text)) >= 2


def is_social(candidate: Candidate) -> bool:
    """A person's post: the handle carries the authority, the per-author cap applies."""
    return candidate.kind == "post"


def headline(candidate: Candidate) -> str:
    """The title, or the beginning of a text without one (posts)."""
    return candidate.title or candidate.text[:140]


def row_map(rows: Sequence[int], total: int) -> Ints:
    """[total] pool row -> index among the examined, -1 elsewhere."""
    found = np.full(total, -1, np.int32)
    found[np.asarray(rows, np.int64)] = np.arange(len(rows), dtype=np.int32)
    return found


def percent(value: float) -> str:
    return f"{100 * value:.0f}%"


def figure(value: float, places: int = 4) -> str:
    """A number as it stands in evidence: enough places that a value can be recomputed to 0.001."""
    return f"{value:.{places}f}"
