"""robots.txt and a polite pace, for scraped pages only: feeds and APIs are made to be asked.

RFC 9309: a missing file (4xx) allows everything, one the server fails to give (5xx) nothing. A site that can't be
reached is no refusal: it is reported as what it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from pipeline.errors import FetchError
from pipeline.types import Request, Response

Fetch = Callable[[Request], Awaitable[Response]]
MAX_BYTES = 500_000  # RFC 9309: a parser reads at least this much; more is no rule file


@dataclass(slots=True)
class Robots:
    """Rules by origin, and when each origin may be asked next."""

    user_agent: str
    _rules: dict[tuple[str, bool], asyncio.Task[Any]] = field(default_factory=dict)
    _next: dict[str, float] = field(default_factory=dict)

    async def refuse(self, url: str, fetch: Fetch, *, own: bool = False) -> float:
        """Raise FetchError "blocked by robots", else the seconds the site wants between requests (0: it says none).

        own: it is asked for the endpoint named there; what others could not read there is no answer for it.
        """
        origin = "{0.scheme}://{0.netloc}".format(urlsplit(url))
        asked = (origin, own)
        if asked not in self._rules or self._rules[asked].cancelled():
            self._rules[asked] = asyncio.ensure_future(self._read(origin, fetch))
        rules = await self._rules[asked]
        if rules and not rules.can_fetch(url, self.user_agent):
            raise FetchError(f"{origin}/robots.txt does not allow {urlsplit(url).path}", status="blocked by robots")
        return float((rules and rules.crawl_delay(self.user_agent)) or 0.0)

    async def pace(self, url: str, interval_s: float) -> None:
        """Wait for this host's turn: turns are `interval_s` apart."""
        host, now = urlsplit(url).netloc, asyncio.get_running_loop().time()
        turn = max(now, self._next.get(host, now))
        self._next[host] = turn + interval_s
        await asyncio.sleep(turn - now)

    async def _read(self, origin: str, fetch: Fetch) -> Any:
        """The site's rules; None when it has none. Raises FetchError when they can't be had."""
        from protego import Protego

        try:
            response = await fetch(Request(url=f"{origin}/robots.txt"))
        except FetchError as error:
            if error.status in ("bad response", "unauthorised"):
                return None
            if error.code is None:
                raise
            said = f"{origin}/robots.txt can't be had ({error}), so nothing there may be asked"
            raise FetchError(said, status="blocked by robots") from None
        return Protego.parse(response.body[:MAX_BYTES].decode("utf-8", "replace"))
