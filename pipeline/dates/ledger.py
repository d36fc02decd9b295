"""All evidence for one item's date -> a ledger: which claim is believed, and what speaks against it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pipeline.types import DateClaim, DateLedger

DISAGREE = timedelta(days=3)
"""Claims of two kinds further apart than this are worth a note."""
SHARED_MIN = 5
SHARED_SHARE = 0.6
"""From this many entries, and this share of a response, one identical moment is the feed's build time."""
SHARED_RELIABILITY = 0.3
_SNOWFLAKE_EPOCH_MS = 1_288_834_974_657
"""X post ids hold milliseconds since 2010-11-04 above their 22 low bits (Twitter's announcement of Snowflake)."""


def choose(claims: Iterable[DateClaim | None], *, notes: Sequence[str] = ()) -> DateLedger:
    """Believe the most reliable claim (the finer, then the earlier on a tie); None claims are dropped.

    Month precision never dates an item; text claims are kept as evidence but chosen only when nothing else is there.
    """
    kept = tuple(claim for claim in claims if claim is not None)
    usable = [index for index, claim in enumerate(kept) if claim.precision != "month"]
    if not usable:
        return DateLedger(claims=kept, notes=tuple(notes))
    best = min(usable, key=lambda index: _rank(kept[index]))
    return DateLedger(claims=kept, chosen=best, notes=tuple(dict.fromkeys((*notes, *_doubts(kept, best)))))


def _rank(claim: DateClaim) -> tuple[float, int, datetime]:
    fineness = ("second", "minute", "day", "month").index(claim.precision)
    return (-claim.reliability, fineness, claim.at)


def _doubts(claims: Sequence[DateClaim], best: int) -> list[str]:
    chosen = claims[best]
    notes = [f"time zone not given, {chosen.zone}"] if chosen.zone != "stated" and chosen.precision != "day" else []
    if chosen.ambiguous:
        notes.append(f"the order of day, month and year is not certain ({chosen.raw})")
    for claim in claims:
        if claim.kind != chosen.kind and claim.precision != "month" and abs(claim.at - chosen.at) > DISAGREE:
            notes.append(f"{claim.kind} says {claim.at:%Y-%m-%d} ({claim.raw})")
    return notes


def mark_shared(ledgers: Sequence[DateLedger]) -> tuple[DateLedger, ...]:
    """Notice one bogus date on many entries of a response: same moment to the second, not a plain day.

    Such claims keep their place in the ledger with reliability 0.3, so that any other claim is believed first.
    """
    moments = Counter(
        ledger.published_at
        for ledger in ledgers
        if ledger.chosen is not None and ledger.claims[ledger.chosen].precision in ("second", "minute")
    )
    shared = {
        at: count
        for at, count in moments.items()
        if at is not None and count >= SHARED_MIN and count >= SHARED_SHARE * len(ledgers) and not _midnight(at)
    }
    return tuple(_weaken(ledger, shared) for ledger in ledgers) if shared else tuple(ledgers)


def _midnight(at: datetime) -> bool:
    """Midnight in a zone of whole or half hours: a day written as a moment."""
    return at.minute in (0, 30) and at.second == 0


def _weaken(ledger: DateLedger, shared: dict[datetime, int]) -> DateLedger:
    if (count := shared.get(ledger.published_at)) is None:  # type: ignore[arg-type]
        return ledger
    at = ledger.published_at
    claims = (
        replace(claim, reliability=min(claim.reliability, SHARED_RELIABILITY)) if claim.at == at else claim
        for claim in ledger.claims
    )
    return choose(claims, notes=(f"{count} entries share this one date: probably when the feed was built",))


def post_id_date(post_id: str) -> DateClaim | None:
    """When an X post was made, from its id; None for ids older than this scheme."""
    if not post_id.isascii() or not post_id.isdigit() or not 10**16 < int(post_id) < 10**20:
        return None
    ms = (int(post_id) >> 22) + _SNOWFLAKE_EPOCH_MS
    at = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=ms)
    return DateClaim(kind="post id", at=at, reliability=0.98, raw=post_id)
