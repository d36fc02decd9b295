"""Brief -> DOCX, with fonts named for Chinese text as well."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from pipeline.briefing.words import heading, source_line, support, when
from pipeline.types import Brief, Statement

name = "docx"
media_type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def export(brief: Brief) -> bytes:
    import docx

    document = docx.Document()
    _fonts(document)
    document.core_properties.title = _clean(brief.title)[:255]
    document.add_heading(_clean(brief.title), 0)
    document.add_paragraph(heading(brief))
    if brief.demo:
        document.add_paragraph("Demo: this news is invented.").runs[0].bold = True
    for title, statements in (("Facts", brief.facts), ("Leads", brief.leads)):
        document.add_heading(title, 1)
        for statement in statements:
            _statement(document, statement, brief.zone)
        if not statements:
            document.add_paragraph("None.")
    document.add_heading("Sources", 1)
    for citation in brief.citations:
        line = f"[{citation.number}] {citation.title} ({source_line(citation, brief.zone)}) {citation.url}"
        document.add_paragraph(_clean(line))
    document.add_heading("Coverage", 1)
    for said in brief.coverage:
        document.add_paragraph(_clean(said), style="List Bullet")
    document.add_heading("Method", 1)
    for key, said in brief.method:
        document.add_paragraph(_clean(f"{key}: {said}"), style="List Bullet")
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def _statement(document: Any, statement: Statement, zone: str) -> None:
    document.add_heading(_clean(statement.headline), 2)
    cited = "".join(f"[{number}]" for number in statement.citations)
    document.add_paragraph(f"{when(statement.at, zone)} · {support(statement)} {cited}")
    if statement.text:
        document.add_paragraph(_clean(statement.text))
    if statement.note:
        document.add_paragraph(_clean(statement.note), style="Intense Quote")


def _fonts(document: Any) -> None:
    from docx.oxml.ns import qn

    for style in ("Normal", "Title", "Heading 1", "Heading 2"):
        fonts = document.styles[style].element.get_or_add_rPr().get_or_add_rFonts()
        fonts.set(qn("w:eastAsia"), "Microsoft YaHei")


def _clean(text: str) -> str:
    """Control characters are not allowed in XML; everything else is kept."""
    return "".join(char for char in text if char >= " " or char in "\t\n")
