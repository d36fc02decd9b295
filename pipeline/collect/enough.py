"""When to stop early: the best endpoints have brought plenty that is dated, in the window and on the subject."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import timedelta

from pipeline.text import content_tokens, normalise
from pipeline.types import Candidate, Plan

CLOCK_SKEW = timedelta(hours=1)
"""A window that ends now admits dates this far ahead: clocks of publishers differ."""


def topic_terms(plan: Plan) -> frozenset[str]:
    """The words that make an item look like one about the question."""
    topics = [plan.core_subject or plan.raw_topic, *(subquery.raw_topic for subquery in plan.subqueries)]
    return frozenset(term for topic in topics for term in content_tokens(topic))


class Enough:
    """Counts distinct good candidates of priority-1 endpoints; `reached` is set when `needed` have come."""

    def __init__(self, plan: Plan, needed: int) -> None:
        self.needed = needed
        self.reached = asyncio.Event()
        self._window = plan.window
        self._until = plan.window.until + (CLOCK_SKEW if plan.window.ends_now else timedelta())
        self._terms = topic_terms(plan)
        self._good: set[str] = set()

    def good(self, candidates: Sequence[Candidate]) -> frozenset[str]:
        """What counts among `candidates`, one key for each distinct one. Pure: runs beside the parser."""
        return frozenset(
            normalise(candidate.title) or candidate.id
            for candidate in candidates
            if self._in_window(candidate) and self._on_topic(candidate)
        )

    def add(self, keys: Iterable[str]) -> None:
        self._good.update(keys)
        if len(self._good) >= self.needed:
            self.reached.set()

    def __len__(self) -> int:
        return len(self._good)

    def _in_window(self, candidate: Candidate) -> bool:
        at = candidate.published_at
        return at is not None and self._window.since <= at < self._until

    def _on_topic(self, candidate: Candidate) -> bool:
        return not self._terms or not self._terms.isdisjoint(content_tokens(f"{candidate.title} {candidate.text}"))
