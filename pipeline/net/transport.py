"""httpx and what is set about it: one TLS context, few idle connections, addresses checked where they are connected.

httpx has no hook between resolving and connecting, so its pool is given a network backend of our own.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import certifi
import httpcore
import httpx

from pipeline.errors import Status
from pipeline.net.guard import is_address, refuse_private

KEEP_ALIVE = (
    20  # idle connections: httpx's pool is quadratic in them (500 requests: 0.9 s with 20, 8-10 s without a cap)
)
_NEXT_ADDRESS_S = 0.25  # RFC 8305: start with the next address of a name when the last has not connected by then

Allowed = Callable[[str, int], bool]
"""Whether the analyst named this host and port."""

STATUS_OF: tuple[tuple[type[Exception], Status], ...] = (
    (httpx.TimeoutException, "timeout"),
    (httpx.NetworkError, "error"),
    (httpx.ProtocolError, "bad response"),
    (httpx.DecodingError, "bad response"),
    (httpx.HTTPError, "error"),
)
"""Foreign error -> outcome, the first that fits."""


def open_client(
    *, allowed: Allowed, user_agent: str, environ: Mapping[str, str], connections: int
) -> httpx.AsyncClient:
    """The client of one run. Proxies come from `environ` alone."""
    context = _context(environ.get("SSL_CERT_FILE") or certifi.where())
    limits = httpx.Limits(max_connections=connections, max_keepalive_connections=KEEP_ALIVE)
    routes: dict[str, httpx.AsyncBaseTransport | None] = {}
    for pattern, proxy in proxies(environ).items():
        routes[pattern] = None
        if proxy is not None:
            routes[pattern] = httpx.AsyncHTTPTransport(verify=context, limits=limits, proxy=proxy, trust_env=False)
    return client_over(Guarded(context, limits, allowed), user_agent=user_agent, routes=routes)


def client_over(
    transport: httpx.AsyncBaseTransport,
    *,
    user_agent: str,
    routes: Mapping[str, httpx.AsyncBaseTransport | None] | None = None,
) -> httpx.AsyncClient:
    """A client that follows nothing, waits without a limit of its own and reads nothing from the environment."""
    headers = {"user-agent": user_agent, "accept": "*/*", "accept-encoding": "gzip, deflate"}
    return httpx.AsyncClient(
        transport=transport, mounts=routes, headers=headers, timeout=None, follow_redirects=False, trust_env=False
    )


@cache
def _context(authorities: str) -> ssl.SSLContext:
    """The TLS context all clients share (building one costs 30-40 ms)."""
    return ssl.create_default_context(cafile=authorities)


class Guarded(httpx.AsyncHTTPTransport):
    """httpx's own transport over a pool whose connections go through `GuardedBackend`."""

    def __init__(self, context: ssl.SSLContext, limits: httpx.Limits, allowed: Allowed) -> None:
        super().__init__(verify=context, limits=limits, trust_env=False)
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=context,
            max_connections=limits.max_connections,
            max_keepalive_connections=limits.max_keepalive_connections,
            keepalive_expiry=limits.keepalive_expiry,
            network_backend=GuardedBackend(allowed),
        )


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Resolves a name once a run, refuses private addresses, connects to the first address that answers."""

    def __init__(self, allowed: Allowed) -> None:
        self._allowed = allowed
        self._plain = httpcore.AnyIOBackend()
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
        if not self._allowed(host, port):
            refuse_private(host, addresses)
        self._known[host, port] = addresses
        return await _first([self._plain.connect_tcp(ip, port, timeout, local_address) for ip in addresses])

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def _first(attempts: list[Any]) -> httpcore.AsyncNetworkStream:
    """The stream of the first attempt that connects, each started a little after the one before it."""
    tasks: set[asyncio.Task[httpcore.AsyncNetworkStream]] = set()
    failure: BaseException = httpcore.ConnectError("no address")
    try:
        while attempts or tasks:
            if attempts:
                tasks.add(asyncio.ensure_future(attempts.pop(0)))
            done, tasks = await asyncio.wait(
                tasks, timeout=_NEXT_ADDRESS_S if attempts else None, return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                if not (error := task.exception()):
                    return task.result()
                failure = error
    finally:
        for task in tasks:
            task.cancel()
        for attempt in attempts:
            attempt.close()
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


def proxies(environ: Mapping[str, str]) -> dict[str, str | None]:
    """HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY as httpx's routes; {} when no proxy is set.

    This machine is never asked through a proxy.
    """
    low = {key.lower(): value.strip() for key, value in environ.items() if key.lower().endswith("_proxy")}
    routes: dict[str, str | None] = {}
    for scheme in ("http", "https", "all"):
        if proxy := low.get(f"{scheme}_proxy"):
            routes[f"{scheme}://"] = proxy if "://" in proxy else f"http://{proxy}"
    if not routes:
        return {}
    skipped = [host.strip() for host in low.get("no_proxy", "").split(",") if host.strip()]
    if "*" in skipped:
        return {}
    for host in [*skipped, "localhost", "127.0.0.1", "::1"]:
        if "/" not in host:  # httpx's routes know no networks
            routes[f"all://{_route(host)}"] = None
    return routes


def _route(host: str) -> str:
    try:
        return f"[{host}]" if ipaddress.ip_address(host).version == 6 else host
    except ValueError:
        return host if host == "localhost" else "*" + host
