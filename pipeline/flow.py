"""READ FIRST: how a question becomes a story.

    Question
      | planning.parse_query       what is asked, for which window, and why
    Plan ---- evergreen? --------> Report that says why nothing was fetched
      | collect.gather             every source at once, each with its own deadline; X judged and retried inside
    Judged[N]                      everything that came, kept or not, with a verdict
      | xlane.readmit              what a judge pruned and the analyst restored goes on
      | scoring.gates              excluded, muted, seen, undated, future-dated, out of window
      | scoring.shortlist, embed   which items are examined, and what they mean
      | events.group               copies and events; older items whose event is in the window come along
      | scoring.score              six dimensions, four penalties, as columns
      | scoring.select             one bucket for every item
    Report
      | store                      the run, and what it teaches (not from demo, replay or a past as_of)
      v

Clock, settings, sources, models and store are arguments (`World`); nothing below reads the clock or the environment.
Async stops here.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline import collect, events, scoring
from pipeline import net as network
from pipeline.choices import spelled_out
from pipeline.dates import choose
from pipeline.embedding import open_embedder, text_of
from pipeline.lessons import keep
from pipeline.notes import Notes, funnel
from pipeline.planning import parse_query
from pipeline.settings import Settings, home, load_settings
from pipeline.sources import SOURCES
from pipeline.sources.opml import read_opml
from pipeline.store import Store, open_store
from pipeline.text import corpus
from pipeline.types import (
    Candidate,
    DateClaim,
    Embedder,
    Gathered,
    Judged,
    Plan,
    Progress,
    Question,
    Report,
    ScoreSettings,
)
from pipeline.xlane import noisy_judge, stream
from pipeline.xlane.backends import choose as choose_backend
from pipeline.xlane.restored import readmit

if TYPE_CHECKING:
    import httpx

    from pipeline.types import Floats

FIRST_SEEN_RELIABILITY = 0.35  # below every date that a source states


def _quiet(kind: str, **facts: Any) -> None:
    """Progress nobody listens to."""


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """All that a run takes from outside."""

    settings: Settings
    store: Store
    clock: Callable[[], datetime] = _now
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    progress: Progress = _quiet
    transport: httpx.AsyncBaseTransport | None = None
    recording: network.Recording | None = None
    """A recorded run to play instead of asking the network."""
    record: Path | None = None


async def explore(question: Question, world: World) -> Report:
    """Run one question the whole way. Raises InputError for what can't be asked; a source's failure is an outcome."""
    began, notes = world.clock(), Notes(world.progress)
    question = spelled_out(question, world.settings, world.store)
    settings = _settings(question, world)
    plan = notes.timed("plan", lambda: parse_query(question, settings, began))
    learned = not (question.demo or question.as_of or world.recording)
    scores = scoring.score_settings(settings, plan, interests=world.store.prefs.words("interests"))
    embedder, warnings = (None, ()) if plan.route == "evergreen" else _embedder(settings, world.store)
    gathered = Gathered(judged=(), outcomes=())
    if plan.route != "evergreen":
        gathered = await _gather(plan, settings, world, embedder)
        notes.add(gathered.note)
        notes.add(gathered.pages)
    run = _Run(
        plan=plan, settings=settings, scores=scores, gathered=gathered, embedder=embedder, warnings=warnings,
        learned=learned, began=began, notes=notes,
    )  # fmt: skip
    report, remember = _ranked(run, world)
    keep(report, world.store, settings, learned=learned)
    if learned:
        remember()
    return report


def rank_again(report: Report, world: World) -> Report:
    """Rank a stored run anew, without asking anybody: the same items and settings, and what was restored since.

    The result is a run of its own, which teaches nothing.
    """
    began, notes, plan = world.clock(), Notes(world.progress), report.plan
    settings = _settings(plan.question, world)
    embedder, warnings = _embedder(settings, world.store)
    items = tuple(report.item(row).judged for row in range(len(report.table)))
    gathered = Gathered(judged=items, outcomes=report.outcomes, x=report.x)
    learned = world.store.runs.show(report.run_id).learned  # what taught nothing teaches nothing now, a replay too
    run = _Run(
        plan=plan, settings=settings, scores=report.settings, gathered=gathered, embedder=embedder, warnings=warnings,
        learned=learned, began=began, notes=notes,
    )  # fmt: skip
    found, _ = _ranked(run, world)
    world.store.runs.save(found, learned=learned)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """What is known once everything has been gathered."""

    plan: Plan
    settings: Settings
    scores: ScoreSettings
    gathered: Gathered
    embedder: Embedder | None
    warnings: tuple[str, ...]
    learned: bool
    began: datetime
    notes: Notes


def _ranked(run: _Run, world: World) -> tuple[Report, Callable[[], None]]:
    """(the report, what remembers its events): gates, shortlist, events, scores. Nothing is stored."""
    plan, settings, notes, gathered = run.plan, run.settings, run.notes, run.gathered
    states = world.store.feedback.states()
    restored = [item for item, kind in states.items() if kind == "restore" and not world.recording]
    pool = _sighted(gathered.judged, world.store, plan, run.learned)
    pool = readmit(pool, restored)
    pool = notes.gate("gates", pool, _gates(pool, plan, settings, world.store))
    upstream = scoring.upstream_rows(pool, plan, settings)
    rows = sorted({*(row for row, one in enumerate(pool) if one.verdict.keep), *upstream})
    first_party = [place for place, row in enumerate(rows) if pool[row].verdict.first_party]
    short = scoring.shortlist([pool[row].candidate for row in rows], plan, settings, always=first_party)
    rows = [rows[place] for place in short]
    examined = [pool[row].candidate for row in rows]
    words = notes.timed("words", lambda: corpus(examined))
    vectors, query_vector = notes.timed("embed", lambda: _embed(examined, plan, settings, run.embedder))
    memory = None if world.recording else world.store.memory  # a replay is as it was, whatever was learned since
    grouping = notes.timed(
        "events",
        lambda: events.group(
            examined, window=plan.window, settings=settings, vectors=vectors, memory=memory, now=plan.now, corpus=words
        ),
    )
    reranker = _reranker(settings, world.store, vectors)
    table, explain = notes.timed(
        "score",
        lambda: scoring.score(
            pool,
            grouping,
            rows,
            plan,
            settings=settings,
            score_settings=run.scores,
            as_of=plan.now,
            authorities=world.store.authority,
            vectors=vectors,
            query_vector=query_vector,
            reranker=reranker,
            corpus=words,
            endpoints=_endpoints(plan, settings),
            dismissed=[item for item, kind in states.items() if kind == "dismiss"],
            adopted=[item for item, kind in states.items() if kind == "adopt"],
        ),
    )
    table = notes.timed("select", lambda: scoring.select(table, run.scores))
    notes.fates(table)
    report = Report(
        run_id=f"{run.began:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}",
        plan=plan,
        settings=run.scores,
        table=table,
        events=grouping.events,
        details=explain.details(table),
        outcomes=gathered.outcomes,
        funnel=funnel(table, gathered),
        stages=notes.stages,
        authorities=explain.authorities,
        apart=grouping.apart,
        x=gathered.x,
        warnings=(
            *plan.warnings,
            *gathered.warnings,
            *(gathered.x.warnings if gathered.x else ()),
            *run.warnings,
            *scoring.cautions(run.scores, settings),
            *scoring.shared_dates(examined),
        ),
        demo=plan.question.demo,
        created_at=run.began,
    )
    return report, lambda: world.store.memory.remember(events.fingerprints(examined, grouping, corpus=words), plan.now)


# --------------------------------------------------------------------------- steps


async def _gather(plan: Plan, settings: Settings, world: World, embedder: Embedder | None) -> Gathered:
    """Open the network (or what stands in for it) and ask."""
    question = plan.question
    recorder = network.Recorder() if world.record else None
    async with network.Net(
        settings,
        environ=world.environ,
        transport=world.transport,
        budget=world.store.budget,
        cache=world.store.responses,
        recorder=recorder,
        player=_player(question, world, plan),
        refresh=question.refresh,
    ) as net:
        feeds = (
            await collect.fetch_opml(question.opml, net=net, settings=settings, read=read_opml)
            if question.opml is not None
            else ()
        )
        recorded = world.recording.endpoints if world.recording else None
        backend = choose_backend(plan, settings, net, world.environ, clock=world.clock, recorded=recorded)
        wanted = question.sources is None or "x" in question.sources
        asks_x = (wanted and backend is not None and not (question.opml and question.sources is None)) or (
            question.sources is not None and "x" in question.sources
        )
        gathered = await collect.gather(
            plan,
            SOURCES,
            settings=settings,
            net=net,
            progress=world.progress,
            judge=noisy_judge(settings, embedder),
            xlane=(lambda: stream(plan, backend, settings=settings, embedder=embedder, progress=world.progress))
            if asks_x
            else None,
            opml_feeds=feeds,
        )
    if recorder is not None and world.record is not None:
        recorder.save(world.record, plan)
    return gathered


def _player(question: Question, world: World, plan: Plan) -> network.Player | None:
    if world.recording is not None:
        return world.recording.player()
    if question.demo:
        from pipeline.demo import demo_player

        return demo_player(plan.now)
    return None


def _settings(question: Question, world: World) -> Settings:
    if not question.demo:
        return world.settings
    from pipeline.demo import demo_settings

    return demo_settings(world.settings)


def _embedder(settings: Settings, store: Store) -> tuple[Embedder | None, tuple[str, ...]]:
    return open_embedder(settings, store.vectors)


def _reranker(settings: Settings, store: Store, vectors: Floats | None) -> Embedder | None:
    """The second model for the best few; none where embeddings are off or it is not installed."""
    name = settings.pipeline.embedding.rerank_model
    if vectors is None or name == "off":
        return None
    embedder, _ = open_embedder(settings, store.vectors, name=name)
    return embedder if embedder is not None and embedder.name == name else None


def _embed(
    examined: Sequence[Candidate], plan: Plan, settings: Settings, embedder: Embedder | None
) -> tuple[Floats | None, Floats | None]:
    """Vectors of the examined items [n, d] and of the question [d]."""
    if embedder is None or not examined:
        return None, None
    chars = settings.pipeline.embedding.text_chars
    texts = [text_of(candidate, chars) for candidate in examined]
    vectors = embedder.encode(texts, [candidate.lang for candidate in examined])
    return vectors, embedder.encode([plan.ranking_query], [plan.language])[0]


def _sighted(pool: Sequence[Judged], store: Store, plan: Plan, learned: bool) -> tuple[Judged, ...]:
    """Undated items get the time they were first seen, where an earlier complete fetch of the endpoint lacked them."""
    undated: dict[str, list[int]] = {}
    for row, one in enumerate(pool):
        if one.candidate.published_at is None and one.verdict.keep:
            undated.setdefault(one.candidate.endpoint, []).append(row)
    found = list(pool)
    for endpoint, rows in undated.items():
        sights = store.firstseen.dates(endpoint, [pool[row].candidate.id for row in rows], plan.now)
        for row in rows:
            candidate = pool[row].candidate
            if (at := sights.get(candidate.id)) is not None and learned:
                claim = DateClaim(
                    kind="first seen", at=at, reliability=FIRST_SEEN_RELIABILITY, raw=f"{at:%Y-%m-%d %H:%M}"
                )
                dates = choose([*candidate.dates.claims, claim], notes=candidate.dates.notes)
                found[row] = replace(found[row], candidate=replace(candidate, dates=dates))
    return tuple(found)


def _gates(pool: Sequence[Judged], plan: Plan, settings: Settings, store: Store) -> tuple[Judged, ...]:
    hide = plan.question.hide_seen
    verdicts = scoring.gates(
        pool,
        plan,
        settings,
        seen=store.firstseen.shown([one.candidate.id for one in pool]) if hide else (),
        muted_domains=store.prefs.words("muted domains"),
        muted_words=store.prefs.words("muted words"),
    )
    return scoring.with_verdicts(pool, verdicts)


def _endpoints(plan: Plan, settings: Settings) -> dict[str, Any]:
    """Endpoint name -> its configuration: class, owner and bias that the analyst gave a feed."""
    return {
        endpoint.name: endpoint
        for source in SOURCES
        if (section := getattr(settings.sources, source.name, None)) is not None
        for endpoint in source.endpoints(section, plan)
    }


# --------------------------------------------------------------------------- public calls


async def retrieve_recent(
    query: str,
    *,
    days: int | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    as_of: datetime | None = None,
    max_results: int | None = None,
    threshold: float | None = None,
    settings: Settings | None = None,
    store: Store | None = None,
    progress: Progress | None = None,
    record: Path | None = None,
    environ: Mapping[str, str] | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
    **overrides: Any,
) -> Report:
    """What happened lately: run a question the whole way, keep the run, return its report.

    days, since, until: the window; None lets the text decide. overrides: any other field of `Question` (sources, opml,
    depth, profile, route, zone, x_handles, x_related, demo, refresh ...). Raises InputError and StoreError.
    """
    question = Question(
        text=query,
        days=days,
        since=since,
        until=until,
        as_of=as_of,
        max_results=max_results,
        threshold=threshold,
        **overrides,
    )
    return await explore(question, _world(settings, store, progress, record, environ, transport))


def retrieve_recent_now(query: str, **arguments: Any) -> Report:
    """`retrieve_recent` without `await`, for scripts and notebooks."""
    return asyncio.run(retrieve_recent(query, **arguments))


def run_question(question: Question, *, progress: Progress | None = None, store: Store | None = None) -> Report:
    """Run a question that is already a record; what background runs call."""
    return asyncio.run(explore(question, _world(None, store, progress)))


def replay_now(
    file: Path, *, progress: Progress | None = None, store: Store | None = None, settings: Settings | None = None
) -> Report:
    """Play a recorded run again: the same answers, no network, nothing learned. Raises InputError."""
    recording = network.load(file)
    world = replace(_world(settings, store, progress), recording=recording)
    return asyncio.run(explore(recording.question, world))


def rank_again_now(run_id: str, *, progress: Progress | None = None, store: Store | None = None) -> Report:
    """Rank a stored run anew with what the analyst restored; a new run. Raises InputError for a run that is gone."""
    world = _world(None, store, progress)
    return rank_again(world.store.runs.load(run_id), world)


def _world(
    settings: Settings | None,
    store: Store | None,
    progress: Progress | None,
    record: Path | None = None,
    environ: Mapping[str, str] | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
) -> World:
    environ = os.environ if environ is None else environ
    settings = settings or load_settings(environ)
    store = store or open_store(
        home(environ) / "lately.db",
        busy_timeout_s=settings.pipeline.store.busy_timeout_s,
        half_life_days=settings.scoring.authority.half_life_days,
    )
    return World(
        settings=settings,
        store=store,
        environ=environ,
        progress=progress or _quiet,
        record=record,
        transport=transport,
    )
