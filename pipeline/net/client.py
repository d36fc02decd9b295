"""`Net`: the one way out. Guards, limits, budgets, cache, retries, recording; every limit is an absolute deadline.

    fetch -> player? -> key -> same request under way? -> fresh in the cache? -> robots -> attempts
    attempt -> budget -> place in the queue -> hops (address guard, redirect) -> body under the size cap

Waiting requests queue in front of the client, never inside its pool. What hangs or drips ends at the deadline.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import unquote, urljoin, urlsplit

from pipeline.errors import FetchError, LatelyError, Status
from pipeline.net.body import Body
from pipeline.net.guard import host_port, is_address, loopback, refuse_local_name, refuse_private
from pipeline.net.recording import Player, Recorder, posted
from pipeline.net.robots import Robots
from pipeline.net.shared import Shared
from pipeline.net.worker import Worker
from pipeline.types import Endpoint, Request, RequestBudget, Response, ResponseCache

if TYPE_CHECKING:
    import httpx

    from pipeline.settings import Settings

T = TypeVar("T")

INCOMPLETE = "lately-incomplete"
"""Header we add to an answer whose connection closed early: what had arrived is still worth reading."""
_REDIRECTS = (301, 302, 303, 307, 308)
_BUSY = (429, 503)
_BACK_OFF_S = 0.5  # first wait when the server names none; doubles
_STATUS: Mapping[int, Status] = {401: "unauthorised", 402: "unauthorised", 403: "unauthorised", 429: "rate limited"}


class Net:
    """The network of one run, as an async context manager. Implements `types.Fetcher`.

    environ: where keys and proxies are read (nothing else is). allowed: addresses the analyst named, whose
    host:port may be private. transport: stands in for the network in tests. refresh: cached answers are not used.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        environ: Mapping[str, str] | None = None,
        allowed: Iterable[str] = (),
        transport: httpx.AsyncBaseTransport | None = None,
        budget: RequestBudget | None = None,
        cache: ResponseCache | None = None,
        recorder: Recorder | None = None,
        player: Player | None = None,
        refresh: bool = False,
    ) -> None:
        self._limits = settings.pipeline.collect
        self._fresh_s = settings.pipeline.cache_ttl_minutes * 60
        self._environ = environ or {}
        self._named: set[tuple[str, int]] = set()
        self._transport = transport
        self._budget = budget
        self._cache = cache
        self._recorder = recorder
        self.player = player
        self._refresh = refresh
        self._warnings: dict[str, None] = {}
        self._shared = Shared()
        self._robots = Robots(self._limits.user_agent)
        self._store = Worker("store")
        self._places = asyncio.Semaphore(self._limits.concurrency)
        self._of_host: dict[str, asyncio.Semaphore] = {}
        self._proxied = False
        self._client: httpx.AsyncClient | None = None
        self.allow(*allowed)

    async def __aenter__(self) -> Net:
        if self.player is None:
            self._open()  # loading httpx takes 0.1 s, which no endpoint's deadline should pay
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._store.close()
        if self._client is not None:
            await self._client.aclose()

    # ------------------------------------------------------------------ what others ask

    def secret(self, name: str) -> str:
        """The value of a key's environment variable; "" when it is not set."""
        return self._environ.get(name, "").strip()

    def allow(self, *urls: str) -> None:
        """The analyst named these addresses: their host:port may lie in a private network, for this run."""
        for url in urls:
            if urlsplit(url).scheme in ("http", "https"):
                self._named.add(host_port(url))

    @property
    def warnings(self) -> tuple[str, ...]:
        return (*self._warnings, *(self.player.warnings if self.player else ()))

    async def fetch(self, request: Request, *, endpoint: Endpoint, deadline: float) -> Response:
        """Send one request; `deadline` is absolute (event-loop clock). Raises FetchError.

        An answer of status 400 and above is an error that quotes the server. Options of the endpoint: `file`, a
        file of this machine is read; `page`, robots.txt is obeyed and a polite pace kept.
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
                    return await self._read_file(request, deadline)
                if endpoint.named:
                    self.allow(endpoint.url)
                secret = self._secret_header(request, endpoint)
                key = self._key(request)
                return await self._shared.run(key, lambda: self._answer(key, request, secret, endpoint, deadline))
        except TimeoutError:
            waited = time.monotonic() - started
            raise FetchError(f"no complete answer within {waited:.1f} s", status="timeout") from None

    async def _answer(
        self, key: str, request: Request, secret: tuple[str, str] | None, endpoint: Endpoint, deadline: float
    ) -> Response:
        stored = await self._stored(key, deadline)
        if stored is not None and stored[1] <= self._fresh_s:
            return replace(stored[0], from_cache_s=stored[1])
        if endpoint.options.get("page"):
            await self._permitted(request.url, endpoint, deadline)
        headers = dict(request.headers)
        if stored is not None:
            headers |= _validators(stored[0])
        response = await self._attempts(replace(request, headers=tuple(headers.items())), secret, endpoint, deadline)
        if response.status == 304 and stored is not None:
            response = replace(stored[0], elapsed_ms=response.elapsed_ms)
        if response.status < 300 and INCOMPLETE not in response.headers:
            self._keep(key, response)
        return response

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
            if response.status in _BUSY and not last:
                wait = self._wait(response, attempt, deadline)
                if wait is not None:
                    await asyncio.sleep(wait)
                    continue
            if response.status >= 400:
                raise _refusal(response, bool(secret))
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
        started = time.monotonic()
        method, url, json = request.method, request.url, request.json
        params: tuple[tuple[str, str], ...] | None = request.params or None
        home = host_port(url)
        for _ in range(self._limits.max_redirects + 1):
            host, port = host_port(url)
            headers = dict(request.headers) if (host, port) == home else {}
            if secret is not None and (host, port) == home and urlsplit(url).scheme == urlsplit(request.url).scheme:
                headers[secret[0]] = secret[1]
            await self._take(host, endpoint, deadline)
            async with self._place(host, port):
                response = await self._hop(method, url, params, headers, json)
            onward = response.headers.get("location") if response.status in _REDIRECTS else None
            if onward is None:
                return replace(response, elapsed_ms=round(1000 * (time.monotonic() - started)))
            url = urljoin(response.url, onward)
            if response.status in (301, 302, 303) and method == "POST":
                method, json = "GET", None
            if json is not None and host_port(url) != home:
                raise FetchError("the answer would send what was posted to another host", status="bad response")
            params = None
            if endpoint.options.get("page"):
                await self._permitted(url, endpoint, deadline)
        raise FetchError(f"more than {self._limits.max_redirects} redirects", status="bad response")

    async def _hop(
        self,
        method: str,
        url: str,
        params: tuple[tuple[str, str], ...] | None,
        headers: dict[str, str],
        json: Mapping[str, Any] | None,
    ) -> Response:
        """One exchange with one host. ConnectionError when it broke before an answer began."""
        import httpx

        from pipeline.net.transport import STATUS_OF

        client = self._open()
        self._check_address(*host_port(url))
        began = False
        try:
            target = httpx.URL(url).copy_merge_params(list(params)) if params else httpx.URL(url)
            outgoing = client.build_request(method, target, headers=headers, json=json)
            answer = await client.send(outgoing, stream=True)
            try:
                began = True
                found = {name.lower(): value for name, value in answer.headers.items()}
                body = Body(found.get("content-encoding", ""), int(self._limits.max_body_mb * 1_000_000))
                try:
                    if answer.status_code not in _REDIRECTS:
                        async for chunk in answer.stream:  # type: ignore[union-attr]
                            body.add(chunk)
                except (httpx.RemoteProtocolError, httpx.ReadError):
                    if not body.bytes():
                        raise
                    found[INCOMPLETE] = "1"
            finally:
                await answer.aclose()
        except httpx.InvalidURL:
            raise FetchError("refused: the address, or where it redirects, is none", status="bad response") from None
        except httpx.HTTPError as error:
            if not began and isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError):
                raise ConnectionError(f"can't be reached: {_said(error)}") from None
            status = next(status for kind, status in STATUS_OF if isinstance(error, kind))
            raise FetchError(_said(error), status=status) from None
        return Response(url=str(answer.url), status=answer.status_code, headers=found, body=body.bytes())

    # ------------------------------------------------------------------ guards and queues

    def _open(self) -> httpx.AsyncClient:
        from pipeline.net import transport

        if self._client is None:
            agent = self._limits.user_agent
            if self._transport is not None:
                self._client = transport.client_over(self._transport, user_agent=agent)
            else:
                self._proxied = bool(transport.proxies(self._environ))
                self._client = transport.open_client(
                    allowed=self._allowed,
                    user_agent=agent,
                    environ=self._environ,
                    connections=self._limits.concurrency,
                )
        return self._client

    def _allowed(self, host: str, port: int) -> bool:
        return (host, port) in self._named

    def _check_address(self, host: str, port: int) -> None:
        """What can be refused before connecting; names are checked once more when they have been resolved."""
        if self._allowed(host, port):
            return
        if is_address(host):
            refuse_private(host, [host])
        elif self._proxied or loopback(host):
            refuse_local_name(host)

    @asynccontextmanager
    async def _place(self, host: str, port: int) -> AsyncIterator[None]:
        """A place in the run's queue, and before it in the host's own; this machine has no queue when named."""
        if self._allowed(host, port) and loopback(host):
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

        delay = await self._robots.refuse(url, ask)
        host, port = host_port(url)
        if not (self._allowed(host, port) and loopback(host)):
            wanted = endpoint.options.get("interval_s", self._limits.polite_interval_s)
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

    async def _take(self, host: str, endpoint: Endpoint, deadline: float) -> None:
        """Count the request: on its host for the account, on its source at this host for the limit."""
        if self._budget is None:
            return
        limits = {"max_per_minute": endpoint.max_per_minute, "max_per_day": endpoint.max_per_day}
        if any(limits.values()):
            await self._wait_for_budget(f"source:{endpoint.source}@{host}", limits, deadline)
        await self._wait_for_budget(f"host:{host}", {"max_per_minute": None, "max_per_day": None}, deadline)

    async def _wait_for_budget(self, key: str, limits: dict[str, int | None], deadline: float) -> None:
        budget = self._budget
        assert budget is not None
        loop = asyncio.get_running_loop()
        while wait := await self._in_store(lambda: budget.take(key, **limits), deadline, 0.0):
            if loop.time() + wait >= deadline:
                said = " and ".join(f"{n} a {name[8:]}" for name, n in limits.items() if n)
                raise FetchError(f"own limit of {said} is used up", status="rate limited", retry_after=wait)
            await asyncio.sleep(wait)

    # ------------------------------------------------------------------ cache and files

    def _key(self, request: Request) -> str:
        parts = (request.method, request.url, request.params, posted(request), request.headers, request.secret_header)
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    async def _stored(self, key: str, deadline: float) -> tuple[Response, float] | None:
        cache = self._cache
        if cache is None or self._refresh:
            return None
        return await self._in_store(lambda: cache.get(key), deadline, None)

    def _keep(self, key: str, response: Response) -> None:
        """Store an answer without waiting for it to be written."""
        if (cache := self._cache) is None:
            return

        def put() -> None:
            try:
                cache.put(key, response)
            except LatelyError as error:
                self._complain(error)

        self._store.later(put)

    async def _in_store(self, call: Callable[[], T], deadline: float, otherwise: T) -> T:
        """A call into the database, off the loop: one that waits for a lock holds up nobody else."""
        try:
            return await self._store.run(call, until=deadline)
        except LatelyError as error:
            self._complain(error)
            return otherwise

    def _complain(self, error: LatelyError) -> None:
        self._warnings.setdefault(f"requests are not counted or cached: {error}")

    async def _read_file(self, request: Request, deadline: float) -> Response:
        parts = urlsplit(request.url)
        path = unquote(parts.path) if parts.scheme == "file" else request.url
        cap = int(self._limits.max_body_mb * 1_000_000)
        try:
            body = await self._store.run(lambda: _read(path, cap), until=deadline)
        except OSError as error:
            raise FetchError(f"{path}: can't be read ({error.strerror})", status="error") from None
        return Response(url=request.url, status=200, headers={}, body=body)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds a server asks to wait: a number, or a date compared with the server's own `Date`."""
    from email.utils import parsedate_to_datetime

    value = headers.get("retry-after", "").strip()
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        then, now = parsedate_to_datetime(value), parsedate_to_datetime(headers.get("date", ""))
        return max(0.0, (then - now).total_seconds())
    except (ValueError, TypeError):
        return None


def _refusal(response: Response, keyed: bool) -> FetchError:
    """The error of an answer of status 400 and above, with the server's own words."""
    status: Status = _STATUS.get(response.status, "bad response" if response.status < 500 else "error")
    wait = retry_after(response.headers)
    if response.status == 503 and wait is not None:
        status = "rate limited"
    if response.status in (402, 403) and not keyed:
        status = "bad response"
    said = " ".join(response.body[:300].decode("utf-8", "replace").split())[:160]
    words = f": {said}" if said and not said.startswith("<") else ""
    return FetchError(f"the server answered {response.status}{words}", status=status, retry_after=wait)


def _validators(stored: Response) -> dict[str, str]:
    """The headers of a conditional request."""
    pairs = (("if-none-match", "etag"), ("if-modified-since", "last-modified"))
    return {ours: stored.headers[theirs] for ours, theirs in pairs if theirs in stored.headers}


def _said(error: Exception) -> str:
    return str(error) or type(error).__name__


def _read(path: str, cap: int) -> bytes:
    with Path(path).expanduser().open("rb") as file:
        body = file.read(cap + 1)
    if len(body) > cap:
        raise FetchError(f"{path}: larger than {cap / 1e6:.0f} MB", status="bad response")
    return body
