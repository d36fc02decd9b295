"""What is refused before any parser sees it: XML bombs, external entities, web pages and block pages served as data."""

from __future__ import annotations

import re

from pipeline.errors import FetchError
from pipeline.sources.blockpages import page_instead

_PROLOG = re.compile(r"(?:\s+|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
_ENTITY = re.compile(r"<!ENTITY\s+(%?)\s*([^\s\"'>]+)\s+(\"[^\"]*\"|'[^']*'|[A-Z]+)", re.IGNORECASE)
_REFERENCE = re.compile(r"[&%](?!#)[A-Za-z_]")
_MAX_ENTITIES = 300  # HTML has 252 named ones, which old feeds declare
_MAX_VALUE = 64  # characters; long values times many references are the "quadratic" bomb
_DOCTYPE_CAP = 65_536
_HTML = re.compile(r"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)


def refuse_bombs(xml: str) -> None:
    """Raise FetchError for entity declarations that could expand or fetch; harmless character entities pass.

    Only the document type declaration before the root element is looked at: an article *about* entities is text.
    """
    at = _PROLOG.match(xml)
    start = at.end() if at else 0
    if xml[start : start + 9].upper() != "<!DOCTYPE":
        return
    end = _doctype_end(xml, start)
    entities = _ENTITY.findall(xml[start:end])
    harmful = any(
        percent or value[0] not in "\"'" or len(value) > _MAX_VALUE or _REFERENCE.search(value)
        for percent, _, value in entities
    )
    if harmful or len(entities) > _MAX_ENTITIES or end - start >= _DOCTYPE_CAP:
        raise FetchError("refused: the feed declares XML entities that expand or load files", status="bad response")


def _doctype_end(xml: str, start: int) -> int:
    """Where the declaration ends: at "]>" when it has an internal part, else at ">"; capped."""
    cap = min(len(xml), start + _DOCTYPE_CAP)
    close = xml.find(">", start, cap)
    subset = xml.find("[", start, cap)
    if subset == -1 or (close != -1 and close < subset):
        return close if close != -1 else cap
    end = re.compile(r"\]\s*>").search(xml, subset, cap)
    return end.end() if end else cap


def refuse_pages(text: str) -> None:
    """Raise FetchError when a web page came where data was asked for, naming a block page as such."""
    head = text[:2048]
    at = _PROLOG.match(head)
    if _HTML.match(head, at.end() if at else 0):
        raise FetchError(page_instead(text), status="bad response")
