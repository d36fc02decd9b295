"""Items whose source gives no date: their own page is asked when it was published.

    an endpoint has ended -> its undated items -> their pages (robots, pace, guard, own deadline) -> claims -> ledger

It happens while slower endpoints are still under way and ends with the slowest of them at the latest, so a run takes no
longer for it. What fails leaves the item undated and costs nothing else.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from pipeline.dates import choose, page_dates, with_event
from pipeline.errors import FetchError
from pipeline.net import Net
from pipeline.net.guard import host_port
from pipeline.net.worker import Worker
from pipeline.types import Candidate, DateClaim, Endpoint, Judged, Request, Response, StageNote

TRUSTED = 0.55
"""Reliability from which a page's best claim dates an item; last changes and guesses of the page lie below."""
MAX_HTML = 2_000_000  # bytes of a page that are read
_SOURCE = "item page"
"""Named like a source, so that a replay does not take a page for a feed."""

Claims = tuple[DateClaim, ...]


@dataclass(slots=True)
class Undated:
    """The look-ups of one run. `most` pages at most; `until` is the run's end (event-loop clock)."""

    net: Net
    worker: Worker
    terms: frozenset[str]
    """Words of the question: items that hold one are looked up first."""
    most: int
    timeout_s: float
    until: float
    _tasks: dict[str, asyncio.Task[Claims]] = field(default_factory=dict)
    _without: Counter[str] = field(default_factory=Counter)
    """Why a page gave no date -> how many."""

    def begin(self, candidates: Sequence[Candidate], endpoint: Endpoint) -> None:
        """Look up the undated ones among what an endpoint brought, as far as there is room."""
        wanted = [url for url in _pages(candidates, self.terms) if url not in self._tasks]
        room = self.most - len(self._tasks) if self.net.player is None else len(wanted)  # a replay asks what it holds
        for url in wanted[: max(room, 0)]:
            self._tasks[url] = asyncio.create_task(self._look_up(url, endpoint))

    async def dated(self, rows: Sequence[Judged]) -> list[Judged]:
        """The rows with what was found in their ledgers, once every look-up has ended."""
        ended = await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        found = {url: one for url, one in zip(self._tasks, ended, strict=True) if not isinstance(one, BaseException)}
        self._without["stopped: enough results"] += len(ended) - len(found)
        return [_with(row, found.get(row.candidate.url, ())) for row in rows]

    def stop(self) -> None:
        """End what is under way; what has been found counts."""
        for task in self._tasks.values():
            task.cancel()

    def note(self, seconds: float) -> StageNote | None:
        """How many pages were looked up and gave a date; None when there was none to look up."""
        asked = len(self._tasks) - self._without["not recorded"]
        why = {reason: n for reason, n in self._without.items() if n and reason != "not recorded"}
        if not asked:
            return None
        return StageNote(
            name="pages of undated items", n_in=asked, n_out=asked - sum(why.values()), dropped=why, seconds=seconds
        )

    async def _look_up(self, url: str, endpoint: Endpoint) -> Claims:
        """What the page says about its date, best first; () when it says nothing to be trusted, or can't be had."""
        loop = asyncio.get_running_loop()
        until = min(loop.time() + self.timeout_s, self.until)
        asked = Endpoint(
            source=_SOURCE,
            name=endpoint.name,
            url=url,
            timeout_s=self.timeout_s,
            named=endpoint.named and _same_host(url, endpoint.url),
            options={"page": True},
        )
        request = Request(url=url, headers=(("accept", "text/html,application/xhtml+xml;q=0.9"),))
        why = "no date in the page"
        try:
            response = await self.net.fetch(request, endpoint=asked, deadline=until)
            if claims := await self.worker.run(lambda: _claims(response, url, endpoint.timezone), until=until):
                return claims
        except FetchError as error:
            why = "not recorded" if self.net.player is not None and error.status == "empty" else error.status
        except TimeoutError:
            why = "timeout"
        except Exception:  # noqa: BLE001 - a page nobody foresaw leaves its item undated, and is counted
            why = "could not be read"
        self._without[why] += 1
        return ()


def _pages(candidates: Sequence[Candidate], terms: frozenset[str]) -> list[str]:
    """Addresses of the undated items' own pages, those about the question first; what many share is nobody's own."""
    from pipeline.text import content_tokens

    shared = Counter(candidate.url for candidate in candidates)
    wanted = [
        candidate
        for candidate in candidates
        if candidate.published_at is None and shared[candidate.url] == 1 and _has_page(candidate.url)
    ]
    wanted.sort(key=lambda one: bool(terms) and terms.isdisjoint(content_tokens(f"{one.title} {one.text}")))
    return [candidate.url for candidate in wanted]


def _has_page(url: str) -> bool:
    """Whether an address can be one article's: the front page of a site is not."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.path.strip("/") or parts.query)


def _same_host(url: str, home: str) -> bool:
    """Whether a page lies where the analyst named the endpoint that links it; only there may it be private."""
    try:
        return host_port(url) == host_port(home)
    except FetchError:
        return False


def _claims(response: Response, url: str, zone: str) -> Claims:
    if "html" not in response.headers.get("content-type", "html").lower():
        return ()
    if response.url and not _has_page(response.url):
        return ()  # sent on to the front page: the article is gone
    claims = page_dates(response.body[:MAX_HTML], url, zone=zone)
    return claims if claims and claims[0].reliability >= TRUSTED else ()


def _with(row: Judged, claims: Claims) -> Judged:
    candidate = row.candidate
    if not claims or candidate.published_at is not None:
        return row
    old = candidate.dates
    new = [claim for claim in claims if claim not in old.claims]
    ledger = choose([*old.claims, *new], notes=(*old.notes, "dated by its page"))
    dates = with_event(ledger, f"{candidate.title}. {candidate.text}")
    return replace(row, candidate=replace(candidate, dates=dates))
