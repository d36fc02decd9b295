"""Identical requests of one run are sent once; whoever asks meanwhile, or later, gets the same answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from pipeline.types import Response

KEPT_BYTES = 64_000_000  # bodies kept for a second asker within the run; what is beyond it is asked for again


@dataclass(slots=True)
class Shared:
    """Requests under way and answered, by their key."""

    _tasks: dict[str, asyncio.Task[Response]] = field(default_factory=dict)
    _waiting: dict[str, int] = field(default_factory=dict)
    _kept: int = 0

    async def run(self, key: str, send: Callable[[], Coroutine[Any, Any, Response]]) -> Response:
        """The answer to `key`. A failure is not kept; a request that nobody waits for any more is cancelled."""
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.create_task(send())
            task.add_done_callback(lambda done: self._settle(key, done))
        self._waiting[key] = self._waiting.get(key, 0) + 1
        try:
            await asyncio.wait({task})
        finally:
            self._waiting[key] -= 1
            if not self._waiting[key] and not task.done():
                task.cancel()
        return task.result()

    def _settle(self, key: str, task: asyncio.Task[Response]) -> None:
        failed = task.cancelled() or task.exception() is not None
        if not failed:
            self._kept += len(task.result().body)
        if (failed or self._kept > KEPT_BYTES) and self._tasks.get(key) is task:
            del self._tasks[key]
