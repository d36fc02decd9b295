"""What the local stages cost on a pool of items, in F: one regex word pass over the same text in the same process.

    python -m benchmarks.pool POOL.jsonl [--query TEXT] [--rounds 7] [--json]

POOL holds one item a line: id, title, body, url, domain, source, author, published_at, lang, and, where quality is to be
measured too, gold_event and gold_kind. Stages are the product's own, nothing is embedded: tokens, events (copies
included), score (six dimensions, penalties), select (rank). CPU time, medians; F is taken in turn with the stages.
Memory is what stays above the parsed records while the results are held, and the peak above them.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import json
import re
import resource
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from pipeline import events, scoring
from pipeline.planning import parse_query
from pipeline.settings import load_settings
from pipeline.text import corpus
from pipeline.types import Candidate, DateClaim, DateLedger, Judged, Question, Verdict

NOW = datetime(2026, 11, 30, tzinfo=UTC)
Results = dict[str, Any]
"""What the stages made so far, by name."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pool", type=Path)
    parser.add_argument("--query", default="agent framework release open source model")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measure(given.pool, given.query, given.rounds)
    print(json.dumps(found) if given.json else "\n".join(f"{name}: {value}" for name, value in found.items()))


def measure(path: Path, query: str, rounds: int) -> dict[str, Any]:
    """All figures of one pool."""
    records = _read(path)
    texts = [f"{record['title']} {record['body']}" for record in records]
    stages = _stages([_candidate(record) for record in records], query)
    warm: Results = {}
    for _, stage in _stages([_candidate(record) for record in records[:60]], query):
        stage(warm)  # the segmenter's model and the lexicons load once
    before = _resident()
    taken, units = defaultdict(list), []
    results: Results = {}
    for _ in range(rounds):
        results.clear()
        units.append(_cpu(lambda: [re.findall(r"\w+", text.lower()) for text in texts]))
        for name, stage in stages:
            taken[name].append(_cpu(lambda stage=stage: stage(results)))  # type: ignore[misc]
    gc.collect()
    unit = median(units)
    cost = {name: round(median(seconds) / unit, 2) for name, seconds in taken.items()}
    return {
        "items": len(records),
        "F_us_per_item": round(unit / len(records) * 1e6, 2),
        **{f"{name}_F": value for name, value in cost.items()},
        "events_with_tokens_F": round(cost["tokens"] + cost["events"], 2),
        "all_F": round(sum(cost.values()), 2),
        "seconds": round(sum(median(seconds) for seconds in taken.values()), 3),
        "held_kb_per_item": round((_resident() - before) / len(records), 2),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        **(_quality(records, results["grouping"]) if "gold_event" in records[0] else {}),
    }


def _stages(items: Sequence[Candidate], query: str) -> tuple[tuple[str, Callable[[Results], None]], ...]:
    settings = load_settings()
    plan = parse_query(Question(text=query, as_of=NOW, days=30), settings, NOW)
    scores = scoring.score_settings(settings, plan)
    pool = tuple(Judged(candidate=item, verdict=Verdict(keep=True)) for item in items)

    def tokens(found: Results) -> None:
        found["corpus"] = corpus(items)

    def group(found: Results) -> None:
        found["grouping"] = events.group(items, window=plan.window, settings=settings, now=NOW, corpus=found["corpus"])

    def score(found: Results) -> None:
        found["table"], found["explain"] = scoring.score(
            pool, found["grouping"], range(len(pool)), plan, settings=settings, score_settings=scores, as_of=NOW,
            corpus=found["corpus"],
        )  # fmt: skip

    def select(found: Results) -> None:
        found["table"] = scoring.select(found["table"], scores)

    return (("tokens", tokens), ("events", group), ("score", score), ("select", select))


def _cpu(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _resident() -> float:
    """Resident memory in KB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1024


# --------------------------------------------------------------------------- the pool


def candidates(path: Path) -> list[Candidate]:
    """The items of a pool file."""
    return [_candidate(record) for record in _read(path)]


def _read(path: Path) -> list[Mapping[str, Any]]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in data.splitlines()]


def _candidate(record: Mapping[str, Any]) -> Candidate:
    at = datetime.fromisoformat(str(record["published_at"]).replace("Z", "+00:00"))
    claim = DateClaim(kind="feed", at=at, reliability=0.9, raw=record["published_at"])
    return Candidate(
        id=record["id"],
        source=record["source"],
        endpoint=record["source"],
        url=record["url"],
        domain=record["domain"],
        title=record["title"],
        text=record["body"],
        author=record["author"],
        lang=record["lang"],
        kind="post" if record["source"] == "x" else "article",
        dates=DateLedger(claims=(claim,), chosen=0),
    )


# --------------------------------------------------------------------------- quality

Pair = tuple[int, int]


def _pairs(labels: Iterable[Any]) -> set[Pair]:
    members: dict[Any, list[int]] = defaultdict(list)
    for row, label in enumerate(labels):
        members[label].append(row)
    return {(a, b) for rows in members.values() for i, a in enumerate(rows) for b in rows[i + 1 :]}


def _quality(records: Sequence[Mapping[str, Any]], grouping: Any) -> dict[str, float]:
    """Copies against gold_event: precision over all pairs, recall over pairs that are no rewriting; events likewise."""
    gold = _pairs(record["gold_event"] for record in records)
    rewritten = {row for row, record in enumerate(records) if record.get("gold_kind") == "rewritten"}
    wording = {pair for pair in gold if not rewritten & set(pair)}
    copies, told = _pairs(grouping.original_of.tolist()), _pairs(grouping.event_of.tolist())
    return {
        "copies_precision": round(len(copies & gold) / max(len(copies), 1), 4),
        "copies_recall": round(len(copies & wording) / max(len(wording), 1), 4),
        "events_precision": round(len(told & gold) / max(len(told), 1), 4),
        "events_recall": round(len(told & gold) / max(len(gold), 1), 4),
    }


if __name__ == "__main__":
    main()
