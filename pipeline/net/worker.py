"""Work off the event loop in daemon threads: usually one, more only while the one is stuck.

The interpreter waits at exit for the threads of its own executors, and `asyncio.run` for those of `to_thread`; a
parser or a name server that hangs would hold the whole command. These threads are waited for by nobody.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

STUCK_S = 0.5  # one job running longer: another thread takes over the queue (a usual parse takes 10 to 50 ms)
MAX_THREADS = 8


class Worker:
    """A queue of calls. `run` awaits one; a call whose awaiter gave up is skipped, or left to end by itself."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: queue.SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any] | None] | None] = queue.SimpleQueue()
        self._busy: dict[int, float] = {}
        self._threads = 0

    async def run(self, call: Callable[[], T], *, until: float) -> T:
        """The call's result. Raises what it raises, and TimeoutError at `until` (event-loop clock)."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put((call, future))
        try:
            while not future.done():
                self._staff()
                left = until - loop.time()
                if left <= 0:
                    raise TimeoutError
                await asyncio.wait({future}, timeout=min(left, STUCK_S / 2))
            return future.result()
        finally:
            future.cancel()

    def later(self, call: Callable[[], None]) -> None:
        """Do it some time; nobody waits for it. The call must not raise."""
        self._jobs.put((call, None))
        self._staff()

    def close(self) -> None:
        """Let the threads end after what is queued; returns at once."""
        for _ in range(self._threads):
            self._jobs.put(None)

    def _staff(self) -> None:
        now = time.monotonic()
        stuck = sum(now - since > STUCK_S for since in list(self._busy.values()))
        if self._threads <= stuck and self._threads < MAX_THREADS:
            self._threads += 1
            threading.Thread(target=self._work, name=self._name, daemon=True).start()

    def _work(self) -> None:
        me = threading.get_ident()
        while (job := self._jobs.get()) is not None:
            call, future = job
            if future is not None and future.cancelled():
                continue
            self._busy[me] = time.monotonic()
            try:
                result, error = call(), None
            except BaseException as raised:  # noqa: BLE001 - handed to the awaiter, who decides
                result, error = None, raised
            del self._busy[me]
            if future is None:
                continue
            with contextlib.suppress(RuntimeError):  # the loop has ended: nobody waits any more
                future.get_loop().call_soon_threadsafe(_settle, future, result, error)


def _settle(future: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
