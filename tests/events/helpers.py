"""Small makers for the event tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from pipeline import events
from pipeline.settings import Settings, load_settings
from pipeline.text import host_of, language
from pipeline.types import Candidate, DateClaim, DateLedger, Grouping, Window

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
WINDOW = Window(
    since=NOW - timedelta(days=30), until=NOW, how="default", evidence="time_window.default_days", ends_now=True
)


@cache
def settings() -> Settings:
    return load_settings({"LATELY_HOME": "/nonexistent"})


def item(title: str, text: str = "", *, hours: float | None = 24, url: str = "", **fields: Any) -> Candidate:
    """A candidate published `hours` before NOW (None: undated); its id is made from address and title."""
    url = url or f"https://site-{abs(hash((title, text))) % 10**8}.example/a"
    ledger = DateLedger()
    if hours is not None:
        claim = DateClaim(kind="feed", at=NOW - timedelta(hours=hours), reliability=0.9, raw="")
        ledger = DateLedger(claims=(claim,), chosen=0)
    facts = {"id": f"{url}|{title}|{text[:20]}", "source": "rss", "endpoint": "feed", "domain": host_of(url), **fields}
    return Candidate(url=url, title=title, text=text, dates=ledger, lang=language(title or text), **facts)


def grouped(*items: Candidate, memory: Any = None, vectors: Any = None, **pipeline: Any) -> Grouping:
    return events.group(items, window=WINDOW, settings=changed(**pipeline), vectors=vectors, memory=memory, now=NOW)


def changed(**pipeline: Any) -> Settings:
    base = settings()
    return base.model_copy(update={"pipeline": base.pipeline.model_copy(update=pipeline)}) if pipeline else base


class FakeMemory:
    """Events of earlier runs and the analyst's decisions, in a dictionary."""

    def __init__(self, decisions: Mapping[tuple[str, str], bool] | None = None) -> None:
        self._decisions = dict(decisions or {})
        self._events: dict[str, tuple[str, datetime, str]] = {}
        self._keys: dict[str, list[str]] = {}

    def remember(self, rows: Sequence[tuple[str, Sequence[str], str, str]], seen: datetime) -> None:
        for event, keys, print_, title in rows:
            self._events[event] = (print_, seen, title)
            for key in keys:
                self._keys.setdefault(key, []).append(event)

    def recall(self, keys: Sequence[str]) -> Mapping[str, Sequence[tuple[str, str, datetime, str]]]:
        return {key: [(event, *self._events[event]) for event in self._keys[key]] for key in keys if key in self._keys}

    def first_seen(self, event_ids: Sequence[str]) -> Mapping[str, datetime]:
        return {event: self._events[event][1] for event in event_ids if event in self._events}

    def decisions(self) -> Mapping[tuple[str, str], bool]:
        return self._decisions


@cache
def _embedder() -> Any:
    from pipeline.embedding import open_embedder

    return open_embedder(settings())[0]


def embedded(*items: Candidate) -> Any:
    """Vectors of the packaged model for these items."""
    from pipeline.embedding import text_of

    return _embedder().encode([text_of(c, 60) for c in items], [c.lang for c in items])
