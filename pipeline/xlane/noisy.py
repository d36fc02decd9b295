"""The corpus judge for every noisy search source: X's judge and floors, without its retry and lanes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from pipeline.settings import Settings
from pipeline.types import Candidate, Embedder, Plan, Verdict
from pipeline.xlane.context import vectors_for
from pipeline.xlane.judge import Floors, judge_x_corpus
from pipeline.xlane.steps.prune import as_judged

Judge = Callable[[Sequence[Candidate], Plan], Sequence[Verdict]]
_BARE = "; only its headline was judged, for it came without the text of the page that it links to"


def noisy_judge(settings: Settings, embedder: Embedder | None) -> Judge:
    """A judge for one source's answers: verdicts aligned with the candidates. Items without text are kept."""
    floors = Floors.of(settings.pipeline.x)

    def judge(candidates: Sequence[Candidate], plan: Plan) -> Sequence[Verdict]:
        query = plan.ranking_query or plan.raw_topic or plan.text
        vectors = vectors_for(candidates, query, embedder, [], posts=False)
        judged = judge_x_corpus(candidates, query, mode="context", vectors=vectors, floors=floors)
        pairs = zip(candidates, judged.verdicts, strict=True)
        return [_told(item, as_judged(item, verdict, by="corpus judge").verdict) for item, verdict in pairs]

    return judge


def _told(item: Candidate, verdict: Verdict) -> Verdict:
    """A dropped link that came as a bare headline says so: a feed's report of the same page may be on topic."""
    bare = not verdict.keep and not item.text.strip()
    return replace(verdict, reason=verdict.reason + _BARE) if bare else verdict
