"""The judge's work on one source of a finished run, from what the run keeps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pipeline.types import Outcome, Report, Scored, Verdict, XQuery
from pipeline.xlane.gates import table
from pipeline.xlane.judge import Floors, PostVerdict, judgement
from pipeline.xlane.posts import handle_key
from pipeline.xlane.restored import BY
from pipeline.xlane.review.shape import Fate, JudgedPost, Review
from pipeline.xlane.said import headline


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
    topic = report.plan.ranking_query or report.plan.raw_topic or report.plan.text
    judged = judgement(posts, verdicts, mode="context", floors=floors)
    before = judged.summary()
    return Review(
        source=source,
        topic=topic,
        headline=headline(topic, before, None, used="before", retry_note="", floor=floors.corpus, retries=False),
        before=before,
        after=None,
        used="before",
        retry_note="",
        handles=table(judged.handle_stats, (), floors),
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
