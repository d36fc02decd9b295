"""Times, windows and counts in the words every export uses, and outside text made plain for all of them."""

from __future__ import annotations

import re
from datetime import datetime
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pipeline.text.counts import many
from pipeline.types import Brief, Citation, Plan, Report, Statement

NO_DATE = "undated"
DEMO = "Demo: this news is invented."
LEADS_SAY = "Unconfirmed: a lone source, or not well enough supported to be stated as a fact."
# Controls, marks that turn the direction of what follows, lone surrogates: no document may carry them.
_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)
_SPACE = re.compile(r"\s+")
_UNLINKABLE = re.compile(r"[\s<>\"'`\\^{}|\x00-\x1f\x7f-\x9f]")


def plain(text: str) -> str:
    """One line of outside text: no control characters, none that turn the direction of what follows."""
    return _SPACE.sub(" ", _CONTROL.sub("", text)).strip()


def paragraphs(text: str) -> tuple[str, ...]:
    """The analyst's own words, parted at empty lines."""
    return tuple(found for part in re.split(r"\n\s*\n", text) if (found := plain(part)))


def link(url: str) -> str:
    """The address when it is http(s) with a host and nothing that could end a link early, else ""."""
    url = url.strip()
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    usable = parts.scheme in ("http", "https") and parts.hostname and not _UNLINKABLE.search(url)
    return url if usable else ""


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


def support(statement: Statement, brief: Brief) -> str:
    """When, who, how well it stands, and what the analyst did to it, in one line."""
    said = [
        when(statement.at, brief.zone),
        brief.citations[statement.citations[0] - 1].outlet,
        many(statement.independent, "independent source"),
        f"{statement.total:.1f} of 100",
        statement.standing,
        "headline by the analyst" if statement.reworded else "",
    ]
    return " · ".join(filter(None, said))


def source_line(citation: Citation, zone: str) -> str:
    return f"{citation.outlet}, {when(citation.published_at, zone)}"


def heading(brief: Brief) -> str:
    """Window, zone, and whose choice the items are."""
    basis = "items adopted by the analyst" if brief.adopted else "the run's own selection: nothing was adopted yet"
    return f"{day(brief.since, brief.zone)} – {day(brief.until, brief.zone)} · times in {brief.zone} · {basis}"


def summary(brief: Brief) -> str:
    """ "5 facts and 3 leads from 12 reports"."""
    said = f"{many(len(brief.facts), 'fact')} and {many(len(brief.leads), 'lead')}"
    return f"{said} from {many(len(brief.citations), 'report')}"


def prepared(brief: Brief) -> str:
    return f"Prepared {when(brief.created_at, brief.zone)}"


def outlet(report: Report, row: int) -> str:
    """Who said it: the account for posts, else the site."""
    table = report.table
    return table.authority_keys[row] or table.domains[row] or table.sources[row]
