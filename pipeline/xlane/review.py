"""What the judge did, as an analyst reads it: one shape for the posts of a run and for those of a file.

    review = review_run(report, "x", floors=Floors.of(settings.pipeline.x))
    review.headline          "Off-topic flood: 8 of 40 posts were about “Rome Italy” (0.20, floor 0.40). A wider ..."
    review.those("off")      what was pruned, the nearest miss first

Pure: it reads records, judges only the file it is given, and asks nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from pipeline.errors import InputError
from pipeline.types import Embedder, HandleStats, Malformed, Outcome, Report, Scored, XQuery, XVerdict
from pipeline.xlane.gates import table, unique
from pipeline.xlane.judge import Floors, Judgement, Mode, PostVerdict, _corpus, _handle_stats, judge_x_corpus
from pipeline.xlane.posts import handle_key
from pipeline.xlane.restored import BY
from pipeline.xlane.said import headline

if TYPE_CHECKING:
    from pipeline.types import Candidate, Verdict

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


def judged_sources(report: Report) -> tuple[str, ...]:
    """Sources of a run that passed a corpus judge: "x" first where it was asked, then the other noisy ones.

    Only a judge writes a floor into a verdict, and later gates leave it there.
    """
    others = {source for source in set(report.table.sources) - {"x"} if _any_judged(report, source)}
    return (*(("x",) if report.x is not None else ()), *sorted(others))


def review_run(report: Report, source: str, *, floors: Floors) -> Review | None:
    """The judge's work on one source of a run; None where it judged nothing of it."""
    items = [(row, report.item(row)) for row in _rows(report, source)]
    if source == "x":
        return _of_x(report, items, floors)
    items = [(row, item) for row, item in items if item.judged.verdict.floor is not None]
    return _of_noisy(report, source, items, floors) if items else None


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
    from pipeline.xlane.context import vectors_for
    from pipeline.xlane.importer import parse_posts

    if not topic.strip():
        raise InputError("say what the posts should be about: the topic is empty")
    if b"\0" in data[:4096] and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError(f"{name}: this is no text; save the posts as CSV, JSON or JSONL")
    try:
        read = parse_posts(data, name=name)
    except RecursionError as error:
        raise InputError(f"{name}: nested too deeply to be read; save the posts as CSV or JSONL") from error
    notes: list[str] = []
    query = ranking_query.strip() or topic
    vectors = vectors_for(read.candidates, query, embedder, notes) if mode == "context" else None
    judged = judge_x_corpus(
        read.candidates, topic, ranking_query=ranking_query, mode=mode, vectors=vectors, floors=floors
    )
    return _of_file(read.candidates, judged, query, unique(handles), tuple(notes), floors), read.malformed


# --------------------------------------------------------------------------- X


def _of_x(report: Report, items: Sequence[tuple[int, Scored]], floors: Floors) -> Review | None:
    x = report.x
    if x is None:
        return None
    return Review(
        source="x",
        topic=x.topic,
        headline=headline(x.topic, x.before, x.after, used=x.used, retry_note=x.retry_note, floor=floors.corpus),
        before=x.before,
        after=x.after,
        used=x.used,
        retry_note=x.retry_note,
        handles=x.handles,
        posts=tuple(_post(row, item) for row, item in items),
        ids_before=x.post_ids_before,
        ids_after=x.post_ids_after,
        queries=x.queries,
        warnings=x.warnings,
        notes=x.notes,
        floors=floors,
    )


def _rows(report: Report, source: str) -> list[int]:
    return [row for row, name in enumerate(report.table.sources) if name == source]


def _post(row: int, item: Scored) -> JudgedPost:
    candidate, verdict = item.judged.candidate, item.judged.verdict
    fate = _fate(verdict)
    return JudgedPost(
        row=row,
        id=candidate.id,
        handle=candidate.author,
        text=f"{candidate.title} {candidate.text}".strip(),
        url=candidate.url,
        at=candidate.published_at,
        fate=fate,
        reason=_reason(verdict),
        score=verdict.score,
        floor=verdict.floor,
        matched=verdict.matched,
        missing=verdict.missing,
        lane=verdict.lane,
        first_party=verdict.first_party and verdict.decided_by != BY,
        outcome=f"{item.bucket.label}: {item.reason}" if verdict.keep else "",
    )


def _fate(verdict: Verdict) -> Fate:
    """The judge's word, also where a later gate dropped the post."""
    if verdict.score is not None and verdict.floor is not None:
        return "on" if verdict.score >= verdict.floor else "off"
    return "refused" if verdict.floor is None else "unjudged"


def _reason(verdict: Verdict) -> str:
    """Without the verdict's own words, which stand beside it."""
    return verdict.reason.removeprefix("on topic: ").removeprefix("off topic: ")


# --------------------------------------------------------------------------- other noisy sources


def _any_judged(report: Report, source: str) -> bool:
    """Looked at only until the first one: a source is judged as a whole."""
    return any(report.item(row).judged.verdict.floor is not None for row in _rows(report, source)[:_LOOKED])


_LOOKED = 25  # items of a source that may have been refused before its judge saw the rest


def _of_noisy(report: Report, source: str, items: Sequence[tuple[int, Scored]], floors: Floors) -> Review:
    posts = tuple(_post(row, item) for row, item in items)
    verdicts = [
        PostVerdict(post.id, handle_key(post.handle), post.fate, post.score, post.floor or 0.0)  # type: ignore[arg-type]
        for post in posts
    ]
    stats = _handle_stats(verdicts)
    topic = report.plan.ranking_query or report.plan.raw_topic or report.plan.text
    before = _verdict(verdicts, *_corpus(verdicts, stats, floors), floor=floors.context, mode="context")
    return Review(
        source=source,
        topic=topic,
        headline=headline(topic, before, None, used="before", retry_note="", floor=floors.corpus, retries=False),
        before=before,
        after=None,
        used="before",
        retry_note="",
        handles=table(stats, (), floors),
        posts=posts,
        ids_before=tuple((post.id, post.fate) for post in posts),
        ids_after=(),
        queries=_queries(report.outcomes, source),
        warnings=(),
        notes=(),
        floors=floors,
    )


def _queries(outcomes: Iterable[Outcome], source: str) -> tuple[XQuery, ...]:
    return tuple(
        XQuery(query=query, variant=outcome.endpoint, found=outcome.items, kept=outcome.items)
        for outcome in outcomes
        if outcome.source == source
        for query in outcome.queries
    )


# --------------------------------------------------------------------------- a file


def _of_file(
    candidates: Sequence[Candidate],
    judged: Judgement,
    query: str,
    handles: Sequence[str],
    notes: tuple[str, ...],
    floors: Floors,
) -> Review:
    ruled = judged.on_topic_ratio, judged.is_off_topic_flood, judged.rule
    before = _verdict(judged.verdicts, *ruled, floor=judged.floor, mode=judged.mode)
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


def _verdict(
    verdicts: Sequence[PostVerdict], ratio: float, flood: bool, rule: str, *, floor: float, mode: Mode
) -> XVerdict:
    counts = {name: sum(one.verdict == name for one in verdicts) for name in ("on", "off", "unjudged")}
    return XVerdict(
        query="",
        on_topic_ratio=ratio,
        is_off_topic_flood=flood,
        rule=rule,
        on_topic=counts["on"],
        off_topic=counts["off"],
        unjudged=counts["unjudged"],
        floor=floor,
        mode=mode,
    )
