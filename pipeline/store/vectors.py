"""Embeddings by content hash. Values are opaque bytes: what they mean is the embedder's affair."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from pipeline.errors import StoreError
from pipeline.store.database import Database
from pipeline.store.items import batches

_KEEP_ROWS = 300_000  # about 600 MB of 512 float32; the longest unused go first


class Vectors:
    """Implements `types.VectorCache`."""

    def __init__(self, database: Database, seconds: Callable[[], float]) -> None:
        self._db = database
        self._seconds = seconds

    def get_many(self, keys: Sequence[str]) -> dict[str, bytes]:
        """Key -> stored vector, for those that are stored."""
        found: dict[str, bytes] = {}
        with self._db.read() as connection:
            for batch in batches(keys):
                marks = ",".join("?" * len(batch))
                found.update(connection.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", batch))
        return found

    def put_many(self, vectors: Mapping[str, bytes]) -> None:
        """Store vectors; those that are there keep their value and count as used today.

        What a full or locked database does not take is computed again next time: a cache costs no run.
        """
        day = self._day()
        with suppress(StoreError), self._db.write() as connection:
            connection.executemany(
                "INSERT INTO vectors VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET used_day = excluded.used_day",
                [(key, day, bytes(vector)) for key, vector in vectors.items()],
            )

    def prune(self, keep: int = _KEEP_ROWS) -> int:
        """Delete the vectors beyond the newest `keep`; how many."""
        with self._db.write() as connection:
            return connection.execute(
                "DELETE FROM vectors WHERE rowid IN "
                "(SELECT rowid FROM vectors ORDER BY used_day DESC, rowid DESC LIMIT -1 OFFSET ?)",
                (keep,),
            ).rowcount

    def _day(self) -> int:
        return int(self._seconds() // 86_400)
