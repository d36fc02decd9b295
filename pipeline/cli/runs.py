"""`runs`: what is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.common import (
    MANY,
    AsJson,
    RunId,
    emit,
    emit_run,
    examples,
    group,
    local,
    note,
    rows,
    say,
    single,
    size,
    store,
)
from pipeline.cli.story import one_line, print_story
from pipeline.text.counts import many

if TYPE_CHECKING:
    from pipeline.comparison import Change
    from pipeline.types import Report

runs = group("runs", "Kept runs; retention is in config/pipeline.yaml.")
compare = single()


@runs.command("list", epilog=examples("lately runs list", "lately runs list --limit 200 --json"))
def list_(
    limit: Annotated[int, typer.Option(min=1, max=MANY, help="Newest runs shown.")] = 30,
    as_json: AsJson = False,
) -> None:
    """Kept runs, newest first, with their size."""
    found = store().runs.recent(limit=limit)
    if as_json:
        emit(list(found))
        return
    rows(
        f"{many(store().runs.count(), 'run')} kept",
        ("id", "when", "query", "#items", "#shown", "#size"),
        [
            (
                one.id,
                local(one.created_at),
                f"{'DEMO ' * one.demo}{one_line(one.query)}",
                one.items,
                one.selected,
                size(one.bytes),
            )
            for one in found
        ],
        empty='No run is kept yet; `lately run "QUESTION" --demo` makes one.',
    )


@runs.command(
    "show", epilog=examples("lately runs show last", "lately runs show last --all", "lately runs show 20261130 --json")
)
def show(
    run: RunId,
    everything: Annotated[bool, typer.Option("--all", help="List every candidate with its id and reason.")] = False,
    as_json: AsJson = False,
) -> None:
    """A run again, as it was."""
    report = store().runs.load(run)
    if as_json:
        emit_run(report)
        return
    print_story(report)
    if everything:
        rows(
            "All candidates",
            ("id", "#total", "ended", "title", "reason"),
            [_candidate(report, row) for row in range(len(report.table))],
            empty="The run has no candidates.",
        )


def _candidate(report: Report, row: int) -> tuple[Any, ...]:
    item = report.item(row)
    return item.id, f"{item.total:.2f}", item.bucket.label, one_line(item.title), one_line(item.reason)


@runs.command("rank", epilog=examples("lately runs rank last", "lately runs rank last --json"))
def rank(run: RunId, as_json: AsJson = False) -> None:
    """Rank the items of a run anew, asking nobody, with what you restored since: a new run."""
    from pipeline.flow import rank_again_now

    report = rank_again_now(run, store=store())
    if as_json:
        emit_run(report)
        return
    print_story(report)


@runs.command("delete", epilog=examples("lately runs delete 20261130-120000-1a2b"))
def delete(run: Annotated[list[str], typer.Argument(metavar="RUN...", help="Ids of runs.")]) -> None:
    """Delete runs. Adopted items, feedback and labels stay."""
    for one in [store().runs.resolve(each) for each in run]:
        store().runs.delete(one)
        note(f"deleted {one}")


Earlier = Annotated[str, typer.Argument(metavar="A", help="The earlier run: an id or its beginning.")]
Later = Annotated[str, typer.Argument(metavar="B", help='The later run; "last" is the newest.')]


@compare.command(epilog=examples("lately compare 20261128 20261130", "lately compare 20261128 last --json"))
def compare_(a: Earlier, b: Later, as_json: AsJson = False) -> None:
    """What the second run shows that the first did not, what is gone, what moved; sources and settings that differ."""
    _compare(a, b, as_json)


@runs.command("diff", epilog=examples("lately runs diff 20261128 20261130", "lately runs diff A B --json"))
def diff(a: Earlier, b: Later, as_json: AsJson = False) -> None:
    """The same as `lately compare`."""
    _compare(a, b, as_json)


def _compare(a: str, b: str, as_json: bool) -> None:
    from pipeline.comparison import compare as compared

    found = compared(store().runs.load(a), store().runs.load(b))
    if as_json:
        emit(found)
        return
    say(found.sentence)
    listed = (
        ("New", found.new),
        ("Gone", found.gone),
        ("Told by another report", found.retold),
        ("Moved", found.moved),
    )
    for title, changes in listed:
        if changes:
            rows(
                f"{title}: {len(changes)}",
                ("#before", "#rank", "#now", "#rank", "title", "site", "ended"),
                [_line(change) for change in changes],
                empty="",
            )
    if found.outcomes:
        rows(
            "Sources",
            ("source", "before", "now", "#items before", "#items now"),
            [(one.endpoint, one.before, one.now, one.items_before, one.items_now) for one in found.outcomes],
            empty="",
        )
    if found.settings:
        rows("Settings", ("setting", "before", "now"), [(o.name, o.before, o.now) for o in found.settings], empty="")


def _line(change: Change) -> tuple[Any, ...]:
    places = [
        cell for place in (change.before, change.now) for cell in (place and f"{place.total:.2f}", place and place.rank)
    ]
    ended = "not fetched" if change.now is None else change.now.ended
    told = f": {change.told_by}" if change.told_by else ""
    told += f"; before: {change.told_before}" if change.told_before else ""
    return *places, one_line(change.title), change.domain, one_line(ended + told)
