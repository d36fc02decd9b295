"""`labels`: what a person says is right."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from pipeline.cli.common import AsJson, emit, examples, group, note, now, read_text, say, store
from pipeline.text.counts import many

labels = group("labels", "Labels: add, import, export.")

Task = Annotated[str | None, typer.Option(help="topic, relevance, pair, answer or question.")]


@labels.command(
    "add",
    epilog=examples(
        'lately labels add topic "Fed rate decision" x:123 on', 'lately labels add pair "" item-a same --other item-b'
    ),
)
def add(
    task: Annotated[str, typer.Argument(metavar="TASK", help="topic, relevance, pair, answer or question.")],
    query: Annotated[str, typer.Argument(metavar="QUERY")],
    item: Annotated[str, typer.Argument(metavar="ITEM", help="Id of the item.")],
    label: Annotated[str, typer.Argument(metavar="LABEL", help="on/off, 0-3, same/different, Y/P/N, yes/no.")],
    other: Annotated[str, typer.Option(help="The second item of a pair.")] = "",
    labeller: Annotated[str, typer.Option(help="Who says so.")] = "analyst",
    blind: Annotated[bool, typer.Option("--blind", help="Said without seeing scores.")] = False,
    text: Annotated[str, typer.Option("--note", help="Why.")] = "",
) -> None:
    """Add one label; the same labeller's later word replaces the earlier one."""
    from pipeline.store.labels import Label

    made = Label(
        task=task,
        query=query,
        item=item,
        label=label,
        other=other,
        at=now(),
        labeller=labeller,
        blind=blind,
        note=text,
    )
    store().labels.add([made])
    note("1 label added")


@labels.command("import", epilog=examples("lately labels import labels.jsonl", "lately labels import qrels.txt"))
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSONL or TREC qrels; - reads standard input.")],
    labeller: Annotated[str, typer.Option(help="Who labelled, where the file does not say.")] = "imported",
) -> None:
    """Add labels from a file: all of them, or none where a line can't be read."""
    added = store().labels.import_text(read_text(file), labeller=labeller, at=now())
    note(f"{many(added, 'label')} added")


@labels.command("export", epilog=examples("lately labels export > labels.jsonl", "lately labels export --format qrels"))
def export(
    task: Task = None,
    form: Annotated[
        Literal["jsonl", "qrels"], typer.Option("--format", help="jsonl, or qrels (graded labels).")
    ] = "jsonl",
    as_json: AsJson = False,
) -> None:
    """Print labels."""
    kept = store().labels
    if as_json:
        emit(list(kept.find(task=task)))
    else:
        say((kept.export_qrels() if form == "qrels" else kept.export_jsonl(task=task)).rstrip("\n"))
