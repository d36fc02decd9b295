"""Brief -> Markdown. Text from sources is escaped, so that a headline can't become markup."""

from __future__ import annotations

import re
from collections.abc import Iterator

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

name = "md"
label = "Markdown"
suffix = "md"
media_type = "text/markdown"
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|<>~$&@]|:(?=[a-z/])|(?<=www)\.)", re.IGNORECASE)
_LIST_START = re.compile(r"^(\d+)?([-.=])")


def escape(text: str) -> str:
    """Source text with every character that Markdown or HTML could act on made plain; a bare address is no link."""
    return _LIST_START.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", plain(text)))


def export(brief: Brief) -> bytes:
    return ("\n".join(_lines(brief)) + "\n").encode()


def _lines(brief: Brief) -> Iterator[str]:
    yield from (f"# {escape(brief.title)}", "", f"*{escape(heading(brief))}*  ")
    yield from (f"*{escape(prepared(brief))} · {escape(summary(brief))}*", "")
    if brief.demo:
        yield from (f"**{DEMO}**", "")
    for said in paragraphs(brief.introduction):
        yield from (escape(said), "")
    yield from _section("Facts", "", brief.facts, brief)
    yield from _section("Leads", LEADS_SAY, brief.leads, brief)
    yield from ("## Sources", "")
    yield from (_citation(citation, brief.zone) for citation in brief.citations)
    yield from ("", "## Coverage", "", *(f"- {escape(said)}" for said in brief.coverage))
    yield from ("", "## Method", "", *(f"- {escape(key)}: {escape(said)}" for key, said in brief.method))


def _section(title: str, said: str, statements: tuple[Statement, ...], brief: Brief) -> Iterator[str]:
    yield from (f"## {title}", "")
    if said and statements:
        yield from (f"*{said}*", "")
    for statement in statements:
        yield from _statement(statement, brief)
    if not statements:
        yield from ("None.", "")


def _statement(statement: Statement, brief: Brief) -> Iterator[str]:
    cited = "".join(f"\\[{number}\\]" for number in statement.citations)
    yield f"**{escape(statement.headline)}** {cited}  "
    yield from (escape(support(statement, brief)), "")
    if statement.text:
        yield from (escape(statement.text), "")
    if note := paragraphs(statement.note):
        yield from ("\n>\n".join(f"> {escape(said)}" for said in ("Analyst: " + note[0], *note[1:])), "")


def _citation(citation: Citation, zone: str) -> str:
    url = link(citation.url)
    line = f"{citation.number}. {escape(citation.title or citation.url)} ({escape(source_line(citation, zone))})"
    return f"{line} <{url}>" if url else line
