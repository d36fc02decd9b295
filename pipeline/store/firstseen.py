"""When an item was first seen: a date for the undated, and what the analyst has been shown before."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime

from pipeline.store.database import Database
from pipeline.store.items import batches, decode
from pipeline.types import Candidate


class FirstSeen:
    def __init__(self, database: Database) -> None:
        self._db = database

    def observe(self, endpoint: str, ids: Collection[str], at: datetime) -> None:
        """A complete fetch of an endpoint at a time: notes the items that no earlier one held.

        Only complete, live fetches may be noted: not a demo, a replay, a past as_of, or a fetch cut short.
        """
        when = at.timestamp()
        with self._db.write() as connection:
            (fetched,) = connection.execute("SELECT count(*) FROM fetches WHERE endpoint = ?", (endpoint,)).fetchone()
            connection.executemany(
                "INSERT OR IGNORE INTO first_seen VALUES (?, ?, ?, ?)",
                [(item, endpoint, when, bool(fetched)) for item in ids],
            )
            connection.execute(
                "INSERT INTO fetches VALUES (?, ?, ?) ON CONFLICT (endpoint) DO UPDATE SET "
                "last_at = max(last_at, excluded.last_at)",
                (endpoint, when, when),
            )

    def dates(self, endpoint: str, ids: Collection[str], as_of: datetime) -> Mapping[str, datetime]:
        """Id -> first sight that can stand for a date: an earlier complete fetch of the endpoint lacked the item.

        Items already there at the first fetch have none, and nothing is later than `as_of`. An item never noted
        has none either: call `observe` first.
        """
        found: dict[str, datetime] = {}
        with self._db.read() as connection:
            for batch in batches(list(ids)):
                marks = ",".join("?" * len(batch))
                rows = connection.execute(
                    "SELECT candidate, at FROM first_seen WHERE endpoint = ? AND dated AND at <= ? "
                    f"AND candidate IN ({marks})",
                    (endpoint, as_of.timestamp(), *batch),
                )
                found.update((item, datetime.fromtimestamp(at, UTC)) for item, at in rows)
        return found

    def told(self, candidates: Collection[Candidate], as_of: datetime) -> Mapping[str, datetime]:
        """Id -> when a run that teaches first held that item with this very title and text, not later than `as_of`:
        evidence of re-dating. An item without a text has none: its page may be a new one under an old headline.

        Only items noted before their stated date are looked into: their contents cost far more than their sights.
        """
        wanted = {one.id: one for one in candidates if one.text.strip() and one.published_at}
        found: dict[str, datetime] = {}
        with self._db.read() as connection:
            for batch in batches(self._before_stated(wanted, as_of)):
                marks = ",".join("?" * len(batch))
                rows = connection.execute(
                    "SELECT fields, body, min(created_at) FROM items JOIN shapes ON shapes.id = shape "
                    "JOIN run_items ON run_items.item = items.id JOIN runs ON runs.id = run "
                    f"WHERE learned AND created_at <= ? AND candidate IN ({marks}) GROUP BY items.id",
                    (as_of.timestamp(), *batch),
                )
                for fields, body, at in rows:
                    earlier, seen = decode(fields, body), datetime.fromtimestamp(at, UTC)
                    if (earlier.title, earlier.text) == (wanted[earlier.id].title, wanted[earlier.id].text):
                        found[earlier.id] = min(seen, found.get(earlier.id, seen))
        return found

    def _before_stated(self, wanted: Mapping[str, Candidate], as_of: datetime) -> list[str]:
        """Ids that some endpoint held before the day that the item states."""
        found: list[str] = []
        with self._db.read() as connection:
            for batch in batches(list(wanted)):
                marks = ",".join("?" * len(batch))
                rows = connection.execute(
                    f"SELECT candidate, min(at) FROM first_seen WHERE at <= ? AND candidate IN ({marks}) "
                    "GROUP BY candidate",
                    (as_of.timestamp(), *batch),
                )
                for item, at in rows:
                    stated = wanted[item].published_at
                    if stated is not None and at < stated.timestamp():
                        found.append(item)
        return found

    def show(self, ids: Iterable[str], run_id: str, at: datetime) -> None:
        """Note items as shown to the analyst by a run."""
        with self._db.write() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO shown VALUES (?, ?, ?)", [(item, at.timestamp(), run_id) for item in ids]
            )

    def shown(self, ids: Collection[str]) -> frozenset[str]:
        """Those that an earlier run has shown: what "hide what I have seen" hides."""
        found: set[str] = set()
        with self._db.read() as connection:
            for batch in batches(list(ids)):
                marks = ",".join("?" * len(batch))
                rows = connection.execute(f"SELECT candidate FROM shown WHERE candidate IN ({marks})", batch)
                found.update(row for (row,) in rows)
        return frozenset(found)
