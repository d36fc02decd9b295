"""`Net`: the one way out. Guards, limits, budgets, cache, retries, recording; every limit is an absolute deadline.

    fetch -> player? -> key -> same request under way? -> fresh in the cache? -> robots -> attempts
    attempt -> budget -> place in the queue -> hops (address guard, redirect) -> body under the size cap

Waiting requests queue in front of the client, never inside its pool. What hangs or drips ends at the deadline.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from pipeline.errors import FetchError
from pipeline.net import browser
from pipeline.net.answers import (
    BUSY,
    REDIRECTS,
    blanked,
    refusal,
    retry_after,
    validators,
    without_key,
)
from pipeline.net.edge import Edge
from pipeline.net.guard import host_port, is_address, loopback, refuse_local_name, refuse_private
from pipeline.net.recording import Player, Recorder, posted
from pipeline.net.robots import Robots
from pipeline.net.shared import Shared
from pipeline.types import Endpoint, Request, RequestBudget, Response, ResponseCache

if TYPE_CHECKING:
    import httpx

    from pipeline.settings import Settings

_BACK_OFF_S = 0.5  # first wait when the server names none; doubles


class Net:
    """The network of one run, as an async context manager. Implements `types.Fetcher`.

    environ: where keys and proxies are read (nothing else is). transport: stands in for the network in tests.
    refresh: cached answers are not used. A private host:port is asked only for the endpoint that the analyst named
    there: what another endpoint links or redirects to has no part in it.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        environ: Mapping[str, str] | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        budget: RequestBudget | None = None,
        cache: ResponseCache | None = None,
        recorder: Recorder | None = None,
        player: Player | None = None,
        refresh: bool = False,
    ) -> None:
        self._limits = settings.pipeline.collect
        self._cap = int(self._limits.max_body_mb * 1_000_000)
        self._fresh_s = settings.pipeline.cache_ttl_minutes * 60
        self._environ = environ or {}
        self._transport = transport
        self._edge = Edge(budget, cache)
        self._recorder = recorder
        self.player = player
        self._refresh = refresh
        self._shared = Shared()
        self._robots = Robots(self._limits.user_agent)
        self._browser = browser.Browser(self._limits.user_agent, self._limits.browser_pages)
        self._places = asyncio.Semaphore(self._limits.concurrency)
        self._of_host: dict[str, asyncio.Semaphore] = {}
        self._proxied = False
        self._clients: dict[bool, httpx.AsyncClient] = {}

    async def __aenter__(self) -> Net:
        if self.player is None:
            self._open(home=True)  # loading httpx takes 0.1 s, which no endpoint's deadline should pay
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._edge.close()
        await self._browser.close()
        for client in self._clients.values():
            await client.aclose()

    # ------------------------------------------------------------------ what others ask

    def secret(self, name: str) -> str:
        """The value of a key's environment variable; "" when it is not set."""
        return self._environ.get(name, "").strip()

    @property
    def warnings(self) -> tuple[str, ...]:
        return (*self._edge.warnings, *(self.player.warnings if self.player else ()))

    async def fetch(self, request: Request, *, endpoint: Endpoint, deadline: float) -> Response:
        """Send one request; `deadline` is absolute (event-loop clock). Raises FetchError.

        An answer of status 400 and above is an error that quotes the server. Options of the endpoint: `file`, a
        file of this machine is read; `page`, robots.txt is obeyed and a polite pace kept; `render`, the answer is
        what a browser makes of it once the item selector matches.
        """
        if self.player is not None:
            return self.player.play(request, endpoint)
        if self._recorder is not None:
            self._recorder.begin(endpoint)
        try:
            response = await self._fetch(request, endpoint, deadline)
        except FetchError as error:
            if self._recorder is not None:
                self._recorder.failed(request, endpoint, error)
            raise
        except asyncio.CancelledError:
            if self._recorder is not None:
                self._recorder.failed(request, endpoint, FetchError("cancelled", status="cancelled"))
            raise
        if self._recorder is not None:
            self._recorder.answered(request, endpoint, response)
        return response

    # ------------------------------------------------------------------ one request

    async def _fetch(self, request: Request, endpoint: Endpoint, deadline: float) -> Response:
        started = time.monotonic()
        try:
            async with asyncio.timeout_at(deadline):
                if endpoint.options.get("file"):
                    return await self._edge.file(request.url, self._cap, deadline)
                secret = self._secret_header(request, endpoint)
                key = _key(request, endpoint)
                try:
                    return await self._shared.run(key, lambda: self._answer(key, request, secret, endpoint, deadline))
                except FetchError as error:
                    said = blanked(str(error), secret[1] if secret else "")
                    raise FetchError(said, status=error.status, retry_after=error.retry_after) from None
        except TimeoutError:
            waited = time.monotonic() - started
            raise FetchError(f"no complete answer within {waited:.1f} s", status="timeout") from None

    async def _answer(
        self, key: str, request: Request, secret: tuple[str, str] | None, endpoint: Endpoint, deadline: float
    ) -> Response:
        stored = None if self._refresh else await self._edge.stored(key, deadline)
        if stored is not None and stored[1] <= self._fresh_s:
            return replace(stored[0], from_cache_s=stored[1])
        render = bool(endpoint.options.get("render"))
        if render:
            browser.refuse_without()
            self._browser.begin()
        if endpoint.options.get("page"):
            await self._permitted(request.url, endpoint, deadline)
        headers = dict(request.headers)
        if stored is not None and not render:  # a frame that has not changed says nothing of what is drawn into it
            headers |= validators(stored[0])
        response = await self._attempts(replace(request, headers=tuple(headers.items())), secret, endpoint, deadline)
        if response.status == 304 and stored is not None:
            response = replace(stored[0], elapsed_ms=response.elapsed_ms)
        if render:
            response = await self._rendered(response, endpoint, deadline)
        if response.status < 300 and not response.incomplete:
            self._edge.keep(key, response)
        return response

    async def _rendered(self, sent: Response, endpoint: Endpoint, deadline: float) -> Response:
        """What the page's scripts make of it; what they ask for passes the same guards as the page itself."""
        asker = replace(endpoint, options={}, max_per_minute=None, max_per_day=None)

        async def ask(request: Request) -> Response:
            async with asyncio.timeout_at(deadline):
                return await self._attempts(request, None, asker, deadline)

        selector = endpoint.options["selectors"]["item"]
        return await self._browser.render(sent, selector, ask=ask, deadline=deadline)

    async def _attempts(
        self, request: Request, secret: tuple[str, str] | None, endpoint: Endpoint, deadline: float
    ) -> Response:
        """Send, and again after 429 and 503 (or once after a connection that broke) while the deadline allows."""
        for attempt in range(self._limits.retries + 1):
            last = attempt == self._limits.retries
            try:
                response = await self._send(request, secret, endpoint, deadline)
            except ConnectionError as error:
                if last or attempt or request.method != "GET":
                    raise FetchError(str(error), status="error") from None
                continue
            if response.status in BUSY and not last:
                wait = self._wait(response, attempt, deadline)
                if wait is not None:
                    await asyncio.sleep(wait)
                    continue
            if response.status >= 400:
                raise refusal(response, keyed=secret is not None)
            return response
        raise AssertionError("the last attempt returns or raises")

    def _wait(self, response: Response, attempt: int, deadline: float) -> float | None:
        """Seconds before the next attempt; None when the server asks for more than we may wait."""
        asked = retry_after(response.headers)
        wait = _BACK_OFF_S * 2**attempt if asked is None else asked
        left = deadline - asyncio.get_running_loop().time()
        return wait if wait <= self._limits.retry_after_cap_s and wait < left else None

    async def _send(
        self, request: Request, secret: tuple[str, str] | None, endpoint: Endpoint, deadline: float
    ) -> Response:
        """One attempt: its place in the budget and the queue, then hop after hop."""
        from pipeline.net.hop import hop

        started = time.monotonic()
        method, url, json = request.method, request.url, request.json
        params = request.params
        home = host_port(url)
        for _ in range(self._limits.max_redirects + 1):
            host, port = host_port(url)
            own = _at_home(host, port, endpoint)
            if not own:
                self._check_address(host)
            headers = dict(request.headers) if (host, port) == home else {}
            if secret is not None and (host, port) == home and urlsplit(url).scheme == urlsplit(request.url).scheme:
                headers[secret[0]] = secret[1]
            await self._edge.take(host, endpoint, deadline)
            async with self._place(host, own):
                response = await hop(
                    self._open(home=own), method, url, params=params, headers=headers, json=json, cap=self._cap
                )
            onward = response.headers.get("location") if response.status in REDIRECTS else None
            if onward is None:
                timed = replace(response, elapsed_ms=round(1000 * (time.monotonic() - started)))
                return without_key(timed, secret[1] if secret else "")
            url = _onward(response.url, onward)
            if secret is not None and blanked(url, secret[1]) != url:
                raise FetchError("refused: redirected to an address that holds the key", status="bad response")
            if response.status in (301, 302, 303) and method == "POST":
                method, json = "GET", None
            if json is not None and host_port(url) != home:
                raise FetchError("the answer would send what was posted to another host", status="bad response")
            params = ()
            if endpoint.options.get("page"):
                await self._permitted(url, endpoint, deadline)
        raise FetchError(f"more than {self._limits.max_redirects} redirects", status="bad response")

    # ------------------------------------------------------------------ guards and queues

    def _open(self, *, home: bool) -> httpx.AsyncClient:
        """The client for endpoints at their own address (`home`), or for all else.

        Two pools, so that no request comes to a private host over a connection another was allowed to open.
        """
        from pipeline.net import transport

        home = home or self._transport is not None  # what stands in for the network connects to nothing
        if home not in self._clients:
            agent = self._limits.user_agent
            if self._transport is not None:
                self._clients[home] = transport.client_over(self._transport, user_agent=agent)
            else:
                self._proxied = bool(transport.proxies(self._environ))
                self._clients[home] = transport.open_client(
                    private=home, user_agent=agent, environ=self._environ, connections=self._limits.concurrency
                )
        return self._clients[home]

    def _check_address(self, host: str) -> None:
        """What can be refused before connecting; names are checked once more when they have been resolved."""
        if is_address(host):
            refuse_private(host, [host])
        elif self._proxied or loopback(host):
            refuse_local_name(host)

    @asynccontextmanager
    async def _place(self, host: str, own: bool) -> AsyncIterator[None]:
        """A place in the run's queue, and before it in the host's own; this machine has no queue when named."""
        if own and loopback(host):
            async with self._places:
                yield
            return
        async with self._of_host.setdefault(host, asyncio.Semaphore(self._limits.per_host)), self._places:
            yield

    async def _permitted(self, url: str, endpoint: Endpoint, deadline: float) -> None:
        """robots.txt, then the pace, of a scraped page."""
        plain = replace(endpoint, options={})

        async def ask(request: Request) -> Response:
            async with asyncio.timeout_at(deadline):
                return await self._attempts(request, None, plain, deadline)

        host, port = host_port(url)
        own = _at_home(host, port, endpoint)
        delay = await self._robots.refuse(url, ask, own=own)
        if not (own and loopback(host)):
            wanted = endpoint.options.get("interval_seconds", self._limits.polite_interval_s)
            await self._robots.pace(url, max(float(wanted), delay))

    def _secret_header(self, request: Request, endpoint: Endpoint) -> tuple[str, str] | None:
        """The header with its key: the name of the key's variable in it is replaced by the value."""
        if request.secret_header is None:
            return None
        header, value = request.secret_header
        name = endpoint.needs_key
        if name and (not value or name in value):
            if not (secret := self.secret(name)):
                raise FetchError(f"set {name} (environment or Streamlit's secrets)", status="not configured")
            value = value.replace(name, secret) if value else secret
        return header, value


def _onward(url: str, location: str) -> str:
    try:
        return urljoin(url, location)
    except ValueError:
        raise FetchError(f"refused: redirected to {location[:100]!r}, no address", status="bad response") from None


def _at_home(host: str, port: int, endpoint: Endpoint) -> bool:
    """Whether the analyst named this very host and port as the endpoint's address: there it may be private."""
    if not endpoint.named:
        return False
    try:
        return host_port(endpoint.url) == (host, port)
    except FetchError:
        return False


def _key(request: Request, endpoint: Endpoint) -> str:
    """What makes two requests the same, keys and headers included; a digest, so that it can be stored.

    What was asked at an endpoint's own address is no answer for those that could not have asked there.
    """
    parts = (request.method, request.url, request.params, posted(request), request.headers, request.secret_header)
    try:
        own = _at_home(*host_port(request.url), endpoint)
    except FetchError:
        own = False
    marks = ("-own" if own else "") + ("-rendered" if endpoint.options.get("render") else "")
    return hashlib.sha256(repr(parts).encode()).hexdigest() + marks
