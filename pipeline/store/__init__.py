"""Everything kept between runs, in one SQLite file. The only place with SQL.

    store = open_store(home() / "lately.db")
    store.runs.save(report)
    store.authority.set("example.org", 0.7, "retracted twice", at=now)

Safe with several threads and processes at once. Errors of the database are StoreErrors that say what to do.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from pipeline.store import backup as _backup
from pipeline.store.authority import Authority
from pipeline.store.briefs import Briefs
from pipeline.store.budget import Budget
from pipeline.store.database import Database
from pipeline.store.feedback import Feedback
from pipeline.store.firstseen import FirstSeen
from pipeline.store.health import Health
from pipeline.store.items import Items
from pipeline.store.jobs import Jobs
from pipeline.store.labels import Labels
from pipeline.store.memory import Memory
from pipeline.store.prefs import Prefs
from pipeline.store.responses import Responses
from pipeline.store.runs import Runs
from pipeline.store.userfiles import UserFiles
from pipeline.store.vectors import Vectors

__all__ = ["Store", "open_store"]


class Store:
    """One attribute a concern; see the module of each."""

    def __init__(self, database: Database, half_life_days: float, seconds: Callable[[], float]) -> None:
        self._db = database
        self.path = database.path
        self.items = Items(database)
        self.runs = Runs(database, self.items)
        self.budget = Budget(database, seconds)
        self.responses = Responses(database, seconds)
        self.vectors = Vectors(database, seconds)
        self.memory = Memory(database)
        self.firstseen = FirstSeen(database)
        self.health = Health(database)
        self.authority = Authority(database, half_life_days)
        self.labels = Labels(database)
        self.feedback = Feedback(database, self.authority, self.labels)
        self.briefs = Briefs(database, self.feedback)
        self.jobs = Jobs(database)
        self.prefs = Prefs(database)
        self.files = UserFiles(database, database.path.parent / "config")

    @contextmanager
    def write(self) -> Iterator[None]:
        """Several changes as one transaction: all or none, and nobody writes in between."""
        with self._db.write():
            yield

    def prune(self, *, keep_runs: int, keep_days: int, memory_days: int, now: datetime) -> int:
        """Apply the retention of config/pipeline.yaml; the number of runs deleted. Adopted items and labels stay."""
        with self._db.write():
            self.memory.forget(days=memory_days, now=now)
            self.health.prune(keep_days=keep_days, now=now)
            self.jobs.prune(keep_days=keep_days, now=now)
            self.responses.prune()
            self.vectors.prune()
            return self.runs.prune(keep_runs=keep_runs, keep_days=keep_days, now=now)

    def backup(self, target: Path) -> None:
        _backup.backup(self._db, target)

    def restore(self, source: Path) -> None:
        _backup.restore(self._db, source)

    def check(self, *, reindex: bool = False) -> _backup.Checked:
        """Look for damage; with `reindex` the word index is built anew by the next search."""
        if reindex:
            _backup.reindex(self._db)
        return _backup.check(self._db)

    def close(self) -> None:
        self._db.close()


def open_store(
    path: Path,
    *,
    busy_timeout_s: float = 10.0,
    half_life_days: float = 90.0,
    seconds: Callable[[], float] = time.time,
) -> Store:
    """Open or create the database at `path`; bring an older one to this version's schema.

    busy_timeout_s: how long a writer waits for another one. half_life_days: fading of feedback. seconds: the wall
    clock that budgets and caches count by. Raises StoreError: unwritable, locked, full, foreign or newer file.
    """
    return Store(Database(path, busy_timeout_s), half_life_days, seconds)
