"""Brief -> CSV, one row a statement. Cells that a spreadsheet would run are neutralised."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from pipeline.briefing.words import link
from pipeline.types import DIMENSION_NAMES, Brief, Citation, Statement

name = "csv"
label = "CSV"
suffix = "csv"
media_type = "text/csv"
COLUMNS = (
    "section", "position", "published_at", "headline", "headline_by", "text", "note", "total", *DIMENSION_NAMES,
    "independent", "standing", "citations", "outlets", "urls", "demo",
)  # fmt: skip
# What begins a formula in a spreadsheet, the full-width forms too, which some of them read alike.
_RUNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def export(brief: Brief) -> bytes:
    """Dimensions are points of 100 after penalties; citations and addresses are parted by spaces."""
    by_number = {citation.number: citation for citation in brief.citations}
    sections = (("fact", brief.facts), ("lead", brief.leads))
    return csv_table(
        COLUMNS,
        (
            _row(section, position, statement, by_number, brief.demo)
            for section, statements in sections
            for position, statement in enumerate(statements, 1)
        ),
    )


def _row(
    section: str, position: int, statement: Statement, cited: dict[int, Citation], demo: bool
) -> tuple[object, ...]:
    points = dict(statement.points)
    citations = [cited[number] for number in statement.citations]
    return (
        section,
        position,
        statement.at.isoformat() if statement.at else "",
        statement.headline,
        "analyst" if statement.reworded else "source",
        statement.text,
        statement.note,
        statement.total,
        *(round(points.get(name, 0.0), 2) for name in DIMENSION_NAMES),
        statement.independent,
        statement.standing,
        " ".join(map(str, statement.citations)),
        " | ".join(citation.outlet for citation in citations),
        " ".join(filter(None, (link(citation.url) for citation in citations))),
        "demo: invented news" if demo else "",
    )


def csv_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Any table as CSV with a byte-order mark, so that spreadsheets read Chinese text."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([neutral(cell) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8-sig", "replace")


def neutral(cell: object) -> object:
    """Text that begins like a formula gets an apostrophe; numbers stay numbers."""
    if isinstance(cell, str):
        cell = cell.replace("\x00", "")
        if cell.startswith(_RUNS) or cell.lstrip().startswith(_RUNS):
            return "'" + cell
    return cell
