"""`store`: the database's own care."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.common import AsJson, emit, examples, group, note, now, rows, say, settings, size
from pipeline.cli.common import store as opened
from pipeline.text.counts import many

store = group("store", "The database: backup, restore, check.")

File = Annotated[Path, typer.Argument(metavar="FILE")]


@store.command("backup", epilog=examples("lately store backup lately-2026-11-30.db"))
def backup(file: File) -> None:
    """Copy the database to a file, while it is in use."""
    opened().backup(file)
    note(f"written: {file}")


@store.command("restore", epilog=examples("lately store restore lately-2026-11-30.db"))
def restore(file: File) -> None:
    """Replace the database's content by that of a backup."""
    opened().restore(file)
    note(f"restored from {file}")


@store.command("check", epilog=examples("lately store check", "lately store check --reindex --json"))
def check(
    reindex: Annotated[bool, typer.Option("--reindex", help="Build the word index anew.")] = False,
    prune: Annotated[bool, typer.Option("--prune", help="Apply the retention of config/pipeline.yaml.")] = False,
    as_json: AsJson = False,
) -> None:
    """Look for damage; exit 1 when there is any."""
    if prune:
        kept = settings().pipeline
        gone = opened().prune(
            keep_runs=kept.store.keep_runs,
            keep_days=kept.store.keep_days,
            memory_days=kept.events.memory_days,
            now=now(),
        )
        note(f"{many(gone, 'run')} deleted")
    found = opened().check(reindex=reindex)
    if as_json:
        emit(found)
    else:
        say(f"{found.path}: schema {found.schema}, {size(found.bytes)}")
        rows("", ("table", "#rows"), found.rows, empty="No tables.")
        for problem in found.problems:
            say(f"problem: {problem}")
        say("no damage found" if not found.problems else "")
    raise typer.Exit(1 if found.problems else 0)
