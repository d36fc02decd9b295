"""How well the stability rules tell changing answers from lasting ones, on four labelled sets.

- stability_freshqa, stability_cdqa_zh: three classes (fast, slow, never). The rules' `unsure` is decided by the sign of
  its figures (`Judgement.rate`), since the sets know no unsure.
- stability_situatedqa: true when the answer depends on when one asks, which is `change` at or above its floor.
- stability_temporalia: intents recent, future, past, atemporal of short queries; issued in 2013, as SOURCE.md says.

Prints `macro_f1`, `accuracy`, and `fast_f1` (situatedqa: `true_f1`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from pipeline.evaluation.metrics import accuracy, macro_f1, prf
from pipeline.evaluation.rows import Measured, json_rows
from pipeline.planning.stability import intent, judge

TASK = "stability"
QA_YEAR = 2023  # FreshQA and CDQA were labelled in 2023
SITUATEDQA_YEAR = 2019
TEMPORALIA_YEAR = 2013


def run(folder: Path, *, limit: int | None = None) -> Measured:
    """Score one folder, known by its columns (the first `limit` rows)."""
    pairs = list(islice(_pairs(folder), limit))
    true, guessed = [label for label, _ in pairs], [guess for _, guess in pairs]
    metrics = {"macro_f1": macro_f1(true, guessed), "accuracy": accuracy(true, guessed)}
    focus = "true" if "true" in true or "false" in true else "fast"
    if focus in true:
        metrics[f"{focus}_f1"] = prf([label == focus for label in true], [guess == focus for guess in guessed]).f1
    return Measured(len(pairs), metrics)


def _pairs(folder: Path) -> Iterator[tuple[str, str]]:
    """(label, guess) of every row."""
    for path in sorted(folder.glob("*.jsonl*")):
        for row in json_rows(path):
            if "time_dependent" in row:
                changes = judge(row["question"], SITUATEDQA_YEAR).change >= 0
                yield str(row["time_dependent"]).lower(), str(changes).lower()
            elif "intent" in row:
                yield row["intent"], intent(row["query"], TEMPORALIA_YEAR)
            else:
                yield row["fact_type"].removesuffix("-changing"), judge(row["question"], QA_YEAR).rate
