"""Brief -> CSV, one row a statement. Cells that a spreadsheet would run are neutralised."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from pipeline.types import Brief

name = "csv"
media_type = "text/csv"
COLUMNS = ("tier", "published_at", "headline", "text", "note", "total", "independent", "citations", "urls")
_RUNS = ("=", "+", "-", "@", "\t", "\r")


def export(brief: Brief) -> bytes:
    by_number = {citation.number: citation for citation in brief.citations}
    return csv_table(
        COLUMNS,
        (
            (
                s.tier,
                s.at.isoformat() if s.at else "",
                s.headline,
                s.text,
                s.note,
                s.total,
                s.independent,
                " ".join(map(str, s.citations)),
                " ".join(by_number[n].url for n in s.citations),
            )
            for s in (*brief.facts, *brief.leads)
        ),
    )


def csv_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Any table as CSV with a byte-order mark, so that spreadsheets read Chinese text."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([neutral(cell) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def neutral(cell: object) -> object:
    """Text that begins like a formula gets an apostrophe; numbers stay numbers."""
    if isinstance(cell, str) and cell.lstrip(" ").startswith(_RUNS):
        return "'" + cell
    return cell
