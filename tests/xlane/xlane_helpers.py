"""Small makers for the X tests: posts, plans, settings and a network that answers from a function."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from pipeline.settings import Settings, load_settings
from pipeline.types import Candidate, Endpoint, Plan, Question, Request, Response, Subquery, Window
from pipeline.xlane.backends.base import Backend, Found
from pipeline.xlane.posts import candidate, id_claim
from pipeline.xlane.snowflake import EPOCH_MS, posted_at

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def settings(tmp_home: str = "/nonexistent-home", **x: Any) -> Settings:
    loaded = load_settings({"LATELY_HOME": tmp_home})
    if not x:
        return loaded
    changed = loaded.pipeline.model_copy(update={"x": loaded.pipeline.x.model_copy(update=x)})
    return loaded.model_copy(update={"pipeline": changed})


def window(days: float = 7, until: datetime = NOW) -> Window:
    return Window(since=until - timedelta(days=days), until=until, how="default", evidence="test", ends_now=True)


def plan(topic: str = "Rome Italy", *, days: float = 7, core: str = "", ranking: str = "", **question: Any) -> Plan:
    handles = question.pop("handles", ())
    phrases = question.pop("phrases", ())
    text = question.pop("text", topic)
    return Plan(
        question=Question(text=text, **question),
        text=text,
        now=NOW,
        language="en",
        zone="UTC",
        window=window(days),
        route="recent",
        stability="fast",
        reasons=(),
        signals=(),
        raw_topic=topic,
        core_subject=core or topic,
        ranking_query=ranking or topic,
        subqueries=(Subquery(label="main", raw_topic=topic, search_query=topic, ranking_query=ranking or topic),),
        handles=handles,
        phrases=phrases,
    )


def id_at(at: datetime, serial: int = 0) -> str:
    return str((int(at.timestamp() * 1000) - EPOCH_MS) << 22 | serial)


def x_post(text: str, handle: str = "ana_reads", *, hours: float = 5, serial: int = 1, likes: int = 0) -> Candidate:
    post_id = id_at(NOW - timedelta(hours=hours), serial)
    at = posted_at(post_id)
    assert at is not None
    return candidate(
        post_id=post_id,
        handle=handle,
        text=text,
        endpoint="fake",
        claims=(id_claim(at, post_id),),
        chosen=0,
        engagement=(("likes", likes),),
    )


def posts(rows: Sequence[tuple[str, str]], start: int = 1) -> list[Candidate]:
    """(handle, text) rows as posts with ids of their own."""
    return [x_post(text, handle, serial=start + n) for n, (handle, text) in enumerate(rows)]


class FakeBackend(Backend):
    """Answers by the first rule whose words are all in the query; remembers what it was asked."""

    name = "fake"
    label = "fake"

    def __init__(self, *rules: tuple[str, Any], delay: float = 0.0) -> None:
        self.rules = rules
        self.asked: list[str] = []
        self.delay = delay

    async def search(self, query: str, limit: int, *, deadline: float) -> Found:
        self.asked.append(query)
        if self.delay:
            await asyncio.sleep(self.delay)
        for words, answer in self.rules:
            if all(word in query for word in words.split()):
                if isinstance(answer, Exception):
                    raise answer
                return answer if isinstance(answer, Found) else Found(candidates=tuple(answer), requests=1)
        return Found(requests=1)


class FakeNet:
    """A Fetcher that answers from a function and keeps the requests."""

    def __init__(self, answer: Callable[[Request], Response]) -> None:
        self.answer = answer
        self.requests: list[Request] = []

    async def fetch(self, request: Request, *, endpoint: Endpoint, deadline: float) -> Response:
        self.requests.append(request)
        return self.answer(request)


def answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Response(url="https://api.example/", status=status, headers=dict(headers or {}), body=data)


def wire_post(text: str, author_id: str = "1", *, hours: float = 5, serial: int = 1, likes: int = 7) -> dict[str, Any]:
    """A post as X API v2 sends it."""
    at = NOW - timedelta(hours=hours)
    return {
        "id": id_at(at, serial),
        "author_id": author_id,
        "created_at": at.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        "text": text,
        "lang": "en",
        "public_metrics": {"like_count": likes, "retweet_count": 1, "reply_count": 0, "quote_count": 0},
        "edit_history_tweet_ids": [id_at(at, serial)],
    }


def wire_answer(entries: Sequence[Any], users: Mapping[str, str] | None = None, next_token: str = "") -> dict[str, Any]:
    """An answer of X API v2's recent search."""
    known = users or {"1": "ana_reads"}
    meta: dict[str, Any] = {"result_count": len(entries)}
    if next_token:
        meta["next_token"] = next_token
    return {
        "data": list(entries),
        "includes": {"users": [{"id": i, "username": name, "name": name} for i, name in known.items()]},
        "meta": meta,
    }


def xai_answer(posts: list[dict[str, Any]] | str, cited: list[str] | None = None) -> dict[str, Any]:
    """The shape of a recorded answer of /v1/responses: a tool call, then a message with annotations."""
    text = posts if isinstance(posts, str) else json.dumps({"posts": posts})
    links = [{"type": "url_citation", "url": f"https://x.com/i/status/{i}"} for i in cited or []]
    return {
        "object": "response",
        "status": "completed",
        "output": [
            {"type": "x_search_call", "name": "x_keyword_search", "status": "completed", "arguments": "{}"},
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": text, "annotations": links}],
            },
        ],
        "usage": {"num_server_side_tools_used": 1},
    }


def run(coroutine: Any) -> Any:
    return asyncio.run(coroutine)
