"""The gates before scoring: who never gets scored, and why. The first gate that fails decides, in the order of Bucket.

malformed / excluded by the query (-word, site:) / muted / seen before / undated / future-dated / out of window, and
whatever collect and the judges had decided already (malformed, not examined, off topic).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pipeline.scoring.phrases import found
from pipeline.settings import Settings
from pipeline.text import normalise
from pipeline.types import Bucket, Candidate, Judged, Plan, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the gates ask, prepared once for a pool."""

    excluded: tuple[str, ...]
    sites: tuple[str, ...]
    muted_domains: frozenset[str]
    muted_words: tuple[str, ...]
    seen: Collection[str]
    since: datetime
    until: datetime
    latest: datetime
    """Beyond it an item is future-dated: the clock's skew is spent."""
    clock: datetime


def gates(
    pool: Sequence[Judged],
    plan: Plan,
    settings: Settings,
    *,
    seen: Collection[str] = (),
    muted_domains: Collection[str] = (),
    muted_words: Collection[str] = (),
) -> tuple[Verdict, ...]:
    """One verdict per row: the one it came with, or the first gate before that which it fails.

    seen: candidate ids of earlier runs; counts only where the question hides them. Muted words and domains of the store
    come on top of those in the configuration.
    """
    rules = Rules(
        excluded=tuple(normalise(word) for word in plan.excluded if word.strip()),
        sites=tuple(site.lower().removeprefix("www.") for site in plan.sites),
        muted_domains=frozenset(domain.lower() for domain in (*settings.pipeline.muted_domains, *muted_domains)),
        muted_words=tuple(normalise(word) for word in (*settings.pipeline.muted_words, *muted_words) if word.strip()),
        seen=frozenset(seen) if plan.question.hide_seen else frozenset(),
        since=plan.window.since,
        until=plan.window.until,
        latest=max(plan.now, plan.window.until if plan.window.ends_now else plan.now)
        + timedelta(minutes=settings.scoring.clock_skew_minutes),
        clock=plan.now,
    )
    return tuple(_verdict(one, rules, plan.window.ends_now) for one in pool)


def with_verdicts(pool: Sequence[Judged], verdicts: Sequence[Verdict]) -> tuple[Judged, ...]:
    """The pool under new verdicts; rows whose verdict did not change are the same objects."""
    pairs = zip(pool, verdicts, strict=True)
    return tuple(one if one.verdict is verdict else replace(one, verdict=verdict) for one, verdict in pairs)


def upstream_rows(pool: Sequence[Judged], plan: Plan, settings: Settings) -> tuple[int, ...]:
    """Rows older than the window by at most `upstream_days`, failing no other gate: they may lead into an event.

    `pool` carries the verdicts of `gates`. Empty where expand_window is off.
    """
    if not settings.pipeline.time_window.expand_window:
        return ()
    oldest = plan.window.since - timedelta(days=settings.pipeline.time_window.upstream_days)
    return tuple(
        row
        for row, one in enumerate(pool)
        if one.verdict.bucket == Bucket.OUT_OF_WINDOW
        and one.verdict.decided_by == GATE
        and (at := one.candidate.published_at) is not None
        and oldest <= at < plan.window.since
    )


GATE, PRUNED = "gate", "gate, after the judge"


def _verdict(one: Judged, rules: Rules, ends_now: bool) -> Verdict:
    had = one.verdict
    limit = Bucket.SELECTED if had.keep or had.bucket is None else had.bucket
    for bucket, check in CHECKS:
        if bucket >= limit:
            break
        if (reason := check(one.candidate, rules, ends_now)) is not None:
            decided = GATE if had.keep else PRUNED
            return replace(had, keep=False, bucket=bucket, reason=reason, decided_by=decided)
    return had


Check = Callable[[Candidate, Rules, bool], str | None]
"""Candidate -> why it fails, or None."""


def _malformed(candidate: Candidate, _rules: Rules, _now: bool) -> str | None:
    return None if candidate.title.strip() or candidate.text.strip() else "It has neither a title nor a text."


def _excluded(candidate: Candidate, rules: Rules, _now: bool) -> str | None:
    if rules.sites and not any(_under(candidate.domain, site) for site in rules.sites):
        return f"The query asks for {', '.join(rules.sites)}; this is on {candidate.domain or 'no site'}."
    hits = found(rules.excluded, _all_text(candidate)) if rules.excluded else ()
    return f"The query excludes “{hits[0]}”." if hits else None


def _muted(candidate: Candidate, rules: Rules, _now: bool) -> str | None:
    if rules.muted_domains and rules.muted_domains & set(_tails(candidate.domain)):
        return f"You muted {candidate.domain}."
    hits = found(rules.muted_words, _all_text(candidate)) if rules.muted_words else ()
    return f"You muted “{hits[0]}”." if hits else None


def _seen(candidate: Candidate, rules: Rules, _now: bool) -> str | None:
    return "An earlier run showed it, and you hide those." if candidate.id in rules.seen else None


def _undated(candidate: Candidate, _rules: Rules, _now: bool) -> str | None:
    return None if candidate.published_at else "No date could be found for it; it is never treated as new."


def _future(candidate: Candidate, rules: Rules, _now: bool) -> str | None:
    at = candidate.published_at
    if at is None or at <= rules.latest:
        return None
    return f"It is dated {at:%Y-%m-%d %H:%M} UTC, after the run's clock ({rules.clock:%Y-%m-%d %H:%M} UTC)."


def _window(candidate: Candidate, rules: Rules, ends_now: bool) -> str | None:
    at = candidate.published_at
    if at is None or (rules.since <= at and (ends_now or at < rules.until)):
        return None
    side = "before" if at < rules.since else "after"
    return f"Published {at:%Y-%m-%d}, {side} the window ({rules.since:%Y-%m-%d} to {rules.until:%Y-%m-%d})."


CHECKS: tuple[tuple[Bucket, Check], ...] = (
    (Bucket.MALFORMED, _malformed),
    (Bucket.EXCLUDED, _excluded),
    (Bucket.MUTED, _muted),
    (Bucket.SEEN_BEFORE, _seen),
    (Bucket.UNDATED, _undated),
    (Bucket.FUTURE_DATED, _future),
    (Bucket.OUT_OF_WINDOW, _window),
)


def _tails(host: str) -> list[str]:
    """A host and every host above it."""
    labels = host.split(".")
    return [".".join(labels[start:]) for start in range(len(labels))]


def _under(host: str, site: str) -> bool:
    return host == site or host.endswith(f".{site}")


def _all_text(candidate: Candidate) -> str:
    return normalise(f"{candidate.title} {candidate.text}")
