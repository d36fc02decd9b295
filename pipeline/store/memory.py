"""Events across runs: their fingerprints, and which items the analyst joined or split."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from sqlite3 import Connection

from pipeline.store.database import Database
from pipeline.store.items import batches, clean

Remembered = tuple[str, Sequence[str], str, str]
"""(event id, band keys, serialised fingerprint, title)"""
Pair = tuple[str, str]
"""(candidate id, candidate id)"""


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

    def decisions(self) -> Mapping[Pair, bool]:
        """(candidate id, candidate id) sorted -> True joined, False split."""
        with self._db.read() as connection:
            return _said(connection)

    def decide(self, pairs: Iterable[Pair], *, joined: bool, at: datetime) -> None:
        """The analyst's word that the items of each pair are, or are not, one event. The latest word holds.

        Events are joined by all pairs of their members: each stays with the others whichever a later run finds.
        The first of a split pair is the item split off, also from what was joined to the second and isn't named.
        """
        told = list(pairs)
        with self._db.write() as connection:
            if not joined:
                told += _also_apart(_said(connection), told)
            connection.executemany(
                "INSERT OR REPLACE INTO event_decisions VALUES (?, ?, ?, ?)",
                [(*sorted(pair), joined, at.timestamp()) for pair in told],
            )

    def undecide(self, pairs: Iterable[Pair]) -> None:
        """Take the analyst's word back; of a joined pair, all that is joined to it: events were joined as a whole."""
        with self._db.write() as connection:
            said, given = _said(connection), {(min(pair), max(pair)) for pair in pairs}
            joins = {pair for pair, joined in said.items() if joined}
            whole = _circle(joins, [name for pair in joins & given for name in pair])
            given |= {pair for pair in joins if whole.issuperset(pair)}
            connection.executemany("DELETE FROM event_decisions WHERE a = ? AND b = ?", list(given))


def _said(connection: Connection) -> dict[Pair, bool]:
    rows = connection.execute("SELECT a, b, joined FROM event_decisions")
    return {(a, b): bool(joined) for a, b, joined in rows}


def _also_apart(said: Mapping[Pair, bool], splits: Iterable[Pair]) -> list[Pair]:
    """Each item split off, with all that was joined to what it is split from."""
    rest: dict[str, list[str]] = defaultdict(list)
    for out, other in splits:
        rest[out].append(other)
    joins = [pair for pair, joined in said.items() if joined and rest.keys().isdisjoint(pair)]
    return [(out, other) for out, others in rest.items() for other in _circle(joins, others)]


def _circle(joins: Iterable[Pair], names: Iterable[str]) -> set[str]:
    """Names and all that is joined to them, also through others."""
    near: dict[str, list[str]] = defaultdict(list)
    for a, b in joins:
        near[a].append(b)
        near[b].append(a)
    found: set[str] = set()
    ahead = list(names)
    while ahead:
        if (name := ahead.pop()) not in found:
            found.add(name)
            ahead += near.get(name, ())
    return found
