"""After a run: keep it, and let it teach only where it is live.

What was first seen and shown, how the endpoints answered, and what the items say about their sources. The demo, a
replay and a past as_of teach nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pipeline.errors import StoreError
from pipeline.settings import Settings
from pipeline.store import Store
from pipeline.store.authority import Evidence, EvidenceKind
from pipeline.types import PENALTY_NAMES, Bucket, Report


def keep(report: Report, store: Store, settings: Settings, *, learned: bool, remember: Callable[[], None]) -> Report:
    """Store the run; let it teach only where it is live: what was first seen, shown, how endpoints and sources did, and
    what `remember` adds.

    What the database can't take (full disk, locked) costs no run: it is held in memory and comes back with a warning.
    """
    try:
        store.runs.save(report, learned=learned)
    except StoreError as error:
        return store.runs.hold(report, str(error), learned=learned)
    try:
        if learned:
            _teach(report, store, settings)
            remember()
        _prune(report, store, settings)
    except StoreError as error:
        return replace(report, warnings=(*report.warnings, f"the run is stored, what it teaches is not: {error}"))
    return report


def _teach(report: Report, store: Store, settings: Settings) -> None:
    store.health.record(report.run_id, report.outcomes, report.created_at)
    complete = {outcome.endpoint for outcome in report.outcomes if outcome.status == "ok"}
    by_endpoint: dict[str, list[str]] = {}
    for endpoint, item in zip(report.table.endpoints, report.table.ids, strict=True):
        if endpoint in complete:
            by_endpoint.setdefault(endpoint, []).append(item)
    for endpoint, items in by_endpoint.items():
        store.firstseen.observe(endpoint, items, report.created_at)
    store.firstseen.show(_read(report), report.run_id, report.created_at)
    store.authority.learn(_earned(report, settings.scoring.authority.near_miss))


def _prune(report: Report, store: Store, settings: Settings) -> None:
    limits = settings.pipeline.store
    store.prune(
        keep_runs=limits.keep_runs,
        keep_days=limits.keep_days,
        memory_days=settings.pipeline.events.memory_days,
        now=report.created_at,
    )


def _read(report: Report) -> list[str]:
    """Ids of what the analyst was shown: the items, and what lies beneath them. Else a copy would come as news."""
    return [one for item in report.items for one in (item.id, *item.folded, *item.copies)]


def _earned(report: Report, near_miss: float) -> list[Evidence]:
    """What the run says about its sources: penalised items, items the judge pruned, near misses."""
    table, found = report.table, []
    for row in range(len(table)):
        bucket = Bucket(int(table.bucket[row]))
        kinds: list[EvidenceKind] = []
        if table.struck[row, PENALTY_NAMES.index("content_farm")]:
            kinds.append("content farm")
        if table.struck[row, PENALTY_NAMES.index("bare_reprint")]:
            kinds.append("bare reprint")
        if bucket == Bucket.BELOW_THRESHOLD and not kinds:
            kinds.append("near miss")
        if bucket == Bucket.OFF_TOPIC and table.fixed[row] == Bucket.OFF_TOPIC:
            kinds.append("pruned")
        found += [
            Evidence(
                key=table.authority_keys[row],
                candidate=table.ids[row],
                kind=kind,
                at=report.created_at,
                run=report.run_id,
                title=table.titles[row],
                weight=near_miss if kind == "near miss" else 1.0,
            )
            for kind in kinds
        ]
    return found
