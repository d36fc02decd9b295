"""Events across runs: their fingerprints, and which items the analyst joined or split."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from pipeline.store.database import Database
from pipeline.store.items import batches, clean

Remembered = tuple[str, Sequence[str], str, str]
"""(event id, band keys, serialised fingerprint, title)"""


class Memory:
    """Implements `types.EventMemory`."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def recall(self, keys: Sequence[str]) -> Mapping[str, Sequence[tuple[str, str, datetime, str]]]:
        """Band key -> (event id, serialised fingerprint, last seen, title), most recently seen first."""
        found: dict[str, list[tuple[str, str, datetime, str]]] = {}
        with self._db.read() as connection:
            for batch in batches(list(dict.fromkeys(keys))):
                marks = ",".join("?" * len(batch))
                for key, event, fingerprint, seen, title in connection.execute(
                    "SELECT key, id, fingerprint, last_seen, title FROM event_keys JOIN events ON id = event "
                    f"WHERE key IN ({marks}) ORDER BY last_seen DESC",
                    batch,
                ):
                    found.setdefault(key, []).append((event, fingerprint, datetime.fromtimestamp(seen, UTC), title))
        return found

    def first_seen(self, event_ids: Sequence[str]) -> dict[str, datetime]:
        """Event id -> when a run first saw it, for those that are remembered."""
        found: dict[str, datetime] = {}
        with self._db.read() as connection:
            for batch in batches(event_ids):
                marks = ",".join("?" * len(batch))
                rows = connection.execute(f"SELECT id, first_seen FROM events WHERE id IN ({marks})", batch)
                found.update((event, datetime.fromtimestamp(at, UTC)) for event, at in rows)
        return found

    def remember(self, rows: Iterable[Remembered], seen: datetime) -> None:
        """Note events of a run. A known event keeps its first sight and gains keys; its fingerprint is renewed."""
        listed = list(rows)
        at = seen.timestamp()
        with self._db.write() as connection:
            connection.executemany(
                "INSERT INTO events VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
                "fingerprint = excluded.fingerprint, title = excluded.title, "
                "first_seen = min(first_seen, excluded.first_seen), last_seen = max(last_seen, excluded.last_seen)",
                [(event, fingerprint, clean(title), at, at) for event, _, fingerprint, title in listed],
            )
            connection.executemany(
                "INSERT OR IGNORE INTO event_keys VALUES (?, ?)",
                [(key, event) for event, keys, _, _ in listed for key in keys],
            )

    def forget(self, *, days: int, now: datetime) -> int:
        """Delete events not seen for `days`; how many."""
        oldest = (now - timedelta(days=days)).timestamp()
        with self._db.write() as connection:
            return connection.execute("DELETE FROM events WHERE last_seen < ?", (oldest,)).rowcount

    def decisions(self) -> Mapping[tuple[str, str], bool]:
        """(candidate id, candidate id) sorted -> True joined, False split."""
        with self._db.read() as connection:
            rows = connection.execute("SELECT a, b, joined FROM event_decisions").fetchall()
        return {(a, b): bool(joined) for a, b, joined in rows}

    def decide(self, pairs: Iterable[tuple[str, str]], *, joined: bool, at: datetime) -> None:
        """The analyst's word that the items of each pair are, or are not, one event. The latest word holds."""
        ordered = [(*sorted(pair), joined, at.timestamp()) for pair in pairs]
        with self._db.write() as connection:
            connection.executemany("INSERT OR REPLACE INTO event_decisions VALUES (?, ?, ?, ?)", ordered)

    def undecide(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Take the analyst's word back."""
        with self._db.write() as connection:
            connection.executemany(
                "DELETE FROM event_decisions WHERE a = ? AND b = ?", [tuple(sorted(pair)) for pair in pairs]
            )
