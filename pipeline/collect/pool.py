"""What the endpoints brought -> one pool in which everything has a place: merged, capped, malformed or to be judged."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from pipeline.collect.ask import Ask
from pipeline.text import host_of
from pipeline.types import Bucket, Candidate, Judged, Malformed, Outcome, Plan, Verdict

Judge = Callable[[Sequence[Candidate], Plan], Sequence[Verdict]]
"""Verdicts on a noisy source's corpus, one a candidate."""

_UNDATED = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Entry:
    """A candidate, with what the limits need to know about its endpoint."""

    candidate: Candidate
    priority: int
    noisy: bool


CAME_BEFORE = "had come before"
"""What the stage's note calls items that another query or endpoint had brought already."""
Repeats = Counter[tuple[str, str]]
"""(source, endpoint) -> items it brought that had come before, from another of its queries or another endpoint."""


def entries(asks: Iterable[Ask]) -> tuple[list[Entry], Repeats]:
    """Every candidate once, in the order of the endpoints, and what had come before.

    One id and one content is one thing asked for twice: the fuller copy is kept (more passages, then more text). One
    id with another content is another thing: its id is numbered.
    """
    kept: dict[str, Entry] = {}
    repeats: Repeats = Counter()
    for ask in asks:
        endpoint = ask.choice.endpoint
        for parsed in ask.found:
            for candidate in parsed.candidates:
                new = _merge(kept, Entry(candidate, endpoint.priority, ask.choice.source.noisy))
                repeats[endpoint.source, endpoint.name] += not new
    return list(kept.values()), +repeats


def accounted(outcomes: Sequence[Outcome], repeats: Repeats) -> list[Outcome]:
    """The outcomes, where items had come before with how many: what is left of them is what the pool holds."""
    return [
        replace(one, detail="; ".join(filter(None, (one.detail, f"{n} of {one.items} items had come before"))))
        if (n := repeats[one.source, one.endpoint])
        else one
        for one in outcomes
    ]


def _merge(kept: dict[str, Entry], entry: Entry) -> bool:
    """Whether the entry is a new one."""
    candidate = entry.candidate
    nth = 1
    while (there := kept.get(candidate.id)) is not None:
        if _same(there.candidate, candidate):
            if _fullness(candidate) > _fullness(there.candidate):
                kept[candidate.id] = replace(there, candidate=candidate)
            return False
        nth += 1
        candidate = replace(entry.candidate, id=f"{entry.candidate.id}~{nth}")
    kept[candidate.id] = replace(entry, candidate=candidate)
    return True


def _same(a: Candidate, b: Candidate) -> bool:
    return a.source == b.source and a.url == b.url and a.title == b.title


def _fullness(candidate: Candidate) -> tuple[int, int]:
    return len(candidate.passages), len(candidate.text)


def cap(found: Sequence[Entry], *, per_endpoint: int, total: int) -> dict[str, str]:
    """Candidate id -> why it is not examined. The newest of an endpoint stay, and of all by priority, then newest."""
    reasons: dict[str, str] = {}
    of_endpoint: dict[tuple[str, str], list[Entry]] = {}
    for entry in found:
        of_endpoint.setdefault((entry.candidate.source, entry.candidate.endpoint), []).append(entry)
    for (_, endpoint), group in of_endpoint.items():
        for entry in sorted(group, key=_newest)[per_endpoint:]:
            reasons[entry.candidate.id] = (
                f"{endpoint} brought {len(group)} items; the newest {per_endpoint} are examined"
            )
    left = sorted((e for e in found if e.candidate.id not in reasons), key=lambda e: (e.priority, _newest(e)))
    for entry in left[total:]:
        reasons[entry.candidate.id] = f"the run brought {len(found)} items; {total} are examined"
    return reasons


def _newest(entry: Entry) -> float:
    return -(entry.candidate.published_at or _UNDATED).timestamp()


def judged(found: Sequence[Entry], reasons: dict[str, str], plan: Plan, judge: Judge | None) -> list[Judged]:
    """Each candidate with its verdict; those of noisy sources get the corpus judge's, source by source."""
    verdicts = {id_: Verdict(keep=False, bucket=Bucket.NOT_EXAMINED, reason=reason) for id_, reason in reasons.items()}
    if judge is not None:
        corpora: dict[str, list[Candidate]] = {}
        for entry in found:
            if entry.noisy and entry.candidate.id not in verdicts:
                corpora.setdefault(entry.candidate.source, []).append(entry.candidate)
        for corpus in corpora.values():
            verdicts |= {c.id: verdict for c, verdict in zip(corpus, judge(corpus, plan), strict=True)}
    keep = Verdict(keep=True)
    return [Judged(candidate=e.candidate, verdict=verdicts.get(e.candidate.id, keep)) for e in found]


def unreadable(asks: Iterable[Ask]) -> list[Judged]:
    """Entries that could not be read, each with its reason."""
    rows = []
    for ask in asks:
        endpoint = ask.choice.endpoint
        for nth, entry in enumerate(ask.malformed):
            rows.append(_malformed(entry, endpoint.source, endpoint.name, nth))
    return rows


def _malformed(entry: Malformed, source: str, endpoint: str, nth: int) -> Judged:
    place = hashlib.sha1(f"{source}\0{endpoint}\0{nth}\0{entry.id}".encode("utf-8", "replace"), usedforsecurity=False)
    candidate = Candidate(
        id=f"malformed-{place.hexdigest()[:16]}",
        source=source,
        endpoint=endpoint,
        url=entry.url,
        domain=host_of(entry.url),
        title=entry.title,
        text="",
    )
    return Judged(candidate=candidate, verdict=Verdict(keep=False, bucket=Bucket.MALFORMED, reason=entry.reason))
