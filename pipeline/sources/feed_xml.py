"""RSS 0.9x/1.0/2.0 and Atom by feedparser; news sitemaps by ourselves.

feedparser is given decoded, re-encoded bytes (never a string: it would open files and addresses), with its own
sanitising and embedded-link resolution off: we take plain text only. Its dates are not used: it misreads some silently
(2026年11月28日 becomes 1 November), so the raw strings are read by `pipeline.dates`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from pipeline.errors import FetchError
from pipeline.sources import guards
from pipeline.sources.blockpages import describe
from pipeline.sources.common import string
from pipeline.sources.entries import Document, Entry
from pipeline.text import host_of

_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>\s*", re.IGNORECASE)
_ITEM = re.compile(r"<(?:\w+:)?(?:item|entry)[\s>]", re.IGNORECASE)
_PREFIXED = re.compile(r"(</?)(?:rss|atom|a10|ns0):(?=[a-z])", re.IGNORECASE)
_NAMED = re.compile(r"&#([xX][0-9a-fA-F]+|[0-9]+);?")
_ROOT = re.compile(r"<(?:\w+:)?(?:rss|feed|rdf|channel)\b[^>]*>", re.IGNORECASE)
_SITEMAP = re.compile(r"<(?:\w+:)?urlset\b", re.IGNORECASE)
_URL = re.compile(r"<(?:\w+:)?url>(.*?)(?:</(?:\w+:)?url>|(?=<(?:\w+:)?url>)|\Z)", re.DOTALL | re.IGNORECASE)
_HEAD = 4_000


def read(text: str, url: str) -> Document:
    """A feed document from text. Raises FetchError when it is a bomb, a web page or no feed at all."""
    guards.refuse_bombs(text)
    guards.refuse_pages(text)
    if _SITEMAP.search(text[:_HEAD]):
        return Document(entries=tuple(_sitemap(text)), base=url)
    body = _DECLARATION.sub("", text.lstrip(), count=1)
    parsed = _parse(body, url)
    if not parsed.entries and _ITEM.search(body):
        parsed = _parse(_rescue(body), url)
    if not parsed.entries and not parsed.version and not _ROOT.search(body[:_HEAD]):
        raise FetchError(f"no feed but {describe(text)}", status="bad response")
    feed = parsed.feed
    broken = (f"malformed XML, read as far as it goes: {parsed.bozo_exception}",) if _is_broken(parsed) else ()
    return Document(
        entries=tuple(_entry(entry) for entry in parsed.entries),
        title=_get(feed, "title"),
        language=_get(feed, "language"),
        base=_get(feed, "link") or url,
        notes=broken,
    )


def _parse(body: str, url: str) -> Any:
    import feedparser

    headers = {"content-type": "application/xml; charset=utf-8", "content-location": url}
    body = _NAMED.sub(_known, body)
    data = BytesIO(('<?xml version="1.0" encoding="utf-8"?>\n' + body).encode("utf-8", "replace"))
    return feedparser.parse(data, response_headers=headers, sanitize_html=False, resolve_relative_uris=False)


def _known(named: re.Match[str]) -> str:
    """A character named by its number, or U+FFFD for a number that is none: feedparser would give up the document."""
    digits = named[1].lstrip("xX0") or "0"
    code = int(digits, 16 if named[1][0] in "xX" else 10) if len(digits) < 9 else sys.maxunicode + 1
    return named[0] if code < 0xD800 or 0xE000 <= code <= sys.maxunicode else "\ufffd"


def _is_broken(parsed: Any) -> bool:
    return bool(parsed.bozo) and type(parsed.bozo_exception).__name__ == "SAXParseException"


def _rescue(body: str) -> str:
    """Documents whose elements carry a prefix that is bound to nothing: prefixes off, junk before the root off."""
    body = _PREFIXED.sub(r"\1", body)
    root = _ROOT.search(body)
    return '<rss version="2.0">' + body[root.end() :] if root else body


def _entry(entry: dict[str, Any]) -> Entry:
    source = dict.get(entry, "source") or {}
    content = max((string(part.get("value")) for part in dict.get(entry, "content") or ()), key=len, default="")
    comments = _get(entry, "slash_comments")
    return Entry(
        id=_get(entry, "id"),
        link=_get(entry, "feedburner_origlink") or _get(entry, "link") or _first_link(entry),
        title=_get(entry, "title"),
        summary=_get(entry, "summary"),
        content=content,
        author=_get(entry, "author"),
        published=_get(entry, "published") or _get(entry, "created"),
        updated=_get(entry, "updated"),
        publisher=host_of(_get(source, "href")) or _get(source, "title") if source else "",
        publisher_name=_get(source, "title") if source else "",
        engagement=(("comments", int(comments)),) if comments.isdecimal() and len(comments) < 10 else (),
    )


def _get(entry: dict[str, Any], key: str) -> str:
    """The entry's own value: feedparser's lookup would answer "published" for a missing "updated"."""
    return string(dict.get(entry, key))


def _first_link(entry: dict[str, Any]) -> str:
    links = dict.get(entry, "links") or ()
    return next((string(link.get("href")) for link in links if link.get("rel") != "enclosure"), "")


def _sitemap(text: str) -> Iterator[Entry]:
    for block in _URL.findall(text):
        link = _tag(block, "loc")
        yield Entry(
            id=link,
            link=link,
            title=_tag(block, "title"),
            published=_tag(block, "publication_date"),
            updated=_tag(block, "lastmod"),
            language=_tag(block, "language"),
        )


def _tag(block: str, name: str) -> str:
    import html

    found = re.search(rf"<(?:\w+:)?{name}>\s*(?:<!\[CDATA\[)?(.*?)(?:\]\]>)?\s*</(?:\w+:)?{name}>", block, re.DOTALL)
    return html.unescape(found[1]).strip() if found else ""
