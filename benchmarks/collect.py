"""What slow, hanging, dripping and throttling sources cost a run, against the replay server on this machine.

    python -m benchmarks.collect [--tools FOLDER] [--data FOLDER] [--timeout 2] [--rounds 3] [--json]

FOLDERs default to LATELY_TOOLS (holds replay_server.py) and LATELY_DATA; unset, it says so and does nothing.

faults   12 feeds, 3 of which hang and 2 drip: wall / largest time-out. Must: 1.05 x + 0.1 s
busy     12 feeds, 3 of which answer 429 with Retry-After 1: wall, what came
stop     12 feeds, of which one brings enough and 11 hang: seconds after its answer was read. Must: 0.1 s
healthy  20 and 100 sources, each after 0.2 s: wall / slowest (must 1.5 x, 2 x) and CPU a request (must 3 ms)
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any, Literal
from urllib.request import urlopen

from pipeline.collect import gather
from pipeline.net import Net
from pipeline.settings import Feed, Settings, load_settings
from pipeline.sources.opml import read_opml
from pipeline.sources.rss import Rss
from pipeline.types import Endpoint, Gathered, Parsed, Plan, Question, Request, Response, Subquery, Window

NOW = datetime(2023, 11, 24, 18, tzinfo=UTC)
BATCH = "2023-11-24"
HEALTHY_DELAY_S = 0.2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=Path, default=os.environ.get("LATELY_TOOLS"))
    parser.add_argument("--data", type=Path, default=os.environ.get("LATELY_DATA"))
    parser.add_argument("--timeout", type=float, default=2.0, help="seconds of the largest time-out")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    if not asked.tools or not asked.data:
        print("skipped: set LATELY_TOOLS and LATELY_DATA, or give --tools and --data", file=sys.stderr)
        return
    with delayed() as quick, served(Path(asked.tools), Path(asked.data)) as url:
        result = measure(url, quick, asked.timeout, asked.rounds)
    print(json.dumps(result) if asked.json else "\n".join(lines(result)))


@contextmanager
def served(tools: Path, data: Path) -> Iterator[str]:
    """The replay server on a free port of this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, str(tools / "replay_server.py"), "--data", str(data), "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert server.stdout is not None
        server.stdout.readline()
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


@contextmanager
def delayed() -> Iterator[str]:
    """A server that answers two bytes after HEALTHY_DELAY_S, to as many as come (the replay server queues five)."""
    port: Any = multiprocessing.Queue()
    server = multiprocessing.Process(target=_delayed, args=(port,), daemon=True)
    server.start()
    try:
        yield f"http://127.0.0.1:{port.get()}"
    finally:
        server.terminate()


def _delayed(port: Any) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                await reader.readuntil(b"\r\n\r\n")
                await asyncio.sleep(HEALTHY_DELAY_S)
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                await writer.drain()

    async def serve() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=1024)
        port.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(serve())


def measure(url: str, quick: str, timeout_s: float, rounds: int) -> dict[str, Any]:
    """Medians over the rounds of every scenario."""
    using = scaled(timeout_s)
    with urlopen(f"{url}/opml?batch={BATCH}") as answer:
        found = read_opml(answer.read())
    feeds = [renamed(found[n % len(found)], n) for n in range(12)]
    hanging = ["_hang=1"] * 3 + ["_drip=100"] * 2 + [""] * 7
    busy = ["_status=429&_retry_after=1"] * 3 + [""] * 9
    stop = ["_delay=0.3"] + ["_hang=1"] * 11
    run(feeds, [""] * 12, using)  # everything is loaded
    rows = [
        {
            "faults": run(feeds, hanging, using),
            "busy": run(feeds, busy, using),
            "stop": run(feeds, stop, using, early=True),
            "healthy_20": healthy(quick, 20, using),
            "healthy_100": healthy(quick, 100, using),
        }
        for _ in range(rounds)
    ]
    faults, stops = [row["faults"] for row in rows], [row["stop"] for row in rows]
    result: dict[str, Any] = {
        "timeout_s": timeout_s,
        "faults": {
            "wall_s": median(one.wall for one in faults),
            "ratio": median(one.wall for one in faults) / timeout_s,
            "must_s": timeout_s * 1.05 + 0.1,
            "statuses": faults[0].statuses,
            "items": faults[0].items,
        },
        "busy": {"wall_s": median(row["busy"].wall for row in rows), "statuses": rows[0]["busy"].statuses},
        "stop": {"after_s": median(one.after for one in stops), "must_s": 0.1, "statuses": stops[0].statuses},
    }
    for name in ("healthy_20", "healthy_100"):
        count = int(name.rpartition("_")[2])
        result[name] = {
            "ratio": median(row[name].wall for row in rows) / HEALTHY_DELAY_S,
            "cpu_ms": 1000 * median(row[name].cpu for row in rows) / count,
            "statuses": rows[0][name].statuses,
        }
    return result


def lines(result: Mapping[str, Any]) -> Iterator[str]:
    faults, busy, stop = result["faults"], result["busy"], result["stop"]
    yield f"faults   {faults['wall_s']:.3f} s = {faults['ratio']:.3f} x the largest time-out (must {faults['must_s']:.2f} s)"
    yield f"         {faults['items']} items kept; {_said(faults)}"
    yield f"busy     {busy['wall_s']:.3f} s; {_said(busy)}"
    yield f"stop     {1000 * stop['after_s']:.0f} ms after the answer that suffices (must 100); {_said(stop)}"
    for name in ("healthy_20", "healthy_100"):
        one = result[name]
        yield f"{name:11} {one['ratio']:.2f} x the slowest, {one['cpu_ms']:.2f} ms CPU a request; {_said(one)}"


def _said(row: Mapping[str, Any]) -> str:
    return ", ".join(f"{count} {status}" for status, count in row["statuses"].items())


# ------------------------------------------------------------------ scenarios


@dataclass(slots=True)
class Timed:
    gathered: Gathered
    wall: float
    cpu: float
    after: float
    """Seconds between the last answer read and the end."""

    @property
    def statuses(self) -> dict[str, int]:
        return dict(Counter(outcome.status for outcome in self.gathered.outcomes))

    @property
    def items(self) -> int:
        return len(self.gathered.judged)


@dataclass(slots=True)
class Watch:
    """Progress that notes when an answer had been read."""

    read_at: float = field(default_factory=time.monotonic)

    def __call__(self, kind: str, **facts: Any) -> None:
        if kind == "counts":
            self.read_at = time.monotonic()


def run(feeds: Sequence[Feed], faults: Sequence[str], using: Settings, *, early: bool = False) -> Timed:
    """One run over feeds, each with its fault; `early` lets it stop when it has enough."""
    faulty = [
        feed.model_copy(update={"url": f"{feed.url}?n={n}&{fault}", "priority": 1 if n == 0 else 2})
        for n, (feed, fault) in enumerate(zip(feeds, faults, strict=True))
    ]
    if not early:
        return timed([Rss()], plan(), using, opml_feeds=faulty)
    rss = using.sources.model_copy(update={"rss": tuple(faulty)})
    return timed([Rss()], plan(sources=("rss",), max_results=2), using.model_copy(update={"sources": rss}))


def healthy(url: str, count: int, using: Settings) -> Timed:
    return timed([Small(url, count)], plan(sources=("small",)), using)


def timed(sources: Sequence[Any], asked: Plan, using: Settings, **more: Any) -> Timed:
    async def go() -> Timed:
        watch = Watch()
        async with Net(using, allowed=[feed.url for feed in more.get("opml_feeds", ())]) as net:
            wall, cpu = time.monotonic(), time.process_time()
            gathered = await gather(asked, sources, settings=using, net=net, progress=watch, **more)
            end = time.monotonic()
            return Timed(gathered, end - wall, time.process_time() - cpu, end - watch.read_at)

    return asyncio.run(go())


class Small:
    """Sources whose answers cost nothing to read: what is left is the asking."""

    name = "small"
    label = "Small"
    kind: Literal["feed", "api", "page", "file"] = "feed"
    searches = noisy = social = False
    needs_key = ""

    def __init__(self, url: str, count: int) -> None:
        self._urls = [f"{url}/{n}" for n in range(count)]

    def endpoints(self, config: Any, plan: Plan) -> Sequence[Endpoint]:
        return [
            Endpoint(source=self.name, name=str(n), url=url, timeout_s=5, named=True)
            for n, url in enumerate(self._urls)
        ]

    def requests(self, endpoint: Endpoint, subquery: Subquery, plan: Plan, limit: int) -> Sequence[Request]:
        return (Request(url=endpoint.url),)

    def parse(self, response: Response, endpoint: Endpoint, plan: Plan) -> Parsed:
        return Parsed()


def renamed(feed: Feed, n: int) -> Feed:
    """The feed under a name of its own."""
    return feed.model_copy(update={"name": f"{feed.name} {n}"})


def scaled(timeout_s: float) -> Settings:
    """The product's settings with all time-outs cut to `timeout_s`."""
    using = load_settings({})
    limits = {f"{kind}_timeout_s": timeout_s for kind in ("feed", "api", "page")}
    collect = using.pipeline.collect.model_copy(update=limits)
    return using.model_copy(update={"pipeline": using.pipeline.model_copy(update={"collect": collect})})


def plan(**question: Any) -> Plan:
    """A question about nothing in particular: every dated item of the window is on topic."""
    return Plan(
        question=Question(text="", **question),
        text="",
        now=NOW,
        language="en",
        zone="UTC",
        window=Window(since=NOW - timedelta(days=7), until=NOW, how="argument", evidence="", ends_now=True),
        route="recent",
        stability="fast",
        reasons=(),
        signals=(),
        raw_topic="",
        core_subject="",
        ranking_query="",
        subqueries=(Subquery(label="all", raw_topic="", search_query="", ranking_query=""),),
    )


if __name__ == "__main__":
    main()
