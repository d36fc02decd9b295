"""Background runs as other sessions see them: state, progress, heartbeat."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from pipeline.store import codec
from pipeline.store.database import Database
from pipeline.store.items import clean
from pipeline.types import Question

State = Literal["queued", "running", "done", "failed", "cancelled", "interrupted"]
LIVE: tuple[State, ...] = ("queued", "running")


@dataclass(frozen=True, slots=True, kw_only=True)
class JobState:
    """One background run."""

    id: str
    label: str
    state: State
    created_at: datetime
    run: str = ""
    """Id of the stored run, once done."""
    error: str = ""
    progress: Mapping[str, Any]
    """What the run last said; {} before it said anything."""
    question: Question | None = None
    cancelling: bool = False

    @property
    def live(self) -> bool:
        return self.state in LIVE


class Jobs:
    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, job_id: str, label: str, question: Question | None, owner: str, at: datetime) -> None:
        """A new job, queued. `owner` names the process that will run it."""
        blob = None if question is None else codec.dump(question, Question)
        with self._db.write() as connection:
            connection.execute(
                "INSERT INTO jobs(id, label, question, state, run, error, progress, owner, created_at, beat_at) "
                "VALUES (?, ?, ?, 'queued', '', '', '{}', ?, ?, ?)",
                (job_id, clean(label), blob, owner, at.timestamp(), at.timestamp()),
            )

    def start(self, job_id: str, at: datetime) -> None:
        with self._db.write() as connection:
            connection.execute(
                "UPDATE jobs SET state = 'running', started_at = ?, beat_at = ? WHERE id = ?",
                (at.timestamp(), at.timestamp(), job_id),
            )

    def beat(self, job_id: str, progress: Mapping[str, Any] | None, at: datetime) -> bool:
        """Say that the job is alive, with its progress if that is new; True when someone asked to cancel it."""
        said = None if progress is None else clean(json.dumps(progress, ensure_ascii=False, default=str))
        with self._db.write() as connection:
            connection.execute(
                # A machine that slept comes back: what looked killed goes on.
                "UPDATE jobs SET beat_at = ?, progress = coalesce(?, progress), "
                "state = CASE state WHEN 'interrupted' THEN 'running' ELSE state END, "
                "ended_at = CASE state WHEN 'interrupted' THEN NULL ELSE ended_at END, "
                "error = CASE state WHEN 'interrupted' THEN '' ELSE error END WHERE id = ?",
                (at.timestamp(), said, job_id),
            )
            row = connection.execute("SELECT cancel FROM jobs WHERE id = ?", (job_id,)).fetchone()
        return bool(row and row[0])

    def cancel(self, job_id: str) -> None:
        """Ask the process that runs it to stop it."""
        with self._db.write() as connection:
            connection.execute("UPDATE jobs SET cancel = 1 WHERE id = ?", (job_id,))

    def end(self, job_id: str, state: State, at: datetime, *, run: str = "", error: str = "") -> None:
        with self._db.write() as connection:
            connection.execute(
                "UPDATE jobs SET state = ?, ended_at = ?, beat_at = ?, run = ?, error = ? WHERE id = ?",
                (state, at.timestamp(), at.timestamp(), run, clean(error), job_id),
            )

    def interrupt(self, *, silent_s: float, now: datetime) -> int:
        """Mark live jobs without a heartbeat for `silent_s` seconds: their process was killed. How many."""
        oldest = (now - timedelta(seconds=silent_s)).timestamp()
        with self._db.write() as connection:
            return connection.execute(
                "UPDATE jobs SET state = 'interrupted', ended_at = beat_at, "
                "error = 'the program ended while this was under way; run it again' "
                "WHERE state IN ('queued', 'running') AND beat_at < ?",
                (oldest,),
            ).rowcount

    def get(self, job_id: str) -> JobState | None:
        with self._db.read() as connection:
            row = connection.execute(f"{_SELECT} WHERE id = ?", (job_id,)).fetchone()
        return None if row is None else _job(*row)

    def recent(self, *, limit: int = 20) -> tuple[JobState, ...]:
        """The newest jobs first."""
        with self._db.read() as connection:
            rows = connection.execute(f"{_SELECT} ORDER BY created_at DESC, rowid DESC LIMIT ?", (limit,)).fetchall()
        return tuple(_job(*row) for row in rows)

    def prune(self, *, keep_days: int, now: datetime) -> int:
        """Delete ended jobs older than `keep_days`; how many."""
        oldest = (now - timedelta(days=keep_days)).timestamp()
        with self._db.write() as connection:
            return connection.execute("DELETE FROM jobs WHERE ended_at < ?", (oldest,)).rowcount


_SELECT = "SELECT id, label, question, state, run, error, progress, created_at, cancel FROM jobs"


def _job(
    job_id: str,
    label: str,
    question: bytes | None,
    state: State,
    run: str,
    error: str,
    progress: str,
    created: float,
    cancel: int,
) -> JobState:
    return JobState(
        id=job_id,
        label=label,
        state=state,
        run=run,
        error=error,
        progress=json.loads(progress),
        question=None if question is None else codec.load(Question, question),
        created_at=datetime.fromtimestamp(created, UTC),
        cancelling=bool(cancel),
    )
