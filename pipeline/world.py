"""All that a run takes from outside: clock, settings, store, environment, network. Opened once, passed down."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.net import Recording
from pipeline.settings import Settings, home, load_settings
from pipeline.store import Store, open_store
from pipeline.types import Clock, Progress

if TYPE_CHECKING:
    import httpx


def _quiet(kind: str, **facts: Any) -> None:
    """Progress nobody listens to."""


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """All that a run takes from outside."""

    settings: Settings
    store: Store
    clock: Clock = _now
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    progress: Progress = _quiet
    transport: httpx.AsyncBaseTransport | None = None
    recording: Recording | None = None
    """A recorded run to play instead of asking the network."""
    record: Path | None = None
    look_only: bool = False
    """The run is neither stored nor learned from."""


def open_world(
    settings: Settings | None = None,
    store: Store | None = None,
    progress: Progress | None = None,
    record: Path | None = None,
    environ: Mapping[str, str] | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
) -> World:
    """What is not given is opened where the environment says. Raises InputError and StoreError."""
    environ = os.environ if environ is None else environ
    settings = settings or load_settings(environ)
    store = store or open_store(
        home(environ) / "lately.db",
        busy_timeout_s=settings.pipeline.store.busy_timeout_s,
        half_life_days=settings.scoring.authority.half_life_days,
    )
    return World(
        settings=settings,
        store=store,
        environ=environ,
        progress=progress or _quiet,
        record=record,
        transport=transport,
    )
