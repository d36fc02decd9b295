"""`evaluate`: measure a task, or check all pinned floors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.common import MANY, AsJson, emit, examples, say, single
from pipeline.errors import InputError

evaluate = single()


@evaluate.command(
    epilog=examples(
        "lately evaluate --task window --data data/time_expressions",
        "lately evaluate --task ranking --data data/rank_scifact --limit 200 --json",
        "LATELY_DATA=data lately evaluate --gate",
    )
)
def evaluate_(
    task: Annotated[str, typer.Option(help="What to measure.")] = "",
    data: Annotated[Path | None, typer.Option(help="Folder of labelled rows.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, max=MANY, help="Rows of a sample with a fixed seed.")] = None,
    sweep: Annotated[str | None, typer.Option(help="Measure another way, such as coverage for x-judge.")] = None,
    gate: Annotated[bool, typer.Option("--gate", help="Check the floors of config/gate.yaml on LATELY_DATA.")] = False,
    raise_: Annotated[bool, typer.Option("--raise", help="With --gate: pin what is better now.")] = False,
    allow_lower: Annotated[bool, typer.Option("--allow-lower", help="With --raise: pin what is worse, too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Measure a task on a labelled folder: prints task, data, n, metrics and seconds."""
    if gate:
        from pipeline.evaluation.gate import main

        flags = [flag for flag, on in (("--raise", raise_), ("--allow-lower", allow_lower)) if on]
        raise typer.Exit(main(flags))
    if not task or data is None:
        raise InputError("give --task and --data, or --gate; see `lately evaluate --help`")
    from pipeline.evaluation import evaluate as measure

    result = measure(task, data, limit=limit, sweep=sweep)
    if as_json:
        emit(result)
        return
    say(f"{result['task']} on {result['data']}: n {result['n']}, {result['seconds']:.1f} s")
    for name, value in result["metrics"].items():
        say(f"  {name:<24} {value:.4f}" if isinstance(value, float) else f"  {name:<24} {value}")
    for extra in result.keys() - {"task", "data", "n", "metrics", "seconds"}:
        say(f"  {extra}: {result[extra]}")
