"""What a download says of an item, shown or not."""

from __future__ import annotations

from pages.parts.view import View
from pipeline import DIMENSION_NAMES

COLUMNS = (
    "ended", "points", "tier", "published_at", "title", "site", "author", "source", "url", "event", "independent",
    "copies", *DIMENSION_NAMES, "penalties", "reason",
)  # fmt: skip


def record(view: View, row: int) -> tuple[object, ...]:
    """One item of a download, in the columns of COLUMNS."""
    item, event = view.item(row), view.event_of(row)
    candidate = item.judged.candidate
    values = {part.name: round(part.value, 3) for part in item.parts}
    return (
        item.bucket.label, item.total, "" if item.tier == "none" else item.tier,
        candidate.published_at.isoformat() if candidate.published_at else "",
        item.title or candidate.text[:120], candidate.domain, candidate.author, candidate.source, item.url,
        event.title if event is not None else "", event.independent if event is not None else "", len(item.copies),
        *(values.get(name, "") for name in DIMENSION_NAMES),
        ", ".join(penalty.name for penalty in item.penalties), item.reason or item.judged.verdict.reason,
    )  # fmt: skip
