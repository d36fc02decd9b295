"""Brings a database file to the schema this version knows, or says why it can't.

The file carries an application id, so that a foreign database is never written to.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pipeline.errors import StoreError
from pipeline.store.migrations import MIGRATIONS

APPLICATION_ID = 0x4C41544C  # "LATL"


def prepare(connection: sqlite3.Connection, path: Path, migrations: Sequence[str] = MIGRATIONS) -> None:
    """Check whose file it is and apply the migrations it lacks, in one transaction.

    Raises StoreError for a foreign database and for one written by a newer version.
    """
    if _version(connection, path, migrations) == len(migrations):
        return
    connection.execute("PRAGMA journal_mode = WAL")
    with transaction(connection):
        # Another process may have been faster between the look above and the lock.
        done = _version(connection, path, migrations)
        for script in migrations[done:]:
            for statement in statements(script):
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(migrations)}")


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Begins IMMEDIATE: a deferred transaction that reads and then writes fails at once beside another writer."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a full disk has rolled it back already
            connection.execute("ROLLBACK")
        raise


def _version(connection: sqlite3.Connection, path: Path, migrations: Sequence[str]) -> int:
    (owner,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if owner != APPLICATION_ID and (tables or owner):
        raise StoreError(f"{path} is another program's database; move it away or set LATELY_HOME to another folder")
    if version > len(migrations):
        raise StoreError(
            f"{path} was written by a newer Lately (schema {version}, known here: {len(migrations)}); "
            "update Lately or set LATELY_HOME to another folder"
        )
    return int(version) if owner == APPLICATION_ID else 0


def statements(script: str) -> Iterator[str]:
    """The single statements of a script: executescript would commit in between."""
    pending = ""
    for line in script.splitlines(keepends=True):
        if line.lstrip().startswith("--") or not (pending or line.strip()):
            continue
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending.strip()
            pending = ""
