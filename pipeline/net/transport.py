"""httpx and what is set about it: one TLS context, few idle connections, our own network backend, proxies."""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Mapping
from functools import cache

import certifi
import httpcore
import httpx

from pipeline.net.streams import GuardedBackend

KEEP_ALIVE = (
    20  # idle connections: httpx's pool is quadratic in them (500 requests: 0.9 s with 20, 8-10 s without a cap)
)


def open_client(*, private: bool, user_agent: str, environ: Mapping[str, str], connections: int) -> httpx.AsyncClient:
    """A client of one run. Proxies come from `environ` alone. private: names may resolve to private addresses."""
    context = _context(environ.get("SSL_CERT_FILE") or certifi.where())
    limits = httpx.Limits(max_connections=connections, max_keepalive_connections=KEEP_ALIVE)
    routes: dict[str, httpx.AsyncBaseTransport | None] = {}
    for pattern, proxy in proxies(environ).items():
        routes[pattern] = None
        if proxy is not None:
            routes[pattern] = httpx.AsyncHTTPTransport(verify=context, limits=limits, proxy=proxy, trust_env=False)
    return client_over(Guarded(context, limits, private), user_agent=user_agent, routes=routes)


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

    def __init__(self, context: ssl.SSLContext, limits: httpx.Limits, private: bool) -> None:
        super().__init__(verify=context, limits=limits, trust_env=False)
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=context,
            max_connections=limits.max_connections,
            max_keepalive_connections=limits.max_keepalive_connections,
            keepalive_expiry=limits.keepalive_expiry,
            network_backend=GuardedBackend(private=private),
        )


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
