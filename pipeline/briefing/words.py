"""Times, windows and counts in the words every export uses."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from pipeline.types import Brief, Citation, Plan, Report, Statement

NO_DATE = "undated"


def when(at: datetime | None, zone: str) -> str:
    """ "28 Nov 2026 14:05" in the analyst's zone; "undated" is a state, never now."""
    if at is None:
        return NO_DATE
    local = at.astimezone(ZoneInfo(zone))
    return f"{local.day} {local:%b %Y %H:%M}"


def day(at: datetime, zone: str) -> str:
    local = at.astimezone(ZoneInfo(zone))
    return f"{local.day} {local:%b %Y}"


def window_words(plan: Plan) -> str:
    """ "31 Oct 2026 – 30 Nov 2026 (text: last 30 days)"."""
    return (
        f"{day(plan.window.since, plan.zone)} – {day(plan.window.until, plan.zone)} "
        f"({plan.window.how}: {plan.window.evidence})"
    )


def many(count: int, one: str, several: str = "") -> str:
    """ "1 site", "3 sites"."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def support(statement: Statement) -> str:
    """How well a statement stands, in one phrase."""
    return f"{many(statement.independent, 'independent source')}, {statement.total:.1f} of 100"


def source_line(citation: Citation, zone: str) -> str:
    return f"{citation.outlet}, {when(citation.published_at, zone)}"


def heading(brief: Brief) -> str:
    basis = "adopted items" if brief.adopted else "the run's own selection: nothing was adopted yet"
    return f"{day(brief.since, brief.zone)} – {day(brief.until, brief.zone)} · {basis}"


def outlet(report: Report, row: int) -> str:
    """Who said it: the account for posts, else the site."""
    table = report.table
    return table.authority_keys[row] or table.domains[row] or table.sources[row]
