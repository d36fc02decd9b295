"""Publication dates of article pages: the day found against the day checked by hand.

The day is the one the page writes, in its own zone. `exact_day`: share of pages with the right day, over all pages;
`dated`: share with any day; `exact_day_no_url`, `dated_no_url`: the same without the page's address.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipeline import dates
from pipeline.evaluation.metrics import mean
from pipeline.evaluation.rows import Measured, content, json_rows

TASK = "dates"


def run(folder: Path, *, limit: int | None = None) -> Measured:
    """Score the folder's pages (the first `limit`), with and without their addresses."""
    rows = json_rows(folder / "pages.jsonl")[:limit]
    pages = [content(folder / "pages" / row["file"]) for row in rows]
    metrics: dict[str, float] = {}
    for suffix, urls in (("", [row["url"] for row in rows]), ("_no_url", [""] * len(rows))):
        found = [day_of(page, url) for page, url in zip(pages, urls, strict=True)]
        metrics |= _scores(found, rows, suffix)
    return Measured(len(rows), metrics)


def day_of(page: bytes, url: str) -> str:
    """The day believed for a page, as 2026-08-03; "" when it is undated."""
    ledger = dates.choose(dates.page_dates(page, url))
    return "" if ledger.chosen is None else dates.day_written(ledger.claims[ledger.chosen]).isoformat()


def _scores(found: Sequence[str], rows: Sequence[dict[str, str]], suffix: str) -> dict[str, float]:
    return {
        f"exact_day{suffix}": mean(day == row["date"] for day, row in zip(found, rows, strict=True)),
        f"dated{suffix}": mean(bool(day) for day in found),
    }
