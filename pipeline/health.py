"""How the sources stand: each configured endpoint with its last runs, what is left of its budget, and its key.

Nothing is asked of the network here; `diagnose` does that.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pipeline.planning import parse_query
from pipeline.sources import SOURCES
from pipeline.types import Endpoint, Plan, Question
from pipeline.xlane.backends import GROK_KEY, X_KEY

if TYPE_CHECKING:
    from pipeline.settings import Settings
    from pipeline.store import Store
    from pipeline.store.health import EndpointHealth

X_KEYS = (X_KEY, GROK_KEY)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceHealth:
    """One endpoint as it stands before a run."""

    source: str
    endpoint: str
    key: str = ""
    """ "NEWSAPI_KEY is set", "GUARDIAN_API_KEY is not set"; "" when none is needed. Never the key."""
    ready: bool = True
    """False: a key is missing."""
    budget: str = ""
    """ "43 of 55 left this minute, 50 of 90 today"; "" without a limit."""
    asked_today: int = 0
    """Requests to it in the last 24 hours (of its host, where it has no limit of its own)."""
    answers: EndpointHealth | None
    """None: no run has asked it yet."""


def source_health(
    settings: Settings, store: Store, *, environ: Mapping[str, str] | None = None, now: datetime | None = None
) -> tuple[SourceHealth, ...]:
    """Every configured endpoint, and those that answered a run and are configured no more, in the order of sources."""
    environ = os.environ if environ is None else environ
    plan = parse_query(Question(text="news"), settings, now or datetime.now(UTC))
    kept = {(one.source, one.endpoint): one for one in store.health.endpoints()}
    used = store.budget.used()
    found = [
        _standing(endpoint, kept.pop(where, None), environ, used)
        for where, endpoint in endpoints(plan, settings).items()
    ]
    ready = any(environ.get(name, "").strip() for name in X_KEYS)
    x: list[EndpointHealth | None] = [kept.pop(where) for where in list(kept) if where[0] == "x"]
    found += [_of_x(ready, one) for one in (x or [None])]
    gone = (SourceHealth(source=one.source, endpoint=one.endpoint, answers=one) for one in kept.values())
    return (*found, *gone)


def endpoints(plan: Plan, settings: Settings) -> dict[tuple[str, str], Endpoint]:
    """(source, endpoint name) -> endpoint, of everything that is configured."""
    return {
        (endpoint.source, endpoint.name): endpoint
        for source in SOURCES
        for endpoint in source.endpoints(getattr(settings.sources, source.name), plan)
    }


def can_render() -> bool:
    """Whether pages that scripts draw can be read: the optional extra `render` is installed."""
    return find_spec("playwright") is not None


def key_said(name: str, environ: Mapping[str, str]) -> str:
    """Whether the key an endpoint needs is there, never what it is."""
    if not name:
        return ""
    return f"{name} is set" if environ.get(name, "").strip() else f"{name} is not set"


def spent(endpoint: Endpoint, used: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    """(requests in the last minute, in the last day): of its own budget, else of its host."""
    try:
        host = urlsplit(endpoint.url).hostname or ""
    except ValueError:  # no address: it can't have been asked
        return 0, 0
    limited = endpoint.max_per_minute or endpoint.max_per_day
    return used.get(f"source:{endpoint.source}@{host}" if limited else f"host:{host}", (0, 0))


def _standing(
    endpoint: Endpoint,
    answers: EndpointHealth | None,
    environ: Mapping[str, str],
    used: Mapping[str, tuple[int, int]],
) -> SourceHealth:
    minute, day = spent(endpoint, used)
    limits = [
        (most, max(0, most - n), words)
        for most, n, words in ((endpoint.max_per_minute, minute, "this minute"), (endpoint.max_per_day, day, "today"))
        if most
    ]
    said = [f"{left} of {most}{' left' if at == 0 else ''} {words}" for at, (most, left, words) in enumerate(limits)]
    key = key_said(endpoint.needs_key, environ)
    ready = not endpoint.needs_key or bool(environ.get(endpoint.needs_key, "").strip())
    return SourceHealth(
        source=endpoint.source,
        endpoint=endpoint.name,
        key=key,
        ready=ready,
        budget=", ".join(said),
        asked_today=day,
        answers=answers,
    )


def _of_x(ready: bool, answers: EndpointHealth | None) -> SourceHealth:
    return SourceHealth(
        source="x",
        endpoint=answers.endpoint if answers else "x",
        key="a key is set" if ready else f"{' and '.join(X_KEYS)} are not set",
        ready=ready,
        answers=answers,
    )
