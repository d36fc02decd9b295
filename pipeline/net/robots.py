"""robots.txt and a polite pace, for scraped pages only: feeds and APIs are made to be asked.

RFC 9309: a missing file (4xx) allows everything, an unreachable one (5xx) nothing.
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
    _rules: dict[str, asyncio.Task[Any]] = field(default_factory=dict)
    _next: dict[str, float] = field(default_factory=dict)

    async def refuse(self, url: str, fetch: Fetch) -> float:
        """Raise FetchError "blocked by robots", else the seconds the site wants between requests (0: it says none)."""
        origin = "{0.scheme}://{0.netloc}".format(urlsplit(url))
        if origin not in self._rules or self._rules[origin].cancelled():
            self._rules[origin] = asyncio.ensure_future(self._read(origin, fetch))
        rules = await self._rules[origin]
        if rules is False or (rules and not rules.can_fetch(url, self.user_agent)):
            raise FetchError(f"{origin}/robots.txt does not allow {urlsplit(url).path}", status="blocked by robots")
        return float((rules and rules.crawl_delay(self.user_agent)) or 0.0)

    async def pace(self, url: str, interval_s: float) -> None:
        """Wait for this host's turn: turns are `interval_s` apart."""
        host, now = urlsplit(url).netloc, asyncio.get_running_loop().time()
        turn = max(now, self._next.get(host, now))
        self._next[host] = turn + interval_s
        await asyncio.sleep(turn - now)

    async def _read(self, origin: str, fetch: Fetch) -> Any:
        """The site's rules; None when it has none, False when it can't say."""
        from protego import Protego

        try:
            response = await fetch(Request(url=f"{origin}/robots.txt"))
        except FetchError as error:
            return None if error.status in ("bad response", "unauthorised") else False
        return Protego.parse(response.body[:MAX_BYTES].decode("utf-8", "replace"))
