"""A stored report answers as the fresh one did; what is deleted goes, what was adopted stays."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from pipeline.errors import InputError
from pipeline.types import Bucket
from tests.store.helpers import NOW, report

PLAIN = (
    "run_id plan settings events outcomes funnel stages authorities apart x warnings demo created_at".split()  # noqa: SIM905
)


def test_a_loaded_report_is_the_report_that_was_saved(store):
    fresh = report(40)
    store.runs.save(fresh)
    loaded = store.runs.load(fresh.run_id)

    for name in PLAIN:
        assert getattr(loaded, name) == getattr(fresh, name), name
    assert loaded.items == fresh.items
    assert list(loaded.dropped()) == list(fresh.dropped())
    for row in range(40):
        ended, whole = loaded.fate(row), fresh.item(row)
        for name in ("parts", "penalties", "total", "reason"):
            assert getattr(ended, name) == getattr(whole, name), name
    assert isinstance(loaded.item(0).bucket, Bucket)


def test_every_column_of_the_table_comes_back_with_its_type(store):
    fresh = report(7)
    fresh.table.published[3] = np.nan
    store.runs.save(fresh)
    loaded = store.runs.load(fresh.run_id).table

    for name in type(fresh.table).__dataclass_fields__:
        ours, theirs = getattr(fresh.table, name), getattr(loaded, name)
        if isinstance(ours, tuple):
            assert theirs == ours, name
        else:
            assert theirs.dtype == ours.dtype, name
            np.testing.assert_array_equal(theirs, ours, err_msg=name)


def test_a_run_without_candidates_is_kept_too(store):
    store.runs.save(report(0))
    assert store.runs.load("last").items == ()


def test_the_second_run_keeps_items_only_once(store):
    store.runs.save(report(20, run_id="a"))
    before = dict(store.check().rows)["items"]
    store.runs.save(report(20, run_id="b"))
    assert dict(store.check().rows)["items"] == before == 20


def test_a_run_the_database_could_not_take_is_held_until_it_can(store):
    fresh = report(4, run_id="a")
    said = store.runs.hold(fresh, "the disk is full", learned=False)
    assert store.runs.load("a") == said
    assert "the disk is full" in said.warnings[-1]
    assert (store.runs.show("a").selected, store.runs.show("a").learned, store.runs.count()) == (1, False, 0)
    store.runs.save(report(4, run_id="b"))
    assert store.runs.held("a") == ""
    assert store.runs.load("a").warnings == fresh.warnings
    for n in range(5):
        store.runs.hold(report(1, run_id=f"more {n}"), "full")
    with pytest.raises(InputError):
        store.runs.load("more 0")
    assert store.runs.load("more 4")


def test_a_failing_save_leaves_nothing(store):
    broken = report(20)

    def details(row):
        if row == 15:
            raise RuntimeError("broken")
        return report(20).item(row)

    with pytest.raises(RuntimeError):
        store.runs.save(replace(broken, details=details))
    assert store.runs.count() == 0
    assert dict(store.check().rows)["items"] == 0


def test_the_same_run_is_never_overwritten(store):
    store.runs.save(report(4))
    with pytest.raises(Exception, match="UNIQUE"):
        store.runs.save(report(4))


@pytest.mark.parametrize(
    ("asked", "found"),
    [("aa-1", "aa-1"), ("ab", "ab-2"), ("last", "ab-2"), ("aa", None), ("zz", None), ("", None)],
    ids=["full id", "only beginning", "last", "two begin like that", "unknown", "empty"],
)
def test_runs_are_found_by_the_beginning_of_their_id(store, asked, found):
    store.runs.save(report(1, run_id="aa-1", at=NOW))
    store.runs.save(report(1, run_id="aa-12", at=NOW + timedelta(hours=1)))
    store.runs.save(report(1, run_id="ab-2", at=NOW + timedelta(hours=2)))
    if found:
        assert store.runs.resolve(asked) == found
    else:
        with pytest.raises(InputError):
            store.runs.resolve(asked)


def test_deleting_a_run_deletes_what_only_it_had(store):
    store.runs.save(report(10, run_id="a"))
    store.runs.save(report(10, run_id="b", first=5))
    store.items.index()
    store.runs.delete("a")

    rows = dict(store.check().rows)
    assert (rows["runs"], rows["items"], rows["item_words"], rows["run_items"]) == (1, 10, 10, 10)
    assert store.check().problems == ()
    with pytest.raises(InputError):
        store.runs.load("a")


def test_adopted_items_and_labels_outlive_their_run(store):
    kept = report(8)
    store.runs.save(kept)
    store.feedback.give("adopt", kept, 0, NOW, note="for the brief")
    store.feedback.give("restore", kept, 2, NOW)
    store.runs.delete(kept.run_id)

    (adopted,) = store.feedback.adopted()
    assert adopted.scored == kept.item(0)
    assert adopted.note == "for the brief"
    assert store.items.find(kept.table.ids[0]) == kept.item(0).judged.candidate
    assert [label.item for label in store.labels.find()] == [kept.table.ids[2]]


@pytest.mark.parametrize(
    ("keep_runs", "keep_days", "left"),
    [(2, 365, ["c", "b"]), (10, 1, ["c", "b"]), (10, 365, ["c", "b", "a"]), (1, 1, ["c"])],
    ids=["by number", "by age", "nothing to do", "both"],
)
def test_retention(store, keep_runs, keep_days, left):
    for age, name in ((3, "a"), (0.5, "b"), (0, "c")):
        store.runs.save(report(2, run_id=name, at=NOW - timedelta(days=age)))
    store.runs.prune(keep_runs=keep_runs, keep_days=keep_days, now=NOW)
    assert [run.id for run in store.runs.recent()] == left


def test_overlooked_leads_are_neither_adopted_nor_dismissed_nor_old_nor_demo(store):
    old = report(8, run_id="old", first=100, at=NOW - timedelta(days=9))
    demo = replace(report(8, run_id="demo", first=200), demo=True)
    live = report(8, run_id="live")
    for one in (old, demo, live):
        store.runs.save(one)
    store.feedback.give("adopt", live, 1, NOW)
    store.feedback.give("dismiss", live, 2, NOW)

    found = store.runs.overlooked(since=NOW - timedelta(days=7), low=10, high=75)

    expected = {live.table.ids[row] for row in range(8) if 10 <= live.table.total[row] < 75 and row not in (1, 2)}
    assert {one.candidate for one in found} == expected
    assert [one.total for one in found] == sorted((one.total for one in found), reverse=True)


def test_text_that_is_no_unicode_does_not_stop_a_run(store):
    from tests.store import helpers

    odd = helpers.candidate(1, title="half a pair \ud83d and \x00 nul")
    fresh = report(1)
    scored = helpers.scored(odd, 1, Bucket.SELECTED)
    table = helpers.table([odd], [Bucket.SELECTED], [scored.total])
    store.runs.save(replace(fresh, table=table, details=lambda row: scored))
    assert store.runs.load("last").item(0).title == odd.title
    assert store.items.index() == 1
