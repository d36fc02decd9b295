"""Lanes: the searches for single accounts.

explicit   given as --x-handle: first party, searched without the topic (people rarely write their own name)
typed      an @handle in the question, or a proposed one that is the topic's own name: no immunity
related    given as --x-related: promoted like explicit ones, weight `x.related_weight`
extracted  found in the corpus and promoted by the gates: searched together with the topic
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pipeline.types import Plan, Window
from pipeline.xlane.compile import lane_query, looks_like_subject, named_by_analyst
from pipeline.xlane.gates import by_merit, gate, unique
from pipeline.xlane.judge import Floors, HandleCount


@dataclass(frozen=True, slots=True)
class Lane:
    handle: str
    kind: Literal["explicit", "typed", "related", "extracted"]

    @property
    def first_party(self) -> bool:
        return self.kind == "explicit"

    @property
    def and_topic(self) -> bool:
        return self.kind == "extracted"


def explicit_handles(plan: Plan) -> list[Lane]:
    """Lanes of accounts that somebody named, none twice, first party first.

    A handle that only a planner proposed is used if it is the topic's own name; it is no first party even then.
    """
    found: dict[str, Lane] = {}
    for handle in unique(plan.question.x_handles):
        found[handle] = Lane(handle, "explicit")
    for handle in unique(plan.handles):
        if named_by_analyst(handle, plan) or looks_like_subject(handle, plan.core_subject or plan.raw_topic):
            found.setdefault(handle, Lane(handle, "typed"))
    for handle in unique(plan.question.x_related):
        found.setdefault(handle, Lane(handle, "related"))
    return list(found.values())


def extracted(stats: Mapping[str, HandleCount], explicit: Sequence[Lane], floors: Floors, *, limit: int) -> list[Lane]:
    """Accounts of the corpus that earned a lane, by share on topic and then hits, never by frequency."""
    taken = {lane.handle for lane in explicit}
    passed = [handle for handle, count in stats.items() if handle not in taken and gate(count, floors)[0]]
    return [Lane(handle, "extracted") for handle in by_merit(passed, stats)[:limit]]


def query(lane: Lane, topic: str, window: Window) -> str:
    """What a lane asks, for the report."""
    return lane_query([lane.handle], topic, window, and_topic=lane.and_topic)
