"""Source by source: did it answer, what did it bring, what became of it, and what to do about a failure.

The same steps as a run up to the gates, told per endpoint. Nothing is stored or learned.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import Any

from pipeline import collect, scoring
from pipeline.errors import Status
from pipeline.net import Net
from pipeline.planning import parse_query
from pipeline.settings import CustomPage, Feed, SearchFeed, Settings
from pipeline.sources import SOURCES
from pipeline.store import Store
from pipeline.types import Candidate, Judged, Outcome, Question

ADVICE: Mapping[Status, str] = {
    "timeout": "it did not answer in time: try again, or raise its timeout in config/pipeline.yaml",
    "rate limited": "too many requests: wait, or lower its max_per_minute",
    "unauthorised": "the service refused: check the key and its quota",
    "not configured": "set the key it names, or leave the source out",
    "bad response": "what came back is no feed or answer of this service: check the address",
    "blocked by robots": "the site does not want to be read by programs: choose a feed of it",
    "error": "check the address and the network",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """One endpoint."""

    source: str
    endpoint: str
    status: Status
    requests: int
    items: int
    dated: int
    in_window: int
    newest: datetime | None
    interval_hours: float | None
    """Usual time between entries: tells "publishes rarely" from "failed"."""
    dropped: Mapping[str, int]
    elapsed_ms: int
    detail: str
    advice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A source asked once, before it is added."""

    outcome: Outcome
    candidates: tuple[Candidate, ...]


async def diagnose(
    query: str, *, sources: Sequence[str] | None = None, settings: Settings, store: Store
) -> tuple[Diagnosis, ...]:
    """Ask the chosen endpoints and report on each. Raises InputError for an unknown source."""
    question = Question(text=query, sources=None if sources is None else tuple(sources), route="recent", depth="deep")
    plan = parse_query(question, settings, datetime.now(UTC))
    async with Net(settings, environ=os.environ, budget=store.budget, refresh=True) as net:
        gathered = await collect.gather(plan, SOURCES, settings=settings, net=net)
    verdicts = scoring.gates(gathered.judged, plan, settings)
    pool = scoring.with_verdicts(gathered.judged, verdicts)
    return tuple(
        _diagnosis(o, [one for one in pool if (one.candidate.source, one.candidate.endpoint) == (o.source, o.endpoint)])
        for o in gathered.outcomes
    )


def _diagnosis(outcome: Outcome, rows: Sequence[Judged]) -> Diagnosis:
    times = sorted(at for one in rows if (at := one.candidate.published_at) is not None)
    gaps = [(b - a) / timedelta(hours=1) for a, b in zip(times, times[1:], strict=False)]
    dropped = Counter(
        one.verdict.bucket.label for one in rows if not one.verdict.keep and one.verdict.bucket is not None
    )
    return Diagnosis(
        source=outcome.source,
        endpoint=outcome.endpoint,
        status=outcome.status,
        requests=outcome.requests,
        items=len(rows),
        dated=len(times),
        in_window=sum(one.verdict.keep for one in rows),
        newest=times[-1] if times else None,
        interval_hours=round(median(gaps), 1) if gaps else None,
        dropped=dict(dropped),
        elapsed_ms=outcome.elapsed_ms,
        detail=outcome.detail,
        advice=ADVICE.get(outcome.status, ""),
    )


async def try_source(kind: str, entry: Mapping[str, Any], *, settings: Settings, store: Store) -> Tried:
    """Ask one feed, search feed or page that is not configured yet; what it would bring. Raises InputError."""
    models: dict[str, type[Feed] | type[CustomPage]] = {"rss": Feed, "search": SearchFeed, "custom": CustomPage}
    only: dict[str, Any] = {"rss": (), "search": (), "custom": ()} | {kind: (models[kind].model_validate(entry),)}
    settings = settings.model_copy(update={"sources": settings.sources.model_copy(update=only)})
    plan = parse_query(Question(text="news", sources=(kind,), route="recent", days=90), settings, datetime.now(UTC))
    async with Net(settings, environ=os.environ, budget=store.budget, refresh=True) as net:
        gathered = await collect.gather(plan, SOURCES, settings=settings, net=net)
    return Tried(outcome=gathered.outcomes[0], candidates=tuple(one.candidate for one in gathered.judged))
