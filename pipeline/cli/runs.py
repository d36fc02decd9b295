"""`runs`: what is kept."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.common import AsJson, RunId, emit, examples, group, local, note, rows, say, size, store
from pipeline.cli.story import one_line, print_story

if TYPE_CHECKING:
    from pipeline.types import Report

runs = group("runs", "Kept runs; retention is in config/pipeline.yaml.")


@runs.command("list", epilog=examples("lately runs list", "lately runs list --limit 200 --json"))
def list_(
    limit: Annotated[int, typer.Option(min=1, help="Newest runs shown.")] = 30,
    as_json: AsJson = False,
) -> None:
    """Kept runs, newest first, with their size."""
    found = store().runs.recent(limit=limit)
    if as_json:
        emit(list(found))
        return
    rows(
        f"{store().runs.count()} runs kept",
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
        from pipeline.briefing.json import report_json

        emit(report_json(report))
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


@runs.command("delete", epilog=examples("lately runs delete 20261130-120000-1a2b"))
def delete(run: Annotated[list[str], typer.Argument(metavar="RUN...", help="Ids of runs.")]) -> None:
    """Delete runs. Adopted items, feedback and labels stay."""
    for one in [store().runs.resolve(each) for each in run]:
        store().runs.delete(one)
        note(f"deleted {one}")


@runs.command("diff", epilog=examples("lately runs diff 20261128 20261130", "lately runs diff A B --json"))
def diff(
    a: Annotated[str, typer.Argument(metavar="A", help="The earlier run.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The later run.")],
    as_json: AsJson = False,
) -> None:
    """What the second run shows that the first did not, what is gone, what moved."""
    found = compare(store().runs.load(a), store().runs.load(b))
    if as_json:
        emit(found)
        return
    for name, title in (("new", "New"), ("gone", "Gone"), ("moved", "Moved")):
        rows(
            f"{title}: {len(found[name])}",
            ("#before", "#now", "title", "source", "ended"),
            [(one["before"], one["now"], one_line(one["title"]), one["source"], one["ended"]) for one in found[name]],
            empty=f"{title}: none",
        )
    say(f"both show {found['both']} items")


def compare(before: Report, now: Report) -> dict[str, Any]:
    """Shown items by id: new, gone, moved (by a point or more), and where each ended in the second run."""
    shown_before, shown_now = _shown(before), _shown(now)
    all_now = {one: row for row, one in enumerate(now.table.ids)}
    totals_before = {one: float(before.table.total[row]) for row, one in enumerate(before.table.ids)}
    return {
        "a": before.run_id,
        "b": now.run_id,
        "both": len(shown_before.keys() & shown_now.keys()),
        "new": [_change(now, row, totals_before.get(one)) for one, row in shown_now.items() if one not in shown_before],
        "gone": [
            _change(now, all_now[one], totals_before[one]) if one in all_now else _vanished(before, row)
            for one, row in shown_before.items()
            if one not in shown_now
        ],
        "moved": [
            _change(now, row, totals_before[one])
            for one, row in shown_now.items()
            if one in shown_before and abs(float(now.table.total[row]) - totals_before[one]) >= 1
        ],
        "statuses": {
            "a": dict(Counter(outcome.status for outcome in before.outcomes)),
            "b": dict(Counter(outcome.status for outcome in now.outcomes)),
        },
    }


def _shown(report: Report) -> dict[str, int]:
    return {report.table.ids[row]: row for row in report.selected_rows}


def _change(report: Report, row: int, before: float | None) -> dict[str, Any]:
    from pipeline.types import Bucket

    table = report.table
    return {
        "id": table.ids[row],
        "title": table.titles[row],
        "source": table.sources[row],
        "before": None if before is None else round(before, 2),
        "now": round(float(table.total[row]), 2),
        "ended": Bucket(int(table.bucket[row])).label,
    }


def _vanished(report: Report, row: int) -> dict[str, Any]:
    before = round(float(report.table.total[row]), 2)
    return {**_change(report, row, before), "now": None, "ended": "not fetched"}
