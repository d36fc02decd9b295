"""What a judge pruned and the analyst restored: it goes on into the ranking."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from pipeline.types import Bucket, Judged

BY = "analyst"


def readmit(pool: Sequence[Judged], restored: Collection[str]) -> tuple[Judged, ...]:
    """The pool with restored items (candidate ids) kept, exempt from relevance floors: a person read them.

    Only what a judge pruned is touched; what was dropped for its date, or as unreadable, stays dropped.
    """
    wanted = frozenset(restored)
    return tuple(_kept(one) if one.candidate.id in wanted and _pruned(one) else one for one in pool)


def _pruned(one: Judged) -> bool:
    return not one.verdict.keep and one.verdict.bucket == Bucket.OFF_TOPIC


def _kept(one: Judged) -> Judged:
    reason = f"restored by you; the judge said {one.verdict.reason}"
    verdict = replace(one.verdict, keep=True, bucket=None, reason=reason, decided_by=BY, first_party=True)
    return replace(one, verdict=verdict)
