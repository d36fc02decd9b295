"""The shape of a review: every post with what decided it, and the verdict on all of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Literal

from pipeline.types import HandleStats, XQuery, XVerdict
from pipeline.xlane.judge import Floors

Fate = Literal["on", "off", "unjudged", "refused"]
FATES: tuple[Fate, ...] = ("off", "on", "unjudged", "refused")
"""refused: it could not be true, could not be read, or lay outside the window; the judge never saw it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPost:
    """One post and everything its verdict was decided by. `row` is its row in the run, its place in a file."""

    row: int
    id: str
    handle: str
    text: str
    url: str
    at: datetime | None
    fate: Fate
    reason: str
    score: float | None
    floor: float | None
    matched: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    lane: str = ""
    first_party: bool = False
    outcome: str = ""
    """What became of it in the run, for a post that the judge let through."""


@dataclass(frozen=True, kw_only=True)
class Review:
    """The judge's work on one source of a run, or on a file."""

    source: str
    topic: str
    """What the posts should be about."""
    headline: str
    before: XVerdict
    after: XVerdict | None
    used: Literal["before", "after"]
    retry_note: str
    handles: tuple[HandleStats, ...]
    posts: tuple[JudgedPost, ...]
    ids_before: tuple[tuple[str, str], ...]
    """(post id, "on" / "off" / "unjudged") of the corpus that was judged first."""
    ids_after: tuple[tuple[str, str], ...]
    queries: tuple[XQuery, ...]
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    floors: Floors

    def those(self, fate: Fate) -> tuple[JudgedPost, ...]:
        """The posts that ended so, best score first."""
        return self._by_fate[fate]

    @cached_property
    def _by_fate(self) -> dict[Fate, tuple[JudgedPost, ...]]:
        found: dict[Fate, list[JudgedPost]] = {fate: [] for fate in FATES}
        for post in sorted(self.posts, key=lambda post: -(post.score or 0.0)):
            found[post.fate].append(post)
        return {fate: tuple(posts) for fate, posts in found.items()}
