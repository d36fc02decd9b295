"""Labels: what is right, said by a person. The ground of every evaluation, kept when runs are deleted.

Exchanged as JSONL (one object a line, the field names of `Label`) or TREC qrels (`query 0 item grade`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pipeline.errors import InputError
from pipeline.store.database import Database
from pipeline.store.items import clean

TASKS = {
    "topic": ("on", "off"),
    "relevance": ("0", "1", "2", "3"),
    "pair": ("same", "different"),
    "answer": ("Y", "P", "N"),
    "question": ("yes", "no"),
}
"""Task -> the labels it knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One judgement. The same labeller's later label of the same thing replaces the earlier one."""

    task: str
    query: str
    item: str
    label: str
    at: datetime
    labeller: str
    blind: bool = False
    """The labeller saw neither score nor verdict."""
    other: str = ""
    """The second item of a pair."""
    context: str = ""
    note: str = ""
    text: str = ""
    """What was judged, as it was then."""
    run: str = ""

    @property
    def id(self) -> str:
        said = json.dumps([self.task, self.query, self.item, self.other, self.labeller])
        return hashlib.blake2b(said.encode("utf-8", "replace"), digest_size=10).hexdigest()


class Labels:
    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, labels: Iterable[Label]) -> int:
        """Store labels; how many. Raises InputError for an unknown task or label, and then stores none."""
        rows = [_row(label) for label in labels]
        if not rows:
            return 0
        with self._db.write() as connection:
            from sqlite_utils import Database as Utils  # loads pandas where that is installed

            Utils(connection).table("labels").upsert_all(rows, pk="id")
        return len(rows)

    def find(self, *, task: str | None = None, query: str | None = None) -> tuple[Label, ...]:
        """Labels, oldest first."""
        with self._db.read() as connection:
            rows = connection.execute(
                "SELECT task, query, item, other, label, at, labeller, blind, context, note, text, run FROM labels "
                "WHERE (? IS NULL OR task = ?) AND (? IS NULL OR query = ?) ORDER BY at, id",
                (task, task, query, query),
            ).fetchall()
        return tuple(_label(*row) for row in rows)

    def remove(self, label_id: str) -> None:
        with self._db.write() as connection:
            connection.execute("DELETE FROM labels WHERE id = ?", (label_id,))

    def import_text(self, text: str, *, labeller: str, at: datetime) -> int:
        """Add labels from JSONL or qrels; how many. Raises InputError naming the line, and then adds none."""
        lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        return self.add([_read(number, line, labeller, at) for number, line in lines])

    def export_jsonl(self, *, task: str | None = None) -> str:
        return "".join(json.dumps(_plain(label), ensure_ascii=False) + "\n" for label in self.find(task=task))

    def export_qrels(self) -> str:
        """The graded labels in TREC's form; spaces in queries become underscores."""
        return "".join(
            f"{'_'.join(label.query.split())} 0 {label.item} {label.label}\n" for label in self.find(task="relevance")
        )


def _row(label: Label) -> dict[str, Any]:
    known = TASKS.get(label.task)
    if known is None:
        raise InputError(f"unknown label task {label.task!r}; known: {', '.join(TASKS)}")
    if label.label not in known:
        raise InputError(f"a {label.task} label is one of {', '.join(known)}, not {label.label!r}")
    return {
        "id": label.id,
        "task": label.task,
        "query": clean(label.query),
        "item": clean(label.item),
        "other": clean(label.other),
        "label": label.label,
        "at": label.at.timestamp(),
        "labeller": clean(label.labeller),
        "blind": int(label.blind),
        "context": clean(label.context),
        "note": clean(label.note),
        "text": clean(label.text),
        "run": label.run,
    }


def _label(
    task: str,
    query: str,
    item: str,
    other: str,
    label: str,
    at: float,
    labeller: str,
    blind: int,
    context: str,
    note: str,
    text: str,
    run: str,
) -> Label:
    return Label(
        task=task,
        query=query,
        item=item,
        other=other,
        label=label,
        at=datetime.fromtimestamp(at, UTC),
        labeller=labeller,
        blind=bool(blind),
        context=context,
        note=note,
        text=text,
        run=run,
    )


def _plain(label: Label) -> dict[str, Any]:
    row = _row(label)
    return {**row, "at": label.at.isoformat(), "blind": label.blind}


def _read(number: int, line: str, labeller: str, at: datetime) -> Label:
    try:
        if line.startswith("{"):
            return _read_json(json.loads(line), labeller, at)
        query, _, item, grade = line.split()
        return Label(task="relevance", query=query, item=item, label=grade, at=at, labeller=labeller)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(
            f"line {number} is no label; expected JSON with task, query, item and label, or `query 0 item grade`"
        ) from error


def _read_json(found: dict[str, Any], labeller: str, at: datetime) -> Label:
    when = datetime.fromisoformat(str(found["at"]).replace("Z", "+00:00")) if found.get("at") else at
    return Label(
        task=str(found["task"]),
        query=str(found["query"]),
        item=str(found["item"]),
        label=str(found["label"]),
        at=when if when.tzinfo else when.replace(tzinfo=UTC),
        labeller=str(found.get("labeller") or labeller),
        blind=bool(found.get("blind", False)),
        **{name: str(found.get(name) or "") for name in ("other", "context", "note", "text", "run")},
    )
