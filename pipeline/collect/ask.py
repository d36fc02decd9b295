"""Asking one endpoint: its requests, its deadline, what it brought and how it ended.

    requests of each subquery -> fetch (all at once) -> parse (off the loop) -> further pages, wave by wave
    too few from a search -> once more with the core subject

What is parsed is kept at once, so a time-out or an early stop loses nothing that had arrived.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pipeline.collect.choose import Choice
from pipeline.collect.enough import Enough
from pipeline.errors import FetchError, Status
from pipeline.net import Net
from pipeline.net.worker import Worker
from pipeline.text import content_tokens
from pipeline.types import Malformed, Outcome, Parsed, Plan, Progress, Request, Response, Subquery

MAX_WAVES = 6  # first requests and five rounds of further pages: more than any source here offers
MAX_REQUESTS = 40  # of one endpoint in one run; what is left out is said
PARSE_GRACE = 0.04  # share of the time-out in which an answer that came just in time is still read


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What all endpoints of a run share."""

    net: Net
    worker: Worker
    enough: Enough | None
    """None: no early stop."""
    progress: Progress
    limit: int
    """Items asked for from one endpoint."""
    thin_floor: int


@dataclass(slots=True)
class Ask:
    """One endpoint while it is asked. `asked` is the plan with the window in which sources look."""

    choice: Choice
    plan: Plan
    asked: Plan
    tools: Tools
    answers: dict[int, Parsed] = field(default_factory=dict)
    """What each request brought, by the request's number."""
    failures: list[FetchError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)
    cached_s: float | None = None
    bytes: int = 0
    requests: int = 0
    _sent: set[str] = field(default_factory=set)
    _deadline: float = 0.0
    _open: int = 0
    """Requests without an answer yet."""

    async def run(self) -> Outcome:
        """Ask until done, out of time, or stopped because the run has enough."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        endpoint = self.choice.endpoint
        if self.choice.missing_key:
            return self._outcome("not configured", 0, f"set {self.choice.missing_key}")
        self._deadline = started + endpoint.timeout_s
        self.tools.progress("started", source=endpoint.source, endpoint=endpoint.name)
        stopped = False
        try:
            await self._all()
        except asyncio.CancelledError:
            if self.tools.enough is None or not self.tools.enough.reached.is_set():
                raise
            stopped = self._open > 0  # all answered: the run has enough because of this one
        elapsed = round(1000 * (loop.time() - started))
        outcome = self._outcome("cancelled", elapsed, "enough results") if stopped else self._ended(elapsed)
        facts = {"status": outcome.status, "items": outcome.items, "elapsed_ms": elapsed}
        self.tools.progress("finished", source=endpoint.source, endpoint=endpoint.name, **facts)
        return outcome

    @property
    def found(self) -> list[Parsed]:
        """Answers in the order of their requests, however they arrived."""
        return [self.answers[number] for number in sorted(self.answers)]

    @property
    def malformed(self) -> list[Malformed]:
        return [entry for parsed in self.found for entry in parsed.malformed]

    # ------------------------------------------------------------------ asking

    async def _all(self) -> None:
        endpoint = self.choice.endpoint
        subqueries = self.plan.subqueries if endpoint.searches else self.plan.subqueries[:1]
        await self._waves([request for subquery in subqueries for request in self._requests(subquery)])
        if self._thin():
            await self._once_more()

    async def _once_more(self) -> None:
        """The thin-source retry. Its failure is a note: the first answer stands."""
        core = self.plan.core_subject
        before = len(self.failures)
        brought = self._count()
        await self._waves(
            self._requests(Subquery(label="core subject", raw_topic=core, search_query=core, ranking_query=core))
        )
        self.notes.append(f"{brought} found: asked once more with {core!r}")
        self.notes += [f"that failed: {error}" for error in self.failures[before:]]
        del self.failures[before:]

    def _thin(self) -> bool:
        question = self.plan.question
        edited = any(key.partition(":")[0] == self.choice.endpoint.source for key in question.queries)
        if not self.choice.endpoint.searches or edited or question.depth == "quick" or self.failures:
            return False
        core = set(content_tokens(self.plan.core_subject))
        return (
            self._count() < self.tools.thin_floor
            and bool(core)
            and all(set(content_tokens(q)) != core for q in self.queries)
        )

    def _requests(self, subquery: Subquery) -> Sequence[Request]:
        try:
            return self.choice.source.requests(self.choice.endpoint, subquery, self.asked, self.tools.limit)
        except FetchError as error:
            self.failures.append(error)
        return ()

    async def _waves(self, wave: Sequence[Request]) -> None:
        """Requests, then the further requests their answers name, each sent once."""
        for _ in range(MAX_WAVES):
            wave = [request for request in wave if self._new(request)]
            if not wave or self._count() >= self.tools.limit:
                return
            parsed = await asyncio.gather(*(self._one(self._number(), request) for request in wave))
            wave = [request for answer in parsed for request in answer.more]

    def _new(self, request: Request) -> bool:
        """Whether it was not sent yet; past MAX_REQUESTS it is left out, with a note."""
        key = repr((request.method, request.url, request.params, request.json))
        if key in self._sent:
            return False
        if len(self._sent) >= MAX_REQUESTS:
            note = f"stopped after {MAX_REQUESTS} requests"
            self.notes += [] if note in self.notes else [note]
            return False
        self._sent.add(key)
        return True

    def _number(self) -> int:
        self.requests += 1
        self._open += 1
        return self.requests

    async def _one(self, number: int, request: Request) -> Parsed:
        """Fetch and parse one request, and keep what it brought. A failure is noted, never raised."""
        if request.query and request.query not in self.queries:
            self.queries.append(request.query)
        try:
            response = await self.tools.net.fetch(request, endpoint=self.choice.endpoint, deadline=self._deadline)
            self.bytes += len(response.body)
            if response.from_cache_s is not None:
                self.cached_s = max(self.cached_s or 0.0, response.from_cache_s)
            if response.incomplete:
                self.notes.append(f"the connection closed early, after {len(response.body)} bytes")
            parsed, good = await self._parse(response)
        except FetchError as error:
            self._open -= 1
            explain = getattr(self.choice.source, "explain", None)  # a source may know what its refusal means
            self.failures.append(explain(error) if explain is not None else error)
            return Parsed()
        self._open -= 1
        self.answers[number] = parsed
        self.notes += [note for note in parsed.notes if note not in self.notes]
        facts = {"source": self.choice.endpoint.source, "endpoint": self.choice.endpoint.name}
        self.tools.progress("counts", **facts, items=self._count())
        if self.tools.enough is not None:
            self.tools.enough.add(good)
        return parsed

    async def _parse(self, response: Response) -> tuple[Parsed, frozenset[str]]:
        """Read one answer in the worker, with what in it counts towards "enough". Raises FetchError."""
        source, endpoint, enough = self.choice.source, self.choice.endpoint, self.tools.enough
        counts = enough if endpoint.priority == 1 else None

        def read() -> tuple[Parsed, frozenset[str]]:
            parsed = source.parse(response, endpoint, self.plan)
            return parsed, counts.good(parsed.candidates) if counts is not None else frozenset()

        until = max(self._deadline, asyncio.get_running_loop().time()) + PARSE_GRACE * endpoint.timeout_s
        try:
            return await self.tools.worker.run(read, until=until)
        except TimeoutError:
            raise FetchError("reading the answer took too long", status="bad response") from None
        except FetchError:
            raise
        except Exception as error:  # noqa: BLE001 - a fault in one adapter costs its endpoint, not the run, and is shown
            raise FetchError(f"the answer could not be read: {error!r:.200}", status="error") from error

    # ------------------------------------------------------------------ how it ended

    def _count(self) -> int:
        return sum(len(parsed.candidates) for parsed in self.answers.values())

    def _ended(self, elapsed_ms: int) -> Outcome:
        """The first failure decides; without one it is "ok", or "empty"."""
        failure = next((error for error in self.failures if error.status != "empty"), None)
        details = [str(error) for error in self.failures[:1]]
        if failure is not None:
            return replace(self._outcome(failure.status, elapsed_ms, str(failure)), retry_after_s=failure.retry_after)
        if not self._count() and self.malformed:
            return self._outcome("bad response", elapsed_ms, f"none of {len(self.malformed)} entries could be read")
        return self._outcome("ok" if self._count() else "empty", elapsed_ms, *details)

    def _outcome(self, status: Status, elapsed_ms: int, *details: str) -> Outcome:
        unread = [f"{len(self.malformed)} entries could not be read"] if self.malformed and self._count() else []
        return Outcome(
            source=self.choice.endpoint.source,
            endpoint=self.choice.endpoint.name,
            status=status,
            items=self._count(),
            elapsed_ms=elapsed_ms,
            bytes=self.bytes,
            cached_age_s=self.cached_s,
            detail="; ".join([*details, *unread, *self.notes]),
            queries=tuple(self.queries),
            requests=self.requests,
            requested=self.choice.requested,
        )
