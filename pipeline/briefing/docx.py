"""Brief -> DOCX, with fonts named for Chinese text as well, real links, and a foot on every page."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from pipeline.briefing.charts import DIMENSION_COLOURS
from pipeline.briefing.words import (
    DEMO,
    LEADS_SAY,
    heading,
    link,
    paragraphs,
    plain,
    prepared,
    source_line,
    summary,
    support,
)
from pipeline.types import Brief, Citation, Statement

name = "docx"
label = "Word"
suffix = "docx"
media_type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_SERIF, _SANS = "Georgia", "Calibri"
_HAN_SERIF, _HAN_SANS = "SimSun", "Microsoft YaHei"
_INK, _QUIET, _ACCENT = "1D1D1B", "5F5E58", "14606B"
_POINTS_A_BLOCK = 4  # one block of the score's bar; 25 are 100 points


def export(brief: Brief) -> bytes:
    import docx

    document = docx.Document()
    _styles(document)
    _properties(document, brief)
    _foot(document, brief)
    _opening(document, brief)
    for title, said, statements in (("Facts", "", brief.facts), ("Leads", LEADS_SAY, brief.leads)):
        document.add_heading(title, 1)
        if said and statements:
            document.add_paragraph(said, style="Subtitle")
        for statement in statements:
            _statement(document, statement, brief)
        if not statements:
            document.add_paragraph("None.")
    document.add_heading("Sources", 1)
    for citation in brief.citations:
        _citation(document, citation, brief.zone)
    document.add_heading("Coverage", 1)
    for said in brief.coverage:
        document.add_paragraph(plain(said), style="List Bullet")
    document.add_heading("Method", 1)
    _method(document, brief)
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def _opening(document: Any, brief: Brief) -> None:
    document.add_heading(plain(brief.title), 0)
    document.add_paragraph(heading(brief), style="Subtitle")
    document.add_paragraph(f"{prepared(brief)} · {summary(brief)}", style="Subtitle")
    if brief.demo:
        document.add_paragraph().add_run(DEMO).bold = True
    for said in paragraphs(brief.introduction):
        document.add_paragraph(said)


def _statement(document: Any, statement: Statement, brief: Brief) -> None:
    document.add_heading(plain(statement.headline), 2)
    cited = "".join(f"[{number}]" for number in statement.citations)
    line = document.add_paragraph(f"{plain(support(statement, brief))} {cited}", style="Subtitle")
    line.paragraph_format.keep_with_next = True
    if statement.points:
        _bar(document, statement)
    if statement.text:
        document.add_paragraph(plain(statement.text))
    for at, said in enumerate(paragraphs(statement.note)):
        note = document.add_paragraph(style="Quote")
        if at == 0:
            note.add_run("Analyst: ").bold = True
        note.add_run(said)


def _bar(document: Any, statement: Statement) -> None:
    """The score as coloured blocks: a drawing that every word processor shows."""
    from docx.shared import Pt, RGBColor

    bar = document.add_paragraph()
    bar.paragraph_format.space_after = Pt(3)
    bar.paragraph_format.keep_with_next = bool(statement.text)
    drawn, points_so_far = 0, 0.0
    for dimension, points in statement.points:
        points_so_far += points
        blocks = round(points_so_far / _POINTS_A_BLOCK) - drawn
        drawn += blocks
        run = bar.add_run("\u2588" * blocks)
        run.font.size = Pt(7)
        run.font.color.rgb = RGBColor.from_string(DIMENSION_COLOURS[dimension].lstrip("#"))


def _citation(document: Any, citation: Citation, zone: str) -> None:
    from docx.shared import Cm

    line = document.add_paragraph(f"[{citation.number}] ")
    line.paragraph_format.left_indent, line.paragraph_format.first_line_indent = Cm(0.8), Cm(-0.8)
    title, url = plain(citation.title or citation.url), link(citation.url)
    if url:
        _link(line, title, url)
    else:
        line.add_run(title)
    line.add_run(f" ({plain(source_line(citation, zone))})")


def _link(paragraph: Any, text: str, url: str) -> None:
    """A real hyperlink: python-docx reads them, but has no call that makes one."""
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.oxml.ns import qn
    from docx.oxml.parser import OxmlElement
    from docx.shared import RGBColor

    run = paragraph.add_run(text)
    run.font.underline, run.font.color.rgb = True, RGBColor.from_string(_ACCENT)
    holder = OxmlElement("w:hyperlink")
    holder.set(qn("r:id"), paragraph.part.relate_to(url, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    paragraph._p.append(holder)
    holder.append(run._r)


def _method(document: Any, brief: Brief) -> None:
    from docx.shared import Cm

    table = document.add_table(rows=0, cols=2)
    table.autofit = False
    for key, said in brief.method:
        cells = table.add_row().cells
        cells[0].width, cells[1].width = Cm(3), Cm(13)
        cells[0].paragraphs[0].add_run(plain(key)).bold = True
        cells[1].paragraphs[0].add_run(plain(said))


# --------------------------------------------------------------------------- the sheet


def _styles(document: Any) -> None:
    """Quiet type: a serif for headlines, a sans for text, Chinese fonts named beside both."""
    from docx.shared import Pt

    _font(document, "Normal", _SANS, _HAN_SANS, 10.5, _INK)
    _font(document, "Title", _SERIF, _HAN_SERIF, 22, _INK)
    _font(document, "Heading 1", _SANS, _HAN_SANS, 11, _ACCENT)
    _font(document, "Heading 2", _SERIF, _HAN_SERIF, 13, _INK)
    _font(document, "Subtitle", _SANS, _HAN_SANS, 9.5, _QUIET)
    _font(document, "Quote", _SANS, _HAN_SANS, 10.5, _INK)
    document.styles["Subtitle"].font.italic = False
    document.styles["Subtitle"].paragraph_format.space_after = Pt(3)
    document.styles["Quote"].paragraph_format.left_indent = Pt(14)


def _font(document: Any, style: str, latin: str, han: str, size: float, colour: str) -> None:
    from docx.oxml.ns import qn
    from docx.shared import Pt, RGBColor

    found = document.styles[style]
    found.font.size, found.font.color.rgb = Pt(size), RGBColor.from_string(colour)
    fonts = found.element.get_or_add_rPr().get_or_add_rFonts()
    for kind in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):  # a theme's font would win
        fonts.attrib.pop(qn(f"w:{kind}"), None)
    for kind, family in (("ascii", latin), ("hAnsi", latin), ("eastAsia", han)):
        fonts.set(qn(f"w:{kind}"), family)


def _properties(document: Any, brief: Brief) -> None:
    about = document.core_properties
    about.title = plain(brief.title)[:255]
    about.author = about.last_modified_by = "Lately"
    about.comments = DEMO if brief.demo else ""
    about.subject = plain(brief.question)[:255]
    about.created = about.modified = brief.created_at.replace(tzinfo=None)


def _foot(document: Any, brief: Brief) -> None:
    """Run, demo marking and page number at the foot of every page."""
    foot = document.sections[0].footer.paragraphs[0]
    foot.style = document.styles["Subtitle"]
    foot.add_run(f"{DEMO if brief.demo else 'Lately'} · run {plain(brief.run_id)} · page ")
    _page_number(foot.add_run())


def _page_number(run: Any) -> None:
    from docx.oxml.ns import qn
    from docx.oxml.parser import OxmlElement

    for kind, text in (("begin", ""), ("", "PAGE"), ("end", "")):
        mark = OxmlElement("w:fldChar" if kind else "w:instrText")
        if kind:
            mark.set(qn("w:fldCharType"), kind)
        else:
            mark.text = text
        run._r.append(mark)
