"""What one stream carries from step to step."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipeline.errors import FetchError
from pipeline.settings import XSettings
from pipeline.types import Bucket, Candidate, Embedder, Judged, Plan, Verdict, XQuery
from pipeline.xlane.backends import Backend
from pipeline.xlane.judge import Floors


@dataclass(slots=True)
class Run:
    """Fixed at the begin: what is asked, by which rules. Collected on the way: what has to be said at the end."""

    plan: Plan
    backend: Backend
    x: XSettings
    floors: Floors
    embedder: Embedder | None
    deadline: float
    """Loop clock, seconds: one for the whole stream."""
    topic: str
    dropped: list[Judged] = field(default_factory=list)
    """Posts that the judge never saw, with the reason."""
    queries: list[XQuery] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    errors: list[FetchError] = field(default_factory=list)
    answered: int = 0
    requests: int = 0
    bytes: int = 0


def refused(post: Candidate, bucket: Bucket, reason: str, by: str) -> Judged:
    """A post that goes no further, with the reason: nothing disappears."""
    return Judged(candidate=post, verdict=Verdict(keep=False, bucket=bucket, reason=reason, decided_by=by))
