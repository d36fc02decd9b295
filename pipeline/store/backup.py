"""Backup, restore and check of the whole database, while it is in use."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import InputError, StoreError
from pipeline.store.database import Database
from pipeline.store.migrations import MIGRATIONS
from pipeline.store.schema import APPLICATION_ID, prepare


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What `check` found. `problems` is empty when all is well."""

    path: Path
    schema: int
    bytes: int
    rows: tuple[tuple[str, int], ...]
    problems: tuple[str, ...]


def backup(database: Database, target: Path) -> None:
    """Copy the database to a file, consistently. Raises InputError when the file is there already."""
    if target.exists():
        raise InputError(f"{target} is there already; give another name")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with database.read() as connection, closing(sqlite3.connect(target)) as copy:
            connection.backup(copy)
    except (OSError, StoreError) as error:
        raise StoreError(f"the backup {target} can't be written ({error}); choose a writable place") from error


def restore(database: Database, source: Path) -> None:
    """Replace the database's content by that of a backup. Raises InputError when the file is no backup."""
    if not source.is_file():
        raise InputError(f"there is no file {source}")
    with closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as kept:
        try:
            (owner,) = kept.execute("PRAGMA application_id").fetchone()
            (health,) = kept.execute("PRAGMA quick_check(1)").fetchone()
            (version,) = kept.execute("PRAGMA user_version").fetchone()
        except sqlite3.DatabaseError as error:
            raise InputError(f"{source} is no backup of Lately ({error})") from error
        if owner != APPLICATION_ID:
            raise InputError(f"{source} is no backup of Lately")
        if health != "ok" or version > len(MIGRATIONS):
            raise InputError(f"{source} is damaged, or was written by a newer Lately; take another backup")
        with database.read() as connection:
            kept.backup(connection)
            prepare(connection, database.path)  # a backup may be older than this version


def check(database: Database) -> Checked:
    """Look for damage: pages, references, the word index."""
    with database.read() as connection:
        problems = [message for (message,) in connection.execute("PRAGMA integrity_check(20)") if message != "ok"]
        problems += [f"{row[0]} row {row[1]} refers to a missing {row[2]}" for row in connection.execute(_DANGLING)]
        tables = [
            name
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'item_words_%' "
                "AND name NOT LIKE 'sqlite_%' ORDER BY name"
            )
        ]
        rows = tuple((name, connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]) for name in tables)
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    try:
        with database.write() as connection:
            connection.execute("INSERT INTO item_words(item_words) VALUES ('integrity-check')")
    except StoreError:
        problems.append("the word index is damaged; `lately store check --reindex` builds it again")
    return Checked(
        path=database.path,
        schema=version,
        bytes=database.path.stat().st_size,
        rows=rows,
        problems=tuple(problems),
    )


def reindex(database: Database) -> None:
    """Empty the word index; the next search fills it again."""
    with database.write() as connection:
        connection.execute("DELETE FROM item_words")


_DANGLING = "PRAGMA foreign_key_check"
