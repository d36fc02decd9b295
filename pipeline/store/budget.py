"""Requests counted per host or source, over all sessions, processes and restarts."""

from __future__ import annotations

from collections.abc import Callable

from pipeline.store.database import Database

_MINUTE, _DAY = 60.0, 86_400.0


class Budget:
    """Implements `types.RequestBudget`. Sliding windows: the last 60 seconds, the last 24 hours."""

    def __init__(self, database: Database, seconds: Callable[[], float]) -> None:
        self._db = database
        self._seconds = seconds

    def take(self, key: str, *, max_per_minute: int | None, max_per_day: int | None) -> float:
        """0 when a request may go now (and is counted), else the seconds to wait."""
        now = self._seconds()
        with self._db.write() as connection:
            for allowed, span in ((max_per_day, _DAY), (max_per_minute, _MINUTE)):
                if allowed is None:
                    continue
                # The request that must leave the window before another may go: the `allowed`-th newest.
                row = connection.execute(
                    "SELECT at FROM requests WHERE key = ? AND at > ? ORDER BY at DESC LIMIT 1 OFFSET ?",
                    (key, now - span, allowed - 1),
                ).fetchone()
                if row is not None:
                    return float(max(0.001, row[0] + span - now))
            connection.execute("INSERT INTO requests VALUES (?, ?)", (key, now))
            connection.execute("DELETE FROM requests WHERE key = ? AND at <= ?", (key, now - _DAY))
        return 0.0

    def used(self) -> dict[str, tuple[int, int]]:
        """Key -> (requests in the last minute, in the last day): for diagnose and the Sources page."""
        now = self._seconds()
        with self._db.read() as connection:
            rows = connection.execute(
                "SELECT key, sum(at > ?), count(*) FROM requests WHERE at > ? GROUP BY key ORDER BY key",
                (now - _MINUTE, now - _DAY),
            ).fetchall()
        return {key: (int(minute), day) for key, minute, day in rows}
