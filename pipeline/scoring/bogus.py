"""Many entries of one endpoint that share one date: a feed that stamps everything with the time it was built."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime

from pipeline.types import Candidate

ENTRIES = 5  # sharing one moment, from which it is no coincidence
SHARE = 0.8  # of the endpoint's dated entries


def shared_dates(candidates: Iterable[Candidate]) -> tuple[str, ...]:
    """One warning per endpoint whose dates say nothing. Day-precise dates may well be equal and are left out."""
    times: dict[tuple[str, str], list[datetime]] = defaultdict(list)
    for candidate in candidates:
        ledger = candidate.dates
        if ledger.chosen is not None and ledger.claims[ledger.chosen].precision in ("second", "minute"):
            times[candidate.source, candidate.endpoint].append(ledger.claims[ledger.chosen].at)
    return tuple(
        _warn(name, *Counter(listed).most_common(1)[0]) for (_, name), listed in times.items() if _bogus(listed)
    )


def _bogus(listed: list[datetime]) -> bool:
    most = Counter(listed).most_common(1)[0][1]
    return most >= ENTRIES and most >= SHARE * len(listed)


def _warn(endpoint: str, at: datetime, count: int) -> str:
    return f"{count} entries of {endpoint} share one date ({at:%Y-%m-%d %H:%M} UTC): their dates may not be their own."
