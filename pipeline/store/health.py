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
        grouped: dict[tuple[str, str], list[tuple[float, str, int, int, str]]] = {}
        for source, endpoint, *facts in rows:
            grouped.setdefault((source, endpoint), []).append(tuple(facts))
        return tuple(_health(*key, facts) for key, facts in grouped.items())

    def prune(self, *, keep_days: int, now: datetime) -> int:
        """Delete outcomes older than `keep_days`; how many."""
        with self._db.write() as connection:
            oldest = (now - timedelta(days=keep_days)).timestamp()
            return connection.execute("DELETE FROM outcomes WHERE at < ?", (oldest,)).rowcount


def _health(source: str, endpoint: str, newest_first: list[tuple[float, str, int, int, str]]) -> EndpointHealth:
    at, status, _, _, detail = newest_first[0]
    good = [fact[1] in _GOOD for fact in newest_first]
    return EndpointHealth(
        source=source,
        endpoint=endpoint,
        runs=len(newest_first),
        good=sum(good),
        items=sum(fact[2] for fact in newest_first),
        median_ms=int(median(fact[3] for fact in newest_first)),
        last_status=status,
        last_at=datetime.fromtimestamp(at, UTC),
        last_detail=detail,
        failing=good.index(True) if True in good else len(good),
    )
