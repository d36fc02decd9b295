"""The stability suite on rows of each set's shape, and the goals on the sets themselves."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pipeline.evaluation.suites import stability


def run(tmp_path: Path, rows: list[dict[str, Any]]) -> dict[str, Any]:
    (tmp_path / "rows.jsonl").write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return stability.run(tmp_path)


def test_three_classes_are_scored(tmp_path: Path) -> None:
    rows = [
        {"question": "What is the weather in Lisbon today?", "fact_type": "fast-changing"},
        {"question": "Who wrote the novel Middlemarch?", "fact_type": "never-changing"},
        {"question": "Who is the president of Chile?", "fact_type": "fast-changing"},
    ]
    result = run(tmp_path, rows)
    assert result.n == 3
    assert result.metrics["accuracy"] == 2 / 3
    assert result.metrics["fast_f1"] == 2 * 1 / (1 + 2)


def test_dependence_is_scored_as_a_class_of_its_own(tmp_path: Path) -> None:
    rows = [
        {"question": "who has won the most cups", "time_dependent": True},
        {"question": "who wrote middlemarch", "time_dependent": False},
    ]
    assert run(tmp_path, rows).metrics == {"macro_f1": 1.0, "accuracy": 1.0, "true_f1": 1.0}


def test_intents_are_scored(tmp_path: Path) -> None:
    rows = [{"query": "gold price", "intent": "recent"}, {"query": "history of tea", "intent": "atemporal"}]
    assert run(tmp_path, rows).metrics["accuracy"] == 1 / 2


GOALS = [
    ("stability_freshqa", "macro_f1", 0.52),
    ("stability_cdqa_zh", "macro_f1", 0.48),
    ("stability_temporalia", "accuracy", 0.70),
    ("stability_situatedqa", "true_f1", 0.72),
]


@pytest.mark.data
@pytest.mark.skipif("LATELY_DATA" not in os.environ, reason="LATELY_DATA names no folder of labelled sets")
@pytest.mark.parametrize(("name", "metric", "goal"), GOALS)
def test_goals_hold_on_the_labelled_sets(name: str, metric: str, goal: float) -> None:
    assert stability.run(Path(os.environ["LATELY_DATA"]) / name).metrics[metric] >= goal
