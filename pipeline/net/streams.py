"""Connections on asyncio's own streams, with addresses checked between resolving and connecting.

httpx has no hook there, so its pool is given this network backend. There are no time-outs in it: the caller's
deadline cancels, which closes the connection.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import Iterable
from typing import Any

import httpcore

from pipeline.net.guard import is_address, refuse_private

_NEXT_ADDRESS_S = 0.25  # RFC 8305: start with the next address of a name when the last has not connected by then

Pair = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Resolves a name once a run, refuses private addresses, connects to the first address that answers.

    private: for requests to the very host and port that the analyst named, where they are not refused.
    """

    def __init__(self, *, private: bool) -> None:
        self._private = private
        self._known: dict[tuple[str, int], list[str]] = {}

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature is httpcore's
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        addresses = self._known.get((host, port)) or await _resolve(host, port)
        if not self._private:
            refuse_private(host, addresses)
        self._known[host, port] = addresses
        try:
            return Stream(*await _first(addresses, port))
        except OSError as error:
            raise httpcore.ConnectError(error.strerror or str(error)) from error

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class Stream(httpcore.AsyncNetworkStream):
    """One connection, plain or under TLS."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 - httpcore's
        try:
            return await self._reader.read(max_bytes)
        except OSError as error:
            raise httpcore.ReadError(str(error)) from error

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109 - httpcore's
        try:
            self._writer.write(buffer)
            await self._writer.drain()
        except OSError as error:
            raise httpcore.WriteError(str(error)) from error

    async def aclose(self) -> None:
        self._writer.close()  # not waited for: a peer may keep the end of a TLS connection to itself

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's
    ) -> httpcore.AsyncNetworkStream:
        try:
            await self._writer.start_tls(ssl_context, server_hostname=server_hostname)
        except OSError as error:
            self._writer.close()
            raise httpcore.ConnectError(str(error)) from error
        return self

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":  # asked of an idle connection: has the server closed it, or said something unasked?
            return self._reader.at_eof() or self._writer.is_closing()
        names = {"client_addr": "sockname", "server_addr": "peername"}
        return self._writer.get_extra_info(names.get(info, info))


async def _first(addresses: list[str], port: int) -> Pair:
    """The streams of the first address that connects, each tried a little after the one before it."""
    if len(addresses) == 1:
        return await asyncio.open_connection(addresses[0], port)
    waiting = list(addresses)
    tasks: set[asyncio.Task[Pair]] = set()
    failure: BaseException = OSError("no address")
    try:
        while waiting or tasks:
            if waiting:
                tasks.add(asyncio.create_task(asyncio.open_connection(waiting.pop(0), port)))
            done, tasks = await asyncio.wait(
                tasks, timeout=_NEXT_ADDRESS_S if waiting else None, return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                if not (error := task.exception()):
                    return task.result()
                failure = error
    finally:
        for task in tasks:
            task.cancel()
    raise failure


async def _resolve(host: str, port: int) -> list[str]:
    """The addresses of a name. A thread of its own each: a name server that hangs holds nobody else."""
    if is_address(host):
        return [host]
    loop = asyncio.get_running_loop()
    found: asyncio.Future[list[str]] = loop.create_future()

    def settle(addresses: list[str]) -> None:
        if not found.done():
            found.set_result(addresses)

    def ask() -> None:
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            rows = []
        addresses = list(dict.fromkeys(str(row[4][0]) for row in rows))
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, addresses)

    threading.Thread(target=ask, name="resolve", daemon=True).start()
    addresses = await found
    if not addresses:
        raise httpcore.ConnectError(f"no address found for {host}")
    return addresses
