"""The X stream: search widely, look at what came back, search once more if it is off topic.

    compile -> ask -> verify -> judge --flood--> ask the widest form, once -> verify -> judge --+
                                  |                                                             |
                                  +-----------> choose the better corpus (strictly) <-----------+
                                                             |
                                     gates -> prune -> lanes (judged, pruned) -> budget -> end

One absolute deadline for all of it. Every post that came back ends in the result with a verdict. Pruning is a
warning, never a failure. The judge is pure; only the steps (`steps`, a file each) and the backends wait for anything.
"""

from __future__ import annotations

import asyncio
from typing import Any

from pipeline.settings import Settings
from pipeline.types import Embedder, Judged, Outcome, Plan, Progress, XReport
from pipeline.xlane import lanes
from pipeline.xlane.backends import Backend, not_configured
from pipeline.xlane.compile import Variant, plan_topic, variants
from pipeline.xlane.gates import table
from pipeline.xlane.judge import Floors
from pipeline.xlane.steps.ask import ask, merge
from pipeline.xlane.steps.budget import within_budget
from pipeline.xlane.steps.corpus import Corpus, judge
from pipeline.xlane.steps.end import outcome, warn
from pipeline.xlane.steps.lane import search_lanes
from pipeline.xlane.steps.prune import prune
from pipeline.xlane.steps.retry import choose, retry, what_changed
from pipeline.xlane.steps.run import Run

Result = tuple[tuple[Judged, ...], XReport | None, tuple[Outcome, ...]]
FILE_LIMIT = 20_000
"""Posts taken from an imported file."""


async def stream(
    plan: Plan,
    backend: Backend | None,
    *,
    settings: Settings,
    embedder: Embedder | None,
    progress: Progress | None = None,
) -> Result:
    """Everything X brings to a run: (posts with verdicts, what the stream did, the endpoint's outcome).

    Never raises for what a service does: that is the outcome.
    """
    x = settings.pipeline.x
    if backend is None:
        return (), None, (not_configured(plan, x),)
    loop = asyncio.get_running_loop()
    started = loop.time()
    run = Run(
        plan=plan,
        backend=backend,
        x=x,
        floors=Floors.of(x),
        embedder=embedder,
        deadline=started + x.deadline_s,
        topic=plan_topic(plan),
    )
    tell = progress or _silent
    first = await _first_corpus(run)
    tell("x", step="searched", posts=len(first.posts), on_topic=first.judged.on_topic_ratio)
    second, retry_note = await retry(run, first)
    chosen, other = choose(first, second)
    if second is not None:
        retry_note = what_changed(first, second, used_second=chosen is second)
        tell("x", step="retried", note=retry_note)
    named = lanes.explicit_handles(plan)
    handles = table(chosen.judged.handle_stats, [lane.handle for lane in named], run.floors)
    kept, pruned = prune(plan, chosen, other)
    lane_kept, lane_pruned = await search_lanes(run, chosen, named, {one.candidate.id for one in (*kept, *pruned)})
    judged = (*within_budget(kept, lane_kept, x), *pruned, *lane_pruned, *run.dropped)
    warn(run, first, chosen, judged)
    report = XReport(
        backend=backend.name,
        topic=run.topic,
        queries=tuple(run.queries),
        before=first.verdict(),
        after=second.verdict() if second is not None else None,
        retry_note=retry_note,
        used="after" if second is not None and chosen is second else "before",
        handles=handles,
        post_ids_before=first.ids(),
        post_ids_after=second.ids() if second is not None else (),
        notes=tuple(dict.fromkeys(run.notes)),
        warnings=tuple(run.warnings),
    )
    return judged, report, (outcome(run, judged, elapsed_ms=int((loop.time() - started) * 1000)),)


async def _first_corpus(run: Run) -> Corpus:
    """All variants at once, merged by post id, the widest first; a file has one corpus."""
    if run.backend.asks:
        asked = await ask(run, variants(run.topic, run.plan.window, run.plan.question.depth), run.x.per_variant)
    else:
        asked = await ask(run, [Variant("file", "")], FILE_LIMIT)
    return judge(run, asked[0].variant.query or run.topic, merge(run, asked))


def _silent(kind: str, **facts: Any) -> None:
    """Nobody is told."""
