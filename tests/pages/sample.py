# ruff: noqa: E501 - the rows of the pool are a table
"""A made-up run for pages: a release told in two languages, copies, an upstream hint, hostile and very long titles.

`report()` is the whole of it, `empty_report()` a run that found nothing, `large_report(n)` a pool for timing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import numpy as np

from pipeline.types import (
    DIMENSION_NAMES,
    AuthorityEstimate,
    Bucket,
    Candidate,
    DateClaim,
    DateLedger,
    Event,
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
    StageNote,
    Subquery,
    Table,
    Verdict,
    Window,
)

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
WEIGHTS = (0.30, 0.25, 0.20, 0.15, 0.05, 0.05)
TIERS = ("none", "lead", "fact")
QUESTION = "AI agent frameworks released in the last 30 days"
HOSTILE = (
    "<script>document.title='owned'</script> <img src=x onerror=alert(1)> **bold** [free](javascript:alert(1)) "
    '=HYPERLINK("http://evil") $x^2$ :material/warning: <b>loud</b>'
)
LONG = (
    "A very long headline about agent frameworks that goes on and on, names seven companies, two regulators and a "
    "conference, repeats itself for good measure, and only then says that Donaudampfschifffahrtsgesellschaftskapitän"
    "smützenfabrik has released nothing at all but will say more about it at the end of the quarter, maybe"
)


@dataclass(frozen=True)
class Row:
    title: str
    domain: str
    hours: float | None
    values: tuple[float, float, float, float, float]
    bucket: Bucket
    event: int = -1
    voice: int = 0
    source: str = "rss"
    author: str = ""
    text: str = ""
    url: str = ""
    lang: str = "en"
    original: int | None = None
    upstream: bool = False
    penalty: str = ""
    reason: str = ""


S, C, F = Bucket.SELECTED, Bucket.COPY, Bucket.FOLDED
KESTREL = (
    "Kestrel Labs has released version 2.0 of its open agent framework, with durable sessions, a new planner and a "
    "permission model that asks before a tool is used. The company says that migrations from 1.x take an afternoon. "
    "Two early users told us that the planner halves the number of calls."
)
ROWS = (
    Row("Kestrel Labs hints at durable sessions for agents", "marasnotebook.example", 31 * 24, (0.05, 0.74, 0.5, 0.75, 0.67), S, 0, 3, text="A slide at a meet-up showed sessions that outlive the process.", upstream=True, reason="Older than the window; its event is inside it."),
    Row("Kestrel 2.0 brings durable sessions to its agent framework", "blog.kestrel-labs.example", 66, (0.93, 0.95, 0.70, 0.875, 1.0), S, 0, 0, text=KESTREL, reason="The maker's own announcement; title and lead match; 4 independent owners report it."),
    Row("Kestrel Labs releases version 2.0 of its agent framework", "northwind.example", 63, (0.93, 0.91, 0.92, 0.875, 1.0), F, 0, 1, text=KESTREL, reason="Folded into its event; the announcement scores higher."),
    Row("Kestrel Labs releases version 2.0 of its agent framework - Harbour Times", "harbourtimes.example", 62, (0.93, 0.91, 0.82, 0.875, 0.67), C, 0, 1, text=KESTREL, original=2, penalty="bare_reprint", reason="The same text as Northwind Wire, title distance 1 of 64."),
    Row("Kestrel Labs releases version 2.0 of its agent framework", "valleyledger.example", 60, (0.93, 0.91, 0.60, 0.875, 0.67), C, 0, 1, text=KESTREL, original=2, penalty="bare_reprint", reason="The same text as Northwind Wire, title distance 0 of 64."),
    Row("红隼实验室发布智能体框架 2.0，支持持久会话", "chenxing.example", 58, (0.94, 0.83, 0.82, 0.875, 1.0), F, 0, 2, lang="zh", text="红隼实验室今天发布其开源智能体框架 2.0 版，新增持久会话、规划器与工具授权机制。", reason="Folded into its event; the announcement scores higher."),
    Row("We moved to Kestrel 2.0 in an afternoon", "news.ycombinator.com", 40, (0.96, 0.72, 0.45, 0.875, 0.67), F, 0, 4, source="hackernews", author="tinkerer", text="Ask anything. 312 points, 140 comments.", reason="Folded into its event."),
    Row("Flaw in popular agent runtime lets web pages run tools", "stacksignal.example", 29, (0.98, 0.86, 0.82, 0.75, 1.0), S, 1, 0, text="Researchers show how a page read by an agent can call its tools without a question being asked. The maintainers have published 4.1.3, which closes the hole, and ask everyone who lets agents read the web to update today.", reason="Newest primary report; title and lead match; 3 independent owners agree."),
    Row("Agent runtime 4.1.3 closes a hole in tool permissions", "security.example.gov", 27, (0.98, 0.78, 0.90, 0.75, 1.0), F, 1, 1, source="search", text="Update at once.", reason="Folded into its event."),
    Row("某智能体运行时曝出工具越权漏洞，官方已发布修复", "yuanshan.example", 26, (0.98, 0.70, 0.82, 0.75, 1.0), F, 1, 2, lang="zh", reason="Folded into its event."),
    Row("Norland publishes draft standard for autonomous agents", "standards.gov.norland.example", 9 * 24, (0.75, 0.69, 0.90, 0.0, 1.0), S, 2, 0, text="The draft asks vendors of agent frameworks to log every action and to let a person stop it. Comments are open until 31 January.", reason="An official source with a relevance of 0.69."),
    Row("晨星开源轻量级智能体框架，主打端侧部署", "chaoxi.example", 13 * 24, (0.66, 0.80, 0.50, 0.5, 1.0), S, 3, 0, lang="zh", text="晨星科技昨日宣布开源其轻量级智能体框架。该框架可以在手机端运行，支持离线规划与多轮记忆，代码以 MIT 许可证发布。业内人士认为，端侧智能体将是明年的重点方向。", reason="标题与导语都与问题相符；两家独立媒体报道。"),
    Row("晨星科技发布端侧智能体框架", "yuanshan.example", 12.5 * 24, (0.66, 0.76, 0.82, 0.5, 1.0), F, 3, 1, lang="zh", reason="Folded into its event."),
    Row("Rumour: large search company to open its agent framework", "marasnotebook.example", 5 * 24, (0.88, 0.66, 0.50, 0.0, 0.33), S, 4, 0, text="A friend of a friend says so. I would not bet on it, but the hiring page lost three roles this week.", reason="Fresh and on topic, but a lone small site: a lead."),
    Row(LONG, "stacksignal.example", 17 * 24, (0.55, 0.61, 0.82, 0.0, 0.67), S, 5, 0, text="It says more about it in the text. " * 12, reason="Relevant enough; a known outlet."),
    Row(HOSTILE, "dealbeacon.example", 3 * 24, (0.92, 0.62, 0.30, 0.0, 0.67), S, 6, 0, text=HOSTILE, url="javascript:alert(1)", penalty="", reason="<i>not</i> *markup*"),
    Row("Lantern opens its evaluation suite for agents", "lanternpost.example", 22 * 24, (0.38, 0.75, 0.82, 0.5, 1.0), S, 7, 0, text="The suite measures how often an agent framework asks before it acts.", reason="Two owners report it; title matches."),
    Row("Open suite tests whether agents ask first", "valleyledger.example", 21.5 * 24, (0.38, 0.58, 0.60, 0.5, 0.67), F, 7, 1, reason="Folded into its event."),
    Row("@kestrel_dev: 2.0 is out. Thread on what changed in the planner", "x.com", 65, (0.93, 0.80, 0.40, 0.0, 0.67), S, 8, 0, source="x", author="kestrel_dev", text="2.0 is out. Thread on what changed in the planner, and why sessions took a year.", reason="An account promoted by the judge: 6 of 8 posts on topic."),
    Row("TOP 10 AI agent frameworks to buy NOW, limited time", "dealbeacon.example", 20, (0.99, 0.66, 0.30, 0.0, 0.33), Bucket.BELOW_THRESHOLD, 9, 0, penalty="content_farm", reason="32.9 points, threshold 45."),
    Row("A small framework for agents in Lua", "blog.example.org", 24 * 24, (0.30, 0.71, 0.50, 0.0, 0.67), Bucket.BELOW_THRESHOLD, 10, 0, reason="43.1 points, threshold 45."),
    Row("Notes from an agent meet-up", "marasnotebook.example", 26 * 24, (0.24, 0.52, 0.50, 0.0, 0.33), Bucket.BELOW_THRESHOLD, 11, 0, reason="34.0 points, threshold 45."),
    Row("Travel agents see record winter bookings", "harbourtimes.example", 30, (0.0, 0.12, 0.0, 0.0, 0.0), Bucket.OFF_TOPIC, reason="0.12 relevant, floor 0.40: no word of the question beside “agents”."),
    Row("Estate agent fined over fake listings", "northwind.example", 50, (0.0, 0.10, 0.0, 0.0, 0.0), Bucket.OFF_TOPIC, reason="0.10 relevant, floor 0.40."),
    Row("Framework agreement on fisheries signed", "fjordcourier.example", 70, (0.0, 0.16, 0.0, 0.0, 0.0), Bucket.OFF_TOPIC, reason="0.16 relevant, floor 0.40."),
    Row("旅行社代理商迎来旺季", "yuanshan.example", 80, (0.0, 0.05, 0.0, 0.0, 0.0), Bucket.OFF_TOPIC, lang="zh", reason="0.05 relevant, floor 0.40."),
    Row("@tripdeals: our agents are standing by", "x.com", 5, (0.0, 0.0, 0.0, 0.0, 0.0), Bucket.OFF_TOPIC, source="x", author="tripdeals", reason="The judge: 0 of 3 words of the topic."),
    Row("Kestrel 1.4 released", "blog.kestrel-labs.example", 44 * 24, (0.0, 0.0, 0.0, 0.0, 0.0), Bucket.OUT_OF_WINDOW, reason="14 days before the window."),
    Row("The agent frameworks of the summer", "stacksignal.example", 120 * 24, (0.0, 0.0, 0.0, 0.0, 0.0), Bucket.OUT_OF_WINDOW, reason="90 days before the window."),
    Row("About our agent framework", "vendor.example", None, (0.0, 0.0, 0.0, 0.0, 0.0), Bucket.UNDATED, source="search", reason="No date in the feed, the page or the address."),
    Row("Agents, tomorrow", "dealbeacon.example", -40, (0.0, 0.0, 0.0, 0.0, 0.0), Bucket.FUTURE_DATED, reason="40 hours after the run."),
    Row("Casino agents framework bonus", "spam.example", 10, (0.0, 0.0, 0.0, 0.0, 0.0), Bucket.MUTED, reason="Its domain is muted."),
    Row("", "valleyledger.example", None, (0.0, 0.0, 0.0, 0.0, 0.0), Bucket.MALFORMED, reason="An entry without title, text and link."),
)  # fmt: skip

OUTCOMES = (
    Outcome(source="rss", endpoint="The Lantern Post", status="ok", items=41, elapsed_ms=420),
    Outcome(source="rss", endpoint="Northwind Wire", status="ok", items=33, elapsed_ms=510),
    Outcome(source="rss", endpoint="Stack & Signal", status="ok", items=28, elapsed_ms=760),
    Outcome(source="rss", endpoint="晨星科技", status="ok", items=19, elapsed_ms=1320),
    Outcome(source="rss", endpoint="Fjord Courier", status="timeout", elapsed_ms=8000, detail="no answer within 8 s"),
    Outcome(source="search", endpoint="Google News", status="ok", items=24, elapsed_ms=930, cached_age_s=240.0),
    Outcome(source="hackernews", endpoint="hackernews", status="ok", items=12, elapsed_ms=610),
    Outcome(
        source="gdelt", endpoint="gdelt", status="rate limited", retry_after_s=40.0, detail="429: 1 request in 5 s"
    ),
    Outcome(source="x", endpoint="x", status="empty", elapsed_ms=2100, detail="the flood was pruned"),
)


def plan(text: str = QUESTION, *, days: int = 30, now: datetime = NOW) -> Plan:
    return Plan(
        question=Question(text=text),
        text=text,
        now=now,
        language="en",
        zone="UTC",
        window=Window(
            since=now - timedelta(days=days), until=now, how="text", evidence="“last 30 days”", ends_now=True
        ),
        route="recent",
        stability="fast",
        reasons=("“released” and “last 30 days” ask for recent events",),
        signals=(),
        raw_topic="AI agent frameworks",
        core_subject="agent frameworks",
        ranking_query="AI agent frameworks released",
        subqueries=(
            Subquery(
                label="main",
                raw_topic="AI agent frameworks",
                search_query="AI agent frameworks",
                ranking_query="AI agent frameworks released",
            ),
        ),
    )


def report(*, rows: tuple[Row, ...] = ROWS, run_id: str = "sample", demo: bool = False) -> Report:
    table = _table(rows)
    items = _items(rows, table)
    return Report(
        run_id=run_id,
        plan=plan(),
        settings=score_settings(),
        table=table,
        events=_events(rows),
        details=items.__getitem__,
        outcomes=OUTCOMES,
        funnel=_funnel(rows),
        stages=(StageNote(name="collect", n_in=9, n_out=len(rows), dropped={}, seconds=3.1),),
        authorities={row.domain: _authority(row) for row in sorted(rows, key=lambda row: row.values[2])},
        warnings=("Fjord Courier did not answer within 8 s.",),
        apart=(
            Link(
                a="item-1",
                b="item-10",
                relation="apart",
                layer="veto: numbers",
                distance=0.6,
                reason="2.0 against <b>3.0",
            ),
        ),
        demo=demo,
        created_at=NOW,
    )


def empty_report(run_id: str = "empty") -> Report:
    return report(rows=tuple(row for row in ROWS if row.bucket in _EATEN), run_id=run_id)


def evergreen_report(run_id: str = "evergreen") -> Report:
    whole = report(rows=(), run_id=run_id)
    never = replace(
        whole.plan,
        text="What is the speed of light?",
        route="evergreen",
        stability="never",
        reasons=("“what is” asks for something that does not change",),
    )
    return replace(whole, plan=never, outcomes=(), stages=(), warnings=())


def large_report(n: int = 20_000, run_id: str = "large") -> Report:
    """`n` rows in n/5 events over the window, for timing; half of them reach scoring."""
    rng = np.random.default_rng(7)
    rows = tuple(
        Row(
            f"Event {i // 5} reported for the {i % 5 + 1}. time by a desk that writes headlines of this length",
            f"site{i % 400}.example",
            float(rng.uniform(0, 30 * 24)),
            tuple(float(v) for v in rng.uniform(0.2, 1, 5)),  # type: ignore[arg-type]
            (S if i < 60 and i % 5 == 0 else Bucket.BELOW_THRESHOLD) if i % 2 == 0 else Bucket.OFF_TOPIC,
            i // 5,
            i % 5,
        )
        for i in range(n)
    )
    return report(rows=rows, run_id=run_id)


_EATEN = frozenset(Bucket) - {Bucket.SELECTED, Bucket.COPY, Bucket.FOLDED}


def score_settings() -> ScoreSettings:
    return ScoreSettings(
        weights=WEIGHTS,
        decay="half_life",
        window_days=30,
        threshold=45,
        max_results=12,
        per_author=5,
        relevance_floor=0.4,
    )


def _weights() -> np.ndarray:
    weights = np.array(WEIGHTS, np.float32)
    weights[5] = 0  # no interest words: preference is off
    return weights / weights.sum()


def _factor(row: Row) -> float:
    return {"content_farm": 0.55, "bare_reprint": 0.40}.get(row.penalty, 1.0)


def _total(row: Row) -> float:
    return round(100 * float(np.dot(_weights()[:5], row.values)) * _factor(row), 2) if row.event >= 0 else 0.0


def _tier(row: Row) -> int:
    if row.bucket != S:
        return 0
    return 2 if _total(row) >= 60 and (row.values[3] >= 0.5 or (row.values[2] >= 0.8 and row.values[1] >= 0.6)) else 1


def _table(rows: tuple[Row, ...]) -> Table:
    n = len(rows)
    published = np.array([np.nan if r.hours is None else (NOW.timestamp() - r.hours * 3600) for r in rows], np.float64)
    values = np.zeros((n, 6), np.float32)
    factors = np.ones((n, 4), np.float32)
    struck = np.zeros((n, 4), bool)
    for i, row in enumerate(rows):
        values[i, :5] = row.values
        if row.penalty:
            at = 0 if row.penalty == "content_farm" else 1
            factors[i, at], struck[i, at] = _factor(row), True
    flags = np.zeros(n, bool)
    return Table(
        ids=tuple(f"item-{i}" for i in range(n)),
        titles=tuple(r.title for r in rows),
        urls=tuple(_url(i, r) for i, r in enumerate(rows)),
        sources=tuple(r.source for r in rows),
        endpoints=tuple(r.domain for r in rows),
        domains=tuple(r.domain for r in rows),
        authors=tuple(r.author for r in rows),
        authority_keys=tuple(r.author or r.domain for r in rows),
        published=published,
        age_days=np.array([np.nan if r.hours is None else r.hours / 24 for r in rows], np.float32),
        values=values,
        factors=factors,
        struck=struck,
        engagement=np.zeros(n, np.float32),
        event=np.array([r.event for r in rows], np.int32),
        original=np.array([i if r.original is None else r.original for i, r in enumerate(rows)], np.int32),
        voice=np.array([r.voice if r.event >= 0 else -1 for r in rows], np.int32),
        fixed=np.array([r.bucket if r.bucket <= Bucket.DISMISSED else -1 for r in rows], np.int8),
        first_party=flags,
        social=np.array([r.source == "x" for r in rows], bool),
        upstream=np.array([r.upstream for r in rows], bool),
        dismissed=flags.copy(),
        adopted=flags.copy(),
        total=np.array([_total(r) for r in rows], np.float32),
        bucket=np.array([r.bucket for r in rows], np.int8),
        tier=np.array([_tier(r) for r in rows], np.int8),
    )


def _url(i: int, row: Row) -> str:
    return row.url or f"https://{row.domain}/news/{i}"


def _items(rows: tuple[Row, ...], table: Table) -> list[Scored]:
    members: dict[int, list[int]] = {}
    for i, row in enumerate(rows):
        members.setdefault(row.event, []).append(i)
    return [_scored(i, row, rows, table, members[row.event]) for i, row in enumerate(rows)]


def _scored(i: int, row: Row, rows: tuple[Row, ...], table: Table, members: list[int]) -> Scored:
    at = None if row.hours is None else NOW - timedelta(hours=row.hours)
    claims = () if at is None else (DateClaim(kind="feed", at=at, reliability=0.9, raw=at.isoformat()),)
    event_at = at - timedelta(hours=30) if at is not None and row.event in (1, 7) else None
    candidate = Candidate(
        id=f"item-{i}",
        source=row.source,
        endpoint=row.domain,
        url=_url(i, row),
        domain=row.domain,
        title=row.title,
        text=row.text,
        author=row.author,
        lang=row.lang,
        dates=DateLedger(claims=claims, chosen=0 if claims else None, event_at=event_at),
    )
    verdict = Verdict(keep=row.event >= 0, reason=row.reason, matched=("agent", "framework", "智能体", "框架"))
    same = [j for j in members if row.event >= 0 and j != i]
    return Scored(
        judged=Judged(candidate=candidate, verdict=verdict),
        event_id=f"event-{row.event}" if row.event >= 0 else "",
        parts=tuple(_part(name, i, table) for name in DIMENSION_NAMES) if row.event >= 0 else (),
        penalties=(Penalty(name=row.penalty, factor=_factor(row), effect="total", evidence=f"{row.penalty} struck"),)
        if row.penalty
        else (),
        total=_total(row),
        tier=TIERS[_tier(row)],  # type: ignore[arg-type]
        bucket=row.bucket,
        reason=row.reason,
        upstream=row.upstream,
        copies=tuple(f"item-{j}" for j in same if rows[j].bucket == C) if row.bucket == S else (),
        folded=tuple(f"item-{j}" for j in same if rows[j].bucket == F) if row.bucket == S else (),
        excerpt=row.text[:280],
        effective_at=at,
    )


def _part(name: str, i: int, table: Table) -> Part:
    at = DIMENSION_NAMES.index(name)
    value, weight = float(table.values[i, at]), float(_weights()[at])
    said = {
        "timeliness": f"{table.age_days[i]:.1f} days old in a window of 30: half-life curve gives {value:.2f}",
        "relevance": f"“agent” and “framework” in the title; similarity 0.71; blended {value:.2f}, floor 0.40",
        "authority": f"{table.authority_keys[i]}: prior 0.82, nothing adopted or dismissed yet; {value:.2f}",
        "corroboration": f"independent owners give {value:.3f}",
        "completeness": f"of time, actor, happening: {round(value * 3)} of 3",
        "preference": "no interest words: off",
    }[name]
    return Part(name=name, value=value, weight=weight, evidence=said)


def _events(rows: tuple[Row, ...]) -> tuple[Event, ...]:
    groups: dict[int, list[int]] = {}
    for i, row in enumerate(rows):
        if row.event >= 0:
            groups.setdefault(row.event, []).append(i)
    return tuple(_event(k, groups.get(k, []), rows) for k in range(max(groups, default=-1) + 1))


def _event(k: int, members: list[int], rows: tuple[Row, ...]) -> Event:
    times = [NOW - timedelta(hours=rows[i].hours) for i in members if rows[i].hours is not None]  # type: ignore[arg-type]
    voices: dict[int, list[str]] = {}
    for i in members:
        voices.setdefault(rows[i].voice, []).append(f"item-{i}")
    head = next((i for i in members if rows[i].bucket == S and not rows[i].upstream), members[0] if members else -1)
    return Event(
        id=f"event-{k}",
        title=rows[head].title if members else "",
        members=tuple(f"item-{i}" for i in sorted(members, key=lambda i: -(rows[i].hours or 0))),
        copies=tuple((f"item-{i}", f"item-{rows[i].original}") for i in members if rows[i].original is not None),
        owners=tuple((rows[int(ids[0][5:])].domain, tuple(ids)) for ids in voices.values()),
        originator=f"item-{members[0]}" if members else "",
        first_seen=min(times, default=None),
        last_seen=max(times, default=None),
        upstream=tuple(f"item-{i}" for i in members if rows[i].upstream),
        event_at=min(times) - timedelta(hours=30) if k in (1, 7) and times else None,
        why=tuple(
            Link(a=f"item-{members[0]}", b=f"item-{i}", relation="same event", layer="embedding", distance=0.7,
                 shared=("kestrel", "2.0"), reason="the same maker and version within 8 hours")
            for i in members[1:3]
        ),
    )  # fmt: skip


def _funnel(rows: tuple[Row, ...]) -> dict[str, dict[str, int]]:
    funnel: dict[str, dict[str, int]] = {}
    for outcome in OUTCOMES:
        steps = funnel.setdefault(outcome.source, dict.fromkeys(_STEPS, 0))
        steps["asked"] += 1
    for row in rows:
        steps = funnel.setdefault(row.source, dict.fromkeys(_STEPS, 0))
        for step in _STEPS[1 : _REACHED.get(row.bucket, 1)]:
            steps[step] += 1
    return funnel


_STEPS = ("asked", "fetched", "dated", "in_window", "on_topic", "unique", "above_threshold", "selected")
_REACHED = {
    Bucket.OUT_OF_WINDOW: 3,
    Bucket.FUTURE_DATED: 3,
    Bucket.UNDATED: 2,
    Bucket.MALFORMED: 2,
    Bucket.MUTED: 2,
    Bucket.SEEN_BEFORE: 2,
    Bucket.OFF_TOPIC: 4,
    Bucket.COPY: 5,
    Bucket.BELOW_THRESHOLD: 6,
    Bucket.FOLDED: 7,
    Bucket.SELECTED: 8,
}


def _authority(row: Row) -> AuthorityEstimate:
    mean = row.values[2]
    return AuthorityEstimate(
        key=row.domain,
        prior_mean=mean,
        prior_from="class outlet",
        strength=20,
        successes=0,
        failures=0,
        mean=mean,
        low=max(0, mean - 0.14),
        high=min(1, mean + 0.11),
    )
