"""Article page -> claims for its publication date, best evidence first: JSON-LD, meta, microdata, <time>, byline, URL.

Readers of our own come first because the packaged extractor takes copyright years and dates of related articles too
easily; it is asked last, in its strict mode, and only when nothing else was found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pipeline.dates.addresses import url_date
from pipeline.dates.bylines import bylines, of_other_voice, surroundings
from pipeline.dates.strings import parse_date
from pipeline.text import language
from pipeline.types import DateClaim, DateKind

MAX_HTML = 2_000_000
"""Characters of a page that are looked at."""

_META = {
    # property, name or itemprop, lower case -> reliability of what it holds
    "article:published_time": 0.93,
    "og:article:published_time": 0.93,
    "article:published": 0.92,
    "datepublished": 0.92,
    "date_published": 0.92,
    "publication_date": 0.92,
    "publicationdate": 0.92,
    "publish-date": 0.92,
    "publishdate": 0.92,
    "publish_date": 0.92,
    "pubdate": 0.92,
    "published": 0.9,
    "published_time": 0.9,
    "parsely-pub-date": 0.92,
    "sailthru.date": 0.92,
    "cxenseparse:recs:publishtime": 0.92,
    "cxenseparse:publishtime": 0.92,
    "citation_publication_date": 0.9,
    "citation_date": 0.88,
    "citation_online_date": 0.9,
    "dc.date.issued": 0.9,
    "dcterms.issued": 0.9,
    "dcterms.created": 0.88,
    "dc.date.created": 0.88,
    "dcterms.date": 0.86,
    "dc.date": 0.86,
    "datecreated": 0.85,
    "created": 0.82,
    "date": 0.57,  # as often the last change; a byline in its place is better
    "dat": 0.57,
    "article_date_original": 0.92,
    "article.published": 0.92,
    "article.created": 0.9,
    "originalpublicationdate": 0.92,
    "timestamp": 0.7,
    "bt:pubdate": 0.92,
    "og:pubdate": 0.9,
    "pub_date": 0.9,
    "release_date": 0.8,
    "og:release_date": 0.8,
    "last-modified": 0.45,
    "article:modified_time": 0.5,
    "og:updated_time": 0.45,
    "datemodified": 0.5,
    "dcterms.modified": 0.45,
    "revised": 0.45,
}
_LD_KEYS = (("datePublished", 0.95), ("dateCreated", 0.85), ("uploadDate", 0.8), ("dateModified", 0.5))
_LD_ARTICLE = re.compile(r"article|posting|report|newsitem|review|recipe|creativework|video|podcast|discussion", re.I)
_LD_LOOSE = re.compile(r'"(datePublished|dateCreated|dateModified)"\s*:\s*"([^"]{8,40})"')
_SCRIPT_DATE = re.compile(
    r'"(?:published_?(?:at|date|time|on)?|publish_?(?:date|time)|pub_?date|publication_?date|date_?published|'
    r'first_?published?(?:_?at|_?date)?|article_?date|post_?date|display_?date)"\s*:\s*"?([^",}]{8,40})',
    re.IGNORECASE,
)


def page_dates(html: bytes | str, url: str = "", *, zone: str = "UTC") -> tuple[DateClaim, ...]:
    """All claims a page makes about its publication date, most reliable first; () for a page that makes none.

    url: the page's address, "" to do without it. zone: IANA name for dates that give none.
    """
    from selectolax.lexbor import LexborHTMLParser

    text = html if isinstance(html, str) else html.decode(_charset(html), "replace")
    tree = LexborHTMLParser(text[:MAX_HTML])
    found = [*_json_ld(tree, zone), *_metas(tree, zone), *_times(tree, zone), *bylines(tree, zone, day_first_of(tree))]
    if url and (claim := url_date(url)):
        found.append(claim)
    if not any(claim.precision != "month" and claim.reliability > 0.45 for claim in found):
        found += [*_scripts(tree, zone), *_packaged(text, url), *_assets(tree)]
    return tuple(sorted(found, key=lambda claim: -claim.reliability))


def _charset(body: bytes) -> str:
    found = re.search(rb"charset\s*=\s*[\"']?\s*([\w\-]+)", body[:4096], re.IGNORECASE)
    name = found[1].decode("ascii", "ignore").lower() if found else "utf-8"
    try:
        body[:65_536].decode("utf-8", "strict")
        return "utf-8"
    except UnicodeDecodeError as error:
        if error.start > 65_530:
            return "utf-8"
    try:
        "".encode(name)
        return name
    except LookupError:
        return "utf-8"


def day_first_of(tree: Any) -> bool | None:
    """How the page's language writes 04/05/2026: month first in American English, day first elsewhere."""
    root = tree.css_first("html")
    lang = (root.attributes.get("lang") or "" if root is not None else "").lower().replace("_", "-")
    locale = tree.css_first('meta[property="og:locale"]')
    lang = lang or (locale.attributes.get("content") or "" if locale is not None else "").lower().replace("_", "-")
    if not lang and (title := tree.css_first("title")) is not None:
        lang = language(title.text())
        return None if lang in ("", "en") else True
    return None if not lang else lang not in ("en", "en-us", "en-ph", "en-ca")


def _claim(raw: object, kind: DateKind, reliability: float, zone: str, day_first: bool | None) -> DateClaim | None:
    if not isinstance(raw, str) or not raw.strip():
        return None
    claim = parse_date(raw, zone=zone, kind=kind, reliability=reliability, day_first=day_first)
    return None if claim is None or claim.precision == "month" else claim


# --------------------------------------------------------------------------- JSON-LD


def _json_ld(tree: Any, zone: str) -> Iterator[DateClaim]:
    for node in tree.css('script[type*="ld+json"]'):
        text = node.text(strip=True)
        try:
            things = list(_things(json.loads(text, strict=False), 0))
        except (ValueError, RecursionError):
            things = [dict(_LD_LOOSE.findall(text))]
        for thing in things:
            article = bool(_LD_ARTICLE.search(str(thing.get("@type", "article"))))
            for key, reliability in _LD_KEYS:
                claim = _claim(thing.get(key), "json-ld", reliability - (0 if article else 0.2), zone, None)
                if claim is not None:
                    yield claim


def _things(data: Any, depth: int) -> Iterator[Mapping[str, Any]]:
    """Objects that can be the page's article; comments and lists of other articles are not entered."""
    if isinstance(data, list):
        for part in data:
            yield from _things(part, depth + 1)
    elif isinstance(data, dict) and depth < 6:
        yield data
        for key in ("@graph", "mainEntity", "mainEntityOfPage"):
            if key in data:
                yield from _things(data[key], depth + 1)


# --------------------------------------------------------------------------- meta, microdata and <time>


def _metas(tree: Any, zone: str) -> Iterator[DateClaim]:
    day_first = day_first_of(tree)
    for node in tree.css("meta[content]"):
        attributes = node.attributes
        name = attributes.get("property") or attributes.get("name") or attributes.get("itemprop") or ""
        reliability = _META.get(name.strip().lower())
        if reliability is None and re.search(r"publish|pub[_\-]?date|date[_\-]?published", name, re.IGNORECASE):
            reliability = 0.8
        if reliability and (claim := _claim(attributes.get("content"), "meta", reliability, zone, day_first)):
            yield claim


def _times(tree: Any, zone: str) -> Iterator[DateClaim]:
    """<time> and microdata, those of the article before those of other things."""
    day_first = day_first_of(tree)
    for nth, node in enumerate(
        tree.css("time, abbr.published, [itemprop*=datePublished], [itemprop*=dateCreated], [pubdate]")
    ):
        attributes = node.attributes
        raw = attributes.get("datetime") or attributes.get("content") or attributes.get("title") or node.text()
        claim = _claim(raw, "time", 0.5, zone, day_first) or _claim(node.text(), "time", 0.5, zone, day_first)
        if claim is not None and not of_other_voice(node):
            yield replace(claim, reliability=_time_reliability(node, attributes, nth))


def _time_reliability(node: Any, attributes: Mapping[str, str | None], nth: int) -> float:
    name = f"{attributes.get('itemprop') or ''} {attributes.get('class') or ''}"
    if re.search(r"modif|updat", name, re.IGNORECASE):
        return 0.4
    _, away = surroundings(node)
    stated = "pubdate" in attributes or re.search(r"publish|created|entry-date|post-?date", name, re.IGNORECASE)
    return max(0.3, (0.82 if stated else 0.72) - (0.3 if away else 0.0) - min(nth, 10) * 0.01)


# --------------------------------------------------------------------------- last resorts


def _scripts(tree: Any, zone: str) -> Iterator[DateClaim]:
    """Dates in the page's own data ("publishedAt": "..."), for pages that draw themselves."""
    for node in tree.css("script:not([src])"):
        for raw in _SCRIPT_DATE.findall(node.text()[:400_000])[:1]:
            if claim := _claim(raw, "meta", 0.6, zone, None):
                yield claim


def _assets(tree: Any) -> Iterator[DateClaim]:
    """Days in the page's own id and in the address of its lead picture: usually the day it was made."""
    body = tree.body
    names = [f"/{(body.attributes.get('id') or '')}/" if body is not None else ""]
    names += [node.attributes.get("content") or "" for node in tree.css('meta[property="og:image"]')[:1]]
    for name in names:
        if (claim := url_date(name)) and claim.precision == "day":
            yield replace(claim, reliability=0.35)


def _packaged(text: str, url: str) -> Iterator[DateClaim]:
    """The packaged extractor in its strict mode."""
    import logging

    from htmldate import find_date

    logging.getLogger("htmldate").setLevel(logging.CRITICAL)
    found = find_date(text, url=url or None, original_date=True, extensive_search=False)
    if found and (claim := parse_date(found, kind="text", reliability=0.4)):
        yield claim
