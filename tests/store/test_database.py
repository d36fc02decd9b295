"""Several processes and threads at once; errors in plain words; migrations."""

import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from pipeline.errors import StoreError
from pipeline.store import open_store
from pipeline.store.database import Database
from pipeline.store.migrations import MIGRATIONS
from pipeline.store.schema import APPLICATION_ID, statements
from tests.store.helpers import NOW, report

ROOT = Path(__file__).resolve().parents[2]


def test_four_processes_write_at_once_and_nothing_is_lost(store):
    script = (
        "import sys, pathlib, datetime\n"
        "from pipeline.store import open_store\n"
        "store = open_store(pathlib.Path(sys.argv[1]))\n"
        "for n in range(100):\n"
        "    with store.write():\n"  # reads, then writes: what fails with a deferred transaction
        "        seen = store.prefs.choice('count', 0)\n"
        "        store.prefs.choose('count', seen + 1, datetime.datetime.now(datetime.UTC))\n"
        "    store.budget.take('host', max_per_minute=None, max_per_day=None)\n"
    )
    processes = [subprocess.Popen([sys.executable, "-c", script, str(store.path)], cwd=ROOT) for _ in range(4)]
    assert [process.wait() for process in processes] == [0] * 4
    assert store.prefs.choice("count") == 400
    assert store.budget.used()["host"][1] == 400


def test_threads_have_their_own_connections_and_a_reader_does_not_wait(store):
    found = []
    with store.write():
        store.prefs.choose("x", 1, NOW)
        reader = threading.Thread(target=lambda: found.append(store.prefs.choice("x", "not yet")))
        reader.start()
        reader.join(5)
    assert found == ["not yet"]
    assert store.prefs.choice("x") == 1


def test_an_error_inside_write_takes_everything_back(store):
    with pytest.raises(ValueError), store.write():
        store.prefs.choose("x", 1, NOW)
        with store.write():
            store.prefs.choose("y", 1, NOW)
        raise ValueError
    assert store.prefs.choice("x") is None
    assert store.prefs.choice("y") is None


def test_a_locked_database_says_so_in_one_line(tmp_path):
    store = open_store(tmp_path / "lately.db", busy_timeout_s=0.05)
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked by another process; wait for it") as error:
            store.prefs.choose("x", 1, NOW)
    assert "\n" not in str(error.value)
    store.prefs.choose("x", 1, NOW)


def test_a_full_disk_says_so_keeps_nothing_of_the_run_and_can_be_used_again(tmp_path):
    database = Database(tmp_path / "lately.db", 1)
    store = open_store(database.path)
    with store._db.read() as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages + 5}")
    with pytest.raises(StoreError, match="the disk is full; free some space"):
        store.runs.save(report(400))
    assert store.runs.count() == 0
    with store._db.read() as connection:
        connection.execute("PRAGMA max_page_count = 1000000")
    store.runs.save(report(4))
    assert store.runs.count() == 1


def test_another_programs_database_is_never_touched(tmp_path):
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE theirs (x)")
        other.commit()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program's database; move it away"):
        open_store(path)
    assert path.read_bytes() == before


def test_a_newer_schema_is_never_touched(tmp_path):
    path = tmp_path / "lately.db"
    open_store(path).close()
    with closing(sqlite3.connect(path)) as other:
        other.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    with pytest.raises(StoreError, match="newer Lately .* update Lately"):
        open_store(path)


def test_a_file_that_is_no_database(tmp_path):
    path = tmp_path / "lately.db"
    path.write_bytes(b"not a database at all, only some text" * 50)
    with pytest.raises(StoreError, match="is not a database"):
        open_store(path)


def test_a_folder_that_can_not_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="writable folder"):
        open_store(tmp_path / "file" / "lately.db")


def test_migrations_bring_version_one_to_today_with_its_data(tmp_path):
    path = tmp_path / "lately.db"
    first = Database(path, 1, MIGRATIONS[:1])
    with first.write() as connection:
        connection.execute("INSERT INTO words VALUES ('interests', 'chips', 1.0)")
    first.close()
    store = open_store(path)
    assert store.prefs.words("interests") == ("chips",)
    assert store.check().schema == len(MIGRATIONS)


def test_a_later_migration_is_applied_once_and_one_that_fails_changes_nothing(tmp_path):
    path = tmp_path / "lately.db"
    Database(path, 1).close()
    more = (*MIGRATIONS, "ALTER TABLE runs ADD COLUMN colour TEXT;\nUPDATE runs SET colour = 'red';")
    with pytest.raises(StoreError):
        Database(path, 1, (*more[:-1], "ALTER TABLE runs ADD COLUMN colour TEXT;\nUPDATE nothing SET x = 1;"))
    for _ in range(2):
        database = Database(path, 1, more)
    with database.read() as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(runs)")]
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (owner,) = connection.execute("PRAGMA application_id").fetchone()
    assert (columns.count("colour"), version, owner) == (1, len(MIGRATIONS) + 1, APPLICATION_ID)


def test_two_processes_create_the_database_at_once(tmp_path):
    script = "import sys, pathlib; from pipeline.store import open_store; open_store(pathlib.Path(sys.argv[1])).check()"
    path = str(tmp_path / "new" / "lately.db")
    processes = [subprocess.Popen([sys.executable, "-c", script, path], cwd=ROOT) for _ in range(3)]
    assert [process.wait() for process in processes] == [0, 0, 0]


def test_statements_keep_semicolons_in_texts():
    assert list(statements("-- a\nCREATE TABLE a (b DEFAULT ';');\n\nSELECT 1;\n")) == [
        "CREATE TABLE a (b DEFAULT ';');",
        "SELECT 1;",
    ]
