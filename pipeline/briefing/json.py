"""A report as one JSON object: the contract of `run --json`; and a brief as another.

Keys are stable; a change is a line in CHANGELOG.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from typing import Any

from pipeline.briefing.words import link
from pipeline.types import (
    Brief,
    Bucket,
    DateClaim,
    DateLedger,
    Event,
    Outcome,
    Part,
    Plan,
    Report,
    Scored,
    StageNote,
    Statement,
    XReport,
)

name = "json"
label = "JSON"
suffix = "json"
media_type = "application/json"


def export(brief: Brief, report: Report | None = None) -> bytes:
    """The brief under `brief`, and beside it the whole run where it is given."""
    found = {"brief": brief_json(brief)} | ({} if report is None else report_json(report))
    return "".join(lines(found)).encode("utf-8", "replace")


def lines(found: Mapping[str, Any]) -> Iterator[str]:
    """JSON text, one key a line and of a list one entry a line: a run can be searched by line.

    The standard library indents in Python, which for 20,000 items takes twice as long and a third more room.
    """
    encode = json.JSONEncoder(ensure_ascii=False).encode
    for at, (key, value) in enumerate(found.items()):
        yield f"{',' if at else '{'}\n{encode(key)}: "
        if isinstance(value, list) and value:
            yield "[\n" + ",\n".join(map(encode, value)) + "\n]"
        else:
            yield encode(value)
    yield "\n}\n"


def brief_json(brief: Brief) -> dict[str, Any]:
    """The brief as it is read: facts and leads in their order, what each cites, coverage and method."""
    return {
        "run_id": brief.run_id,
        "demo": brief.demo,
        "title": brief.title,
        "introduction": brief.introduction,
        "question": brief.question,
        "created_at": iso(brief.created_at),
        "window": {"since": iso(brief.since), "until": iso(brief.until), "zone": brief.zone},
        "adopted": brief.adopted,
        "threshold": brief.threshold,
        "facts": [_statement(statement) for statement in brief.facts],
        "leads": [_statement(statement) for statement in brief.leads],
        "citations": [_plain(citation) | {"url": link(citation.url)} for citation in brief.citations],
        "coverage": list(brief.coverage),
        "method": dict(brief.method),
    }


def _statement(statement: Statement) -> dict[str, Any]:
    return {**_plain(statement), "points": {name: round(points, 2) for name, points in statement.points}}


def report_json(report: Report) -> dict[str, Any]:
    """The whole run. Selected items in time order; every other candidate under `dropped` with bucket and reason."""
    return {
        "run_id": report.run_id,
        "created_at": iso(report.created_at),
        "plan": plan_json(report.plan),
        "selected": [selected_json(item) for item in report.items],
        "dropped": [
            dropped_json(report, row) for row in (report.table.bucket != Bucket.SELECTED).nonzero()[0].tolist()
        ],
        "funnel": {source: dict(steps) for source, steps in report.funnel.items()},
        "outcomes": [outcome_json(outcome) for outcome in report.outcomes],
        "events": [event_json(event) for event in report.events],
        "x": None if report.x is None else x_json(report.x),
        "warnings": list(report.warnings),
        "stages": [_stage(stage) for stage in report.stages],
        "demo": report.demo,
    }


def plan_json(plan: Plan) -> dict[str, Any]:
    """How the question was understood."""
    return {
        "text": plan.text,
        "route": plan.route,
        "stability": plan.stability,
        "language": plan.language,
        "handles": list(plan.handles),
        "phrases": list(plan.phrases),
        "excluded": list(plan.excluded),
        "sites": list(plan.sites),
        "signals": [_plain(signal) for signal in plan.signals],
        "reasons": list(plan.reasons),
        "window": {
            "since": iso(plan.window.since),
            "until": iso(plan.window.until),
            "how": plan.window.how,
            "evidence": plan.window.evidence,
        },
        "raw_topic": plan.raw_topic,
        "core_subject": plan.core_subject,
        "ranking_query": plan.ranking_query,
        "subqueries": [_plain(subquery) for subquery in plan.subqueries],
        "warnings": list(plan.warnings),
    }


def selected_json(item: Scored) -> dict[str, Any]:
    """A shown item, explained."""
    candidate = item.judged.candidate
    return {
        "id": item.id,
        "title": item.title,
        "url": item.url,
        "source": item.source,
        "domain": candidate.domain,
        "author": candidate.author,
        "published_at": iso(item.published_at),
        "date": _date(candidate.dates),
        "total": item.total,
        "tier": item.tier,
        "parts": _parts(item.parts),
        "penalties": [_plain(penalty) for penalty in item.penalties],
        "event_id": item.event_id,
        "copies": list(item.copies),
        "folded": list(item.folded),
        "upstream": item.upstream,
        "excerpt": item.excerpt,
    }


def dropped_json(report: Report, row: int) -> dict[str, Any]:
    """An item that is not shown, with the gate that stopped it. A post without a title has its beginning there."""
    table, fate = report.table, report.fate(row)
    at = float(table.published[row])
    return {
        "id": table.ids[row],
        "title": table.titles[row],
        "url": table.urls[row],
        "source": table.sources[row],
        "published_at": None if math.isnan(at) else iso(datetime.fromtimestamp(at, UTC)),
        "bucket": Bucket(int(table.bucket[row])).label,
        "reason": fate.reason,
        "parts": _parts(fate.parts),
        "penalties": [_plain(penalty) for penalty in fate.penalties],
        "total": fate.total,
    }


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """How asking one endpoint ended."""
    names = ("source", "endpoint", "status", "items", "elapsed_ms", "bytes", "cached_age_s", "retry_after_s", "detail")
    return {name: getattr(outcome, name) for name in names}


def event_json(event: Event) -> dict[str, Any]:
    """One event: its reports, their owners, why they were joined."""
    return {
        "id": event.id,
        "title": event.title,
        "members": list(event.members),
        "copies": [{"copy": copy, "of": original} for copy, original in event.copies],
        "owners": [{"owner": owner, "members": list(members)} for owner, members in event.owners],
        "independent": event.independent,
        "originator": event.originator,
        "first_seen": iso(event.first_seen),
        "last_seen": iso(event.last_seen),
        "known_since": iso(event.known_since),
        "upstream": list(event.upstream),
        "why": [_plain(link) for link in event.why],
    }


def x_json(x: XReport) -> dict[str, Any]:
    """What the X stream did: verdicts before and after, queries, accounts."""
    return {
        "backend": x.backend,
        "topic": x.topic,
        "queries": [_plain(query) for query in x.queries],
        "verdicts": {"before": _plain(x.before), "after": _plain(x.after)},
        "used": x.used,
        "retry_note": x.retry_note,
        "handles": [_plain(handle) for handle in x.handles],
        "posts": {"before": dict(x.post_ids_before), "after": dict(x.post_ids_after)},
        "notes": list(x.notes),
        "warnings": list(x.warnings),
    }


def iso(at: datetime | None) -> str | None:
    """ISO 8601 in UTC, with Z."""
    return None if at is None else at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _date(dates: DateLedger) -> dict[str, Any]:
    chosen = None if dates.chosen is None else _claim(dates.claims[dates.chosen])
    ledger = [_claim(claim) for claim in dates.claims]
    return {"chosen": chosen, "ledger": ledger, "event_at": iso(dates.event_at), "notes": list(dates.notes)}


def _claim(claim: DateClaim) -> dict[str, Any]:
    found: dict[str, Any] = _plain(claim)
    return found


def _parts(parts: Sequence[Part]) -> dict[str, dict[str, Any]]:
    return {part.name: {"value": part.value, "weight": part.weight, "evidence": part.evidence} for part in parts}


def _stage(stage: StageNote) -> dict[str, Any]:
    return {
        "name": stage.name,
        "in": stage.n_in,
        "out": stage.n_out,
        "dropped": dict(stage.dropped),
        "seconds": stage.seconds,
    }


def _plain(value: Any) -> Any:
    """Any record as JSON takes it: times as ISO 8601, numbers that are none as null."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
