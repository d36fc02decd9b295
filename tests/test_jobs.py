"""Background runs with a fake run: one at a time, seen from elsewhere, stopped, killed."""

import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.errors import InputError, StoreError
from pipeline.jobs import Background, background, record
from pipeline.store import open_store
from pipeline.types import Question

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def store(tmp_path):
    opened = open_store(tmp_path / "lately.db")
    yield opened
    opened.close()


@pytest.fixture
def jobs(store):
    return Background(store, beat_s=0.02)


def test_a_job_ends_with_its_run_and_the_last_progress(jobs):
    def work(tell):
        tell("stage", name="collecting")
        tell("endpoint", source="rss", endpoint="Daily", status="asking")
        tell("endpoint", source="rss", endpoint="Daily", status="ok", items=3)
        return "run-1"

    question = Question(text="what is new", sources=("rss",))
    state = jobs.wait(jobs.start(work, label="what is new", question=question))

    assert (state.state, state.run, state.question) == ("done", "run-1", question)
    assert state.progress == {
        "stage": "collecting",
        "endpoints": [{"source": "rss", "endpoint": "Daily", "status": "ok", "items": 3}],
    }


def test_progress_is_seen_from_another_session_while_the_job_runs(jobs, store):
    told, go_on = threading.Event(), threading.Event()

    def work(tell):
        tell("endpoint", source="rss", endpoint="Daily", items=2)
        told.set()
        go_on.wait(5)
        return "run-1"

    job = jobs.start(work, label="x")
    told.wait(5)
    elsewhere = Background(open_store(store.path), beat_s=0.02)
    while not (seen := elsewhere.poll(job)).progress:
        pass
    go_on.set()

    assert seen.state == "running"
    assert seen.progress["endpoints"] == [{"source": "rss", "endpoint": "Daily", "items": 2}]
    assert jobs.wait(job).state == "done"


def test_jobs_run_one_after_another(jobs):
    under_way, most = 0, 0
    lock = threading.Lock()

    def work(tell):
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        threading.Event().wait(0.02)
        with lock:
            under_way -= 1
        return "run"

    for job in [jobs.start(work, label=str(n)) for n in range(4)]:
        assert jobs.wait(job).state == "done"
    assert most == 1


def test_an_expected_error_fails_with_its_own_words(jobs):
    def work(tell):
        raise StoreError("no space left; free some")

    state = jobs.wait(jobs.start(work, label="x"))
    assert (state.state, state.error) == ("failed", "no space left; free some")


def test_a_bug_fails_its_own_job_only(jobs):
    def bug(tell):
        raise KeyError("oops")

    first, second = jobs.start(bug, label="x"), jobs.start(lambda tell: "run-2", label="y")
    assert jobs.wait(first).state == "failed"
    assert "KeyError" in jobs.wait(first).error
    assert jobs.wait(second).run == "run-2"


def test_cancelling_stops_at_the_next_progress_and_frees_the_queue(jobs):
    started = threading.Event()

    def work(tell):
        while True:
            tell("tick")
            started.set()

    running, waiting = jobs.start(work, label="x"), jobs.start(lambda tell: "run", label="y")
    never = jobs.start(lambda tell: "run", label="z")
    started.wait(5)
    jobs.cancel(never)
    jobs.cancel(running)

    assert jobs.wait(running).state == "cancelled"
    assert jobs.wait(waiting).state == "done"
    assert jobs.wait(never).state == "cancelled"


def test_another_process_can_cancel(jobs, store):
    started = threading.Event()

    def work(tell):
        while True:
            tell("tick")
            started.set()

    job = jobs.start(work, label="x")
    started.wait(5)
    Background(open_store(store.path)).cancel(job)
    assert jobs.wait(job).state == "cancelled"


def test_a_job_whose_process_was_killed_reads_interrupted(store):
    script = (
        "import sys, time, pathlib\n"
        "from pipeline.store import open_store\n"
        "from pipeline.jobs import Background\n"
        "jobs = Background(open_store(pathlib.Path(sys.argv[1])), beat_s=0.05)\n"
        "print(jobs.start(lambda tell: time.sleep(60), label='x'), flush=True)\n"
        "time.sleep(60)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(store.path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    job = process.stdout.readline().strip()
    jobs = Background(store, silent_s=1.0)
    assert jobs.poll(job).live
    process.kill()
    process.wait()
    process.stdout.close()

    state = jobs.wait(job, timeout_s=20)
    assert state.state == "interrupted"
    assert "run it again" in state.error


def test_a_job_that_only_slept_goes_on(store):
    at = datetime(2026, 11, 30, tzinfo=UTC)
    store.jobs.add("a", "x", None, "me", at)
    store.jobs.start("a", at)
    assert store.jobs.interrupt(silent_s=15, now=at + timedelta(minutes=1)) == 1
    store.jobs.beat("a", None, at + timedelta(minutes=2))
    assert store.jobs.get("a").state == "running"


def test_an_unknown_job_says_what_to_do(jobs):
    with pytest.raises(InputError, match="start the query again"):
        jobs.poll("nothing")


def test_one_background_a_database(store, tmp_path):
    other = open_store(tmp_path / "other.db")
    assert background(store) is background(open_store(store.path))
    assert background(store) is not background(other)


def test_messages_of_other_kinds_keep_their_latest_facts():
    progress = {}
    record(progress, "x", {"query": "a"})
    record(progress, "x", {"query": "b"})
    assert progress == {"x": {"query": "b"}}
