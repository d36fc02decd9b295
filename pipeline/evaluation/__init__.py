"""Measuring: one suite a task, run on a folder of labelled rows.

A suite is evaluation/suites/<name>.py with `TASK` and `run(folder, *, limit)`, which returns `Measured`; with `SWEEPS`,
the other ways it can measure, `run` takes `sweep` too. Nothing else has to be registered.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from pipeline.errors import InputError

__all__ = ["evaluate", "tasks"]

_SUITES = Path(__file__).parent / "suites"


def evaluate(task: str, folder: Path, *, limit: int | None = None, sweep: str | None = None) -> dict[str, Any]:
    """Run a task's suite on a folder (its first or sampled `limit` rows). Raises InputError.

    {"task", "data", "n", "metrics": {name: number to four places}, "seconds"}.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder of labelled rows; check --data")
    if limit is not None and limit < 1:
        raise InputError(f"--limit must be at least 1, not {limit}")
    suite, began = _suite(task), time.perf_counter()
    ways = getattr(suite, "SWEEPS", ())
    if sweep is not None and sweep not in ways:
        raise InputError(f"--sweep {sweep!r} is nothing that the task {task} knows; known: {', '.join(ways) or 'none'}")
    try:
        n, metrics = suite.run(folder, limit=limit, **({} if sweep is None else {"sweep": sweep}))
    except FileNotFoundError as error:
        raise InputError(f"{folder} lacks {error.filename}, which the task {task} reads") from error
    return {
        "task": task,
        "data": folder.name,
        "n": n,
        "metrics": {name: round(value, 4) for name, value in metrics.items()},
        "seconds": round(time.perf_counter() - began, 2),
    }


def tasks() -> tuple[str, ...]:
    """The tasks that can be measured."""
    return tuple(sorted(module.TASK for module in map(_load, _names())))


def _suite(task: str) -> ModuleType:
    # The file is usually named like the task: then no other suite is imported.
    names = sorted(_names(), key=lambda name: name != task.replace("-", "_"))
    for name in names:
        if task == (found := _load(name)).TASK:
            return found
    raise InputError(f"there is no task {task!r}; known: {', '.join(tasks())}")


def _names() -> Iterator[str]:
    for path in sorted(_SUITES.glob("[!_]*.py")):
        yield path.stem


def _load(name: str) -> ModuleType:
    return import_module(f"{__name__}.suites.{name}")
