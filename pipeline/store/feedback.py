"""What the analyst did with items: adopted, dismissed, restored. Each moves the source's posterior and is listed.

The latest word on an item holds, in whichever run it was said. An adopted item is kept with its scores as they were
then, so that it outlives its run.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from pipeline.errors import InputError
from pipeline.store import codec
from pipeline.store.authority import Authority, Evidence
from pipeline.store.database import Database
from pipeline.store.items import clean
from pipeline.store.labels import Label, Labels
from pipeline.types import Bucket, Report, Scored

Kind = Literal["adopt", "dismiss", "restore"]
KINDS: tuple[Kind, ...] = ("adopt", "dismiss", "restore")
_DROPPED_BY_JUDGEMENT = (Bucket.OFF_TOPIC, Bucket.DISMISSED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """One word of feedback, as lists show it."""

    run: str
    candidate: str
    title: str
    kind: Kind
    at: datetime
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopted:
    """An adopted item with its scores at that time."""

    run: str
    at: datetime
    note: str
    scored: Scored


class Feedback:
    def __init__(self, database: Database, authority: Authority, labels: Labels) -> None:
        self._db = database
        self._authority = authority
        self._labels = labels

    def give(self, kind: Kind, report: Report, row: int, at: datetime, *, note: str = "") -> None:
        """Adopt, dismiss or restore one item of a stored run.

        Adopting and dismissing replace each other. Restoring takes either back; of an item that was dismissed or
        judged off topic it is also a label "on topic". Runs that did not learn (demo, replay, past as_of) move no
        posterior. Raises InputError for another kind.
        """
        if kind not in KINDS:
            raise InputError(f"feedback is one of {', '.join(KINDS)}, not {kind!r}")
        scored = report.item(row)
        with self._db.write() as connection:
            found = connection.execute("SELECT learned FROM runs WHERE id = ?", (report.run_id,)).fetchone()
            item = connection.execute(
                "SELECT item FROM run_items WHERE run = ? AND row = ?", (report.run_id, row)
            ).fetchone()
            before = self.states().get(scored.id)
            connection.execute(
                "INSERT INTO feedback(run, candidate, item, kind, at, note, snapshot) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    report.run_id,
                    clean(scored.id),
                    item and item[0],
                    kind,
                    at.timestamp(),
                    clean(note),
                    codec.dump(scored, Scored),
                ),
            )
            if found and found[0]:
                self._move(kind, report, row, at)
            if kind == "restore" and (before == "dismiss" or scored.bucket in _DROPPED_BY_JUDGEMENT):
                self._labels.add([_on_topic(report, scored, at, note)])

    def _move(self, kind: Kind, report: Report, row: int, at: datetime) -> None:
        key, candidate = report.table.authority_keys[row], report.table.ids[row]
        if kind == "adopt":
            self._authority.unlearn(key, candidate, ["dismissed"])
        elif kind == "dismiss":
            self._authority.unlearn(key, candidate, ["adopted"])
        else:
            self._authority.unlearn(key, candidate, ["adopted", "dismissed", "pruned"])
            return
        earned = "adopted" if kind == "adopt" else "dismissed"
        title = report.table.titles[row]
        self._authority.learn(
            [Evidence(key=key, candidate=candidate, kind=earned, at=at, run=report.run_id, title=title)]  # type: ignore[arg-type]
        )

    def states(self) -> dict[str, Kind]:
        """Candidate id -> the latest word on it; restored ones that were never adopted or dismissed too."""
        with self._db.read() as connection:
            return dict(
                connection.execute(
                    "SELECT candidate, kind FROM feedback WHERE id IN (SELECT max(id) FROM feedback GROUP BY candidate)"
                ).fetchall()
            )

    def dismissed(self) -> frozenset[str]:
        """Ids of the items that are dismissed now."""
        return frozenset(item for item, kind in self.states().items() if kind == "dismiss")

    def adopted(self, run_id: str | None = None) -> tuple[Adopted, ...]:
        """Items that are adopted now (in one run, or all), oldest adoption first. They outlive their run."""
        with self._db.read() as connection:
            rows = connection.execute(
                "SELECT run, at, note, snapshot FROM feedback WHERE id IN "
                "(SELECT max(id) FROM feedback GROUP BY candidate) AND kind = 'adopt' AND (? IS NULL OR run = ?) "
                "ORDER BY id",
                (run_id, run_id),
            ).fetchall()
        return tuple(
            Adopted(run=run, at=_time(at), note=note, scored=codec.load(Scored, snapshot))
            for run, at, note, snapshot in rows
        )

    def log(self, *, run_id: str | None = None, limit: int = 200) -> tuple[Given, ...]:
        """Every word, newest first."""
        with self._db.read() as connection:
            rows = connection.execute(
                "SELECT run, candidate, kind, at, note, snapshot FROM feedback WHERE ? IS NULL OR run = ? "
                "ORDER BY id DESC LIMIT ?",
                (run_id, run_id, limit),
            ).fetchall()
        return tuple(_given(*row) for row in rows)


def _given(run: str, candidate: str, kind: Kind, at: float, note: str, snapshot: bytes) -> Given:
    title = codec.load(Scored, snapshot).title
    return Given(run=run, candidate=candidate, title=title, kind=kind, at=_time(at), note=note)


def _on_topic(report: Report, scored: Scored, at: datetime, note: str) -> Label:
    return Label(
        task="topic",
        query=report.plan.text,
        item=scored.id,
        label="on",
        at=at,
        labeller="analyst",
        note=note or f"restored; it was dropped as: {scored.reason or scored.bucket.label}",
        text=f"{scored.title} {scored.judged.candidate.text}".strip(),
        context=json.dumps({"bucket": scored.bucket.label, "total": scored.total}, ensure_ascii=False),
        run=report.run_id,
    )


def _time(seconds: Any) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
