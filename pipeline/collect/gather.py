"""`gather`: ask every chosen endpoint at once and hand on all that came, each thing with a verdict.

    choose endpoints ─┬─ ask each (own deadline) ──> merge, cap, judge noisy sources ─┬─ date by page ─┐
                      │    └─ pages of its undated items ──────────────────────────────┘                │
                      └─ X lane (its own deadline) ─────────────────────────────────────────────────────┴─> Gathered

A slow endpoint delays nobody. When priority-1 endpoints have brought enough, the others are stopped.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from pipeline.collect import pool
from pipeline.collect.ask import Ask, Tools
from pipeline.collect.choose import choose
from pipeline.collect.enough import Enough, topic_terms
from pipeline.collect.undated import Undated
from pipeline.errors import FetchError, LatelyError
from pipeline.net import Net
from pipeline.net.worker import Worker
from pipeline.settings import Feed, Settings
from pipeline.types import Gathered, Judged, Outcome, Plan, Progress, Source, StageNote, XReport

Lane = tuple[tuple[Judged, ...], XReport | None, tuple[Outcome, ...]]
XLane = Callable[[], Awaitable[Lane]]

_LANE_GRACE_S = 0.1  # the X lane ends by its own deadline; this much later it is stopped from outside


def quiet(kind: str, **facts: Any) -> None:
    """Progress nobody listens to."""


async def gather(
    plan: Plan,
    sources: Sequence[Source],
    *,
    settings: Settings,
    net: Net,
    progress: Progress = quiet,
    judge: pool.Judge | None = None,
    xlane: XLane | None = None,
    opml_feeds: Sequence[Feed] = (),
) -> Gathered:
    """Ask the plan's endpoints. Raises InputError for an unknown source, nothing for what a source does.

    judge: verdicts on a noisy source's candidates. xlane: runs beside, ends by its own deadline. opml_feeds replace
    the feed list, and are all that is asked when no source is named. progress is told ("started", source, endpoint),
    ("counts", source, endpoint, items) and ("finished", source, endpoint, status, items, elapsed_ms).
    """
    started = time.monotonic()
    choices = choose(plan, sources, settings=settings, net=net, opml_feeds=opml_feeds)
    limits = settings.pipeline.collect
    worker = Worker("parse")
    tools = Tools(
        net=net,
        worker=worker,
        enough=_enough(plan, settings, net, bool(opml_feeds)),
        progress=progress,
        limit=limits.per_endpoint_items,
        thin_floor=limits.thin_floor,
    )
    asked = _asked_plan(plan, settings)
    asks = [Ask(choice, plan, asked, tools) for choice in choices]
    undated = _undated(plan, [choice.endpoint.timeout_s for choice in choices], settings, net, worker)
    deadline = settings.pipeline.x.deadline_s
    lane = asyncio.ensure_future(_told(_lane(xlane, deadline), progress)) if xlane is not None else None
    try:
        outcomes = await _until_enough(asks, tools.enough, undated)
        found, repeats = pool.entries(asks)
        outcomes = pool.accounted(outcomes, repeats)
        reasons = pool.cap(found, per_endpoint=limits.per_endpoint_items, total=limits.max_items)
        rows = await undated.dated([*pool.judged(found, reasons, plan, judge), *pool.unreadable(asks)])
        pages = undated.note(time.monotonic() - started)
        from_x, x, x_outcomes = await lane if lane is not None else ((), None, ())
    finally:
        undated.stop()
        worker.close()
        if lane is not None:
            lane.cancel()
    rows += from_x
    return Gathered(
        judged=tuple(rows),
        outcomes=(*outcomes, *x_outcomes),
        x=x,
        warnings=net.warnings,
        note=_note(rows, repeats.total(), time.monotonic() - started),
        pages=pages,
    )


def _enough(plan: Plan, settings: Settings, net: Net, opml: bool) -> Enough | None:
    """The early stop; off at depth deep, in replays, and when an OPML alone says whom to ask."""
    if plan.question.depth == "deep" or net.player is not None or (opml and plan.question.sources is None):
        return None
    results = plan.question.max_results or settings.pipeline.max_results
    return Enough(plan, settings.pipeline.collect.enough_factor * results)


def _asked_plan(plan: Plan, settings: Settings) -> Plan:
    """The plan as sources search it: from some days before the window, where upstream items are looked for."""
    window = settings.pipeline.time_window
    if not window.expand_window:
        return plan
    since = plan.window.since - timedelta(days=window.upstream_days)
    return replace(plan, window=replace(plan.window, since=since))


def _undated(plan: Plan, timeouts: Sequence[float], settings: Settings, net: Net, worker: Worker) -> Undated:
    """Look-ups of undated items' pages; none at depth quick. They end with the endpoint that may take longest."""
    limits = settings.pipeline.collect
    return Undated(
        net=net,
        worker=worker,
        terms=topic_terms(plan),
        most=0 if plan.question.depth == "quick" else limits.undated_pages,
        timeout_s=limits.undated_timeout_s,
        until=asyncio.get_running_loop().time() + max(timeouts, default=0.0),
    )


async def _until_enough(asks: Sequence[Ask], enough: Enough | None, undated: Undated) -> list[Outcome]:
    """Run all; once there is enough, stop those still under way. Outcomes in the order of `asks`."""
    tasks = [asyncio.create_task(_asked(ask, undated)) for ask in asks]
    everything = asyncio.gather(*tasks)
    plenty = asyncio.create_task(_reached(enough, tasks))
    try:
        return await everything
    finally:
        plenty.cancel()
        for task in tasks:
            task.cancel()
        if enough is not None and enough.reached.is_set():
            undated.stop()


async def _asked(ask: Ask, undated: Undated) -> Outcome:
    outcome = await ask.run()
    if ask.choice.source.kind != "file":
        undated.begin([candidate for parsed in ask.found for candidate in parsed.candidates], ask.choice.endpoint)
    return outcome


async def _reached(enough: Enough | None, tasks: Sequence[asyncio.Task[Outcome]]) -> None:
    if enough is not None:
        await enough.reached.wait()
        for task in tasks:
            task.cancel()


async def _told(lane: Awaitable[Lane], progress: Progress) -> Lane:
    """The X lane, which progress hears of as of one endpoint."""
    started = time.monotonic()
    progress("started", source="x", endpoint="x")
    rows, x, outcomes = await lane
    status = next((one.status for one in outcomes if one.status != "ok"), "ok")
    elapsed = round(1000 * (time.monotonic() - started))
    progress("finished", source="x", endpoint="x", status=status, items=len(rows), elapsed_ms=elapsed)
    return rows, x, outcomes


async def _lane(xlane: XLane, deadline_s: float) -> Lane:
    """The X lane's result; what goes wrong there is its outcome, never the run's."""
    started = time.monotonic()
    try:
        return await asyncio.wait_for(xlane(), deadline_s + _LANE_GRACE_S)
    except TimeoutError:
        error: LatelyError = FetchError(f"no end within {deadline_s:g} s", status="timeout")
    except LatelyError as raised:
        error = raised
    status = error.status if isinstance(error, FetchError) else "error"
    elapsed = round(1000 * (time.monotonic() - started))
    return (), None, (Outcome(source="x", endpoint="x", status=status, elapsed_ms=elapsed, detail=str(error)),)


def _note(rows: Sequence[Judged], repeated: int, seconds: float) -> StageNote:
    """What came, and what of it goes on; an item that came twice is one row, and is counted here."""
    dropped = Counter(
        row.verdict.bucket.label for row in rows if not row.verdict.keep and row.verdict.bucket is not None
    )
    kept = len(rows) - sum(dropped.values())
    if repeated:
        dropped[pool.CAME_BEFORE] = repeated
    return StageNote(name="collect", n_in=len(rows) + repeated, n_out=kept, dropped=dict(dropped), seconds=seconds)
