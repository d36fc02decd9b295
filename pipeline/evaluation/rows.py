"""Labelled rows: files of a folder, packed or not, samples by a fixed seed, and what measuring them gives."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
SEED = 11  # every sample of a set is the same one, so that figures can be compared


class Measured(NamedTuple):
    """What a suite found: how many rows (documents, items) it measured, and the measures by name."""

    n: int
    metrics: dict[str, float]


def content(path: Path) -> bytes:
    """A file's bytes, unpacked where its name ends in .gz."""
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def json_rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a .jsonl or .jsonl.gz file, one a line; other separators of lines may stand inside a text."""
    return [json.loads(line) for line in content(path).decode("utf-8").split("\n") if line.strip()]


def sample(rows: list[T], limit: int | None) -> list[T]:
    """`limit` rows by the fixed seed; all of them where there are no more, or without a limit."""
    return rows if limit is None or limit >= len(rows) else random.Random(SEED).sample(rows, limit)
