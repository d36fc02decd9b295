"""A plan of a text under the product's own settings, at Wednesday 18 November 2026, 10:00 UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any

from pipeline.planning import parse_query
from pipeline.settings import Settings, load_settings
from pipeline.types import Plan, Question

NOW = datetime(2026, 11, 18, 10, 0, tzinfo=UTC)


@cache
def settings() -> Settings:
    return load_settings({"LATELY_HOME": "/nonexistent"})


def plan(text: str, **question: Any) -> Plan:
    return parse_query(Question(**{"text": text, "zone": "UTC"} | question), settings(), NOW)
