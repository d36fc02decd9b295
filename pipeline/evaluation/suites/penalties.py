"""Penalties: clickbait headlines, and headlines that belong to another body.

clickbait_en: `auc` of the headline's own signals. clickbait_zh_hancd: `auc_sina`, `auc_tencent` of the same.
headline_body_fnc1: `f1` of the class related, by consistency of headline and body.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeline.embedding import open_embedder
from pipeline.errors import InputError
from pipeline.evaluation.metrics import auc, prf
from pipeline.evaluation.rows import Measured, json_rows, sample
from pipeline.scoring.bait import bait
from pipeline.scoring.consistency import LEAD_CHARS, RELATED, RELATED_BY_WORDS, borne_out, consistency
from pipeline.scoring.frame import is_chinese
from pipeline.scoring.roots import roots_of
from pipeline.settings import Settings, load_settings
from pipeline.text import corpus
from pipeline.types import Candidate, Embedder

if TYPE_CHECKING:
    from pipeline.types import Floats

TASK = "penalties"
SWEEPS = ("consistency",)


def run(folder: Path, *, limit: int | None = None, sweep: str | None = None) -> Measured:
    """Measure a folder (a sample of `limit` rows). sweep "consistency": F1 at several cuts."""
    settings = load_settings()
    if (folder / "pairs.jsonl.gz").is_file():
        return _bodies(folder, limit, settings, sweep)
    if (folder / "headlines.jsonl.gz").is_file():
        rows = sample(json_rows(folder / "headlines.jsonl.gz"), limit)
        return Measured(len(rows), {"auc": _auc([row["headline"] for row in rows], rows, settings)})
    return _portals(folder, limit, settings)


def _auc(titles: Sequence[str], rows: Sequence[Mapping[str, Any]], settings: Settings) -> float:
    scores = [bait(title, settings.scoring.clickbait).score for title in titles]
    return auc([bool(row["clickbait"]) for row in rows], scores)


def _portals(folder: Path, limit: int | None, settings: Settings) -> Measured:
    count = 0
    metrics: dict[str, float] = {}
    for path in sorted(folder.glob("*.jsonl.gz")):
        rows = sample(json_rows(path), limit)
        count += len(rows)
        metrics[f"auc_{path.name.split('.')[0]}"] = _auc([row["title"] for row in rows], rows, settings)
    if not metrics:
        raise InputError(f"{folder} holds no labelled headlines; check --data")
    return Measured(count, metrics)


def _bodies(folder: Path, limit: int | None, settings: Settings, sweep: str | None) -> Measured:
    bodies = {str(row["body_id"]): str(row["body"]) for row in json_rows(folder / "bodies.jsonl.gz")}
    rows = sample(json_rows(folder / "pairs.jsonl.gz"), limit)
    items = [_item(number, row["headline"], bodies[str(row["body_id"])]) for number, row in enumerate(rows)]
    words = corpus(items)
    embedder, _ = open_embedder(settings)
    titles, leads = _vectors(items, embedder)
    values = consistency(borne_out(words, roots_of(words)), titles, leads)
    truth = [row["stance"] != "unrelated" for row in rows]
    cut = RELATED if embedder else RELATED_BY_WORDS
    metrics = {"f1": _f1(truth, values, cut)}
    if sweep == "consistency":
        metrics |= {f"f1_{at:.2f}": _f1(truth, values, at) for at in np.arange(0.1, 0.5, 0.05).tolist()}
    return Measured(len(rows), metrics)


def _f1(truth: Sequence[bool], values: Floats, cut: float) -> float:
    return prf(truth, [bool(value >= cut) for value in values]).f1


def _vectors(items: Sequence[Candidate], embedder: Embedder | None) -> tuple[Floats | None, Floats | None]:
    if embedder is None:
        return None, None
    return _each([item.title for item in items], embedder), _each([item.text[:LEAD_CHARS] for item in items], embedder)


def _each(texts: Sequence[str], embedder: Embedder) -> Floats:
    """[m, d], every distinct text embedded once."""
    distinct = list(dict.fromkeys(texts))
    at = {text: number for number, text in enumerate(distinct)}
    vectors = embedder.encode(distinct, ["zh" if is_chinese(text) else "en" for text in distinct])
    return vectors[[at[text] for text in texts]]


def _item(number: int, title: str, text: str) -> Candidate:
    return Candidate(id=str(number), source="file", endpoint="file", url="", domain="", title=title, text=text)
