"""READ FIRST: how a question becomes a story.

    Question
      | planning.parse_query       what is asked, for which window, and why
    Plan ---- evergreen? --------> Report that says why nothing was fetched
      | collect.gather             every source at once, each with its own deadline; X judged and retried inside
    Judged[N]                      everything that came, kept or not, with a verdict
      | supplies.sighted           when the store saw it before, as evidence of its date
      | xlane.readmit              what a judge pruned and the analyst restored goes on
      | scoring.gates              excluded, muted, seen, undated, future-dated, out of window
      | scoring.shortlist          which items are examined
      | text.corpus, embed         their words, and what they mean
      | events.group               copies and events; older items whose event is in the window come along
      | scoring.score              six dimensions, four penalties, as columns
      | scoring.select             one bucket for every item
    Report
      | lessons.keep               the run, and what it teaches (not from demo, replay or a past as_of)
      v

Clock, settings, models and store are arguments (world.py); nothing below reads the clock or the environment, but for
the machine's time zone where none is configured (planning/zone.py). What a step takes out of the world is in
supplies.py. Async stops here.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline import events, scoring, supplies
from pipeline import net as network
from pipeline.choices import spelled_out
from pipeline.lessons import keep
from pipeline.notes import Notes, funnel
from pipeline.planning import parse_query
from pipeline.settings import Settings
from pipeline.store import Store
from pipeline.text import corpus
from pipeline.types import Embedder, Gathered, Grouping, Judged, Plan, Progress, Question, Report, ScoreSettings, Table
from pipeline.world import World, open_world
from pipeline.xlane.restored import readmit

if TYPE_CHECKING:
    import httpx


async def explore(question: Question, world: World) -> Report:
    """Run one question the whole way. Raises InputError for what can't be asked; a source's failure is an outcome."""
    began, notes = world.clock(), Notes(world.progress)
    question = spelled_out(question, world.settings, world.store)
    settings = supplies.settings_of(question, world)
    plan = notes.timed(
        "plan", lambda: parse_query(question, settings, began), n_in=1, n_out=lambda plan: len(plan.subqueries)
    )
    learned = not (question.demo or question.as_of or world.recording or world.look_only)
    scores = scoring.score_settings(settings, plan, interests=world.store.prefs.words("interests"))
    embedder, warnings = (None, ()) if plan.route == "evergreen" else supplies.first_model(settings, world.store)
    gathered = Gathered(judged=(), outcomes=())
    if plan.route != "evergreen":
        gathered = await supplies.gather(plan, settings, world, embedder)
        notes.add(gathered.note)
        notes.add(gathered.pages)
    run = _Run(
        plan=plan, settings=settings, scores=scores, gathered=gathered, embedder=embedder, warnings=warnings,
        learned=learned, began=began, notes=notes,
    )  # fmt: skip
    report, remember = _ranked(run, world)
    return report if world.look_only else keep(report, world.store, settings, learned=learned, remember=remember)


def rank_again(report: Report, world: World) -> Report:
    """Rank a stored run anew, without asking anybody: the same items and settings, and what was restored since.

    The result is a run of its own, which teaches nothing.
    """
    began, notes, plan = world.clock(), Notes(world.progress), report.plan
    settings = supplies.settings_of(plan.question, world)
    embedder, warnings = supplies.first_model(settings, world.store)
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
    """(the report, what remembers its events). Nothing is stored."""
    plan, settings, notes, store = run.plan, run.settings, run.notes, world.store
    analyst = supplies.decisions(store)
    pool = supplies.sighted(run.gathered.judged, store, plan, run.learned)
    pool = readmit(pool, () if world.recording else analyst["restore"])
    pool = notes.gate("gates", pool, supplies.gate(pool, plan, settings, store))
    rows = _examined(pool, plan, settings)
    items = [pool[row].candidate for row in rows]
    words = notes.timed("words", lambda: corpus(items), n_in=len(items))
    vectors, query_vector = notes.timed(
        "embed",
        lambda: supplies.embed(items, plan, settings, run.embedder),
        n_in=len(items),
        n_out=lambda found: 0 if found[0] is None else len(found[0]),
    )
    memory = None if world.recording else store.memory  # a replay is as it was, whatever was learned since
    grouping = notes.timed(
        "events",
        lambda: events.group(
            items, window=plan.window, settings=settings, vectors=vectors, memory=memory, now=plan.now, corpus=words
        ),
        n_in=len(items),
        n_out=lambda found: len(found.events),
    )
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
            authorities=store.authority,
            vectors=vectors,
            query_vector=query_vector,
            embedder=run.embedder,
            reranker=supplies.second_model(settings, store, vectors),
            corpus=words,
            endpoints=supplies.endpoints_by_name(plan, settings),
            dismissed=analyst["dismiss"],
            adopted=analyst["adopt"],
        ),
        n_in=len(rows),
        n_out=lambda found: int((found[0].fixed < 0).sum()),
    )
    table = notes.timed("select", lambda: scoring.select(table, run.scores), n_in=len(rows))
    notes.fates(table)
    report = _report(run, table, grouping, explain, scoring.shared_dates(items))
    return report, lambda: store.memory.remember(events.fingerprints(items, grouping, corpus=words), plan.now)


def _examined(pool: Sequence[Judged], plan: Plan, settings: Settings) -> list[int]:
    """Rows that are embedded, grouped and scored: what passed the gates, older items that may belong to an event of
    the window, and of a large pool the lexically best."""
    upstream = scoring.upstream_rows(pool, plan, settings)
    rows = sorted({*(row for row, one in enumerate(pool) if one.verdict.keep), *upstream})
    first_party = [place for place, row in enumerate(rows) if pool[row].verdict.first_party]
    short = scoring.shortlist([pool[row].candidate for row in rows], plan, settings, always=first_party)
    return [rows[place] for place in short]


def _report(
    run: _Run, table: Table, grouping: Grouping, explain: scoring.Explain, shared_dates: Sequence[str]
) -> Report:
    gathered = run.gathered
    return Report(
        run_id=f"{run.began:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}",
        plan=run.plan,
        settings=run.scores,
        table=table,
        events=grouping.events,
        details=explain.details(table),
        outcomes=gathered.outcomes,
        funnel=funnel(table, gathered),
        stages=run.notes.stages,
        authorities=explain.authorities,
        apart=grouping.apart,
        x=gathered.x,
        warnings=(
            *run.plan.warnings,
            *gathered.warnings,
            *(gathered.x.warnings if gathered.x else ()),
            *run.warnings,
            *scoring.cautions(run.scores, run.settings),
            *shared_dates,
        ),
        demo=run.plan.question.demo,
        created_at=run.began,
    )


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
    return await explore(question, open_world(settings, store, progress, record, environ, transport))


def retrieve_recent_now(query: str, **arguments: Any) -> Report:
    """`retrieve_recent` without `await`, for scripts and notebooks."""
    return asyncio.run(retrieve_recent(query, **arguments))


def run_question(question: Question, *, progress: Progress | None = None, store: Store | None = None) -> Report:
    """Run a question that is already a record; what background runs call."""
    return asyncio.run(explore(question, open_world(None, store, progress)))


def replay_now(
    file: Path, *, progress: Progress | None = None, store: Store | None = None, settings: Settings | None = None
) -> Report:
    """Play a recorded run again: the same answers, no network, nothing learned. Raises InputError."""
    recording = network.load(file)
    world = replace(open_world(settings, store, progress), recording=recording)
    return asyncio.run(explore(recording.question, world))


def rank_again_now(run_id: str, *, progress: Progress | None = None, store: Store | None = None) -> Report:
    """Rank a stored run anew with what the analyst restored; a new run. Raises InputError for a run that is gone."""
    world = open_world(None, store, progress)
    return rank_again(world.store.runs.load(run_id), world)
