"""Report + what the analyst adopted -> Brief."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from pipeline.briefing.words import many, outlet, window_words
from pipeline.types import DIMENSION_NAMES, Brief, Bucket, Citation, Report, Scored, Statement

CITED_PER_EVENT = 4  # the item itself and its earliest independent reports; more adds length, not trust
FAILED = ("timeout", "rate limited", "unauthorised", "not configured", "bad response", "blocked by robots", "error")


def compose(
    report: Report,
    *,
    adopted: Iterable[str] = (),
    title: str = "",
    notes: Mapping[str, str] | None = None,
    now: datetime | None = None,
) -> Brief:
    """A brief of the adopted candidate ids, or of the run's own selection where nothing was adopted.

    `notes` maps a candidate id to the analyst's own words; they stand beside the source's, never in them.
    """
    wanted = set(adopted)
    rows = [row for row, id_ in enumerate(report.table.ids) if id_ in wanted]
    rows.sort(key=lambda row: (float(report.table.published[row]), row))
    chosen = rows or list(report.selected_rows)
    citations: dict[int, Citation] = {}
    statements = [_statement(report, row, citations, notes or {}) for row in chosen]
    return Brief(
        run_id=report.run_id,
        title=title or report.plan.raw_topic or report.plan.text,
        question=report.plan.text,
        created_at=now or report.created_at,
        since=report.plan.window.since,
        until=report.plan.window.until,
        zone=report.plan.zone,
        facts=tuple(s for s in statements if s.tier == "fact"),
        leads=tuple(s for s in statements if s.tier != "fact"),
        citations=tuple(citations.values()),
        coverage=coverage(report),
        method=method(report),
        adopted=bool(rows),
        demo=report.demo,
    )


def _statement(report: Report, row: int, citations: dict[int, Citation], notes: Mapping[str, str]) -> Statement:
    item = report.item(row)
    event = report.event(item.event_id)
    numbers = [_cite(report, r, citations) for r in (row, *_supporting(report, row, item))]
    return Statement(
        item_id=item.id,
        event_id=item.event_id,
        headline=item.title or item.excerpt,
        text=item.excerpt if item.title else "",
        note=notes.get(item.id, ""),
        tier=item.tier,
        total=item.total,
        at=item.published_at,
        independent=event.independent if event else 1,
        citations=tuple(numbers),
    )


def _supporting(report: Report, row: int, item: Scored) -> list[int]:
    """The earliest report of each other independent voice of the item's event."""
    event = report.event(item.event_id)
    if event is None:
        return []
    row_of = {id_: r for r, id_ in enumerate(report.table.ids)} if len(event.members) > 1 else {}
    found = []
    for _, members in event.owners:
        if item.id in members:
            continue
        rows = [row_of[m] for m in members if m in row_of]
        if rows:
            found.append(min(rows, key=lambda r: float(report.table.published[r])))
    return sorted(found, key=lambda r: float(report.table.published[r]))[: CITED_PER_EVENT - 1]


def _cite(report: Report, row: int, citations: dict[int, Citation]) -> int:
    if row not in citations:
        at = float(report.table.published[row])
        citations[row] = Citation(
            number=len(citations) + 1,
            item_id=report.table.ids[row],
            title=report.table.titles[row],
            outlet=outlet(report, row),
            url=report.table.urls[row],
            published_at=None if at != at else datetime.fromtimestamp(at, UTC),
        )
    return citations[row].number


def coverage(report: Report) -> tuple[str, ...]:
    """What was not looked at and what failed, in sentences: an absence of news is only as good as this list."""
    said = []
    failed = [o for o in report.outcomes if o.status in FAILED]
    answered = [o for o in report.outcomes if o.status in ("ok", "empty")]
    said.append(f"{many(len(answered), 'endpoint')} answered, {many(len(failed), 'endpoint')} did not.")
    for outcome in failed:
        detail = f" ({outcome.detail})" if outcome.detail else ""
        said.append(f"Not covered: {outcome.endpoint}: {outcome.status}{detail}.")
    cancelled = sum(o.status == "cancelled" for o in report.outcomes)
    if cancelled:
        said.append(f"{many(cancelled, 'endpoint')} stopped early: enough results had arrived.")
    counts = Counter(int(b) for b in report.table.bucket)
    for bucket in (Bucket.NOT_EXAMINED, Bucket.UNDATED, Bucket.MALFORMED):
        if counts[bucket]:
            said.append(f"{many(counts[bucket], 'item')} {bucket.label}.")
    said.extend(report.warnings)
    return tuple(said)


def method(report: Report) -> tuple[tuple[str, str], ...]:
    """How the brief was made, as (name, words) pairs."""
    settings = report.settings
    on = sum(settings.weights)
    weights = ", ".join(
        f"{name} {weight / on:.2f}" for name, weight in zip(DIMENSION_NAMES, settings.weights, strict=True) if weight
    )
    counts = Counter(int(b) for b in report.table.bucket)
    funnel = ", ".join(f"{n:,} {Bucket(b).label}" for b, n in sorted(counts.items(), reverse=True))
    asked = Counter((o.source, o.status) for o in report.outcomes)
    lines = [
        ("question", report.plan.text),
        ("window", window_words(report.plan)),
        ("route", f"{report.plan.route}: {'; '.join(report.plan.reasons)}"),
        ("weights", weights),
        ("decay", f"{settings.decay} over {settings.window_days:g} days"),
        ("threshold", f"{settings.threshold:g} of 100, at most {settings.max_results} events"),
        ("profile", settings.profile or "none"),
        ("sources", ", ".join(f"{source}: {n} {status}" for (source, status), n in sorted(asked.items()))),
        ("items", f"{len(report.table):,} fetched: {funnel}"),
    ]
    if report.x is not None:
        verdict = report.x.after if report.x.after is not None and report.x.used == "after" else report.x.before
        lines.append(("X judge", f"{verdict.on_topic_ratio:.2f} on topic, floor {verdict.floor:.2f}: {verdict.rule}"))
    lines.append(("run", f"{report.run_id}{' (demo: invented news)' if report.demo else ''}"))
    return tuple(lines)
