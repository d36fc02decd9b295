"""Search over stored items, the user's YAML files, backup and restore."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest
import yaml

from pipeline.errors import InputError
from pipeline.store import open_store
from pipeline.store.userfiles import _with_entry
from pipeline.types import Bucket
from tests.store import helpers
from tests.store.helpers import NOW, report


def keep(store, *titles):
    items = [helpers.candidate(n, title=title, text="text", key=f"k{n}") for n, title in enumerate(titles)]
    scored = [helpers.scored(one, n, Bucket.SELECTED) for n, one in enumerate(items)]
    table = helpers.table(items, [Bucket.SELECTED] * len(items), [1.0] * len(items))
    store.runs.save(replace(report(0), table=table, details=scored.__getitem__))


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("oil", ["k0"]),
        ("OIL prices", ["k0"]),
        ("发布", ["k1"]),
        ("手机", ["k1"]),
        ("手機 發布", ["k1"]),
        ("oil 发布", []),
        ('"; DROP TABLE items; --', []),
        ("NEAR( OR *", []),
        ("...", []),
    ],
    ids=["word", "several, any case", "two characters", "inside a sentence", "traditional", "all must occur",
         "SQL is text", "operators are text", "no words"],
)  # fmt: skip
def test_search(store, words, found):
    keep(store, "Oil prices rise", "小米发布新手机")
    assert [one.id for one in store.items.search(words)] == found


def test_items_are_indexed_once(store):
    keep(store, "Oil prices rise", "Gas prices fall")
    assert store.items.index() == 2
    assert store.items.index() == 0
    assert len(store.items.search("prices")) == 2


# --------------------------------------------------------------------------- the user's files


ENTRY = {"name": "City Hall", "url": "https://city.example/feed"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# my sources\nrss:\n  # the best one\n  - {name: A, url: 'https://a.example/'}\n",
        "rss:\n- name: A\n  url: https://a.example/\n\n# pages below\ncustom: []\n",
        "rss: [{name: A, url: 'https://a.example/'}]  # inline\n",
        "search:\n  - {name: S, url: 'https://s.example/{query}'}\n",
        "rss:\n  - {name: City Hall, url: 'https://old.example/'}\n  - {name: B, url: 'https://b.example/'}\n",
        "rss:\n",
    ],
    ids=["new file", "comments", "block style", "inline list", "other section", "same name", "empty section"],
)
def test_adding_a_source_keeps_everything_else(text, tmp_path):
    before = yaml.safe_load(text) or {}
    written = _with_entry(text, "rss", dict(ENTRY), tmp_path)
    after = yaml.safe_load(written)
    others = [one for one in before.get("rss") or [] if one["name"] != "City Hall"]
    assert after == {**before, "rss": [*others, ENTRY]}


def test_comments_survive_an_addition(tmp_path):
    text = "# my sources\nrss:\n  # the best one\n  - {name: A, url: 'https://a.example/'}\n\n# pages\ncustom: []\n"
    written = _with_entry(text, "rss", dict(ENTRY), tmp_path)
    assert [line for line in written.splitlines() if "#" in line] == ["# my sources", "  # the best one", "# pages"]


def test_added_sources_and_profiles_are_read_by_settings(store, tmp_path):
    from pipeline.settings import load_settings

    store.files.add_source("rss", {**ENTRY, "class": "official"})
    store.files.save_profile("mine", {"label": "Mine", "threshold": 30})
    settings = load_settings({"LATELY_HOME": str(tmp_path)})
    assert next(feed for feed in settings.sources.rss if feed.name == "City Hall").class_ == "official"
    assert settings.profiles["mine"].threshold == 30

    store.files.remove_source("rss", "City Hall")
    store.files.delete_profile("mine")
    settings = load_settings({"LATELY_HOME": str(tmp_path)})
    assert all(feed.name != "City Hall" for feed in settings.sources.rss)
    assert "mine" not in settings.profiles


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "a/b", ".hidden", "x" * 61])
def test_a_profiles_name_can_not_leave_its_folder(store, name):
    with pytest.raises(InputError):
        store.files.save_profile(name, {"label": "x"})


def test_broken_yaml_is_not_overwritten(store):
    store.files.folder.mkdir(parents=True)
    path = store.files.folder / "sources.yaml"
    path.write_text("rss: [")
    with pytest.raises(InputError, match="correct it first"):
        store.files.add_source("rss", ENTRY)
    assert path.read_text() == "rss: ["


# --------------------------------------------------------------------------- backup


def test_a_backup_brings_everything_back(store, tmp_path):
    store.runs.save(report(4, run_id="a"))
    store.backup(tmp_path / "copy.db")
    store.runs.save(report(4, run_id="b"))
    store.restore(tmp_path / "copy.db")
    assert [run.id for run in store.runs.recent()] == ["a"]
    assert store.check().problems == ()
    store.authority.set("a.example", 0.5, "still writable", NOW)


def test_a_backup_is_not_overwritten(store, tmp_path):
    (tmp_path / "copy.db").write_text("mine")
    with pytest.raises(InputError, match="there already"):
        store.backup(tmp_path / "copy.db")


def test_only_a_backup_of_ours_is_restored(store, tmp_path):
    store.runs.save(report(4, run_id="a"))
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE theirs (x)")
    (tmp_path / "text.db").write_text("text " * 500)
    for name in ("other.db", "text.db", "missing.db"):
        with pytest.raises(InputError):
            store.restore(tmp_path / name)
    assert store.runs.count() == 1


def test_check_finds_damage(store):
    store.runs.save(report(4))
    with store._db.read() as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("DELETE FROM items")
        connection.execute("PRAGMA foreign_keys = ON")
    assert any("missing items" in problem for problem in store.check().problems)


def test_retention_of_everything(tmp_path):
    store = open_store(tmp_path / "lately.db")
    store.runs.save(report(4, run_id="a"))
    assert store.prune(keep_runs=10, keep_days=30, memory_days=30, now=NOW + timedelta(days=29)) == 0
    assert store.prune(keep_runs=10, keep_days=30, memory_days=30, now=NOW + timedelta(days=31)) == 1


def test_a_feed_list_is_kept_by_its_content(store):
    first = store.files.keep_feed_list(b"<opml>\xc4</opml>")
    assert first.read_bytes() == b"<opml>\xc4</opml>"
    assert store.files.keep_feed_list(b"<opml>\xc4</opml>") == first
    assert store.files.keep_feed_list(b"<opml/>") != first
    assert store.files.sources() == ()
