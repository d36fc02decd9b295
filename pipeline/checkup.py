"""Diagnosing in the background: the job goes on when the tab is closed, what it found is kept until the next one.

job = start_checkup(store)          # jobs.poll(job).progress tells of each endpoint
checkup(store)                      # the latest finding on every endpoint, with its time
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pipeline import jobs
from pipeline.diagnose import Diagnosis, diagnose
from pipeline.settings import load_settings

if TYPE_CHECKING:
    from pipeline.store import Store
    from pipeline.store.jobs import JobState
    from pipeline.types import Progress

CHECKUP = "diagnosing the sources"
"""Label of such jobs; they end without a run."""
QUERY = "news"  # what searching sources are asked: every one of them has something on it
_KEPT = "checkup"
_FIELDS = {field.name for field in dataclasses.fields(Diagnosis)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What the latest check found of one endpoint."""

    at: datetime
    diagnosis: Diagnosis


def start_checkup(store: Store, sources: Sequence[str] | None = None) -> str:
    """Ask every source (or those named) in the background, with today's settings; the id of the job."""

    def work(progress: Progress) -> str:
        found = asyncio.run(diagnose(QUERY, settings=load_settings(), store=store, sources=sources, progress=progress))
        _keep(store, found, datetime.now(UTC))
        return ""

    return jobs.background(store).start(work, label=CHECKUP)


def checkup_job(store: Store) -> JobState | None:
    """The latest check, of any session: under way or ended; None when there was none lately."""
    return next((job for job in jobs.background(store).recent() if job.label == CHECKUP), None)


def findings(store: Store) -> dict[tuple[str, str], Finding]:
    """(source, endpoint) -> the latest finding."""
    found = [_read(entry) for entry in store.prefs.choice(_KEPT, [])]
    return {(one.diagnosis.source, one.diagnosis.endpoint): one for one in found}


def _keep(store: Store, found: Sequence[Diagnosis], at: datetime) -> None:
    """New findings replace all earlier ones on the same kinds of sources."""
    asked = {one.source for one in found}
    with store.write():
        earlier = [entry for entry in store.prefs.choice(_KEPT, []) if entry["source"] not in asked]
        store.prefs.choose(_KEPT, [*earlier, *(_written(one, at) for one in found)], at)


def _written(one: Diagnosis, at: datetime) -> dict[str, Any]:
    newest = one.newest.isoformat() if one.newest else None
    return dataclasses.asdict(one) | {"newest": newest, "dropped": dict(one.dropped), "at": at.isoformat()}


def _read(entry: Mapping[str, Any]) -> Finding:
    facts = {name: value for name, value in entry.items() if name in _FIELDS}
    facts["newest"] = datetime.fromisoformat(entry["newest"]) if entry.get("newest") else None
    return Finding(at=datetime.fromisoformat(entry["at"]), diagnosis=Diagnosis(**facts))
