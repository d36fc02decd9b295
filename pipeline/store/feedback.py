"""What the analyst did with items: adopted, dismissed, restored. Each moves the source's posterior and is listed.

The latest word on an item holds, in whichever run it was said, until it is undone; then the one before holds again. An
adopted item is kept with its scores as they were then, so that it outlives its run.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

from pipeline.errors import InputError
from pipeline.store import codec
from pipeline.store.authority import Authority, Evidence, EvidenceKind
from pipeline.store.database import Database
from pipeline.store.items import clean
from pipeline.store.labels import Label, Labels
from pipeline.types import Bucket, Report, Scored

Kind = Literal["adopt", "dismiss", "restore"]
KINDS: tuple[Kind, ...] = ("adopt", "dismiss", "restore")
_DROPPED_BY_JUDGEMENT = (Bucket.OFF_TOPIC, Bucket.DISMISSED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a word did to the evidence on a source; nothing in runs that did not learn."""

    gave: tuple[Evidence, ...] = ()
    took: tuple[Evidence, ...] = ()
    label: str = ""
    """Id of the label that a restored item became."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """One word of feedback, as lists show it."""

    id: int
    run: str
    candidate: str
    title: str
    source: str
    """Domain of the item, or its account."""
    url: str
    kind: Kind
    at: datetime
    note: str
    effect: Effect
    undone_at: datetime | None
    latest: bool
    """The word that holds for its item: it can be undone."""


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
            effect = self._move(kind, report, row, at) if found and found[0] else Effect()
            if kind == "restore" and (before == "dismiss" or scored.bucket in _DROPPED_BY_JUDGEMENT):
                label = _on_topic(report, scored, at, note)
                self._labels.add([label])
                effect = replace(effect, label=label.id)
            connection.execute(
                "INSERT INTO feedback(run, candidate, item, kind, at, note, snapshot, effect) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    report.run_id,
                    clean(scored.id),
                    item and item[0],
                    kind,
                    at.timestamp(),
                    clean(note),
                    codec.dump(scored, Scored),
                    codec.dump(effect, Effect),
                ),
            )

    def _move(self, kind: Kind, report: Report, row: int, at: datetime) -> Effect:
        """Add the word's evidence, take away what it contradicts."""
        key, candidate = report.table.authority_keys[row], report.table.ids[row]
        took = self._authority.unlearn(key, candidate, _TAKES[kind])
        earned = _EARNS.get(kind)
        if earned is None:
            return Effect(took=took)
        title = report.table.titles[row]
        gave = Evidence(key=key, candidate=candidate, kind=earned, at=at, run=report.run_id, title=title)
        self._authority.learn([gave])
        return Effect(gave=(gave,), took=took)

    def undo(self, number: int, at: datetime) -> None:
        """Take the latest word on an item back: its evidence and its label go, what it had replaced returns.

        Raises InputError for a word that is undone, or that a later one on the same item has replaced.
        """
        with self._db.write() as connection:
            row = connection.execute(
                "SELECT effect, id = (SELECT max(id) FROM feedback AS other WHERE other.candidate = feedback.candidate "
                "AND undone_at IS NULL) FROM feedback WHERE id = ? AND undone_at IS NULL",
                (number,),
            ).fetchone()
            if row is None or not row[1]:
                raise InputError("only the latest word on an item can be undone; look at the list again")
            connection.execute("UPDATE feedback SET undone_at = ? WHERE id = ?", (at.timestamp(), number))
            effect = _effect(row[0])
            for one in effect.gave:
                self._authority.unlearn(one.key, one.candidate, [one.kind])
            self._authority.learn(effect.took)
            if effect.label:
                self._labels.remove(effect.label)

    def states(self) -> dict[str, Kind]:
        """Candidate id -> the latest word on it; restored ones that were never adopted or dismissed too."""
        with self._db.read() as connection:
            return dict(connection.execute(f"SELECT candidate, kind FROM feedback WHERE id IN {_LATEST}").fetchall())

    def dismissed(self) -> frozenset[str]:
        """Ids of the items that are dismissed now."""
        return frozenset(item for item, kind in self.states().items() if kind == "dismiss")

    def adopted(self, run_id: str | None = None) -> tuple[Adopted, ...]:
        """Items that are adopted now (in one run, or all), oldest adoption first. They outlive their run."""
        with self._db.read() as connection:
            rows = connection.execute(
                f"SELECT run, at, note, snapshot FROM feedback WHERE id IN {_LATEST} "
                "AND kind = 'adopt' AND (? IS NULL OR run = ?) ORDER BY id",
                (run_id, run_id),
            ).fetchall()
        return tuple(
            Adopted(run=run, at=_time(at), note=note, scored=codec.load(Scored, snapshot))
            for run, at, note, snapshot in rows
        )

    def log(self, *, run_id: str | None = None, limit: int = 200, offset: int = 0) -> tuple[Given, ...]:
        """Every word, newest first, those that were undone too."""
        with self._db.read() as connection:
            rows = connection.execute(
                f"SELECT id, run, candidate, kind, at, note, snapshot, effect, undone_at, id IN {_LATEST} "
                "FROM feedback WHERE ? IS NULL OR run = ? ORDER BY id DESC LIMIT ? OFFSET ?",
                (run_id, run_id, limit, offset),
            ).fetchall()
        return tuple(_given(*row) for row in rows)

    def count(self) -> int:
        """How many words there are."""
        with self._db.read() as connection:
            return int(connection.execute("SELECT count(*) FROM feedback").fetchone()[0])


_LATEST = "(SELECT max(id) FROM feedback WHERE undone_at IS NULL GROUP BY candidate)"
_EARNS: dict[Kind, EvidenceKind] = {"adopt": "adopted", "dismiss": "dismissed"}
_TAKES: dict[Kind, tuple[EvidenceKind, ...]] = {
    "adopt": ("dismissed",),
    "dismiss": ("adopted",),
    "restore": ("adopted", "dismissed", "pruned"),
}


def _given(
    number: int,
    run: str,
    candidate: str,
    kind: Kind,
    at: float,
    note: str,
    snapshot: bytes,
    effect: bytes | None,
    undone: float | None,
    latest: int,
) -> Given:
    scored = codec.load(Scored, snapshot)
    one = scored.judged.candidate
    return Given(
        id=number,
        run=run,
        candidate=candidate,
        title=scored.title or one.text[:120],
        source=one.domain or one.author or one.source,
        url=scored.url,
        kind=kind,
        at=_time(at),
        note=note,
        effect=_effect(effect),
        undone_at=None if undone is None else _time(undone),
        latest=bool(latest),
    )


def _effect(stored: bytes | None) -> Effect:
    """Words of before effects were kept have none that could be undone."""
    return Effect() if stored is None else codec.load(Effect, stored)


def _on_topic(report: Report, scored: Scored, at: datetime, note: str) -> Label:
    verdict = scored.judged.verdict  # restored once before, it holds what the judge said
    why = f"it was dropped as: {scored.reason or scored.bucket.label}"
    return Label(
        task="topic",
        query=report.plan.text,
        item=scored.id,
        label="on",
        at=at,
        labeller="analyst",
        note=note or (verdict.reason if verdict.decided_by == "analyst" else f"restored; {why}"),
        text=f"{scored.title} {scored.judged.candidate.text}".strip(),
        context=json.dumps({"bucket": scored.bucket.label, "total": scored.total}, ensure_ascii=False),
        run=report.run_id,
    )


def _time(seconds: Any) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
