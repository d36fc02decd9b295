"""Kept runs: what a report says, and the report itself again, exactly as it was.

A run is a row of small facts, blobs of records (plan, events, outcomes ...), the table as arrays, and the explained
record of every item: see `details`.
"""

from __future__ import annotations

import dataclasses
import math
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from pipeline.errors import InputError
from pipeline.store import codec
from pipeline.store.arrays import pack, unpack
from pipeline.store.database import Database
from pipeline.store.details import Details, packed
from pipeline.store.held import Held
from pipeline.store.items import Items, clean
from pipeline.types import (
    AuthorityEstimate,
    Bucket,
    Event,
    Link,
    Outcome,
    Plan,
    Report,
    ScoreSettings,
    StageNote,
    Table,
    XReport,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """One kept run, as lists show it."""

    id: str
    created_at: datetime
    query: str
    profile: str
    since: datetime
    until: datetime
    demo: bool
    learned: bool
    """Feedback on it moves posteriors (not demo, replay, past as_of)."""
    items: int
    selected: int
    bytes: int
    """Size in the database without the items, which other runs may share."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlooked:
    """An item that scored well and that nobody adopted or dismissed."""

    run: str
    candidate: str
    title: str
    url: str
    source: str
    total: float
    published_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    """All records of a report but its events, which can be many."""

    plan: Plan
    settings: ScoreSettings
    outcomes: tuple[Outcome, ...]
    funnel: Mapping[str, Mapping[str, int]]
    stages: tuple[StageNote, ...]
    authorities: Mapping[str, AuthorityEstimate]
    apart: tuple[Link, ...]
    x: XReport | None
    warnings: tuple[str, ...]


_HEAD = tuple(field.name for field in dataclasses.fields(_Head))
_ROW = "id, created_at, query, profile, since, until, demo, learned, items, selected, bytes"


class Runs:
    def __init__(self, database: Database, items: Items) -> None:
        self._db = database
        self._items = items
        self._details = Details(database, items)
        self._held = Held()

    def save(self, report: Report, *, learned: bool = True) -> None:
        """Store a report in one transaction. `learned`: it wrote feedback and memory (not demo, replay, past as_of).

        Raises StoreError, and then nothing of it is stored.
        """
        self._insert(report, learned)
        self._held.retry(self._insert)

    def hold(self, report: Report, why: str, *, learned: bool = True) -> Report:
        """Keep a report that `save` refused in this process, where `load` finds it until a `save` has room for it.

        The report comes back with a warning that says so and `why`.
        """
        self._held.add(report, learned, why)
        return self._held.get(report.run_id)[0]

    def held(self, run_id: str) -> str:
        """Why a run is only held; "" for one that is stored."""
        return self._held.why(run_id)

    def _insert(self, report: Report, learned: bool) -> None:
        scored = [report.details(row) for row in range(len(report.table))]
        details = packed(scored)
        head = codec.dump(_Head(**{name: getattr(report, name) for name in _HEAD}), _Head)
        blobs = (
            zlib.compress(head, 1),
            zlib.compress(codec.dump(report.events, tuple[Event, ...]), 1),
            *pack(report.table),
        )
        size = sum(map(len, (*blobs, *details)))
        with self._db.write() as connection:
            connection.execute(
                "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*_facts(report, learned), size, *blobs),
            )
            self._details.save(report.run_id, scored, details)

    def load(self, run_id: str) -> Report:
        """A stored report. Its numbers are in memory, the explained items are read when asked for.

        Raises InputError for a run that is not there.
        """
        run_id = self.resolve(run_id)
        if run_id in self._held:
            return self._held.get(run_id)[0]
        with self._db.read() as connection:
            created, demo, head, events, columns, arrays = connection.execute(
                "SELECT created_at, demo, head, events, columns, arrays FROM runs WHERE id = ?", (run_id,)
            ).fetchone()
        found = codec.load(_Head, zlib.decompress(head))
        return Report(
            run_id=run_id,
            created_at=_time(created),
            demo=bool(demo),
            table=unpack(columns, arrays),
            events=codec.load(tuple[Event, ...], zlib.decompress(events)),
            details=(kept := self._details.of(run_id)).item,
            fates=kept.fate,
            **{name: getattr(found, name) for name in _HEAD},
        )

    def recent(self, *, limit: int = 50, offset: int = 0) -> tuple[RunRow, ...]:
        """Kept runs, newest first."""
        with self._db.read() as connection:
            rows = connection.execute(
                f"SELECT {_ROW} FROM runs ORDER BY created_at DESC, rowid DESC LIMIT ? OFFSET ?", (limit, offset)
            ).fetchall()
        return tuple(_row(row) for row in rows)

    def show(self, run_id: str) -> RunRow:
        """The facts of one run. Raises InputError."""
        if run_id in self._held:
            return _row((*_facts(*self._held.get(run_id)), 0))
        with self._db.read() as connection:
            return _row(connection.execute(f"SELECT {_ROW} FROM runs WHERE id = ?", (self.resolve(run_id),)).fetchone())

    def count(self) -> int:
        with self._db.read() as connection:
            return int(connection.execute("SELECT count(*) FROM runs").fetchone()[0])

    def resolve(self, run_id: str) -> str:
        """The full id for a full id, a beginning that only one run has, or "last". Raises InputError."""
        if run_id in self._held:
            return run_id
        with self._db.read() as connection:
            if run_id == "last":
                sql, asked = "SELECT id FROM runs ORDER BY created_at DESC, rowid DESC LIMIT 1", ()
            else:
                sql = "SELECT id FROM runs WHERE id = ? OR substr(id, 1, length(?)) = ? ORDER BY id != ? LIMIT 2"
                asked = (run_id,) * 4  # type: ignore[assignment]
            found = [row for (row,) in connection.execute(sql, asked)]
        if not found or not run_id:
            raise InputError(f"no run {run_id!r} is kept; `lately runs list` shows those that are")
        if len(found) > 1 and found[0] != run_id:
            raise InputError(f"more than one run begins with {run_id!r}; give more of its id")
        return str(found[0])

    def overlooked(self, *, since: datetime, low: float, high: float) -> tuple[Overlooked, ...]:
        """Items of live runs made from `since` on that scored low..high points and were neither adopted nor dismissed.

        Best first, each once, in the run that scored it highest. Copies and what stayed below its threshold are out.
        """
        with self._db.read() as connection:
            rows = connection.execute(
                "SELECT id, columns, arrays FROM runs WHERE created_at >= ? AND NOT demo", (since.timestamp(),)
            ).fetchall()
            said = {
                candidate
                for (candidate,) in connection.execute(
                    "SELECT candidate FROM feedback WHERE id IN "
                    "(SELECT max(id) FROM feedback WHERE undone_at IS NULL GROUP BY candidate) "
                    "AND kind != 'restore'"
                )
            }
        best: dict[str, Overlooked] = {}
        for run_id, columns, arrays in rows:
            for one in _overlooked(run_id, unpack(columns, arrays), low, high):
                if one.candidate not in said and one.total > getattr(best.get(one.candidate), "total", -1.0):
                    best[one.candidate] = one
        return tuple(sorted(best.values(), key=lambda one: -one.total))

    def delete(self, run_id: str) -> None:
        """Delete a run and the items only it had. Adopted items, feedback and labels stay."""
        run_id = self.resolve(run_id)
        self._held.drop(run_id)
        with self._db.write() as connection:
            connection.execute("DELETE FROM runs WHERE id = ?", (run_id,))
            self._items.sweep()

    def prune(self, *, keep_runs: int, keep_days: int, now: datetime) -> int:
        """Delete runs beyond the newest `keep_runs` or older than `keep_days`; how many. One with a written brief stays."""
        oldest = (now - timedelta(days=keep_days)).timestamp()
        with self._db.write() as connection:
            gone = connection.execute(
                "DELETE FROM runs WHERE (created_at < ? OR id NOT IN "
                "(SELECT id FROM runs ORDER BY created_at DESC, rowid DESC LIMIT ?)) "
                "AND id NOT IN (SELECT run FROM briefs UNION SELECT run FROM brief_items)",
                (oldest, keep_runs),
            ).rowcount
            if gone:
                self._items.sweep()
        return gone


def _overlooked(run_id: str, table: Table, low: float, high: float) -> Iterator[Overlooked]:
    wanted = (table.tier > 0) & (table.total >= low) & (table.total < high) & (table.bucket != Bucket.COPY)
    for row in map(int, wanted.nonzero()[0]):
        at = float(table.published[row])
        yield Overlooked(
            run=run_id,
            candidate=table.ids[row],
            title=table.titles[row],
            url=table.urls[row],
            source=table.sources[row],
            total=round(float(table.total[row]), 2),
            published_at=None if math.isnan(at) else _time(at),
        )


def _facts(report: Report, learned: bool) -> tuple[Any, ...]:
    window = report.plan.window
    return (
        report.run_id,
        report.created_at.timestamp(),
        clean(report.plan.text),
        report.settings.profile,
        window.since.timestamp(),
        window.until.timestamp(),
        report.demo,
        learned,
        len(report.table),
        len(report.selected_rows),
    )


def _row(row: tuple[Any, ...]) -> RunRow:
    run, created, query, profile, since, until, demo, learned, items, selected, size = row
    return RunRow(
        id=run,
        created_at=_time(created),
        query=query,
        profile=profile,
        since=_time(since),
        until=_time(until),
        demo=bool(demo),
        learned=bool(learned),
        items=items,
        selected=selected,
        bytes=size,
    )


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
