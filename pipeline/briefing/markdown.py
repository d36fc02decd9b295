"""Brief -> Markdown. Text from sources is escaped, so that a headline can't become markup."""

from __future__ import annotations

import re

from pipeline.briefing.words import heading, source_line, support
from pipeline.types import Brief, Statement

name = "md"
media_type = "text/markdown"
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|<>~$&])")
_LIST_START = re.compile(r"^(\s*)(\d+)?([-.=])")


def escape(text: str) -> str:
    """Source text with every character that Markdown or HTML could act on made plain."""
    text = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    return _LIST_START.sub(r"\1\2\\\3", text)


def export(brief: Brief) -> bytes:
    lines = [f"# {escape(brief.title)}", "", f"*{escape(heading(brief))}*", ""]
    if brief.demo:
        lines += ["**Demo: this news is invented.**", ""]
    for title, statements in (("Facts", brief.facts), ("Leads", brief.leads)):
        lines += [f"## {title}", ""]
        lines += [line for s in statements for line in _statement(s)] or ["None.", ""]
    lines += ["## Sources", ""]
    for citation in brief.citations:
        words = escape(source_line(citation, brief.zone))
        link = f" <{citation.url}>" if _linkable(citation.url) else ""
        lines.append(f"{citation.number}. {escape(citation.title)} ({words}){link}")
    lines += ["", "## Coverage", "", *(f"- {escape(said)}" for said in brief.coverage)]
    lines += ["", "## Method", "", *(f"- {escape(key)}: {escape(said)}" for key, said in brief.method), ""]
    return "\n".join(lines).encode()


def _statement(statement: Statement) -> list[str]:
    cited = "".join(f"\\[{number}\\]" for number in statement.citations)
    lines = [f"**{escape(statement.headline)}** {cited}  ", f"{support(statement)}", ""]
    if statement.text:
        lines += [escape(statement.text), ""]
    if statement.note:
        lines += [f"> {escape(statement.note)}", ""]
    return lines


def _linkable(url: str) -> bool:
    return url.startswith(("http://", "https://")) and not re.search(r"[\s<>]", url)
