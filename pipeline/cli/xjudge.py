"""`judge-x`: a corpus that the analyst has, judged against a topic."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pipeline.cli.common import AsJson, emit, examples, note, rows, say, settings, single

if TYPE_CHECKING:
    from pipeline.types import Candidate
    from pipeline.xlane import Judgement

judge_x = single()


@judge_x.command(
    epilog=examples(
        'lately judge-x posts.csv --topic "Rome Italy"',
        'lately judge-x posts.jsonl --topic "Rome" --ranking-query "news from the city of Rome" --mode context --json',
    )
)
def judge_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="CSV, JSON or JSONL with id, author, text, created_at.")],
    topic: Annotated[str, typer.Option(help="What the posts should be about.")],
    ranking_query: Annotated[str, typer.Option(help="Judge against this instead of the topic.")] = "",
    mode: Annotated[
        Literal["coverage", "context"], typer.Option(help="Words of the topic, or the corpus' own.")
    ] = "coverage",
    x_handle: Annotated[list[str] | None, typer.Option(help="A first-party account; repeatable.")] = None,
    as_json: AsJson = False,
) -> None:
    """Which posts are about the topic, is the corpus a flood, which accounts have earned a lane."""
    from pipeline.xlane.importer import read_posts

    read = read_posts(file)
    for bad in read.malformed:
        note(f"left out: {bad.id} {bad.reason}")
    found = _judge(read.candidates, topic, ranking_query, mode, tuple(x_handle or ()))
    if as_json:
        emit(found)
    else:
        _print(found)


def _judge(
    posts: tuple[Candidate, ...],
    topic: str,
    ranking_query: str,
    mode: Literal["coverage", "context"],
    handles: tuple[str, ...],
) -> dict[str, Any]:
    from pipeline.xlane import judge_x_corpus, should_retry_x_search
    from pipeline.xlane.gates import table
    from pipeline.xlane.judge import default_floors

    notes: list[str] = []
    vectors = _vectors(posts, ranking_query or topic, notes) if mode == "context" else None
    judged = judge_x_corpus(posts, topic, ranking_query=ranking_query, mode=mode, vectors=vectors)
    retry = should_retry_x_search(posts, topic, ranking_query=ranking_query, mode=mode, vectors=vectors)
    for line in notes:
        note(line)
    return {
        "on_topic_ratio": judged.on_topic_ratio,
        "is_off_topic_flood": judged.is_off_topic_flood,
        "should_retry": retry,
        "rule": judged.rule,
        "counts": {
            "on_topic": len(judged.on_topic_items),
            "off_topic": len(judged.off_topic_items),
            "unjudged": len(judged.unjudged_items),
        },
        "handles": list(table(judged.handle_stats, handles, default_floors())),
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
    rows(
        "Accounts",
        ("account", "#on topic", "#posts", "lane", "gate"),
        [(f"@{one.handle}", one.on_topic, one.total, one.promotable, one.gate) for one in found["handles"]],
        empty="No accounts.",
    )
    rows(
        "Posts",
        ("verdict", "author", "text", "reason"),
        [(one["verdict"], f"@{one['author']}", " ".join(one["text"].split()), one["reason"]) for one in found["posts"]],
        empty="No posts.",
    )
