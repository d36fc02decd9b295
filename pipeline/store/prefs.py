"""What the analyst prefers: word lists, saved source sets, small choices."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal

from pipeline.errors import InputError
from pipeline.store.database import Database
from pipeline.store.items import clean

WordList = Literal["interests", "muted domains", "muted words"]
NAME_MAX = 60  # characters of the name of a set: it is a label in lists


class Prefs:
    def __init__(self, database: Database) -> None:
        self._db = database

    def words(self, name: WordList) -> tuple[str, ...]:
        """The words of one list, in the order they were added."""
        with self._db.read() as connection:
            rows = connection.execute("SELECT word FROM words WHERE list = ? ORDER BY at, word", (name,)).fetchall()
        return tuple(word for (word,) in rows)

    def add_words(self, name: WordList, words: Iterable[str], at: datetime) -> None:
        """Add words; two sessions that add at once lose nothing. Raises InputError for an empty or overlong word."""
        rows = [(name, _word(name, word), at.timestamp()) for word in words]
        with self._db.write() as connection:
            connection.executemany("INSERT OR IGNORE INTO words VALUES (?, ?, ?)", rows)

    def remove_words(self, name: WordList, words: Iterable[str]) -> None:
        with self._db.write() as connection:
            connection.executemany(
                "DELETE FROM words WHERE list = ? AND word = ?", [(name, _word(name, word)) for word in words]
            )

    def set_words(self, name: WordList, words: Iterable[str], at: datetime) -> None:
        """Replace a whole list."""
        with self._db.write() as connection:
            connection.execute("DELETE FROM words WHERE list = ?", (name,))
            self.add_words(name, words, at)

    def source_sets(self) -> dict[str, tuple[str, ...]]:
        """Saved sets of sources by name."""
        with self._db.read() as connection:
            rows = connection.execute(
                "SELECT substr(name, 5), value FROM choices WHERE substr(name, 1, 4) = 'set:' ORDER BY name"
            ).fetchall()
        return {name: tuple(json.loads(value)) for name, value in rows}

    def save_source_set(self, name: str, sources: Iterable[str], at: datetime) -> None:
        """Save a set of sources under a name; an empty set deletes it. Raises InputError without a short name."""
        if not 0 < len(name.strip()) <= NAME_MAX:
            raise InputError(f"give the set of sources a name of 1 to {NAME_MAX} characters")
        self.choose(f"set:{name.strip()}", list(sources) or None, at)

    def choice(self, name: str, default: Any = None) -> Any:
        """A small remembered choice (any JSON value)."""
        with self._db.read() as connection:
            row = connection.execute("SELECT value FROM choices WHERE name = ?", (name,)).fetchone()
        return default if row is None else json.loads(row[0])

    def choose(self, name: str, value: Any, at: datetime) -> None:
        """Remember a choice; None forgets it."""
        with self._db.write() as connection:
            connection.execute("DELETE FROM choices WHERE name = ?", (name,))
            if value is not None:
                connection.execute("INSERT INTO choices VALUES (?, ?, ?)", (name, json.dumps(value), at.timestamp()))


def _word(name: WordList, word: str) -> str:
    word = " ".join(clean(word).split())
    if name == "muted domains":
        word = word.lower().removeprefix("https://").removeprefix("http://").split("/")[0].removeprefix("www.")
    if not 0 < len(word) <= 200:
        raise InputError(f"{name}: give words of 1 to 200 characters")
    return word
