"""Answers of the network kept for a while, with their validators for conditional requests."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable

from pipeline.store.database import Database
from pipeline.types import Response

_KEEP_S = 7 * 86_400  # validators are worth keeping longer than the answer is fresh
_KEEP_BYTES = 200_000_000  # compressed bodies kept at most


class Responses:
    """Implements `types.ResponseCache`. How old is too old is the caller's decision."""

    def __init__(self, database: Database, seconds: Callable[[], float]) -> None:
        self._db = database
        self._seconds = seconds

    def get(self, key: str) -> tuple[Response, float] | None:
        """The stored response and its age in seconds."""
        with self._db.read() as connection:
            row = connection.execute(
                "SELECT at, url, status, headers, body FROM responses WHERE key = ?", (key,)
            ).fetchone()
        if row is None:
            return None
        at, url, status, headers, body = row
        response = Response(url=url, status=status, headers=json.loads(headers), body=zlib.decompress(body))
        return response, max(0.0, self._seconds() - at)

    def put(self, key: str, response: Response) -> None:
        """Store an answer, or renew one after "not modified"."""
        body = zlib.compress(response.body, 1)
        headers = json.dumps(dict(response.headers))
        with self._db.write() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO responses VALUES (?, ?, ?, ?, ?, ?)",
                (key, self._seconds(), response.url, response.status, headers, body),
            )

    def prune(self) -> int:
        """Delete what is too old, then the oldest beyond the size limit; how many."""
        with self._db.write() as connection:
            gone = connection.execute("DELETE FROM responses WHERE at < ?", (self._seconds() - _KEEP_S,)).rowcount
            return (
                gone
                + connection.execute(
                    "DELETE FROM responses WHERE key IN (SELECT key FROM (SELECT key, sum(length(body)) "
                    "OVER (ORDER BY at DESC, key) AS size FROM responses) WHERE size > ?)",
                    (_KEEP_BYTES,),
                ).rowcount
            )
