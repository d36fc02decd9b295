"""Does each source work? A real question is asked of every one, and what came back is counted endpoint by endpoint.

"Publishes rarely" is told apart from "the request failed", a missing key from a refused one, a wrong clock or zone
from an old item. The run is a question to the sources, not the analyst's: it is not kept, nothing counts as seen, and
nothing of it is learned but how the endpoints answered.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from statistics import mean, median
from typing import TYPE_CHECKING, Any

from pipeline.collect import gather
from pipeline.errors import FetchError, Status
from pipeline.flow import explore
from pipeline.health import X_KEYS, endpoints, key_said, spent
from pipeline.net import Net
from pipeline.planning import parse_query
from pipeline.settings import Settings, SourcesSettings, source_entry
from pipeline.sources import SOURCES
from pipeline.types import Bucket, Candidate, Endpoint, Outcome, Plan, Progress, Question, Report
from pipeline.world import World
from pipeline.xlane.backends import choose as choose_backend

if TYPE_CHECKING:
    import httpx

    from pipeline.store import Store

WORKING: tuple[Status, ...] = ("ok", "empty", "cancelled")
_X_KEY_S = 10.0  # seconds for asking X whether the key is good
_QUIET_DAYS = 60  # days without an item after which a source may be gone
_AHEAD = timedelta(minutes=10)  # a newest item further ahead of the clock is no skew between two clocks
_ADVICE: Mapping[Status, str] = {
    "empty": "it answered and holds nothing for this question; try other words or more days",
    "timeout": "slow or unreachable: try again, or raise its time-out",
    "rate limited": "wait, or lower rate_limiter for it in sources.yaml",
    "unauthorised": "the key was refused: check that it is complete and still valid",
    "not configured": "set the variable named, or leave the source out",
    "bad response": "look at the address in a browser; it may have moved or block programs",
    "blocked by robots": "the site does not want this page read by programs: use its feed",
    "error": "try again later; if it stays so, leave the source out: it answers in a way that is not understood",
}
_UNREACHED = "can't be reached"
_OF_AN_ERROR: Mapping[str, str] = {
    _UNREACHED: "check this machine's network and proxy; where other sources answer, its address or its server is at fault",
    "the server answered": "its server fails: try again later",
}
"""How the detail of an error begins -> what to do about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """One endpoint: how it answered, what it holds, and what to do about it."""

    source: str
    endpoint: str
    status: Status
    detail: str = ""
    advice: str = ""
    requests: int = 0
    elapsed_ms: int = 0
    items: int = 0
    dated: int = 0
    in_window: int = 0
    mean_score: float | None = None
    """0..100, of the items that were scored."""
    dropped: Mapping[str, int] = field(default_factory=dict)
    """Reason of drop -> items."""
    newest: datetime | None = None
    interval_hours: float | None = None
    """Usual time between two entries: the median."""
    raw_date: str = ""
    """The newest entry's date as the source wrote it ..."""
    converted: str = ""
    """... and as it was read, in the analyst's zone."""
    key: str = ""
    """"NEWSAPI_KEY is set", "X_BEARER_TOKEN is not set"; "" when none is needed."""
    budget: str = ""
    """Requests of all runs to its host, repeated attempts among them, and how many are allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What a new feed or page brought when it was asked once."""

    outcome: Outcome
    candidates: tuple[Candidate, ...]
    advice: tuple[str, ...] = ()
    """What is missing or strange, and what to do about it; empty when all is well."""


async def diagnose(
    query: str,
    *,
    settings: Settings,
    store: Store,
    sources: Sequence[str] | None = None,
    environ: Mapping[str, str] | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
    now: datetime | None = None,
    progress: Progress | None = None,
) -> tuple[Diagnosis, ...]:
    """Ask every source (or those named), the cache and early stop set aside. Raises InputError for an unknown one."""
    environ = os.environ if environ is None else environ
    now = now or datetime.now(UTC)
    names = [source.name for source in SOURCES] if sources is None else list(sources)
    question = Question(
        text=query, route="recent", depth="deep", refresh=True, sources=tuple(n for n in names if n != "x")
    )
    world = World(
        settings=settings, store=store, environ=environ, transport=transport, clock=lambda: now, look_only=True
    )
    if progress is not None:
        world = replace(world, progress=progress)
    found: list[Diagnosis] = []
    plan = parse_query(question, settings, now)
    if question.sources:
        report = await explore(question, world)
        plan, used = report.plan, store.budget.used()
        found += examined(report, endpoints(plan, settings), environ, used, now)
        store.health.record(report.run_id, report.outcomes, now)
    if sources is None or "x" in sources:
        found.append(await _x(plan, settings, environ, transport))
    return tuple(found)


def works(found: Sequence[Diagnosis]) -> bool:
    """Whether at least one source does: exit code 0."""
    return any(one.status in WORKING for one in found)


def cut_off(found: Sequence[Diagnosis]) -> bool:
    """Whether several were asked and none could be reached: then the network is at fault, not the sources."""
    asked = [one for one in found if one.requests]
    return len(asked) > 1 and all(
        one.status == "timeout" or (one.status == "error" and one.detail.startswith(_UNREACHED)) for one in asked
    )


def examined(
    report: Report,
    endpoints: Mapping[tuple[str, str], Endpoint],
    environ: Mapping[str, str],
    used: Mapping[str, tuple[int, int]],
    now: datetime,
) -> list[Diagnosis]:
    """A run's outcomes, each with what the run made of its items."""
    rows: dict[tuple[str, str], list[int]] = {}
    for row, key in enumerate(zip(report.table.sources, report.table.endpoints, strict=True)):
        rows.setdefault(key, []).append(row)
    return [
        _examined(report, outcome, rows.get((outcome.source, outcome.endpoint), []), endpoints, environ, used, now)
        for outcome in report.outcomes
    ]


def _examined(
    report: Report,
    outcome: Outcome,
    rows: Sequence[int],
    endpoints: Mapping[tuple[str, str], Endpoint],
    environ: Mapping[str, str],
    used: Mapping[str, tuple[int, int]],
    now: datetime,
) -> Diagnosis:
    table = report.table
    buckets = [Bucket(int(table.bucket[row])) for row in rows]
    times = sorted(
        float(table.published[row]) for row in rows if table.published[row] == table.published[row]
    )  # NaN is undated
    scored = [float(table.total[row]) for row in rows if table.fixed[row] < 0]
    endpoint = endpoints.get((outcome.source, outcome.endpoint))
    made = Diagnosis(
        source=outcome.source,
        endpoint=outcome.endpoint,
        status=outcome.status,
        detail=outcome.detail,
        requests=outcome.requests,
        elapsed_ms=outcome.elapsed_ms,
        items=outcome.items,
        dated=len(times),
        in_window=sum(bucket > Bucket.OUT_OF_WINDOW for bucket in buckets),
        mean_score=round(mean(scored), 1) if scored else None,
        dropped=dict(Counter(bucket.label for bucket in buckets if bucket != Bucket.SELECTED)),
        newest=datetime.fromtimestamp(times[-1], UTC) if times else None,
        interval_hours=_interval(times),
        key=key_said(endpoint.needs_key, environ) if endpoint else "",
        budget=_budget(endpoint, used) if endpoint else "",
    )
    return replace(_dated(made, report, rows), advice=_advice(made, now))


def _interval(times: Sequence[float]) -> float | None:
    """Median hours between entries of different times."""
    distinct = sorted(set(times))
    gaps = [later - earlier for earlier, later in zip(distinct, distinct[1:], strict=False)]
    return round(median(gaps) / 3600, 1) if gaps else None


def _dated(made: Diagnosis, report: Report, rows: Sequence[int]) -> Diagnosis:
    """With the newest entry's date as written and as read, side by side."""
    dated = [row for row in rows if report.table.published[row] == report.table.published[row]]
    if not dated:
        return made
    ledger = report.item(max(dated, key=lambda row: float(report.table.published[row]))).judged.candidate.dates
    if ledger.chosen is None:
        return made
    claim = ledger.claims[ledger.chosen]
    zone = report.plan.zone
    return replace(made, raw_date=claim.raw, converted=f"{_local(claim.at, zone)} {zone} (zone {claim.zone})")


def _local(at: datetime, zone: str) -> str:
    from zoneinfo import ZoneInfo

    return f"{at.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}"


def _advice(made: Diagnosis, now: datetime) -> str:
    if made.status == "ok" and made.newest is not None:
        if made.newest > now + _AHEAD:
            return "its newest date lies in the future: check this machine's clock and the feed's `timezone`"
        if not made.in_window and made.interval_hours:
            return f"it answers but published nothing in the window; usually every {made.interval_hours:g} hours"
    if made.status == "ok" and made.items and not made.dated:
        return "none of its items has a date that can be read"
    return _cure(made.status, made.detail)


def _cure(status: Status, detail: str) -> str:
    told = (cure for begin, cure in _OF_AN_ERROR.items() if status == "error" and detail.startswith(begin))
    return next(told, _ADVICE.get(status, ""))


def _budget(endpoint: Endpoint, used: Mapping[str, tuple[int, int]]) -> str:
    """ "12 of 55 in the last minute (43 left), 40 of 90 in the last 24 hours (50 left)": what all runs asked of its host."""
    counts, limits = spent(endpoint, used), (endpoint.max_per_minute, endpoint.max_per_day)
    if not any(limits):
        return f"{counts[1]} in the last 24 hours, no limit set"
    parts = [
        f"{n} of {most} in the last {span} ({max(most - n, 0)} left)"
        for n, most, span in zip(counts, limits, ("minute", "24 hours"), strict=True)
        if most
    ]
    return ", ".join(parts)


async def _x(
    plan: Plan, settings: Settings, environ: Mapping[str, str], transport: httpx.AsyncBaseTransport | None
) -> Diagnosis:
    """X's key, by the cheapest call it has: no search is made."""
    async with Net(settings, environ=environ, transport=transport) as net:
        backend = choose_backend(plan, settings, net, environ)
        if backend is None:
            return Diagnosis(
                source="x",
                endpoint="x",
                status="not configured",
                advice="set X_BEARER_TOKEN or XAI_API_KEY, or import a file of posts",
                key=f"{' and '.join(X_KEYS)} are not set",
            )
        started = asyncio.get_running_loop().time()
        status: Status = "ok"
        try:
            detail = await backend.check_key(deadline=started + _X_KEY_S)
        except FetchError as error:
            detail, status = str(error), error.status
        elapsed = round(1000 * (asyncio.get_running_loop().time() - started))
    return Diagnosis(
        source="x",
        endpoint=backend.name,
        status=status,
        detail=detail,
        advice=_cure(status, detail),
        requests=1,
        elapsed_ms=elapsed,
        key="the key is set",
    )


async def try_source(
    kind: str,
    entry: Mapping[str, Any],
    *,
    settings: Settings,
    store: Store,
    environ: Mapping[str, str] | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
    now: datetime | None = None,
) -> Trial:
    """Ask one feed, search feed or page (`entry` as in sources.yaml) once, outside any run. Raises InputError."""
    source_entry(kind, entry)
    now = now or datetime.now(UTC)
    changed = settings.sources.model_dump(by_alias=True) | {kind: (dict(entry),)}
    using = settings.model_copy(update={"sources": SourcesSettings.model_validate(changed)})
    plan = parse_query(Question(text="news", sources=(kind,), depth="deep"), using, now)
    environ = os.environ if environ is None else environ
    async with Net(using, environ=environ, transport=transport, budget=store.budget, refresh=True) as net:
        gathered = await gather(plan, SOURCES, settings=using, net=net)
    malformed = sum(row.verdict.bucket == Bucket.MALFORMED for row in gathered.judged)
    candidates = tuple(row.candidate for row in gathered.judged if row.verdict.bucket != Bucket.MALFORMED)
    outcome = gathered.outcomes[0]
    return Trial(outcome=outcome, candidates=candidates, advice=tuple(_seen(outcome, candidates, malformed, now)))


def try_source_now(kind: str, entry: Mapping[str, Any], **arguments: Any) -> Trial:
    """`try_source` without `await`."""
    return asyncio.run(try_source(kind, entry, **arguments))


def _seen(outcome: Outcome, candidates: Sequence[Candidate], malformed: int, now: datetime) -> Iterator[str]:
    """What a look at the items of a trial tells."""
    if outcome.status not in WORKING:
        yield _cure(outcome.status, outcome.detail)
        return
    if malformed:
        yield f"{malformed} entries have no title and are left out: check the title selector or the feed"
    if not candidates:
        yield "it answered and holds no item: look at the address in a browser"
        return
    dates = sorted(one.published_at for one in candidates if one.published_at is not None)
    undated = len(candidates) - len(dates)
    if undated:
        which = "none" if undated == len(candidates) else f"only {len(dates)} of {len(candidates)}"
        yield f"{which} of the items {'has' if undated == len(candidates) else 'have'} a date that can be read; " + (
            "undated items stay out of the ranking"
        )
    if dates and dates[-1] > now + _AHEAD:
        yield "its newest date lies in the future: set the time zone of its dates"
    if dates and dates[-1] < now - timedelta(days=_QUIET_DAYS):
        yield f"its newest item is {(now - dates[-1]).days} days old: it may have moved or ended"
    if sum(not one.url for one in candidates) > len(candidates) / 2:
        yield "most items have no link: check the link selector"
    elif len(candidates) > 2 and len({one.url for one in candidates}) == 1:
        yield "all items have the same link: check the link selector or the feed"
