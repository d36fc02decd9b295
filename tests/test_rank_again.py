"""What the analyst restored joins the ranking: of the same items at once, and of every later run."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pipeline import retrieve_recent_now
from pipeline.flow import rank_again
from pipeline.settings import load_settings
from pipeline.store import open_store
from pipeline.types import Bucket
from pipeline.world import World

CHINESE = "最近30天发布的智能体框架"


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    return World(
        settings=load_settings({"LATELY_HOME": str(home)}), store=open_store(home / "lately.db"), environ={}
    )  # fmt: skip


@pytest.fixture(scope="module")
def run(world):
    return retrieve_recent_now(CHINESE, demo=True, store=world.store, settings=world.settings, environ={})


def pruned(report) -> int:
    return next(
        row for row, one in enumerate(report.table.fixed)
        if one == Bucket.OFF_TOPIC and report.table.sources[row] == "x"
    )  # fmt: skip


def test_a_restored_post_joins_the_ranking_and_the_rest_stays(run, world):
    row = pruned(run)
    before = rank_again(run, world)
    assert before.table.bucket.tolist() == run.table.bucket.tolist()
    world.store.feedback.give("restore", run, row, datetime.now(UTC))
    after = rank_again(run, world)
    item = after.item(row)
    assert item.bucket not in (Bucket.OFF_TOPIC, Bucket.NOT_EXAMINED)
    assert item.parts and item.judged.verdict.reason.startswith("restored by you; the judge said off topic")
    assert after.run_id != run.run_id
    assert world.store.runs.load(after.run_id).item(row) == item
    same = [at for at in range(len(run.table)) if at != row]
    assert sum(after.table.fixed[same] != run.table.fixed[same]) == 0


def test_the_label_of_a_second_restoration_still_says_what_the_judge_said(run, world):
    row, store = pruned(run), world.store
    store.feedback.give("restore", run, row, datetime.now(UTC))
    again = rank_again(run, world)
    store.feedback.give("dismiss", again, row, datetime.now(UTC))
    store.feedback.give("restore", again, row, datetime.now(UTC))
    notes = [label.note for label in store.labels.find(task="topic") if label.item == run.table.ids[row]]
    assert notes and all("off topic" in note and "threshold" not in note for note in notes)


def test_later_runs_keep_it_too_until_it_is_taken_back(run, world):
    row = pruned(run)
    name = run.table.ids[row]
    later = retrieve_recent_now(CHINESE, demo=True, store=world.store, settings=world.settings, environ={},
                                as_of=run.plan.now)  # fmt: skip
    assert later.table.fixed[later.table.ids.index(name)] == -1
    (said,) = [one for one in world.store.feedback.log() if one.candidate == name and one.latest]
    world.store.feedback.undo(said.id, datetime.now(UTC))
    assert rank_again(run, world).table.fixed[row] == Bucket.OFF_TOPIC


@pytest.mark.parametrize("learned", [True, False], ids=["a run that learned", "a replay"])
def test_what_taught_nothing_teaches_nothing_when_ranked_again(run, world, learned):
    kept = replace(run, run_id=f"kept-{learned}", demo=False)
    world.store.runs.save(kept, learned=learned)
    assert world.store.runs.show(rank_again(kept, world).run_id).learned is learned
