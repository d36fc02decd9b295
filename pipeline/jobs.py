"""Background runs that survive a widget click and a closed tab.

    job_id = background(store).start(work, label="chip exports", question=question)
    state = background(store).poll(job_id)      # from any session, any process

A process has one worker thread, so one heavy job runs at a time and the others queue. What a job is doing lives in
the store: a heartbeat, its progress, its end. A job whose heartbeat stops was killed with its process and reads
`interrupted`.
"""

from __future__ import annotations

import copy
import logging
import os
import queue
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.errors import InputError, LatelyError

if TYPE_CHECKING:
    from pipeline.store import Store
    from pipeline.store.jobs import JobState
    from pipeline.types import Progress, Question

BEAT_S = 1.0  # seconds between heartbeats, also how soon another process's cancel is heard
SILENT_S = 15.0  # seconds without a heartbeat after which a job counts as killed; the disk may be busy for 10

Work = Callable[["Progress"], str]
"""Does the job, tells what happens, returns the id of the stored run. Runs in its own thread."""


class Cancelled(LatelyError):
    """Raised inside a job, by the progress call, once it was asked to stop."""


@dataclass
class _Job:
    id: str
    work: Work
    progress: dict[str, Any] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    stop: threading.Event = field(default_factory=threading.Event)
    told: bool = True
    """The store has the latest progress."""

    def tell(self, kind: str, **facts: Any) -> None:
        """The `Progress` given to the work. See `record`."""
        if self.stop.is_set():
            raise Cancelled("the run was stopped")
        with self.lock:
            record(self.progress, kind, facts)
            self.told = False

    def news(self) -> Mapping[str, Any] | None:
        with self.lock:
            if self.told:
                return None
            self.told = True
            return copy.deepcopy(self.progress)


def record(progress: dict[str, Any], kind: str, facts: Mapping[str, Any]) -> None:
    """Fold one message into the snapshot that sessions read.

    "stage" with a name sets `stage`; a message about an endpoint updates its entry in `endpoints` (a list of
    {source, endpoint, status, items, elapsed_ms ...} in the order in which they were first heard of); of any other
    kind the latest facts are kept under that kind.
    """
    if kind == "stage":
        progress["stage"] = facts.get("name", "")
    elif "endpoint" in facts:
        endpoints = progress.setdefault("endpoints", [])
        same = ("source", "endpoint")
        for entry in endpoints:
            if all(entry.get(name) == facts.get(name) for name in same):
                entry.update(facts)
                return
        endpoints.append(dict(facts))
    else:
        progress[kind] = dict(facts)


class Background:
    """The jobs of this process, and a view of everybody's."""

    def __init__(self, store: Store, *, beat_s: float = BEAT_S, silent_s: float = SILENT_S) -> None:
        self._store = store
        self._beat_s, self._silent_s = beat_s, silent_s
        self._owner = f"{os.getpid()}-{secrets.token_hex(3)}"
        self._waiting: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        self._mine: dict[str, _Job] = {}
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []

    def start(self, work: Work, *, label: str, question: Question | None = None) -> str:
        """Queue a job; its id. Jobs run one after another, in this order."""
        job = _Job(id=f"{_now():%Y%m%d-%H%M%S}-{secrets.token_hex(3)}", work=work)
        self._store.jobs.add(job.id, label, question, self._owner, _now())
        with self._lock:
            self._mine[job.id] = job
            self._ensure_threads()
        self._waiting.put(job)
        return job.id

    def poll(self, job_id: str) -> JobState:
        """How a job stands. Raises InputError for one that is not known."""
        self._store.jobs.interrupt(silent_s=self._silent_s, now=_now())
        state = self._store.jobs.get(job_id)
        if state is None:
            raise InputError(f"there is no background run {job_id!r}; start the query again")
        return state

    def recent(self, limit: int = 20) -> tuple[JobState, ...]:
        """The newest jobs of all sessions first."""
        self._store.jobs.interrupt(silent_s=self._silent_s, now=_now())
        return self._store.jobs.recent(limit=limit)

    def live(self) -> tuple[JobState, ...]:
        """Jobs that are queued or under way, oldest first."""
        return tuple(state for state in reversed(self.recent()) if state.live)

    def cancel(self, job_id: str) -> None:
        """Stop a job, here or in another process. One that waits never starts; one under way stops when it next
        tells of progress. What it has stored stays."""
        with self._lock:
            job = self._mine.get(job_id)
        if job is not None:
            job.stop.set()
        self._store.jobs.cancel(job_id)

    def wait(self, job_id: str, timeout_s: float = 60.0) -> JobState:
        """Block until a job has ended; for scripts and tests. Raises InputError when it lasts longer."""
        pause = threading.Event()
        for _ in range(int(timeout_s / 0.02)):
            state = self.poll(job_id)
            if not state.live:
                return state
            pause.wait(0.02)
        raise InputError(f"the background run {job_id} still goes on after {timeout_s:g} s")

    # ----------------------------------------------------------------- the two threads

    def _ensure_threads(self) -> None:
        if not self._threads:
            self._threads = [
                threading.Thread(target=self._run_all, name="lately-jobs", daemon=True),
                threading.Thread(target=self._beat_all, name="lately-heartbeat", daemon=True),
            ]
            for thread in self._threads:
                thread.start()

    def _run_all(self) -> None:
        while True:
            job = self._waiting.get()
            try:
                self._run(job)
            except LatelyError:
                # The store could not take the job's end (full disk, locked): its heartbeat stops and says so.
                pass
            finally:
                with self._lock:
                    self._mine.pop(job.id, None)

    def _run(self, job: _Job) -> None:
        jobs = self._store.jobs
        if job.stop.is_set():
            jobs.end(job.id, "cancelled", _now())
            return
        jobs.start(job.id, _now())
        try:
            run_id = job.work(job.tell)
        except Cancelled:
            self._end(job, "cancelled")
        except LatelyError as error:
            self._end(job, "failed", error=str(error))
        except Exception as error:  # noqa: BLE001 - a bug in a run must not end the worker of all later runs
            logging.getLogger(__name__).exception("background run %s", job.id)
            self._end(job, "failed", error=f"unexpected {type(error).__name__}: {error}; please report it")
        else:
            self._end(job, "done", run=run_id)

    def _end(self, job: _Job, state: Any, *, run: str = "", error: str = "") -> None:
        self._store.jobs.beat(job.id, job.news(), _now())
        self._store.jobs.end(job.id, state, _now(), run=run, error=error)

    def _beat_all(self) -> None:
        pause = threading.Event()
        while not pause.wait(self._beat_s):
            with self._lock:
                jobs = list(self._mine.values())
            for job in jobs:
                try:
                    if self._store.jobs.beat(job.id, job.news(), _now()):
                        job.stop.set()
                except LatelyError:
                    continue  # a missed beat; the next one may pass


# --------------------------------------------------------------------------- the one of this process

_made: dict[Path, Background] = {}
_making = threading.Lock()


def background(store: Store) -> Background:
    """The one `Background` of this process for a database, made at the first call."""
    with _making:
        if store.path not in _made:
            _made[store.path] = Background(store)
        return _made[store.path]


def start(question: Question) -> str:
    """Run a question in the background, on the user's store; the id of the job."""
    return background(_store()).start(
        lambda progress: _answer(question, progress), label=question.text, question=question
    )


def rank_again(run_id: str, label: str) -> str:
    """Rank a stored run anew in the background, with what was restored since; the id of the job."""
    return background(_store()).start(lambda progress: _rank(run_id, progress), label=label)


def poll(job_id: str) -> JobState:
    """How a job stands. Raises InputError for one that is not known."""
    return background(_store()).poll(job_id)


def cancel(job_id: str) -> None:
    """Stop a job."""
    background(_store()).cancel(job_id)


def recent(limit: int = 20) -> tuple[JobState, ...]:
    """The newest jobs of all sessions first."""
    return background(_store()).recent(limit)


def _answer(question: Question, progress: Progress) -> str:
    from pipeline.flow import run_question

    return run_question(question, progress=progress, store=_store()).run_id


def _rank(run_id: str, progress: Progress) -> str:
    from pipeline.flow import rank_again_now

    return rank_again_now(run_id, progress=progress, store=_store()).run_id


@cache
def _store_at(path: Path) -> Store:
    from pipeline.store import open_store

    return open_store(path)


def _store() -> Store:
    from pipeline.settings import home

    return _store_at(home() / "lately.db")


def _now() -> datetime:
    return datetime.now(UTC)
