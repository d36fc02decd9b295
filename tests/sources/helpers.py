"""A plan, endpoints and responses for the sources' tests."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pipeline.types import Endpoint, Plan, Question, Response, Subquery, Window

NOW = datetime(2026, 8, 10, 12, tzinfo=UTC)
DATA = Path(__file__).parents[1] / "data" / "sources"


def subquery(raw_topic: str = "solid state battery", search_query: str = "battery") -> Subquery:
    return Subquery(label="", raw_topic=raw_topic, search_query=search_query, ranking_query="battery")


def plan(queries: Mapping[str, str] | None = None) -> Plan:
    window = Window(since=NOW - timedelta(days=30), until=NOW, how="default", evidence="", ends_now=True)
    return Plan(
        question=Question(text="solid state battery", queries=queries or {}),
        text="solid state battery",
        now=NOW,
        language="en",
        zone="UTC",
        window=window,
        route="recent",
        stability="fast",
        reasons=(),
        signals=(),
        raw_topic="solid state battery",
        core_subject="solid state battery",
        ranking_query="solid state battery",
        subqueries=(subquery(),),
    )


def endpoint(source: str = "rss", **fields: Any) -> Endpoint:
    return Endpoint(**{"source": source, "name": "Made", "url": "https://made.example/feed", "timeout_s": 0} | fields)


def answer(body: bytes | str, url: str = "https://made.example/feed", **headers: str) -> Response:
    data = body.encode() if isinstance(body, str) else body
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(url=url, status=200, headers=named, body=data)


def recorded(name: str) -> Response:
    return answer((DATA / name).read_bytes())


def api(**fields: Any) -> SimpleNamespace:
    """An API's configuration section."""
    limiter = SimpleNamespace(max_per_minute=55, max_per_day=None)
    base = {"enabled": True, "base_url": "http://127.0.0.1:9/x", "timeout_s": None, "priority": 2, "limit": 100}
    return SimpleNamespace(**base | {"rate_limiter": limiter} | fields)


def rss(*items: str, head: str = "<title>Made</title><link>https://made.example/</link>") -> str:
    body = "".join(f"<item>{item}</item>" for item in items)
    return f'<?xml version="1.0"?><rss version="2.0"><channel>{head}{body}</channel></rss>'
