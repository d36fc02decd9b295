"""Small pools for the scoring tests: candidates, plans and groupings with everything irrelevant filled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from pipeline.scoring import score, score_settings, select
from pipeline.settings import Settings, load_settings
from pipeline.types import (
    Candidate,
    DateClaim,
    DateLedger,
    Event,
    Grouping,
    Judged,
    Plan,
    Question,
    Report,
    ScoreSettings,
    Subquery,
    Table,
    Verdict,
    Window,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
SETTINGS = load_settings({"LATELY_HOME": "/nonexistent"})


def days_ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def dated(at: datetime | None, *claims: DateClaim) -> DateLedger:
    if at is None:
        return DateLedger(claims=claims)
    feed = DateClaim(kind="feed", at=at, reliability=0.9, raw=at.isoformat())
    return DateLedger(claims=(feed, *claims), chosen=0)


def candidate(id: str = "a", *, age: float | None = 1.0, title: str = "", text: str = "", **more: Any) -> Candidate:
    filled: dict[str, Any] = {
        "source": "rss",
        "endpoint": "feed",
        "url": f"https://site.example/{id}",
        "domain": "site.example",
        "dates": dated(None if age is None else days_ago(age)),
    }
    return Candidate(id=id, title=title, text=text, **{**filled, **more})


def judged(one: Candidate, **verdict: Any) -> Judged:
    return Judged(candidate=one, verdict=Verdict(**{"keep": True, **verdict}))


def plan(query: str = "OpenAI model release", *, days: float = 30, ends_now: bool = True, **question: Any) -> Plan:
    window = Window(since=days_ago(days), until=NOW, how="default", evidence="default_days", ends_now=ends_now)
    return Plan(
        question=Question(text=query, **question),
        text=query,
        now=NOW,
        language="en",
        zone="UTC",
        window=window,
        route="recent",
        stability="fast",
        reasons=(),
        signals=(),
        raw_topic=query,
        core_subject=query,
        ranking_query=query,
        subqueries=(Subquery(label="main", raw_topic=query, search_query=query, ranking_query=query),),
    )


def grouping(
    ids: Sequence[str],
    events: Sequence[int] | None = None,
    *,
    originals: Mapping[int, int] | None = None,
    voices: Sequence[int] | None = None,
    adds_nothing: Sequence[int] = (),
    upstream: Sequence[int] = (),
) -> Grouping:
    """Each item its own event and voice, unless said otherwise."""
    n = len(ids)
    event_of = np.arange(n) if events is None else np.asarray(events)
    original_of = np.arange(n)
    for row, original in (originals or {}).items():
        original_of[row] = original
    voice_of = np.asarray(voices) if voices is not None else _voices(event_of)
    members = [[ids[row] for row in np.flatnonzero(event_of == e)] for e in range(int(event_of.max(initial=-1)) + 1)]
    return Grouping(
        events=tuple(
            Event(
                id=f"e{number}",
                title="",
                members=tuple(those),
                copies=(),
                owners=tuple((member, (member,)) for member in those),
                originator=those[0] if those else "",
                first_seen=None,
                last_seen=None,
            )
            for number, those in enumerate(members)
        ),
        event_of=event_of.astype(np.int32),
        original_of=original_of.astype(np.int32),
        voice_of=voice_of.astype(np.int32),
        adds_nothing=np.isin(np.arange(n), adds_nothing),
        upstream=np.isin(np.arange(n), upstream),
    )


def _voices(event_of: Any) -> Any:
    seen: dict[int, int] = {}
    out = []
    for event in event_of.tolist():
        out.append(seen.get(event, 0))
        seen[event] = seen.get(event, 0) + 1
    return np.asarray(out)


def run(
    pool: Sequence[Judged],
    groups: Grouping | None = None,
    *,
    rows: Sequence[int] | None = None,
    asked: Plan | None = None,
    settings: Settings = SETTINGS,
    scores: ScoreSettings | None = None,
    **more: Any,
) -> Report:
    """Score and select a pool into a Report, with nothing but this stage."""
    asked = asked or plan()
    rows = tuple(range(len(pool))) if rows is None else rows
    groups = groups or grouping([pool[row].candidate.id for row in rows])
    scores = scores or score_settings(settings, asked)
    table, explain = score(
        tuple(pool), groups, rows, asked, settings=settings, score_settings=scores, as_of=NOW, **more
    )
    table = select(table, scores)
    return report(asked, scores, table, groups, explain.details(table), explain.authorities)


def report(
    asked: Plan, scores: ScoreSettings, table: Table, groups: Grouping | None, details: Any, authorities: Any
) -> Report:
    return Report(
        run_id="run",
        plan=asked,
        settings=scores,
        table=table,
        events=groups.events if groups else (),
        details=details,
        outcomes=(),
        funnel={},
        stages=(),
        authorities=authorities,
        created_at=NOW,
    )
