"""A source that speaks in lines, a plan, and a network made of a function."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

from pipeline.net import Net, Player
from pipeline.settings import Settings, load_settings
from pipeline.types import (
    Candidate,
    DateClaim,
    DateLedger,
    Endpoint,
    Malformed,
    Parsed,
    Plan,
    Question,
    Request,
    Response,
    Source,
    Subquery,
    Window,
)

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
SETTINGS = load_settings({})


def plan(text: str = "harbour bridge works", **question: Any) -> Plan:
    topic = Subquery(label="main", raw_topic=text, search_query=text, ranking_query=text)
    window = Window(since=NOW - timedelta(days=7), until=NOW, how="argument", evidence="--days 7", ends_now=True)
    return Plan(
        question=Question(text=text, **question),
        text=text,
        now=NOW,
        language="en",
        zone="UTC",
        window=window,
        route="recent",
        stability="fast",
        reasons=(),
        signals=(),
        raw_topic=text,
        core_subject=text,
        ranking_query=text,
        subqueries=(topic,),
    )


def settings(**collect: Any) -> Settings:
    """The product's settings with some of collect's numbers changed; `max_results` belongs to the pipeline."""
    over = {name: collect.pop(name) for name in ("max_results", "cache_ttl_minutes") if name in collect}
    pipeline = SETTINGS.pipeline
    changed = pipeline.model_copy(update={"collect": pipeline.collect.model_copy(update=collect), **over})
    return SETTINGS.model_copy(update={"pipeline": changed})


class Lines:
    """A source whose answers are lines "title | days ago"; "!" makes an entry malformed, "boom" a bug.

    `hosts`: endpoint name -> keyword arguments of its Endpoint; an endpoint is asked at http://<name>.example/.
    """

    label = "Lines"
    noisy = False
    social = False
    needs_key = ""

    def __init__(
        self, name: str = "lines", *, searches: bool = False, kind: str = "feed", **hosts: dict[str, Any]
    ) -> None:
        self.name = name
        self.searches = searches
        self.kind = kind
        self.hosts = hosts

    def endpoints(self, config: Any, plan: Plan) -> Sequence[Endpoint]:
        made = []
        for host, facts in self.hosts.items():
            facts = {"timeout_s": 1.0, "url": f"http://{host}.example/", "searches": self.searches} | facts
            made.append(Endpoint(source=self.name, name=host, **facts))
        return made

    def requests(self, endpoint: Endpoint, subquery: Subquery, plan: Plan, limit: int) -> Sequence[Request]:
        if not self.searches:
            return (Request(url=endpoint.url),)
        params = (("q", subquery.raw_topic), ("since", plan.window.since.date().isoformat()))
        return (Request(url=endpoint.url, params=params, query=subquery.raw_topic),)

    def parse(self, response: Response, endpoint: Endpoint, plan: Plan) -> Parsed:
        kept, bad, more = [], [], []
        for nth, line in enumerate(response.body.decode().splitlines()):
            title, _, days = (part.strip() for part in line.partition("|"))
            if title == "boom":
                raise KeyError("boom")
            if title.startswith("!"):
                bad.append(Malformed(id="", title=title, url="", reason="no date, no title"))
            elif title.startswith("more "):
                more.append(Request(url=title.removeprefix("more ")))
            else:
                kept.append(candidate(self.name, endpoint.name, title, float(days) if days else None, nth))
        return Parsed(candidates=tuple(kept), malformed=tuple(bad), more=tuple(more))


def candidate(source: str, endpoint: str, title: str, days_ago: float | None = 1.0, nth: int = 0) -> Candidate:
    claims: tuple[DateClaim, ...] = ()
    if days_ago is not None:
        claims = (DateClaim(kind="feed", at=NOW - timedelta(days=days_ago), reliability=0.9, raw=""),)
    return Candidate(
        id=f"{source}-{endpoint}-{title}",
        source=source,
        endpoint=endpoint,
        url=f"http://{endpoint}.example/{nth}",
        domain=f"{endpoint}.example",
        title=title,
        text="",
        dates=DateLedger(claims=claims, chosen=0 if claims else None),
    )


Answer = str | tuple[int, str] | httpx.Response


def network(answers: Callable[[httpx.Request], Any]) -> httpx.MockTransport:
    """Answers by a function from request to text, (status, text), seconds to hang, or a whole response."""

    async def handle(request: httpx.Request) -> httpx.Response:
        answer = answers(request)
        if isinstance(answer, float):
            await asyncio.sleep(answer)
            answer = ""
        if isinstance(answer, tuple):
            return httpx.Response(answer[0], text=answer[1])
        return answer if isinstance(answer, httpx.Response) else httpx.Response(200, text=answer)

    return httpx.MockTransport(handle)


def hosts(**answers: Any) -> httpx.MockTransport:
    """A network in which each host of .example always gives one answer."""
    return network(lambda request: answers[request.url.host.removesuffix(".example")])


def collect(
    asked: Plan,
    sources: Sequence[Source],
    transport: httpx.AsyncBaseTransport | None = None,
    *,
    using: Settings | None = None,
    environ: dict[str, str] | None = None,
    player: Player | None = None,
    **more: Any,
) -> Any:
    """`gather` in a loop of its own, over a network made of a function."""
    from pipeline.collect import gather

    using = using or settings()
    named = [source.name for source in sources]
    if asked.question.sources is None and not (player and player.endpoints) and "opml_feeds" not in more:
        asked = replace(asked, question=replace(asked.question, sources=tuple(named)))

    async def run() -> Any:
        async with Net(using, transport=transport, environ=environ or {}, player=player) as net:
            return await gather(asked, sources, settings=using, net=net, **more)

    return asyncio.run(run())
