"""Budgets, cached answers, vectors, health."""

from datetime import timedelta

import pytest

from pipeline.store import open_store
from pipeline.types import Outcome, Response
from tests.store.helpers import NOW


class Wall:
    def __init__(self):
        self.at = 1_000_000.0

    def __call__(self):
        return self.at


@pytest.fixture
def wall():
    return Wall()


@pytest.fixture
def store(tmp_path, wall):
    return open_store(tmp_path / "lately.db", seconds=wall)


def test_requests_are_counted_by_the_minute_and_the_wait_is_exact(store, wall):
    ask = lambda: store.budget.take("gdelt", max_per_minute=2, max_per_day=None)  # noqa: E731
    assert ask() == 0
    wall.at += 10
    assert ask() == 0
    assert ask() == 50  # the first one leaves the minute in 50 seconds
    wall.at += 50
    assert ask() == 0
    assert ask() == 10


def test_a_day_has_its_own_limit_and_survives_a_restart(store, wall):
    for _ in range(3):
        assert store.budget.take("newsapi", max_per_minute=None, max_per_day=3) == 0
        wall.at += 3600
    again = open_store(store.path, seconds=wall)
    assert again.budget.take("newsapi", max_per_minute=None, max_per_day=3) == 86_400 - 3 * 3600
    assert again.budget.take("guardian", max_per_minute=None, max_per_day=3) == 0
    assert again.budget.used() == {"guardian": (1, 1), "newsapi": (0, 3)}


def test_a_refused_request_is_not_counted(store, wall):
    store.budget.take("a", max_per_minute=1, max_per_day=None)
    for _ in range(5):
        assert store.budget.take("a", max_per_minute=1, max_per_day=None) > 0
    assert store.budget.used()["a"] == (1, 1)


def test_an_answer_comes_back_with_its_age(store, wall):
    response = Response(url="https://a.example/", status=200, headers={"etag": '"1"'}, body=b"\x00text" * 100)
    store.responses.put("key", response)
    wall.at += 90
    assert store.responses.get("key") == (response, 90)
    assert store.responses.get("other") is None
    store.responses.put("key", response)
    assert store.responses.get("key") == (response, 0)


def test_old_answers_go(store, wall):
    response = Response(url="https://a.example/", status=200, headers={}, body=b"x")
    store.responses.put("old", response)
    wall.at += 8 * 86_400
    store.responses.put("new", response)
    assert store.responses.prune() == 1
    assert store.responses.get("old") is None
    assert store.responses.get("new") is not None


def test_vectors_are_kept_by_key_and_the_unused_go_first(store, wall):
    store.vectors.put_many({f"k{n}": bytes([n]) for n in range(4)})
    wall.at += 2 * 86_400
    store.vectors.put_many({"k0": b"other"})
    assert store.vectors.get_many(["k0", "k2", "none"]) == {"k0": b"\x00", "k2": b"\x02"}
    assert store.vectors.prune(keep=2) == 2
    assert set(store.vectors.get_many([f"k{n}" for n in range(4)])) == {"k0", "k3"}


def test_many_keys_are_asked_at_once(store):
    store.vectors.put_many({str(n): b"v" for n in range(3_000)})
    assert len(store.vectors.get_many([str(n) for n in range(2_500)])) == 2_500


def test_health_over_runs(store):
    def outcome(status, items=5):
        return Outcome(source="rss", endpoint="Daily", status=status, items=items, elapsed_ms=100, detail="d")

    for n, status in enumerate(("ok", "empty", "timeout", "error")):
        store.health.record(f"run {n}", [outcome(status)], NOW + timedelta(hours=n))
    store.health.record("run 9", [Outcome(source="newsapi", endpoint="x", status="not configured")], NOW)

    (found,) = store.health.endpoints()
    assert (found.runs, found.good, found.failing, found.last_status, found.items) == (4, 2, 2, "error", 20)
    assert store.health.prune(keep_days=1, now=NOW + timedelta(days=1, hours=2)) == 2
