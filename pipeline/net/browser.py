"""Pages that draw themselves: read once as they are sent, then shown to a Chromium that has no network of its own.

Whatever the page asks for is handed to the caller, who asks it like anything else: address guard, budget, size cap.
What would get round that (sockets, workers, prefetching) finds no name server and a proxy that does not exist. The
browser belongs to the optional extra `render`; it is started for the first page that needs it, with a new profile, and
ends with the run.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import Any

from pipeline.errors import FetchError
from pipeline.types import Request, Response

MAX_REQUESTS = 80  # of one page beyond its own address: more is no list of articles
SHOW_SHARE = 0.75  # share of the time left in which the items must appear; the rest is for what came without them
IDLE_S = 1.5  # seconds in which a page whose items are there may go on asking, and
IDLE_SHARE = 0.3  # the share of the time left that this may take
CLOSE_S = 3.0  # seconds for the browser to end
_EXECUTABLES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
)
_UNSEEN = ("image", "media", "font", "stylesheet", "manifest", "texttrack", "eventsource", "websocket", "ping", "other")
"""Kinds of what a page asks for that say nothing about its items."""
_OWN_HEADERS = ("host", "user-agent", "accept-encoding", "connection", "cookie", "content-length")
_NOT_OURS = ("content-encoding", "content-length", "transfer-encoding", "connection", "set-cookie")
"""Headers of an answer that are no longer true of its unpacked body."""

Ask = Callable[[Request], Awaitable[Response]]


def refuse_without() -> None:
    """Raise FetchError, saying what to install, where the extra is missing."""
    if find_spec("playwright") is None:
        raise FetchError('render: true needs a browser: pip install -e ".[render]"', status="not configured")


@dataclass(slots=True)
class Browser:
    """The one Chromium of a run; `pages` are shown at once."""

    user_agent: str
    pages: int
    _places: asyncio.Semaphore = field(init=False)
    _started: asyncio.Task[tuple[Any, Any]] | None = None
    _closing: set[asyncio.Task[Any]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._places = asyncio.Semaphore(self.pages)

    def begin(self) -> None:
        """Start Chromium while the page itself is still asked for."""
        if self._started is None:
            self._started = asyncio.ensure_future(_start())
            self._started.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def render(self, sent: Response, selector: str, *, ask: Ask, deadline: float) -> Response:
        """`sent` with the body that its scripts make of it, once `selector` matches. Raises FetchError."""
        from playwright.async_api import Error

        async with self._places:
            try:
                browser = await self._browser()
                context = await browser.new_context(
                    user_agent=self.user_agent, accept_downloads=False, service_workers="block"
                )
                try:
                    body = await _shown(context, sent, selector, ask, deadline)
                finally:
                    self._later(context.close())
            except Error as error:
                said = " ".join(str(error).split())[:160]
                raise FetchError(f"the browser could not show the page: {said}", status="error") from None
        headers = {name: value for name, value in sent.headers.items() if name not in _NOT_OURS}
        return replace(sent, body=body.encode(), headers=headers | {"content-type": "text/html; charset=utf-8"})

    async def close(self) -> None:
        """End the browser, or kill it after CLOSE_S."""
        if self._started is None:
            return
        self._started.cancel()
        with suppress(Exception, asyncio.CancelledError):
            playwright, browser = await self._started
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_S):
                    await asyncio.gather(*self._closing, return_exceptions=True)
                    await browser.close()
            await playwright.stop()

    async def _browser(self) -> Any:
        """Started once; a page whose time is up does not stop the start that others wait for."""
        self.begin()
        assert self._started is not None
        return (await asyncio.shield(self._started))[1]

    def _later(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())


async def _start() -> tuple[Any, Any]:
    from playwright.async_api import Error, async_playwright

    playwright = await async_playwright().start()
    try:
        browser = await playwright.chromium.launch(
            executable_path=next(filter(None, map(shutil.which, _EXECUTABLES)), None),
            args=list(_FLAGS),
            chromium_sandbox=os.geteuid() != 0 if hasattr(os, "geteuid") else True,  # root has no sandbox
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )
    except BaseException as error:
        await playwright.stop()
        if isinstance(error, Error):
            raise FetchError(
                "no Chromium can be started: install one (apt install chromium, or playwright install chromium)",
                status="not configured",
            ) from None
        raise
    return playwright, browser


async def _shown(context: Any, sent: Response, selector: str, ask: Ask, deadline: float) -> str:
    """The page's markup once its items are there, or as far as it got in time."""
    from playwright.async_api import Error, TimeoutError

    loop = asyncio.get_running_loop()

    def ms(share: float) -> float:
        return max(1.0, 1000 * share * (deadline - loop.time()))

    desk = _Desk(sent, ask)
    await context.route("**/*", desk.answer)
    page = await context.new_page()
    await page.goto(sent.url, wait_until="commit", timeout=ms(1.0))
    with suppress(TimeoutError):
        await page.wait_for_selector(selector, state="attached", timeout=ms(SHOW_SHARE))
        await page.wait_for_load_state("networkidle", timeout=min(1000 * IDLE_S, ms(IDLE_SHARE)))
    with suppress(Error):
        return str(await page.content())
    raise FetchError("the page went elsewhere while it was read", status="bad response")


@dataclass  # without slots: playwright puts a mark of its own on the object whose method it calls
class _Desk:
    """Answers what one page asks for: its own address with what was sent, the rest through `ask`."""

    sent: Response
    ask: Ask
    count: int = 0

    async def answer(self, route: Any) -> None:
        from playwright.async_api import Error

        with suppress(Error):  # the page was closed meanwhile
            request = route.request
            if request.is_navigation_request() and request.url.partition("#")[0] == self.sent.url.partition("#")[0]:
                await _fulfill(route, self.sent)
            elif (wanted := self._wanted(request)) is None:
                await route.abort("blockedbyclient")
            else:
                try:
                    await _fulfill(route, await self.ask(wanted))
                except FetchError:
                    await route.abort("failed")

    def _wanted(self, request: Any) -> Request | None:
        """What is asked in the page's name; None for what is not needed, or would change something."""
        self.count += 1
        if request.resource_type in _UNSEEN or request.is_navigation_request() or self.count > MAX_REQUESTS:
            return None
        headers = tuple((name, value) for name, value in request.headers.items() if name not in _OWN_HEADERS)
        if request.method == "GET":
            return Request(url=request.url, headers=headers)
        with suppress(ValueError, TypeError):
            posted = request.post_data_json
            if request.method == "POST" and isinstance(posted, dict):  # a search; forms are not sent
                return Request(url=request.url, method="POST", headers=headers, json=posted)
        return None


async def _fulfill(route: Any, response: Response) -> None:
    headers = {name: value for name, value in response.headers.items() if name not in _NOT_OURS}
    await route.fulfill(status=response.status, headers=headers, body=response.body)
