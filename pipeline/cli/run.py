"""`run` and `replay`: a question becomes a stored run and a story on the screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pipeline.cli.common import (
    MANY,
    AsJson,
    clean,
    emit_run,
    examples,
    listed,
    moment,
    note,
    settings,
    single,
    store,
)
from pipeline.cli.rescue import rescue
from pipeline.cli.story import print_story
from pipeline.errors import InputError, StoreError
from pipeline.text.counts import many

if TYPE_CHECKING:
    from pipeline.types import Report

run = single()
replay = single()

_GOOD = ("ok", "empty", "cancelled")


@run.command(
    epilog=examples(
        'lately run "AI agent frameworks released in the last 30 days" --demo',
        'lately run "美联储 降息" --days 7 --sources rss,gdelt --json',
        'lately run "Rome floods" --sources x --x-file posts.csv',
        'lately run "oil price Iran" --opml feeds.opml --as-of 2026-03-09T00:00Z --days 7',
    )
)
def run_(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="The question, in English or Chinese.")],
    days: Annotated[
        int | None, typer.Option(help="Days to look back; with --since the days from there on, with --until up to it.")
    ] = None,
    since: Annotated[str | None, typer.Option(help="Begin of the window: 2026-11-01 or with a time.")] = None,
    until: Annotated[str | None, typer.Option(help="End of the window; a bare day is included.")] = None,
    as_of: Annotated[str | None, typer.Option(help="Run as if this were now.")] = None,
    sources: Annotated[
        str | None, typer.Option(help="Ask only these sources or sets of sources, separated by commas.")
    ] = None,
    opml: Annotated[str | None, typer.Option(help="File or address that replaces the feed list.")] = None,
    depth: Annotated[Literal["quick", "default", "deep"], typer.Option(help="How many searches.")] = "default",
    profile: Annotated[str | None, typer.Option(help="Name of a profile; `lately profile list`.")] = None,
    threshold: Annotated[
        float | None, typer.Option(min=0, max=100, help="Points below which an item is not shown.")
    ] = None,
    max_results: Annotated[int | None, typer.Option(min=1, max=MANY, help="Events shown at most.")] = None,
    route: Annotated[
        Literal["recent"] | None, typer.Option(help="Search although the question looks timeless.")
    ] = None,
    tz: Annotated[str | None, typer.Option(help="The analyst's zone, such as Asia/Shanghai.")] = None,
    x_handle: Annotated[list[str] | None, typer.Option(help="A first-party X account; repeatable.")] = None,
    x_related: Annotated[list[str] | None, typer.Option(help="A related X account; repeatable.")] = None,
    x_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="Take X's posts from this CSV, JSON or JSONL instead of asking X; needs no key.",
        ),
    ] = None,
    demo: Annotated[bool, typer.Option("--demo", help="Play the demo: no network, no key.")] = False,
    refresh: Annotated[bool, typer.Option("--refresh", help="Ask anew instead of using recent answers.")] = False,
    hide_seen: Annotated[
        bool, typer.Option("--hide-seen", help="Leave out what earlier runs showed; listed as seen before.")
    ] = False,
    record: Annotated[Path | None, typer.Option(help="Write what the network answered to this file.")] = None,
    strict: Annotated[
        bool,
        typer.Option("--strict", envvar="LATELY_STRICT_EXIT", help="Exit 3 unless every requested source ended well."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Gather, judge, group and score what was said about a question; store the run and print its story."""
    from pipeline import retrieve_recent_now

    begin, end = moment(since, tz), moment(until, tz, end=True)
    if begin is not None and end is not None and (begin > end or (begin == end and since != until)):
        raise InputError(f"--since {since} is not before --until {until}; exchange or correct them")
    report = _watched(
        lambda progress: retrieve_recent_now(
            query,
            days=days,
            since=begin,
            until=end,
            as_of=moment(as_of, tz),
            max_results=max_results,
            threshold=threshold,
            sources=listed(sources),
            opml=opml,
            depth=depth,
            profile=profile,
            route=route,
            zone=tz,
            x_handles=tuple(x_handle or ()),
            x_related=tuple(x_related or ()),
            x_import=str(x_file.resolve()) if x_file else None,
            demo=demo,
            refresh=refresh,
            hide_seen=hide_seen,
            record=record,
            progress=progress,
            store=store(),
            settings=settings(),
        )
    )
    _show(report, as_json)
    raise typer.Exit(_code(report, strict))


@replay.command(epilog=examples("lately replay recording.jsonl", "lately replay recording.jsonl --json"))
def replay_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `lately run --record FILE` wrote.")],
    as_json: AsJson = False,
) -> None:
    """Play a recorded run again: the same answers, no network. Nothing is learned from it."""
    from pipeline.flow import replay_now

    report = _watched(lambda progress: replay_now(file, progress=progress, store=store(), settings=settings()))
    _show(report, as_json)


def _show(report: Report, as_json: bool) -> None:
    if as_json:
        emit_run(report)
    else:
        print_story(report)
    if why := store().runs.held(report.run_id):
        raise StoreError(f"{why}; {rescue(report)}")


def _code(report: Report, strict: bool) -> int:
    """3: a requested endpoint failed (strict). 1: endpoints were asked and none answered. 0 otherwise."""
    if strict and any(o.requested and o.status not in _GOOD for o in report.outcomes):
        return 3
    return 1 if report.outcomes and not any(o.status in _GOOD for o in report.outcomes) else 0


def _watched(work: Callable[[Any], Report]) -> Report:
    """Do the work with its progress on standard error: a moving line at a terminal, a line an endpoint elsewhere."""
    import sys

    if not sys.stderr.isatty():
        return work(_tell)
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status("starting") as status:

        def tell(kind: str, **facts: Any) -> None:
            if line := _line(kind, facts):
                status.update(Text(clean(line)))

        return work(tell)


def _tell(kind: str, **facts: Any) -> None:
    if facts.get("status") not in (None, "asking") and (line := _line(kind, facts)):
        note(line)


def _line(kind: str, facts: dict[str, Any]) -> str:
    if kind == "stage":
        return str(facts.get("name", ""))
    if "endpoint" in facts:
        return f"{facts['endpoint']}: {facts.get('status', 'asking')}, {many(facts.get('items', 0), 'item')}"
    return ""
