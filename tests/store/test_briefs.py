"""The analyst's work on a brief is kept, and two sessions do not overwrite each other unseen."""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.store import open_store
from pipeline.store.briefs import LIMITS, said
from tests.store.helpers import NOW, report

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def kept(store):
    """A stored run of eight items, the first four adopted; item 3 is the oldest."""
    made = report(8, run_id="one")
    store.runs.save(made)
    for row in range(4):
        store.feedback.give("adopt", made, row, NOW)
    return made


def ids(*rows):
    return tuple(f"rss:{row}" for row in rows)


def test_adopted_items_stand_in_time_order_until_they_are_moved(store, kept):
    assert store.briefs.draft(kept).items == ids(3, 2, 1, 0)


@pytest.mark.parametrize(
    ("item", "spot", "order"),
    [
        (0, {"before": "rss:2"}, (3, 0, 2, 1)),
        (3, {"after": "rss:0"}, (2, 1, 0, 3)),
        (1, {"before": "rss:3"}, (1, 3, 2, 0)),
        (2, {"after": "rss:2"}, None),
        (2, {"before": "rss:7"}, None),
    ],
    ids=["up past two", "down to the end", "to the top", "past itself", "past one that is not adopted"],
)
def test_moving(store, kept, item, spot, order):
    if order is None:
        with pytest.raises((InputError, ValueError)):
            store.briefs.place(kept, f"rss:{item}", NOW, **spot)
        assert store.briefs.draft(kept).items == ids(3, 2, 1, 0)
        return
    assert store.briefs.place(kept, f"rss:{item}", NOW, **spot) == ids(*order)
    assert store.briefs.draft(kept).items == ids(*order)


def test_what_is_adopted_later_comes_last_and_what_returns_finds_its_place(store, kept):
    store.briefs.place(kept, "rss:0", NOW, before="rss:3")
    store.feedback.give("adopt", kept, 5, NOW)
    assert store.briefs.draft(kept).items == ids(0, 3, 2, 1, 5)
    store.feedback.give("restore", kept, 0, NOW)
    assert store.briefs.draft(kept).items == ids(3, 2, 1, 5)
    store.feedback.give("adopt", kept, 0, NOW)
    assert store.briefs.draft(kept).items == ids(0, 3, 2, 1, 5)


def test_words_are_kept_over_a_restart_and_when_the_run_is_deleted(store, kept):
    for field, item in (("title", ""), ("introduction", ""), ("note", "rss:1"), ("headline", "rss:1")):
        assert store.briefs.write(kept, field, f" {field} 标题\r\nsecond ", NOW, item=item)
    store.runs.delete("one")
    again = open_store(store.path).briefs.draft(kept)
    assert again.title == "title 标题\nsecond"
    assert again.introduction == "introduction 标题\nsecond"
    assert dict(again.notes) == {"rss:1": "note 标题\nsecond"}
    assert dict(again.headlines) == {"rss:1": "headline 标题\nsecond"}


def test_words_of_one_run_are_not_those_of_another(store, kept):
    store.briefs.write(kept, "title", "mine", NOW)
    assert store.briefs.draft(report(8, run_id="two")).title == ""


def test_the_note_of_an_adoption_is_the_first_note_and_can_be_taken_away(store):
    made = report(8, run_id="one")
    store.runs.save(made)
    store.feedback.give("adopt", made, 0, NOW, note="why")
    assert said(store.briefs.draft(made), "note", "rss:0") == "why"
    assert store.briefs.write(made, "note", "", NOW, item="rss:0", seen="why")
    assert said(store.briefs.draft(made), "note", "rss:0") == ""


def test_a_text_is_written_only_over_the_one_that_was_seen(store, kept):
    assert store.briefs.write(kept, "note", "first", NOW, item="rss:1", seen="")
    assert not store.briefs.write(kept, "note", "second", NOW, item="rss:1", seen="")
    assert said(store.briefs.draft(kept), "note", "rss:1") == "first"
    assert store.briefs.write(kept, "note", "second", NOW + timedelta(seconds=1), item="rss:1", seen=" first\n")
    assert store.briefs.write(kept, "note", "another item", NOW, item="rss:2", seen="")
    assert dict(store.briefs.draft(kept).notes) == {"rss:1": "second", "rss:2": "another item"}


def test_of_two_processes_that_write_over_the_same_text_one_wins(store, kept):
    script = (
        "import sys, pathlib, datetime\n"
        "from pipeline.store import open_store\n"
        "store = open_store(pathlib.Path(sys.argv[1]))\n"
        "run, now = store.runs.load('one'), datetime.datetime.now(datetime.UTC)\n"
        "for row in range(40):\n"
        "    won = store.briefs.write(run, 'note', sys.argv[2], now, item=f'rss:{row}', seen='')\n"
        "    print(int(won), end='')\n"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", script, str(store.path), name], cwd=ROOT, stdout=subprocess.PIPE)
        for name in "ab"
    ]
    won = [process.communicate()[0].decode() for process in started]
    assert [process.returncode for process in started] == [0, 0]
    assert [int(a) + int(b) for a, b in zip(*won, strict=True)] == [1] * 40
    notes = store.briefs.draft(kept).notes
    assert [notes[f"rss:{row}"] for row in range(40)] == ["a" if a == "1" else "b" for a in won[0]]


def test_dismissed_items_are_told(store, kept):
    store.feedback.give("dismiss", kept, 0, NOW)
    draft = store.briefs.draft(kept)
    assert "rss:0" in draft.dismissed and "rss:0" not in draft.items


@pytest.mark.parametrize("field", ["title", "introduction", "note", "headline"])
def test_a_text_that_is_too_long_is_refused(store, kept, field):
    with pytest.raises(InputError, match="at most"):
        store.briefs.write(kept, field, "x" * (LIMITS[field] + 1), NOW, item="rss:1")


def test_text_that_sqlite_can_not_hold_is_kept_as_well_as_it_can(store, kept):
    store.briefs.write(kept, "title", "a\ud800b", NOW)
    assert store.briefs.draft(kept).title == "a?b"


def test_retention_spares_a_run_whose_brief_was_worked_on(store, kept):
    for name in ("two", "three"):
        store.runs.save(report(8, run_id=name))
    store.briefs.write(kept, "title", "mine", NOW)
    assert store.prune(keep_runs=1, keep_days=30, memory_days=90, now=NOW) == 1
    assert {one.id for one in store.runs.recent()} == {"one", "three"}
