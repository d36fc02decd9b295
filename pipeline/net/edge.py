"""What a request touches on this machine: the account of requests, the cache, files. All of it off the event loop.

A database that is locked or full costs the cache and the account, never the answer: it is said in a warning.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlsplit

from pipeline.errors import FetchError, LatelyError
from pipeline.net.worker import Worker
from pipeline.types import Endpoint, RequestBudget, Response, ResponseCache

T = TypeVar("T")
_NO_LIMIT: Mapping[str, int | None] = {"max_per_minute": None, "max_per_day": None}


class Edge:
    """Budget and cache of one run, either of which may be missing."""

    def __init__(self, budget: RequestBudget | None, cache: ResponseCache | None) -> None:
        self._budget = budget
        self._cache = cache
        self._worker = Worker("edge")
        self.warnings: dict[str, None] = {}

    def close(self) -> None:
        self._worker.close()

    async def take(self, host: str, endpoint: Endpoint, deadline: float) -> None:
        """Count a request: on its host for the account, on its source at this host for the limit.

        Waits where the limit allows a request before the deadline, else raises FetchError "rate limited".
        """
        if (budget := self._budget) is None:
            return
        self._later(lambda: budget.take(f"host:{host}", max_per_minute=None, max_per_day=None))
        limits = {"max_per_minute": endpoint.max_per_minute, "max_per_day": endpoint.max_per_day}
        if limits == _NO_LIMIT:
            return
        key = f"source:{endpoint.source}@{host}"
        loop = asyncio.get_running_loop()
        while wait := await self._now(lambda: budget.take(key, **limits), deadline, 0.0):
            if loop.time() + wait >= deadline:
                said = " and ".join(f"{n} a {name.removeprefix('max_per_')}" for name, n in limits.items() if n)
                raise FetchError(f"own limit of {said} is used up", status="rate limited", retry_after=wait)
            await asyncio.sleep(wait)

    async def stored(self, key: str, deadline: float) -> tuple[Response, float] | None:
        """The cached answer and its age in seconds."""
        if (cache := self._cache) is None:
            return None
        return await self._now(lambda: cache.get(key), deadline, None)

    def keep(self, key: str, response: Response) -> None:
        """Cache an answer, without waiting for it to be written."""
        if (cache := self._cache) is not None:
            self._later(lambda: cache.put(key, response))

    async def file(self, address: str, cap: int, deadline: float) -> Response:
        """A file of this machine, by path or file:// address. Raises FetchError."""
        parts = urlsplit(address)
        path = unquote(parts.path) if parts.scheme == "file" else address
        try:
            body = await self._worker.run(lambda: _read(path, cap), until=deadline)
        except OSError as error:
            raise FetchError(f"{path}: can't be read ({error.strerror})", status="error") from None
        return Response(url=address, status=200, headers={}, body=body)

    async def _now(self, call: Callable[[], T], deadline: float, otherwise: T) -> T:
        try:
            return await self._worker.run(call, until=deadline)
        except LatelyError as error:
            self._complain(error)
            return otherwise

    def _later(self, call: Callable[[], object]) -> None:
        def complaining() -> None:
            try:
                call()
            except LatelyError as error:
                self._complain(error)

        self._worker.later(complaining)

    def _complain(self, error: LatelyError) -> None:
        self.warnings.setdefault(f"requests are not counted or cached: {error}")


def _read(path: str, cap: int) -> bytes:
    with Path(path).expanduser().open("rb") as file:
        body = file.read(cap + 1)
    if len(body) > cap:
        raise FetchError(f"{path}: larger than {cap / 1e6:.0f} MB", status="bad response")
    return body
