"""Reports made from nothing, for tests of what is kept."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np

from pipeline.types import (
    AuthorityEstimate,
    Bucket,
    Candidate,
    DateClaim,
    DateLedger,
    Event,
    HandleStats,
    Judged,
    Link,
    Outcome,
    Part,
    Penalty,
    Plan,
    Question,
    Report,
    Scored,
    ScoreSettings,
    Signal,
    StageNote,
    Subquery,
    Table,
    Verdict,
    Window,
    XQuery,
    XReport,
    XVerdict,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def candidate(n: int, *, title: str = "", text: str = "", source: str = "rss", key: str = "") -> Candidate:
    at = NOW - timedelta(hours=n % 700)
    return Candidate(
        id=key or f"{source}:{n}",
        source=source,
        endpoint="Example Daily",
        url=f"https://site{n % 50}.example/{n}",
        domain=f"site{n % 50}.example",
        title=title or f"Item number {n}: the council votes on plan {n}",
        text=text or f"The council voted on plan {n} after a long debate. " * 4,
        author=f"Author {n % 9}",
        dates=DateLedger(claims=(DateClaim(kind="feed", at=at, reliability=0.9, raw=at.isoformat()),), chosen=0),
        engagement=(("points", n),),
    )


def scored(one: Candidate, n: int, bucket: Bucket) -> Scored:
    values = [(n * step % 100) / 100 for step in (3, 7, 11, 13, 17, 19)]
    names = ("timeliness", "relevance", "authority", "corroboration", "completeness", "preference")
    parts = tuple(
        Part(
            name=name,
            value=value,
            weight=1 / 6,
            evidence=f"{name} {value:.2f} of item {n}",
            facts=(("value", f"{value:.2f}"),),
        )
        for name, value in zip(names, values, strict=True)
    )
    return Scored(
        judged=Judged(
            candidate=one,
            verdict=Verdict(
                keep=bucket > Bucket.DISMISSED,
                bucket=None if bucket > Bucket.DISMISSED else bucket,
                reason="",
                score=0.7,
                matched=("council",),
            ),
        ),
        event_id=f"event {n}",
        parts=parts,
        penalties=(Penalty(name="clickbait", factor=1.0, effect="completeness 0", evidence="headline"),)
        if n % 7 == 0
        else (),
        total=round(100 * sum(values) / 6, 2),
        tier="lead",
        bucket=bucket,
        reason=bucket.label,
        excerpt=one.text[:150],
        effective_at=one.published_at,
    )


def table(items: list[Candidate], buckets: list[Bucket], totals: list[float]) -> Table:
    n = len(items)
    rows = np.arange(n, dtype=np.int32)
    flags = np.zeros(n, dtype=bool)
    return Table(
        ids=tuple(one.id for one in items),
        titles=tuple(one.title for one in items),
        urls=tuple(one.url for one in items),
        sources=tuple(one.source for one in items),
        endpoints=tuple(one.endpoint for one in items),
        domains=tuple(one.domain for one in items),
        authors=tuple(one.author for one in items),
        authority_keys=tuple(one.domain for one in items),
        published=np.array([one.published_at.timestamp() if one.published_at else np.nan for one in items]),
        age_days=rows.astype(np.float32),
        values=np.full((n, 6), 0.5, np.float32),
        factors=np.ones((n, 4), np.float32),
        struck=np.zeros((n, 4), bool),
        engagement=rows.astype(np.float32),
        event=rows,
        original=rows,
        voice=np.zeros(n, np.int32),
        fixed=np.array([b if b <= Bucket.DISMISSED else -1 for b in buckets], np.int8),
        first_party=flags,
        social=flags,
        upstream=flags,
        dismissed=flags,
        adopted=flags,
        total=np.array(totals, np.float32),
        bucket=np.array(buckets, np.int8),
        tier=np.ones(n, np.int8),
    )


def window() -> Window:
    return Window(since=NOW - timedelta(days=30), until=NOW, how="default", evidence="30 days", ends_now=True)


def plan(text: str = "what did the council decide lately") -> Plan:
    return Plan(
        question=Question(text=text, sources=("rss",), queries={"hackernews": "council"}),
        text=text,
        now=NOW,
        language="en",
        zone="UTC",
        window=window(),
        route="recent",
        stability="fast",
        reasons=("lately says recent",),
        signals=(Signal(kind="word", text="lately", start=28, end=34, says="recent"),),
        raw_topic="council",
        core_subject="council",
        ranking_query=text,
        subqueries=(Subquery(label="main", raw_topic="council", search_query="council", ranking_query=text),),
    )


def x_report() -> XReport:
    verdict = XVerdict(
        query="council",
        on_topic_ratio=0.2,
        is_off_topic_flood=True,
        rule="ratio below the floor",
        on_topic=8,
        off_topic=32,
        unjudged=0,
        floor=0.4,
        mode="context",
    )
    return XReport(
        backend="replay",
        topic="council",
        queries=(XQuery(query="council", variant="wide", found=40, kept=8),),
        before=verdict,
        after=None,
        retry_note="",
        used="before",
        handles=(HandleStats(handle="someone", on_topic=2, total=3, promotable="extracted", gate="2 of 3"),),
        post_ids_before=(("x:1", "on"), ("x:2", "off")),
    )


def report(n: int = 40, *, run_id: str = "20261130-120000-aaaa", first: int = 0, at: datetime = NOW) -> Report:
    items = [candidate(first + i) for i in range(n)]
    cycle = (Bucket.SELECTED, Bucket.BELOW_THRESHOLD, Bucket.OFF_TOPIC, Bucket.OVER_LIMIT)
    buckets = [cycle[i % 4] for i in range(n)]
    explained = [scored(one, first + i, buckets[i]) for i, one in enumerate(items)]
    return Report(
        run_id=run_id,
        plan=plan(),
        settings=ScoreSettings(
            weights=(0.3, 0.25, 0.2, 0.15, 0.05, 0.05),
            decay="half_life",
            window_days=30,
            threshold=45,
            max_results=12,
            per_author=5,
            relevance_floor=0.4,
            authority_biases={"site1.example": 0.9},
        ),
        table=table(items, buckets, [one.total for one in explained]),
        events=tuple(
            Event(
                id=f"event {first + i}",
                title=one.title,
                members=(one.id,),
                copies=(),
                owners=((one.domain, (one.id,)),),
                originator=one.id,
                first_seen=one.published_at,
                last_seen=one.published_at,
                why=(Link(a=one.id, b="x", relation="copy", layer="title fingerprint", distance=2),) if i == 0 else (),
            )
            for i, one in enumerate(items)
        ),
        details=explained.__getitem__,
        outcomes=(Outcome(source="rss", endpoint="Example Daily", status="ok", items=n, elapsed_ms=120),),
        funnel={"rss": {"asked": 1, "fetched": n, "selected": n // 4}},
        stages=(StageNote(name="score", n_in=n, n_out=n // 4, dropped={"below threshold": 10}, seconds=0.1),),
        authorities={
            "site1.example": AuthorityEstimate(
                key="site1.example",
                prior_mean=0.3,
                prior_from="class unlisted",
                strength=20,
                successes=0,
                failures=0,
                mean=0.3,
                low=0.1,
                high=0.5,
            )
        },
        x=x_report(),
        warnings=("one warning",),
        created_at=at,
    )
