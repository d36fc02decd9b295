"""`judge-x`: a corpus that the analyst has, judged against a topic; or what the judge did in a stored run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pipeline.cli.common import AsJson, emit, examples, note, rows, say, settings, single, store
from pipeline.errors import InputError
from pipeline.text.counts import many

if TYPE_CHECKING:
    from pipeline.types import Candidate, HandleStats
    from pipeline.xlane import Judgement

judge_x = single()
PROBLEMS = 10
"""Entries of a file that are named when they can't be read; the others are counted."""
PRINTED = 500
"""Posts of a file in the table at the terminal: nobody reads on, and drawing 50,000 takes a minute."""


@judge_x.command(
    epilog=examples(
        'lately judge-x posts.csv --topic "Rome Italy"',
        'lately judge-x posts.jsonl --topic "Rome" --ranking-query "news from the city of Rome" --mode context --json',
        "lately judge-x --run last --source bluesky",
    )
)
def judge_(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="CSV, JSON or JSONL with id, author, text, created_at.")
    ] = None,
    topic: Annotated[str | None, typer.Option(help="What the posts should be about.")] = None,
    ranking_query: Annotated[str, typer.Option(help="Judge against this instead of the topic.")] = "",
    mode: Annotated[
        Literal["coverage", "context"], typer.Option(help="Words of the topic, or the corpus' own.")
    ] = "coverage",
    x_handle: Annotated[list[str] | None, typer.Option(help="A first-party account; repeatable.")] = None,
    run: Annotated[str, typer.Option(metavar="RUN", help="Say instead what the judge did in this run.")] = "",
    source: Annotated[str, typer.Option(help="Which judged source of the run.")] = "x",
    as_json: AsJson = False,
) -> None:
    """Which posts are about the topic, is the corpus a flood, which accounts have earned a lane."""
    if run and file is None:
        _of_run(run, source, as_json)
        return
    if file is None or run or topic is None:
        raise InputError("give a FILE and its --topic, or --run RUN")
    if not topic.strip():
        raise InputError("the --topic is empty; say in a few words what the posts should be about")
    from pipeline.xlane.importer import read_posts

    read = read_posts(file)
    for bad in read.malformed[:PROBLEMS]:
        note(f"left out: {bad.reason}")
    if len(read.malformed) > PROBLEMS:
        note(f"left out: {many(len(read.malformed), 'entry', 'entries')} in all; these are the first {PROBLEMS}")
    found = _judge(read.candidates, topic, ranking_query, mode, tuple(x_handle or ()))
    if as_json:
        emit(found)
    else:
        _print(found)


_SHOWN = (
    "source",
    "topic",
    "headline",
    "before",
    "after",
    "used",
    "retry_note",
    "queries",
    "handles",
    "posts",
    "warnings",
    "notes",
)


def _of_run(run: str, source: str, as_json: bool) -> None:
    from pipeline.xlane.judge import Floors
    from pipeline.xlane.review import FATES, judged_sources, review_run
    from pipeline.xlane.said import silence

    report = store().runs.load(run)
    review = review_run(report, source, floors=Floors.of(settings().pipeline.x))
    if review is None:
        why = silence(report)[0] if source == "x" else "not judged"
        known = ", ".join(judged_sources(report)) or "none"
        raise InputError(f"no judge looked at {source!r} in run {report.run_id} ({why}); judged sources: {known}")
    if as_json:
        emit({name: getattr(review, name) for name in _SHOWN})
        return
    say(review.headline)
    for line in (*review.warnings, *review.notes):
        say(line)
    rows(
        "Queries",
        ("search", "query", "#posts", "#new"),
        [(line.variant, line.query, line.found, line.kept) for line in review.queries],
        empty="No queries.",
    )
    _accounts(review.handles)
    rows(
        "Posts",
        ("verdict", "#score", "author", "text", "reason"),
        [
            (
                fate,
                "" if one.score is None else f"{one.score:.2f}",
                f"@{one.handle}",
                " ".join(one.text.split()),
                one.reason,
            )
            for fate in FATES
            for one in review.those(fate)
        ],
        empty="No posts.",
    )


def _judge(
    posts: tuple[Candidate, ...],
    topic: str,
    ranking_query: str,
    mode: Literal["coverage", "context"],
    handles: tuple[str, ...],
) -> dict[str, Any]:
    from pipeline.xlane import Floors, judge_x_corpus
    from pipeline.xlane.gates import table, unique

    floors = Floors.of(settings().pipeline.x)
    notes: list[str] = []
    vectors = _vectors(posts, ranking_query or topic, notes) if mode == "context" else None
    judged = judge_x_corpus(posts, topic, ranking_query=ranking_query, mode=mode, vectors=vectors, floors=floors)
    for line in notes:
        note(line)
    return {
        "on_topic_ratio": judged.on_topic_ratio,
        "is_off_topic_flood": judged.is_off_topic_flood,
        "should_retry": judged.is_off_topic_flood,  # at default depth
        "rule": judged.rule,
        "counts": {
            "on_topic": len(judged.on_topic_items),
            "off_topic": len(judged.off_topic_items),
            "unjudged": len(judged.unjudged_items),
        },
        "handles": list(table(judged.handle_stats, unique(handles), floors)),
        "posts": _posts(judged),
    }


def _vectors(posts: tuple[Candidate, ...], query: str, notes: list[str]) -> Any:
    from pipeline.embedding import open_embedder
    from pipeline.xlane.context import vectors_for
    from pipeline.xlane.posts import post

    embedder, warnings = open_embedder(settings(), None)
    notes += warnings
    return vectors_for([post(one) for one in posts], query, embedder, notes)


def _posts(judged: Judgement) -> list[dict[str, Any]]:
    return [
        {
            "id": verdict.id,
            "author": verdict.handle,
            "text": candidate.text,
            "verdict": verdict.verdict,
            "reason": verdict.rule,
            "matched": list(verdict.matched),
            "missing": list(verdict.missing),
            "score": verdict.score,
        }
        for candidate, verdict in zip(judged.posts, judged.verdicts, strict=True)
    ]


def _print(found: dict[str, Any]) -> None:
    counts = found["counts"]
    say(
        f"{counts['on_topic']} on topic, {counts['off_topic']} off topic, {counts['unjudged']} unjudged: "
        f"ratio {found['on_topic_ratio']:.2f}, {'a flood' if found['is_off_topic_flood'] else 'no flood'}"
    )
    say(found["rule"])
    _accounts(found["handles"])
    rows(
        "Posts",
        ("verdict", "author", "text", "reason"),
        [
            (one["verdict"], f"@{one['author']}", " ".join(one["text"].split()), one["reason"])
            for one in found["posts"][:PRINTED]
        ],
        empty="No posts.",
    )
    if len(found["posts"]) > PRINTED:
        note(f"the first {PRINTED} of {len(found['posts']):,} posts; --json prints them all")


def _accounts(found: Sequence[HandleStats]) -> None:
    rows(
        "Accounts",
        ("account", "#on topic", "#posts", "lane", "gate"),
        [(f"@{one.handle}", one.on_topic, one.total, one.promotable, one.gate) for one in found],
        empty="No accounts.",
    )
