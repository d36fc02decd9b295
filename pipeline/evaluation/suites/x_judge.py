"""The corpus judge in context mode: ordering by topic (TREC Microblog), on or off topic (CrisisLex).

The judge sees what a run gives it: query, texts (with the links the set has), and vectors. No label at run time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.embedding import open_embedder
from pipeline.errors import InputError
from pipeline.evaluation.metrics import auc, average_precision, mean, precision_at, prf, ranked
from pipeline.evaluation.rows import Measured, json_rows
from pipeline.settings import load_settings
from pipeline.types import Embedder
from pipeline.xlane import PostVerdict, judge_x_corpus
from pipeline.xlane.context import vectors_for

TASK = "x-judge"
SWEEPS = ("coverage",)


@dataclass(frozen=True, slots=True)
class Corpus:
    """One topic's posts with their labels (True = on topic)."""

    name: str
    part: str
    query: str
    posts: tuple[Mapping[str, str], ...]
    labels: tuple[bool, ...]


def run(folder: Path, *, limit: int | None = None, sweep: str | None = None) -> Measured:
    """Measure one folder. `limit`: topics or events at most; `sweep`: "coverage" runs that mode instead."""
    embedder, _ = open_embedder(load_settings()) if sweep != "coverage" else (None, ())
    corpora = list(_read(folder))[:limit]
    judged = [_verdicts(corpus, embedder) for corpus in corpora]
    kind = _kind(folder)
    metrics = {"trec": _ordering, "t6": _on_topic, "t26": _unrelated}[kind](corpora, judged)
    return Measured(sum(len(corpus.posts) for corpus in corpora), metrics)


def _verdicts(corpus: Corpus, embedder: Embedder | None) -> tuple[PostVerdict, ...]:
    if embedder is None:
        return judge_x_corpus(corpus.posts, corpus.query).verdicts
    vectors = vectors_for(corpus.posts, corpus.query, embedder, [])
    return judge_x_corpus(corpus.posts, corpus.query, mode="context", vectors=vectors).verdicts


# --------------------------------------------------------------------------- measures

Judged = Sequence[tuple[PostVerdict, ...]]


def _ordering(corpora: Sequence[Corpus], judged: Judged) -> dict[str, float]:
    """AUC and P@30 by the judge's order, mean over topics, whole and per file."""
    rows = []
    for corpus, verdicts in zip(corpora, judged, strict=True):
        order = [verdict.rank or verdict.score or 0.0 for verdict in verdicts]
        both = 0 < sum(corpus.labels) < len(corpus.labels)
        rows.append(
            (corpus.part, precision_at(ranked(corpus.labels, order), 30), auc(corpus.labels, order) if both else None)
        )
    found = {"auc_mean": mean(a for _, _, a in rows if a is not None), "p30": mean(p for _, p, _ in rows)}
    for part in sorted({part for part, _, _ in rows}):
        found[f"p30_{part}"] = mean(p for name, p, _ in rows if name == part)
        found[f"auc_{part}"] = mean(a for name, _, a in rows if name == part and a is not None)
    return found


def _on_topic(corpora: Sequence[Corpus], judged: Judged) -> dict[str, float]:
    """F1 of on topic, mean over events (macro), with precision and recall, and each event's own."""
    found = {}
    parts = []
    for corpus, verdicts in zip(corpora, judged, strict=True):
        measured = prf(corpus.labels, [verdict.on_topic for verdict in verdicts])
        parts.append(measured)
        found[f"f1_{corpus.name}"] = measured.f1
    return {
        "macro_f1": mean(part.f1 for part in parts),
        "precision": mean(part.precision for part in parts),
        "recall": mean(part.recall for part in parts),
        **found,
    }


def _unrelated(corpora: Sequence[Corpus], judged: Judged) -> dict[str, float]:
    """Average precision of the unrelated posts, least relevant first, mean over events."""
    values = []
    for corpus, verdicts in zip(corpora, judged, strict=True):
        unrelated = [not label for label in corpus.labels]
        values.append(average_precision(ranked(unrelated, [-(verdict.score or 0.0) for verdict in verdicts])))
    return {"ap_unrelated": mean(values), **_on_topic(corpora, judged)}


# --------------------------------------------------------------------------- reading


def _kind(folder: Path) -> str:
    if list(folder.glob("trec*.jsonl*")):
        return "trec"
    if (folder / "events.jsonl").is_file():
        return "t26"
    if list(folder.glob("tweets.jsonl*")):
        return "t6"
    raise InputError(f"{folder}: no trec*.jsonl or tweets.jsonl in it; name a folder of the task x-judge")


def _read(folder: Path) -> Iterator[Corpus]:
    kind = _kind(folder)
    names = _event_names(folder) if kind == "t26" else {}
    for path in sorted(folder.glob("trec*.jsonl*" if kind == "trec" else "tweets.jsonl*")):
        groups: dict[str, list[dict[str, Any]]] = {}
        for row in json_rows(path):
            groups.setdefault(str(row["topic_id" if kind == "trec" else "event"]), []).append(row)
        for name, rows in groups.items():
            query = names.get(name) or str(rows[0].get("query") or rows[0].get("topic") or name.replace("_", " "))
            posts = tuple({"id": str(n), "author": "", "text": _text(row)} for n, row in enumerate(rows))
            labels = tuple(_label(row["label"]) for row in rows)
            yield Corpus(name, path.name.split(".")[0], query, posts, labels)


def _text(row: Mapping[str, Any]) -> str:
    """The post as it was read: its words and where its link leads."""
    return f"{row['text']} {row.get('url') or ''}".strip()


def _label(label: Any) -> bool:
    return label == 1 or (isinstance(label, str) and (label == "on-topic" or label.startswith("Related")))


def _event_names(folder: Path) -> dict[str, str]:
    return {str(row["event"]): str(row["name"]) for row in json_rows(folder / "events.jsonl")}
