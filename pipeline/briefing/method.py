"""What a brief says about itself: what was not looked at, and how it was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pipeline.briefing.words import window_words
from pipeline.text.counts import many
from pipeline.types import DIMENSION_NAMES, Bucket, Outcome, Report, XReport

FAILED = ("timeout", "rate limited", "unauthorised", "not configured", "bad response", "blocked by robots", "error")
SPELLED_OUT = 12  # failures told one by one; more of them are named together
_NOT_JUDGED = (Bucket.NOT_EXAMINED, Bucket.UNDATED, Bucket.MALFORMED, Bucket.MUTED)


def coverage(report: Report) -> tuple[str, ...]:
    """What was not looked at and what failed, in sentences: an absence of news is only as good as this list."""
    failed = [o for o in report.outcomes if o.status in FAILED]
    answered = [o for o in report.outcomes if o.status in ("ok", "empty")]
    said = [f"{many(len(answered), 'endpoint')} answered, {many(len(failed), 'endpoint')} did not."]
    said += [_failure(outcome) for outcome in failed[:SPELLED_OUT]]
    said += _failures(failed[SPELLED_OUT:])
    if cancelled := sum(o.status == "cancelled" for o in report.outcomes):
        said.append(f"{many(cancelled, 'endpoint')} stopped early: enough results had arrived.")
    counts = Counter(report.table.bucket.tolist())
    said += [f"{many(counts[b], 'item')} {b.label}: not judged." for b in _NOT_JUDGED if counts[b]]
    said += report.warnings
    return tuple(said)


def _failure(outcome: Outcome) -> str:
    detail = f" ({outcome.detail})" if outcome.detail else ""
    return f"Not covered: {outcome.endpoint}: {outcome.status}{detail}."


def _failures(outcomes: Sequence[Outcome]) -> list[str]:
    """One sentence a status, naming the endpoints."""
    names: dict[str, list[str]] = {}
    for outcome in outcomes:
        names.setdefault(outcome.status, []).append(outcome.endpoint)
    return [f"Not covered: {many(len(found), 'more endpoint')}, {status}: {', '.join(found)}."
            for status, found in names.items()]  # fmt: skip


def method(report: Report) -> tuple[tuple[str, str], ...]:
    """How the brief was made, as (name, words) pairs."""
    settings = report.settings
    counts = Counter(report.table.bucket.tolist())
    funnel = ", ".join(f"{n:,} {Bucket(b).label}" for b, n in sorted(counts.items(), reverse=True))
    lines = [
        ("question", report.plan.text),
        ("window", window_words(report.plan)),
        ("route", f"{report.plan.route}: {'; '.join(report.plan.reasons)}"),
        ("weights", ", ".join(f"{name} {weight:.2f}" for name, weight in _weights(report) if weight)),
        ("decay", f"{settings.decay.replace('_', ' ')} over {settings.window_days:g} days"),
        ("threshold", f"{settings.threshold:g} of 100, at most {many(settings.max_results, 'event')}"),
        ("facts", _fact_rule(report)),
        ("profile", settings.profile or "standard"),
        ("sources", _sources(report)),
        ("items", f"{len(report.table):,} fetched: {funnel}"),
    ]
    if report.x is not None:
        lines += _judge(report.x)
    lines.append(("run", f"{report.run_id}{' (demo: invented news)' if report.demo else ''}"))
    return tuple(lines)


def _weights(report: Report) -> list[tuple[str, float]]:
    """As they were used: a dimension that was off (no interest words) leaves its share to the others."""
    if rows := report.selected_rows:
        return [(part.name, part.weight) for part in report.item(rows[0]).parts]
    on = sum(report.settings.weights) or 1.0
    return [(name, weight / on) for name, weight in zip(DIMENSION_NAMES, report.settings.weights, strict=True)]


def _fact_rule(report: Report) -> str:
    s = report.settings
    return (
        f"at least {s.fact_total:g} of 100 and either {s.fact_owners} independent sources, or authority "
        f"{s.fact_authority:.2f} with relevance {s.fact_relevance:.2f}; all else is a lead"
    )


def _sources(report: Report) -> str:
    """ "rss: 4 ok, 1 timeout; gdelt: 1 rate limited"."""
    asked: dict[str, Counter[str]] = {}
    for outcome in report.outcomes:
        asked.setdefault(outcome.source, Counter())[outcome.status] += 1
    return "; ".join(f"{source}: {', '.join(f'{n} {status}' for status, n in found.most_common())}"
                     for source, found in asked.items()) or "none was asked"  # fmt: skip


def _judge(x: XReport) -> list[tuple[str, str]]:
    """The verdict on the posts from X, and what became of the retry."""
    verdict = x.after if x.after is not None and x.used == "after" else x.before
    said = f"{verdict.on_topic_ratio:.2f} on topic, floor {verdict.floor:.2f}: {verdict.rule}"
    lines = [("X judge", said)]
    if x.retry_note:
        lines.append(("X retry", x.retry_note))
    return lines
