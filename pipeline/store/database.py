"""Connections and transactions: one connection a thread, readers beside one writer, errors in plain words."""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pipeline.errors import StoreError
from pipeline.store.migrations import MIGRATIONS
from pipeline.store.schema import prepare, transaction

_CURES = (
    ("is locked", "is locked by another process; wait for it to end or close it, then try again"),
    ("is busy", "is locked by another process; wait for it to end or close it, then try again"),
    ("full", "can't grow, the disk is full; free some space (`lately runs delete` removes runs), then try again"),
    ("readonly", "can't be written; check the permissions of the file and its folder"),
    ("unable to open", "can't be opened; check that its folder exists and is writable, or set LATELY_HOME"),
    ("not a database", "is not a database; move it away, or bring a backup with `lately store restore FILE`"),
    ("malformed", "is damaged; bring a backup with `lately store restore FILE`"),
    ("disk i/o", "can't be read or written (disk error); check the disk, then `lately store check`"),
    ("no such table", "has not the expected tables; bring a backup with `lately store restore FILE`"),
    ("no such column", "has not the expected tables; bring a backup with `lately store restore FILE`"),
)


class _Connection(sqlite3.Connection):
    """A connection that a WeakSet can hold."""


class Database:
    """One SQLite file. Safe for several threads and processes at once.

    Every thread has its own connection, closed when the thread ends. `write()` begins IMMEDIATE, so that a
    transaction that reads before it writes waits its turn instead of failing at once. Both may be nested within
    a thread: an inner block belongs to the outer transaction.
    """

    def __init__(self, path: Path, busy_timeout_s: float, migrations: Sequence[str] = MIGRATIONS) -> None:
        self.path = path
        self._busy_timeout_s = busy_timeout_s
        self._here = threading.local()
        self._open: weakref.WeakSet[_Connection] = weakref.WeakSet()
        with self._translated():
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreError(f"{path.parent}: {error.strerror}; set LATELY_HOME to a writable folder") from error
            prepare(self._connection(), path, migrations)

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """This thread's connection. Statements see the last committed state."""
        with self._translated():
            yield self._connection()

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction: committed when the block ends, rolled back when it raises."""
        with self._translated():
            connection = self._connection()
            if connection.in_transaction:
                yield connection
            else:
                with transaction(connection):
                    yield connection

    def close(self) -> None:
        """Close all connections; for tests and for the end of a process."""
        for connection in list(self._open):
            connection.close()
        self._here = threading.local()

    def _connection(self) -> _Connection:
        # The process id is part of the key: a connection must not be used across a fork.
        connection: _Connection | None = getattr(self._here, "connection", None)
        if connection is None or self._here.pid != os.getpid():
            # One thread uses it; another one may only close it, at the end.
            connection = sqlite3.connect(
                self.path,
                timeout=self._busy_timeout_s,
                isolation_level=None,
                check_same_thread=False,
                factory=_Connection,
            )
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = NORMAL")
            self._here.connection, self._here.pid = connection, os.getpid()
            self._open.add(connection)
        return connection

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.InterfaceError, sqlite3.DataError):
            raise  # a mistake of ours, not a state of the disk
        except sqlite3.Error as error:
            raise StoreError(self._explain(str(error))) from error

    def _explain(self, message: str) -> str:
        for words, cure in _CURES:
            if words in message.lower():
                return f"the database {self.path} {cure}"
        return f"the database {self.path} can't be used: {message}"
