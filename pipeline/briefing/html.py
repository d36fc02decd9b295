"""Brief -> one HTML file without scripts or outside requests; it prints like a briefing."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from pipeline.briefing import charts
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
from pipeline.settings import bundled
from pipeline.types import Brief, Citation, Statement

name = "html"
label = "HTML"
suffix = "html"
media_type = "text/html"
# Whatever a headline might bring: a browser would neither run nor fetch it.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_DEMO_PAGES = "@page{@top-left{content:'Demo: this news is invented';font:9pt sans-serif;color:#5f5e58}}"


def export(brief: Brief) -> bytes:
    return brief_html(brief).encode()


def brief_html(brief: Brief, *, scheme: str = "") -> str:
    """The document. scheme: "light" or "dark" for a preview; without it the reader's own holds."""
    return "\n".join(_page(brief, scheme))


def _page(brief: Brief, scheme: str) -> Iterator[str]:
    style = (bundled("assets") / "brief.css").read_text("utf-8") + (_DEMO_PAGES if brief.demo else "")
    fixed = f' style="color-scheme:{scheme}"' if scheme in ("light", "dark") else ""
    yield f'<!doctype html><html lang="en"{fixed}><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width,initial-scale=1">'
    yield f"<title>{'Demo: ' if brief.demo else ''}{_text(brief.title)}</title><style>{style}</style></head><body>"
    yield from _opening(brief)
    yield from _section("Facts", "", brief.facts, brief)
    yield from _section("Leads", LEADS_SAY, brief.leads, brief)
    yield '<section><h2>Sources</h2><ol class="sources">'
    yield from (_citation(citation, brief.zone) for citation in brief.citations)
    yield "</ol><h2>Coverage</h2><ul>"
    yield from (f"<li>{_text(said)}</li>" for said in brief.coverage)
    yield '</ul></section><section class="method"><h2>Method</h2><dl>'
    yield from (f"<dt>{_text(name)}</dt><dd>{_text(said)}</dd>" for name, said in brief.method)
    yield "</dl></section></body></html>"


def _opening(brief: Brief) -> Iterator[str]:
    yield '<header><p class="kind">Briefing</p>'
    yield f'<h1 dir="auto">{_text(brief.title)}</h1><p class="quiet">{_text(heading(brief))}</p>'
    yield f'<p class="quiet">{_text(prepared(brief))} · {_text(summary(brief))}</p></header>'
    if brief.demo:
        yield f'<p class="demo">{DEMO}</p>'
    yield from (f'<p class="intro" dir="auto">{_text(said)}</p>' for said in paragraphs(brief.introduction))
    if drawn := charts.timeline(brief):
        yield f'<figure>{drawn}<figcaption class="key"><span><i class="fact"></i>fact</span>'
        yield '<span><i class="lead"></i>lead</span><span><i class="tick"></i>another cited report</span>'
        yield "<span>larger: more independent sources</span></figcaption></figure>"


def _section(title: str, said: str, statements: tuple[Statement, ...], brief: Brief) -> Iterator[str]:
    yield f'<section class="{title.lower()}"><h2>{title}</h2>'
    if statements:
        yield f'<p class="quiet">{said}</p>' if said else ""
        yield from (_statement(statement, brief) for statement in statements)
        yield charts.key((*brief.facts, *brief.leads)) if title == "Facts" or not brief.facts else ""
    else:
        yield '<p class="quiet">None.</p>'
    yield "</section>"


def _statement(statement: Statement, brief: Brief) -> str:
    cited = "".join(f'<a class="cite" href="#c{n}">{n}</a>' for n in statement.citations)
    text = f'<p class="said" dir="auto">{_text(statement.text)}</p>' if statement.text else ""
    note = "".join(f'<p dir="auto">{_text(said)}</p>' for said in paragraphs(statement.note))
    note = f'<div class="note"><b>Analyst</b>{note}</div>' if note else ""
    line = _text(support(statement, brief))
    return (
        f'<article id="i{statement.citations[0]}"><h3 dir="auto">{_text(statement.headline)}</h3>'
        f'<p class="quiet">{line} <span class="cites">{cited}</span></p>{charts.bar(statement, brief.threshold)}'
        f"{text}{note}</article>"
    )


def _citation(citation: Citation, zone: str) -> str:
    title, url = _text(citation.title or citation.url), link(citation.url)
    if url:
        title = f'<a rel="noopener noreferrer nofollow" target="_blank" href="{escape(url)}">{title}</a>'
    printed = f'<span class="url">{escape(url)}</span>' if url else ""
    line = _text(source_line(citation, zone))
    return f'<li id="c{citation.number}" dir="auto">{title} <span class="quiet">{line}</span>{printed}</li>'


def _text(raw: str) -> str:
    return escape(plain(raw))
