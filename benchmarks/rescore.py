"""How long re-scoring takes against `D @ w` + argpartition on the same numbers, in the same process.

    python -m benchmarks.rescore [--items 20000] [--rounds 15] [--json]

Must: at most 20 x the bare arithmetic, and 10 ms for 20,000 items. CPU time, medians, measured in turn.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import Any

import numpy as np

from pipeline.scoring import rescore
from pipeline.scoring.authority import Prior, posterior
from pipeline.types import DIMENSION_NAMES, Plan, Question, Report, ScoreSettings, Table, Window

NOW = datetime(2026, 11, 30, tzinfo=UTC)
SHOWN = 500
SETTINGS = ScoreSettings(
    weights=(0.30, 0.25, 0.20, 0.15, 0.05, 0.05),
    decay="half_life",
    window_days=30.0,
    threshold=45.0,
    max_results=SHOWN,
    per_author=5,
    relevance_floor=0.40,
)
CHANGES: Mapping[str, ScoreSettings] = {
    "weights": replace(SETTINGS, weights=(0.40, 0.20, 0.20, 0.10, 0.05, 0.05)),
    "threshold": replace(SETTINGS, threshold=35.0),
    "decay": replace(SETTINGS, decay="linear"),
    "authority": replace(SETTINGS, authority_biases={"site7.example": 0.9, "site11.example": 0.1}),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    result = measure(asked.items, asked.rounds)
    if asked.json:
        print(json.dumps(result))
        return
    print(f"{asked.items} items; D @ w + argpartition {result['bare_ms']:.3f} ms")
    for name in CHANGES:
        print(f"{name:10} {result[name]['ms']:7.3f} ms   {result[name]['ratio']:5.1f} x")


def measure(items: int, rounds: int) -> dict[str, Any]:
    report = made(items)
    weights = np.asarray(SETTINGS.weights, np.float32)
    jobs: dict[str, Callable[[], object]] = {"bare": lambda: bare(report.table.values, weights)}
    for name, changed in CHANGES.items():
        jobs[name] = lambda changed=changed: rescore(report, changed)  # type: ignore[misc]
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            times[name].append(cpu_ms(job))
    base = median(times["bare"])
    rest = {name: {"ms": median(times[name]), "ratio": median(times[name]) / base} for name in CHANGES}
    return {"items": items, "bare_ms": base, **rest}


def bare(values: Any, weights: Any) -> Any:
    total = values @ weights
    return np.argpartition(-total, min(SHOWN, len(total) - 1))[:SHOWN]


def cpu_ms(job: Callable[[], object], repeat: int = 5) -> float:
    start = time.process_time()
    for _ in range(repeat):
        job()
    return 1000 * (time.process_time() - start) / repeat


def made(items: int, seed: int = 7) -> Report:
    """A finished run of random numbers: 30% copies, about three reports an event, 15% posts, 700 sites."""
    rng = np.random.default_rng(seed)
    rows = np.arange(items, dtype=np.int32)
    original = np.where(rng.random(items) < 0.3, rng.integers(0, items, items), rows).astype(np.int32)
    original = original[original].astype(np.int32)
    original[original] = original[original]
    site = [f"site{n}.example" for n in rng.integers(0, 700, items)]
    social = rng.random(items) < 0.15
    values = rng.random((items, len(DIMENSION_NAMES))).astype(np.float32)
    table = Table(
        ids=tuple(map(str, rows)),
        titles=("",) * items,
        urls=("",) * items,
        sources=("rss",) * items,
        endpoints=("feed",) * items,
        domains=tuple(site),
        authors=tuple(f"@user{n}" for n in rng.integers(0, 900, items)),
        authority_keys=tuple(site),
        published=NOW.timestamp() - 86_400 * rng.random(items) * 30,
        age_days=(rng.random(items) * 30).astype(np.float32),
        values=values,
        factors=np.where(rng.random((items, 4)) < 0.05, 0.5, 1).astype(np.float32),
        struck=np.zeros((items, 4), bool),
        engagement=rng.integers(0, 100, items).astype(np.float32),
        event=rng.integers(0, max(items // 3, 1), items).astype(np.int32)[original],
        original=original,
        voice=rng.integers(0, 4, items).astype(np.int32),
        fixed=np.where(rng.random(items) < 0.05, 6, -1).astype(np.int8),
        first_party=np.zeros(items, bool),
        social=social,
        upstream=np.zeros(items, bool),
        dismissed=rng.random(items) < 0.001,
        adopted=np.zeros(items, bool),
        total=np.zeros(items, np.float32),
        bucket=np.zeros(items, np.int8),
        tier=np.zeros(items, np.int8),
    )
    estimates = {key: posterior(key, Prior(0.3, "class unlisted"), 20, 0, 0) for key in set(site)}
    report = Report(
        run_id="made",
        plan=plan(),
        settings=SETTINGS,
        table=table,
        events=(),
        details=lambda row: None,  # type: ignore[arg-type, return-value]
        outcomes=(),
        funnel={},
        stages=(),
        authorities=estimates,
        created_at=NOW,
    )
    ranking = rescore(report, SETTINGS)
    ran = replace(table, total=ranking.total, bucket=ranking.bucket, tier=ranking.tier)
    return replace(report, table=ran)


def plan() -> Plan:
    window = Window(since=NOW - timedelta(days=30), until=NOW, how="default", evidence="", ends_now=True)
    return Plan(
        question=Question(text="q"),
        text="q",
        now=NOW,
        language="en",
        zone="UTC",
        window=window,
        route="recent",
        stability="fast",
        reasons=(),
        signals=(),
        raw_topic="q",
        core_subject="q",
        ranking_query="q",
        subqueries=(),
    )


if __name__ == "__main__":
    main()
