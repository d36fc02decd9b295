"""Nets over a function from request to answer, and small loopback servers for what a function can't do."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx

from pipeline.errors import FetchError
from pipeline.net import Net
from pipeline.settings import load_settings
from pipeline.types import Endpoint, Request

SETTINGS = load_settings({})


def settings(*, cache_ttl_minutes: float = 15, **collect: Any) -> Any:
    pipeline = SETTINGS.pipeline
    changed = {"collect": pipeline.collect.model_copy(update=collect), "cache_ttl_minutes": cache_ttl_minutes}
    return SETTINGS.model_copy(update={"pipeline": pipeline.model_copy(update=changed)})


def endpoint(**facts: Any) -> Endpoint:
    return Endpoint(**({"source": "s", "name": "n", "url": "http://a.example/", "timeout_s": 2.0} | facts))


class Journal(httpx.MockTransport):
    """A network made of a function, which remembers what it was sent."""

    def __init__(self, answer: Callable[[httpx.Request], Any]) -> None:
        self.sent: list[httpx.Request] = []

        async def handle(request: httpx.Request) -> httpx.Response:
            self.sent.append(request)
            made = answer(request)
            made = await made if isinstance(made, Awaitable) else made
            return made if isinstance(made, httpx.Response) else httpx.Response(200, text=made)

        super().__init__(handle)

    @property
    def urls(self) -> list[str]:
        return [str(request.url) for request in self.sent]


def fetch(net: Net, address: str | Request, *, seconds: float = 2.0, **facts: Any) -> Any:
    """A coroutine: the response, or the FetchError as a value."""

    async def ask() -> Any:
        request = Request(url=address) if isinstance(address, str) else address
        try:
            return await net.fetch(
                request, endpoint=endpoint(**facts), deadline=asyncio.get_running_loop().time() + seconds
            )
        except FetchError as error:
            return error

    return ask()


def once(
    transport: Any, url: str | Request, *, seconds: float = 2.0, facts: Any = None, using: Any = None, **net: Any
) -> Any:
    """One fetch by a Net of its own."""

    async def run() -> Any:
        async with Net(using or settings(), transport=transport, **net) as open_net:
            return await fetch(open_net, url, seconds=seconds, **(facts or {}))

    return asyncio.run(run())


@asynccontextmanager
async def server(handle: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]) -> Any:
    """A loopback server that speaks raw bytes; yields its address."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await handle(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    running = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{running.sockets[0].getsockname()[1]}"
    finally:
        running.close()
