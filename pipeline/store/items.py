"""Items, each content once: runs refer to them. Found again by id and by their words."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from pipeline.store import codec
from pipeline.store.database import Database
from pipeline.text import HAN, normalise, tokens
from pipeline.types import Candidate

_BATCH = 500  # below the 999 variables a statement may have in an old SQLite
_HAN_RUN = re.compile(f"(?:{HAN.pattern})+")
_INDEX_BATCH = 500  # items segmented under the write lock: about 0.1 s


class Items:
    def __init__(self, database: Database) -> None:
        self._db = database

    def save(self, candidates: Iterable[Candidate]) -> list[int]:
        """Store what is new; the ids of all, index-aligned. Belongs into the caller's `write()`."""
        bodies = [(codec.encode(candidate), candidate.id) for candidate in candidates]
        hashed = [hashlib.blake2b(body, digest_size=16).digest() for body, _ in bodies]
        with self._db.write() as connection:
            shape = shape_id(connection, codec.shape(Candidate))
            connection.executemany(
                "INSERT OR IGNORE INTO items(hash, candidate, shape, body) VALUES (?, ?, ?, ?)",
                [(h, clean(key), shape, body) for h, (body, key) in zip(hashed, bodies, strict=True)],
            )
            found: dict[bytes, int] = {}
            for batch in batches(hashed):
                marks = ",".join("?" * len(batch))
                found.update(connection.execute(f"SELECT hash, id FROM items WHERE hash IN ({marks})", batch))
        return [found[h] for h in hashed]

    def get(self, item: int) -> Candidate | None:
        with self._db.read() as connection:
            row = connection.execute(f"{_BODY} WHERE items.id = ?", (item,)).fetchone()
        return None if row is None else decode(*row)

    def find(self, candidate_id: str) -> Candidate | None:
        """The newest stored content of a candidate."""
        with self._db.read() as connection:
            row = connection.execute(
                f"{_BODY} WHERE candidate = ? ORDER BY items.id DESC LIMIT 1", (candidate_id,)
            ).fetchone()
        return None if row is None else decode(*row)

    def search(self, words: str, *, limit: int = 50) -> tuple[Candidate, ...]:
        """Items that hold all the words, best first; Chinese and English. Indexes what is new first."""
        asked = _asked(words)
        if not asked:
            return ()
        self.index()
        with self._db.read() as connection:
            rows = connection.execute(
                f"{_BODY} JOIN item_words ON item_words.rowid = items.id "
                "WHERE item_words MATCH ? ORDER BY item_words.rank LIMIT ?",
                (asked, limit),
            ).fetchall()
        return tuple(decode(*row) for row in rows)

    def index(self) -> int:
        """Segment and index the items that are not indexed yet; how many. Kept out of `save`: it costs more."""
        from sqlite_utils import Database as Utils  # loads pandas where that is installed

        done = 0
        while True:
            with self._db.write() as connection:
                fresh = connection.execute(_UNINDEXED, (_INDEX_BATCH,)).fetchall()
                rows = [{"rowid": item, "words": _words(decode(fields, body))} for item, fields, body in fresh]
                Utils(connection).table("item_words").insert_all(rows)
            done += len(fresh)
            if len(fresh) < _INDEX_BATCH:
                return done

    def sweep(self) -> int:
        """Delete items that no run, feedback or label refers to any more; how many."""
        with self._db.write() as connection:
            unused = [
                row
                for (row,) in connection.execute(
                    "SELECT id FROM items WHERE NOT EXISTS (SELECT 1 FROM run_items WHERE item = items.id) "
                    "AND NOT EXISTS (SELECT 1 FROM feedback WHERE item = items.id) "
                    "AND NOT EXISTS (SELECT 1 FROM labels WHERE labels.item = candidate OR other = candidate)"
                )
            ]
            for batch in batches(unused):
                marks = ",".join("?" * len(batch))
                connection.execute(f"DELETE FROM item_words WHERE rowid IN ({marks})", batch)
                connection.execute(f"DELETE FROM items WHERE id IN ({marks})", batch)
        return len(unused)


_UNINDEXED = (
    "SELECT items.id, fields, body FROM items JOIN shapes ON shapes.id = shape "
    "WHERE items.id > (SELECT coalesce(max(rowid), 0) FROM item_words) ORDER BY items.id LIMIT ?"
)
_BODY = "SELECT fields, body FROM items JOIN shapes ON shapes.id = shape"


def decode(fields: str, body: bytes) -> Candidate:
    return cast(Candidate, codec.decoder(Candidate, fields)(json.loads(body)))


def shape_id(connection: sqlite3.Connection, fields: str) -> int:
    """The number under which a shape is stored beside many records."""
    connection.execute("INSERT OR IGNORE INTO shapes(fields) VALUES (?)", (fields,))
    (found,) = connection.execute("SELECT id FROM shapes WHERE fields = ?", (fields,)).fetchone()
    return int(found)


def clean(text: str) -> str:
    """Text that SQLite takes: lone surrogates from broken escapes become question marks."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def batches(values: Sequence[object]) -> Iterator[Sequence[object]]:
    for start in range(0, len(values), _BATCH):
        yield values[start : start + _BATCH]


def _words(candidate: Candidate) -> str:
    passages = " ".join(passage.text for passage in candidate.passages)
    text = f"{candidate.title} {candidate.text} {passages} {candidate.author}"
    return " ".join([*tokens(text), *_bigrams(text)])


def _bigrams(text: str) -> list[str]:
    """Overlapping pairs of Chinese characters: a word is found however its sentence was segmented."""
    runs = _HAN_RUN.findall(normalise(text)) if HAN.search(text) else ()
    return [run[at : at + 2] for run in runs for at in range(len(run) - 1)]


def _asked(words: str) -> str:
    """An FTS5 expression: all tokens, Chinese ones of two characters and more by their pairs. "" for no words."""
    found = [part for token in tokens(words) for part in (_bigrams(token) or [token])]
    return " ".join('"' + part.replace('"', "") + '"' for part in dict.fromkeys(found))
