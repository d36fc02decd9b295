"""The window suite: scope from the rows' own fields, and what counts as exact."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pipeline.evaluation.suites import window
from pipeline.evaluation.suites._time_rows import read_cases

REF = "2026-11-18T10:00:00"


def folder(tmp_path: Path, name: str, rows: list[dict[str, Any]]) -> Path:
    (tmp_path / name).write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return tmp_path


def duckling(text: str, expected: Any, lang: str = "en") -> dict[str, Any]:
    return {"id": text, "lang": lang, "text": text, "ref": REF + "+00:00", "expected": expected}


def instant(start: str, grain: str) -> dict[str, Any]:
    return {"kind": "instant", "start": start, "grain": grain}


@pytest.mark.parametrize(
    ("why", "row", "cases"),
    [
        ("a past day", duckling("yesterday", instant("2026-11-17T00:00:00", "day")), 1),
        ("a time of day", duckling("at 3pm", instant("2026-11-18T15:00:00", "hour")), 0),
        ("only in the future", duckling("tomorrow", instant("2026-11-19T00:00:00", "day")), 0),
        ("a holiday", duckling("feast of lanterns 2020", instant("2020-02-08T00:00:00", "day")), 0),
        ("expects nothing", duckling("out loud", None), 1),
    ],
)
def test_scope(tmp_path: Path, why: str, row: dict[str, Any], cases: int) -> None:
    assert len(list(read_cases(folder(tmp_path, "duckling_en.jsonl", [row])))) == cases, why


def test_exact_misses_and_false_finds_are_counted(tmp_path: Path) -> None:
    rows = [
        duckling("yesterday", instant("2026-11-17T00:00:00", "day")),
        duckling("last month", instant("2026-09-01T00:00:00", "month")),
        duckling("上周", instant("2026-11-09T00:00:00", "week"), "zh"),
        duckling("we said so today", None),
        duckling("laughing out loud", None),
    ]
    result = window.run(folder(tmp_path, "duckling_en.jsonl", rows))
    assert result.metrics == {"exact_en": 1 / 2, "exact_zh": 1.0, "in_scope": 3, "false_finds": 1 / 2}


def test_recognizers_end_a_range_where_its_last_unit_begins(tmp_path: Path) -> None:
    value = {"timex": "(2026-05-01,2026-09-01,P4M)", "type": "daterange", "start": "2026-05-01", "end": "2026-09-01"}
    row = {
        "id": "en-DateTimeModel-1", "lang": "en", "Input": "from May to September",
        "Context": {"ReferenceDateTime": REF},
        "Results": [{"Text": "from May to September", "Start": 0, "End": 20, "Resolution": {"values": [value]}}],
    }  # fmt: skip
    result = window.run(folder(tmp_path, "recognizers_en_DateTimeModel.jsonl", [row]))
    assert result.metrics["exact_en"] == 1.0


@pytest.mark.data
@pytest.mark.skipif("LATELY_DATA" not in os.environ, reason="LATELY_DATA names no folder of labelled sets")
def test_goals_hold_on_the_labelled_set() -> None:
    metrics = window.run(Path(os.environ["LATELY_DATA"]) / "time_expressions").metrics
    assert metrics["exact_en"] >= 0.92
    assert metrics["exact_zh"] >= 0.92
    assert metrics["false_finds"] < 0.03
