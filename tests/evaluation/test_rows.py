"""Reading and sampling labelled rows."""

from __future__ import annotations

import gzip
from pathlib import Path

from pipeline.evaluation.rows import json_rows, sample


def test_only_line_feeds_part_rows_packed_or_not(tmp_path: Path) -> None:
    lines = '{"text": "one\u2028line"}\n\n{"text": "another"}\n'
    (tmp_path / "rows.jsonl").write_text(lines, "utf-8")
    (tmp_path / "rows.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    for name in ("rows.jsonl", "rows.jsonl.gz"):
        assert [row["text"] for row in json_rows(tmp_path / name)] == ["one\u2028line", "another"]


def test_a_sample_is_the_same_each_time_and_never_more_than_there_is() -> None:
    rows = list(range(50))
    assert sample(rows, 5) == sample(rows, 5) and len(set(sample(rows, 5))) == 5
    assert sample(rows, None) == sample(rows, 50) == sample(rows, 90) == rows
