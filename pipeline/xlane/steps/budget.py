"""What X may give the pool: lane posts never displace on-topic posts of the main search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipeline.settings import XSettings
from pipeline.types import Bucket, Judged


def within_budget(kept: Sequence[Judged], lane_kept: Sequence[Judged], x: XSettings) -> list[Judged]:
    """At most `budget` posts go on: the main search's on-topic ones, first party, other lanes, then unjudged ones."""
    order = sorted((*kept, *lane_kept), key=lambda judged: (_rank(judged), -_worth(judged, x)))
    return [judged if place < x.budget else _over(judged, x.budget) for place, judged in enumerate(order)]


def _rank(judged: Judged) -> int:
    verdict = judged.verdict
    if not verdict.lane and verdict.score is not None:
        return 0
    if verdict.lane:
        return 1 if verdict.first_party else 2
    return 3


def _worth(judged: Judged, x: XSettings) -> float:
    return (judged.verdict.score or 0.0) * (x.related_weight if judged.verdict.lane == "related" else 1.0)


def _over(judged: Judged, budget: int) -> Judged:
    reason = f"over X's budget of {budget} posts"
    return replace(judged, verdict=replace(judged.verdict, keep=False, bucket=Bucket.NOT_EXAMINED, reason=reason))
