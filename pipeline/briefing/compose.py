"""Report + what the analyst made of it -> Brief."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from math import prod

from pipeline.briefing.method import coverage, method
from pipeline.briefing.words import outlet, plain
from pipeline.types import Brief, Bucket, Citation, Draft, Event, Report, Scored, Statement

CITED_PER_EVENT = 4  # the item itself and its earliest independent reports; more adds length, not trust
_FACT = 2  # of Table.tier
_NOTHING = Draft()


def compose(report: Report, draft: Draft = _NOTHING, *, now: datetime | None = None) -> Brief:
    """A brief of the draft's items in their order, or of the run's own selection where nothing was adopted.

    Titles, notes and the introduction of the draft are the analyst's words; they stand beside the source's, never
    in them. Adopted items that the run does not hold are left out. Citations are numbered as they appear: facts
    first, then leads.
    """
    table = report.table
    sources = _Sources(report)
    adopted = [sources.row_of[id_] for id_ in draft.items if id_ in sources.row_of]
    own = [row for row in report.selected_rows if table.ids[row] not in draft.dismissed]
    chosen = sorted(adopted or own, key=lambda row: bool(table.tier[row] != _FACT))
    statements = [_statement(report, row, sources, draft) for row in chosen]
    return Brief(
        run_id=report.run_id,
        title=plain(draft.title) or plain(report.plan.raw_topic) or plain(report.plan.text),
        question=report.plan.text,
        created_at=now or report.created_at,
        since=report.plan.window.since,
        until=report.plan.window.until,
        zone=report.plan.zone,
        facts=tuple(s for s in statements if s.tier == "fact"),
        leads=tuple(s for s in statements if s.tier != "fact"),
        citations=tuple(sources.cited.values()),
        coverage=coverage(report),
        method=method(report),
        adopted=bool(adopted),
        demo=report.demo,
        introduction=draft.introduction,
        threshold=report.settings.threshold,
    )


def _statement(report: Report, row: int, sources: _Sources, draft: Draft) -> Statement:
    item = report.item(row)
    at = int(report.table.event[row])
    event = report.events[at] if at >= 0 else None
    numbers = [sources.cite(r) for r in (row, *sources.supporting(item, event))]
    own_words = plain(draft.headlines.get(item.id, ""))
    return Statement(
        item_id=item.id,
        event_id=item.event_id,
        headline=own_words or item.title or item.excerpt,
        text=item.excerpt if item.title else "",
        note=draft.notes.get(item.id, ""),
        tier=item.tier,
        total=item.total,
        at=item.published_at,
        independent=event.independent if event else 1,
        citations=tuple(numbers),
        reworded=bool(own_words),
        standing=_standing(item),
        points=_points(item),
    )


def _standing(item: Scored) -> str:
    if item.bucket != Bucket.SELECTED:
        return f"adopted by hand, the run had it as “{item.bucket.label}”"
    return "upstream: before the window, its event is inside" if item.upstream else ""


def _points(item: Scored) -> tuple[tuple[str, float], ...]:
    """What each dimension brings to the total, in points of 100."""
    factor = prod(penalty.factor for penalty in item.penalties)
    return tuple((part.name, 100 * part.weight * part.value * factor) for part in item.parts if part.weight > 0)


class _Sources:
    """The numbered citations of one brief, as they are made."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self.row_of: Mapping[str, int] = {id_: row for row, id_ in enumerate(report.table.ids)}
        self.cited: dict[int, Citation] = {}

    def supporting(self, item: Scored, event: Event | None) -> list[int]:
        """The earliest report of each other independent voice of the item's event, earliest first."""
        voices = [members for _, members in event.owners if item.id not in members] if event else []
        rows = [[self.row_of[member] for member in members if member in self.row_of] for members in voices]
        return sorted((min(found, key=self._time) for found in rows if found), key=self._time)[: CITED_PER_EVENT - 1]

    def cite(self, row: int) -> int:
        """The number of a report; the same report keeps its number."""
        if row not in self.cited:
            table, at = self._report.table, self._time(row)
            self.cited[row] = Citation(
                number=len(self.cited) + 1,
                item_id=table.ids[row],
                title=table.titles[row],
                outlet=outlet(self._report, row),
                url=table.urls[row],
                published_at=datetime.fromtimestamp(at, UTC) if at < float("inf") else None,
            )
        return self.cited[row].number

    def _time(self, row: int) -> float:
        """Seconds of the publication; undated ones come last."""
        at = float(self._report.table.published[row])
        return at if at == at else float("inf")
