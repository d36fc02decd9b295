"""Step 3: verified posts and what the judge says of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.types import Candidate, XVerdict
from pipeline.xlane.context import vectors_for
from pipeline.xlane.judge import Judgement, PostVerdict, judge_x_corpus
from pipeline.xlane.steps.run import Run


@dataclass(frozen=True, slots=True)
class Corpus:
    """The posts of one search, judged."""

    query: str
    judged: Judgement

    @property
    def posts(self) -> tuple[Candidate, ...]:
        return self.judged.posts

    def verdict(self) -> XVerdict:
        return self.judged.summary(self.query)

    def pairs(self) -> Iterator[tuple[Candidate, PostVerdict]]:
        return zip(self.posts, self.judged.verdicts, strict=True)

    def ids(self) -> tuple[tuple[str, str], ...]:
        """(post id, "on" / "off" / "unjudged")"""
        return tuple((post.id, verdict.verdict) for post, verdict in self.pairs())


def judge(run: Run, query: str, posts: Sequence[Candidate]) -> Corpus:
    """Judge the posts that `query` brought, in context, against the ranking query."""
    ranking = run.plan.ranking_query or run.topic
    vectors = vectors_for(posts, ranking, run.embedder, run.notes)
    judged = judge_x_corpus(posts, run.topic, ranking_query=ranking, mode="context", vectors=vectors, floors=run.floors)
    return Corpus(query, judged)
