"""Brief -> one HTML file without scripts or outside requests; it prints like a briefing."""

from __future__ import annotations

from html import escape

from pipeline.briefing.words import heading, source_line, support, when
from pipeline.settings import bundled
from pipeline.types import Brief, Statement

name = "html"
media_type = "text/html"


def export(brief: Brief) -> bytes:
    zone = brief.zone
    style = (bundled("assets") / "brief.css").read_text("utf-8")
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>{escape(brief.title)}</title><style>{style}</style></head><body>",
        f'<h1>{escape(brief.title)}</h1><p class="quiet">{escape(heading(brief))}</p>',
    ]
    if brief.demo:
        parts.append('<p class="demo">Demo: this news is invented.</p>')
    parts.append(_timeline(brief))
    for title, statements in (("Facts", brief.facts), ("Leads", brief.leads)):
        parts.append(f"<h2>{title}</h2>")
        parts += [_statement(s, zone) for s in statements] or ['<p class="quiet">None.</p>']
    parts.append("<h2>Sources</h2><ol>")
    for citation in brief.citations:
        title = escape(citation.title or citation.url)
        linked = f'<a rel="noopener noreferrer" href="{escape(citation.url)}">{title}</a>'
        shown = linked if citation.url.startswith(("http://", "https://")) else title
        parts.append(
            f'<li id="c{citation.number}">{shown} <span class="quiet">{escape(source_line(citation, zone))}</span></li>'
        )
    parts.append("</ol><h2>Coverage</h2><ul>")
    parts += [f"<li>{escape(said)}</li>" for said in brief.coverage]
    parts.append("</ul><h2>Method</h2><dl>")
    parts += [f"<dt>{escape(key)}</dt><dd>{escape(said)}</dd>" for key, said in brief.method]
    parts.append("</dl></body></html>")
    return "\n".join(parts).encode()


def _statement(statement: Statement, zone: str) -> str:
    cited = "".join(f'<a href="#c{n}">[{n}]</a>' for n in statement.citations)
    text = f"<p>{escape(statement.text)}</p>" if statement.text else ""
    note = f'<p class="note">{escape(statement.note)}</p>' if statement.note else ""
    line = escape(f"{when(statement.at, zone)} · {support(statement)}")
    return f'<section><h3>{escape(statement.headline)}</h3><p class="quiet">{line} {cited}</p>{text}{note}</section>'


def _timeline(brief: Brief) -> str:
    """The statements as dots on the window: filled facts, hollow leads, size by independent sources."""
    span = (brief.until - brief.since).total_seconds()
    dots = []
    for statement in (*brief.facts, *brief.leads):
        if statement.at is None or span <= 0:
            continue
        x = 20 + 600 * min(max((statement.at - brief.since).total_seconds() / span, 0.0), 1.0)
        fill = "var(--accent)" if statement.tier == "fact" else "none"
        dots.append(
            f'<circle cx="{x:.1f}" cy="22" r="{4 + min(statement.independent, 6)}" fill="{fill}" '
            f'stroke="var(--accent)"><title>{escape(statement.headline)}</title></circle>'
        )
    if not dots:
        return ""
    return (
        '<svg viewBox="0 0 640 44" role="img" aria-label="Items over the window">'
        '<line x1="20" y1="22" x2="620" y2="22" stroke="var(--rule)"/>' + "".join(dots) + "</svg>"
    )
