"""A recorded run of X, by either backend, is played again: the same posts, verdicts and notes, no network, no key."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from xlane_corpora import GOOD_EIGHT, OFF_32
from xlane_helpers import NOW, id_at, settings, wire_answer, wire_post, xai_answer

from pipeline.flow import explore, replay_now
from pipeline.net import load
from pipeline.settings import Settings
from pipeline.store import open_store
from pipeline.types import Question, Report
from pipeline.world import World

KEYS = {"x_api": {"X_BEARER_TOKEN": "fake-x-bearer-token"}, "grok": {"XAI_API_KEY": "fake-xai-api-key"}}
USERS = {str(n): handle for n, handle in enumerate(dict.fromkeys(h for h, _ in (*GOOD_EIGHT, *OFF_32)), 1)}
IDS = {handle: user for user, handle in USERS.items()}
FRESH = tuple((f"fresh_{n}", f"Rome Italy metro works, day {n}") for n in range(6))


def rows_for(query: str) -> tuple[tuple[str, str], ...]:
    """What the service holds: a flood for the question as typed, good posts for its widest form, nothing for lanes."""
    if "from:" in query:
        return ()
    if '"' not in query:
        return FRESH
    return (*GOOD_EIGHT[:2], *OFF_32) if "has:links" not in query and "filter:links" not in query else GOOD_EIGHT[2:4]


def served(request: httpx.Request) -> httpx.Response:
    if request.url.host == "api.x.com":
        rows = rows_for(request.url.params["query"])
        entries = [wire_post(text, _user(h), hours=5, serial=hash_of(text)) for h, text in rows]
        return httpx.Response(200, json=wire_answer(entries, {_user(h): h for h, _ in rows}))
    rows = rows_for(json.loads(request.content)["input"][-1]["content"])[:10]
    posts = [_written(handle, text) for handle, text in rows]
    return httpx.Response(200, json=xai_answer(posts))


def hash_of(text: str) -> int:
    return sum(n * ord(char) for n, char in enumerate(text, 1)) % 4_000_000


def _user(handle: str) -> str:
    return IDS.get(handle) or str(1_000 + int(handle.removeprefix("fresh_")))


def _written(handle: str, text: str) -> dict[str, Any]:
    post_id = id_at(NOW - timedelta(hours=5), hash_of(text))
    url = f"https://x.com/{handle}/status/{post_id}"
    counts = {"likes": 1, "reposts": 0, "replies": 0}
    return {"id": post_id, "url": url, "handle": handle, "text": text, "created_at": "2026-11-30T07:00:00Z", **counts}


def plain() -> Settings:
    """No model: words decide, which is quick."""
    loaded = settings()
    embedding = loaded.pipeline.embedding.model_copy(update={"model": "off"})
    return loaded.model_copy(update={"pipeline": loaded.pipeline.model_copy(update={"embedding": embedding})})


def recorded(home: Path, backend: str) -> Report:
    world = World(
        settings=plain(),
        store=open_store(home / "lately.db"),
        clock=lambda: NOW,
        environ=KEYS[backend],
        transport=httpx.MockTransport(served),
        record=home / "run.zip",
    )
    asked = Question(text='"Rome Italy" metro', sources=("x",), days=7, x_handles=("newsroom_it",))
    return asyncio.run(explore(asked, world))


@pytest.mark.parametrize("backend", ["x_api", "grok"])
def test_a_recorded_run_plays_again_without_a_key(tmp_path: Path, backend: str, monkeypatch: Any) -> None:
    first = recorded(tmp_path, backend)
    assert first.x is not None
    assert first.x.backend == backend
    assert first.x.used == "after", "the recording holds a retry"
    monkeypatch.setenv("LATELY_HOME", str(tmp_path))
    for name in ("X_BEARER_TOKEN", "XAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    again = replay_now(tmp_path / "run.zip", store=open_store(tmp_path / "second.db"), settings=plain())
    assert again.x is not None
    assert replace(again.x, backend=backend) == first.x
    assert (again.x.backend, again.table.ids, again.table.titles) == ("replay", first.table.ids, first.table.titles)
    assert list(again.table.bucket) == list(first.table.bucket)
    assert [(o.status, o.items, o.detail) for o in again.outcomes] == [
        (o.status, o.items, o.detail) for o in first.outcomes
    ]


@pytest.mark.parametrize("backend", ["x_api", "grok"])
def test_every_variant_gets_its_own_answer(tmp_path: Path, backend: str) -> None:
    """The third variant asked for links and found two posts; an answer by words alone would give it the flood."""
    report = recorded(tmp_path, backend)
    again = replay_now(tmp_path / "run.zip", store=open_store(tmp_path / "second.db"), settings=plain())
    assert report.x is not None
    assert again.x is not None
    found = [(line.variant, line.found) for line in again.x.queries]
    assert found == [(line.variant, line.found) for line in report.x.queries]
    assert dict(found)["links"] == 2 != dict(found)["wide"]


def test_a_replay_is_the_same_when_clock_and_prompt_have_moved_on(tmp_path: Path) -> None:
    """Addresses hold the second of the run, posted bodies the model's name: the query as typed decides then."""
    recorded(tmp_path, "grok")
    moved = plain()
    x = moved.pipeline.x.model_copy(update={"grok_model": "another-model"})
    moved = moved.model_copy(update={"pipeline": moved.pipeline.model_copy(update={"x": x})})
    again = replay_now(tmp_path / "run.zip", store=open_store(tmp_path / "second.db"), settings=moved)
    assert again.x is not None
    assert {line.variant: line.found for line in again.x.queries}["links"] == 2


def test_a_run_without_x_has_none_in_its_replay_whatever_keys_are_set(tmp_path: Path, monkeypatch: Any) -> None:
    world = World(
        settings=plain(),
        store=open_store(tmp_path / "lately.db"),
        clock=lambda: NOW,
        environ={},
        transport=httpx.MockTransport(served),
        record=tmp_path / "run.zip",
    )
    first = asyncio.run(explore(Question(text='"Rome Italy" metro', sources=("x",), days=7), world))
    assert [o.status for o in first.outcomes] == ["not configured"]
    monkeypatch.setenv("X_BEARER_TOKEN", "fake-x-bearer-token")
    again = replay_now(tmp_path / "run.zip", store=open_store(tmp_path / "second.db"), settings=plain())
    assert [o.status for o in again.outcomes] == ["not configured"]


def test_the_recording_names_the_backend_and_no_key(tmp_path: Path) -> None:
    recorded(tmp_path, "grok")
    held = load(tmp_path / "run.zip")
    assert [(one.source, one.name) for one in held.endpoints] == [("x", "grok")]
    assert all(exchange.digest for exchange in held.exchanges), "posted searches are told apart by their body"
