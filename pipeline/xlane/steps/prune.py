"""Step 5: only what is on topic goes on. Everything else stays visible with its reason."""

from __future__ import annotations

from pipeline.types import Bucket, Candidate, Judged, Plan, Verdict
from pipeline.xlane.gates import unique
from pipeline.xlane.judge import PostVerdict
from pipeline.xlane.posts import handle_key
from pipeline.xlane.steps.corpus import Corpus


def prune(plan: Plan, chosen: Corpus, other: Corpus | None) -> tuple[list[Judged], list[Judged]]:
    """(kept, pruned): on-topic posts of the chosen corpus, then of the other one; first-party posts always."""
    kept: list[Judged] = []
    pruned: list[Judged] = []
    seen: set[str] = set()
    first_party = unique(plan.question.x_handles)
    joining = {post.id for post, verdict in other.pairs() if verdict.on_topic} if other is not None else set()
    for corpus in (chosen, other) if other is not None else (chosen,):
        for post, verdict in corpus.pairs():
            if post.id in seen:
                continue
            if corpus is chosen and verdict.verdict == "off" and post.id in joining:
                continue  # the other corpus found it on topic: it joins from there
            seen.add(post.id)
            judged = as_judged(post, verdict, first_party=handle_key(post.author) in first_party)
            (kept if judged.verdict.keep else pruned).append(judged)
    return kept, pruned


def as_judged(
    post: Candidate, verdict: PostVerdict, *, first_party: bool = False, lane: str = "", by: str = "x judge"
) -> Judged:
    """A post with its verdict as the pool carries it."""
    keep = verdict.verdict != "off" or first_party
    return Judged(
        candidate=post,
        verdict=Verdict(
            keep=keep,
            bucket=None if keep else Bucket.OFF_TOPIC,
            reason=_reason(verdict, first_party),
            score=verdict.score,
            floor=verdict.floor,
            matched=verdict.matched,
            missing=verdict.missing,
            decided_by=by,
            first_party=first_party,
            lane=lane,
        ),
    )


def _reason(verdict: PostVerdict, first_party: bool) -> str:
    if verdict.verdict == "unjudged":
        return "no text to judge; kept aside from the ratio"
    if verdict.on_topic:
        return f"on topic: {verdict.rule}"
    if first_party:
        return f"kept as first party although off topic: {verdict.rule}"
    return f"off topic: {verdict.rule}"
