"""How the endpoints have answered, over runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import median

from pipeline.store.database import Database
from pipeline.types import Outcome

_GOOD = ("ok", "empty", "cancelled")
_RECENT = 20  # runs looked at for one endpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How an endpoint ended in one run."""

    at: datetime
    status: str
    items: int
    elapsed_ms: int
    detail: str

    @property
    def good(self) -> bool:
        return self.status in _GOOD


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointHealth:
    source: str
    endpoint: str
    runs: int
    """Of the latest 20."""
    good: int
    """Ended ok, empty or cancelled."""
    items: int
    median_ms: int
    last_status: str
    last_at: datetime
    last_detail: str
    failing: int
    """Failures in a row, up to the latest run."""
    last_error: str = ""
    """Status and detail of the latest failure among these runs; "" where there was none."""
    last_error_at: datetime | None = None
    answers: tuple[Answer, ...] = ()
    """Of the latest 20 runs, oldest first."""


class Health:
    def __init__(self, database: Database) -> None:
        self._db = database

    def record(self, run_id: str, outcomes: Iterable[Outcome], at: datetime) -> None:
        """Note how a run's endpoints ended; endpoints without a key are left out."""
        rows = [
            (run_id, at.timestamp(), o.source, o.endpoint, o.status, o.items, o.elapsed_ms, o.detail)
            for o in outcomes
            if o.status != "not configured"
        ]
        with self._db.write() as connection:
            connection.executemany("INSERT INTO outcomes VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def endpoints(self) -> tuple[EndpointHealth, ...]:
        """One record an endpoint, by source and name."""
        with self._db.read() as connection:
            rows = connection.execute(
                "SELECT source, endpoint, at, status, items, elapsed_ms, detail FROM (SELECT *, row_number() "
                "OVER (PARTITION BY source, endpoint ORDER BY at DESC, rowid DESC) AS place FROM outcomes) "
                "WHERE place <= ? ORDER BY source, endpoint, place",
                (_RECENT,),
            ).fetchall()
        grouped: dict[tuple[str, str], list[Answer]] = {}
        for source, endpoint, at, status, items, elapsed, detail in rows:
            moment = datetime.fromtimestamp(at, UTC)
            answer = Answer(at=moment, status=status, items=items, elapsed_ms=elapsed, detail=detail)
            grouped.setdefault((source, endpoint), []).append(answer)
        return tuple(_health(*key, answers) for key, answers in grouped.items())

    def prune(self, *, keep_days: int, now: datetime) -> int:
        """Delete outcomes older than `keep_days`; how many."""
        with self._db.write() as connection:
            oldest = (now - timedelta(days=keep_days)).timestamp()
            return connection.execute("DELETE FROM outcomes WHERE at < ?", (oldest,)).rowcount


def _health(source: str, endpoint: str, newest_first: list[Answer]) -> EndpointHealth:
    last, good = newest_first[0], [answer.good for answer in newest_first]
    wrong = next((answer for answer in newest_first if not answer.good), None)
    return EndpointHealth(
        source=source,
        endpoint=endpoint,
        runs=len(newest_first),
        good=sum(good),
        items=sum(answer.items for answer in newest_first),
        median_ms=int(median(answer.elapsed_ms for answer in newest_first)),
        last_status=last.status,
        last_at=last.at,
        last_detail=last.detail,
        failing=good.index(True) if True in good else len(good),
        last_error=f"{wrong.status}: {wrong.detail}".removesuffix(": ") if wrong else "",
        last_error_at=wrong.at if wrong else None,
        answers=tuple(reversed(newest_first)),
    )
