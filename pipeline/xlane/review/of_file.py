"""The judge's work on a file of posts that the analyst has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pipeline.errors import InputError
from pipeline.types import Candidate, Embedder, Malformed
from pipeline.xlane.context import vectors_for
from pipeline.xlane.gates import table, unique
from pipeline.xlane.importer import parse_posts
from pipeline.xlane.judge import Floors, Judgement, Mode, PostVerdict, judge_x_corpus
from pipeline.xlane.posts import handle_key
from pipeline.xlane.review.shape import JudgedPost, Review
from pipeline.xlane.said import headline


def review_file(
    data: bytes,
    topic: str,
    *,
    name: str = "the file",
    mode: Mode = "coverage",
    ranking_query: str = "",
    handles: Iterable[str] = (),
    floors: Floors,
    embedder: Embedder | None = None,
) -> tuple[Review, tuple[Malformed, ...]]:
    """(the verdict on a file of posts, the entries of it that could not be read).

    data: CSV, JSON or JSONL as `xlane.importer` reads it. handles: first-party accounts. embedder: for context mode,
    which also works without. Raises InputError for a file without posts and for an empty topic.
    """
    if not topic.strip():
        raise InputError("say what the posts should be about: the topic is empty")
    read = parse_posts(data, name=name)
    notes: list[str] = []
    query = ranking_query.strip() or topic
    vectors = vectors_for(read.candidates, query, embedder, notes) if mode == "context" else None
    judged = judge_x_corpus(
        read.candidates, topic, ranking_query=ranking_query, mode=mode, vectors=vectors, floors=floors
    )
    return _of_file(read.candidates, judged, query, unique(handles), tuple(notes), floors), read.malformed


def _of_file(
    candidates: Sequence[Candidate],
    judged: Judgement,
    query: str,
    handles: Sequence[str],
    notes: tuple[str, ...],
    floors: Floors,
) -> Review:
    before = judged.summary()
    posts = tuple(
        _file_post(at, candidate, verdict, handles)
        for at, (candidate, verdict) in enumerate(zip(candidates, judged.verdicts, strict=True))
    )
    return Review(
        source="file",
        topic=query,
        headline=headline(query, before, None, used="before", retry_note="", floor=floors.corpus, retries=False),
        before=before,
        after=None,
        used="before",
        retry_note="",
        handles=table(judged.handle_stats, handles, floors),
        posts=posts,
        ids_before=tuple((post.id, post.fate) for post in posts),
        ids_after=(),
        queries=(),
        warnings=(),
        notes=notes,
        floors=floors,
    )


def _file_post(at: int, candidate: Candidate, verdict: PostVerdict, handles: Sequence[str]) -> JudgedPost:
    return JudgedPost(
        row=at,
        id=candidate.id,
        handle=candidate.author,
        text=candidate.text,
        url=candidate.url,
        at=candidate.published_at,
        fate=verdict.verdict,
        reason=verdict.rule,
        score=verdict.score,
        floor=verdict.floor,
        matched=verdict.matched,
        missing=verdict.missing,
        first_party=handle_key(candidate.author) in handles,
    )
