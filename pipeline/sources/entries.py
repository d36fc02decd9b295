"""One answer of any feed format (RSS, Atom, JSON Feed, news sitemap, Reddit listing) -> candidates.

Each reader turns the document into `Entry` records; `candidates` turns those into ours, the same way for all.
One bad entry becomes a `Malformed`, its neighbours stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pipeline import dates
from pipeline.sources import common
from pipeline.text import host_of, plain
from pipeline.types import Candidate, DateClaim, Endpoint, Malformed, Parsed, Passage

Kind = Literal["article", "post", "thread", "release", "paper"]

UPDATED_RELIABILITY = 0.8
"""An "updated" date is the day of publication less often than a "published" one."""
PARAGRAPHS, PARAGRAPH_CHARS, PARAGRAPH_MIN = 20, 800, 60
"""Paragraphs of a full text kept as passages, their length, and the length below which a line is no paragraph."""
_PARAGRAPH = re.compile(
    r"</?(?:p|div|li|h[1-6]|blockquote|tr|section|article)\b[^>]*>|<br\s*/?>\s*<br\s*/?>", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry as its format gives it: markup unresolved, dates raw, links possibly relative."""

    id: str = ""
    link: str = ""
    title: str = ""
    summary: str = ""
    content: str = ""
    author: str = ""
    published: str = ""
    updated: str = ""
    publisher: str = ""
    """Host or name of the true publisher, where the entry states it."""
    publisher_name: str = ""
    """How the publisher is called in titles."""
    language: str = ""
    engagement: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A feed: what it says about itself and its entries."""

    entries: Sequence[Entry]
    title: str = ""
    language: str = ""
    base: str = ""
    notes: tuple[str, ...] = ()


def candidates(document: Document, endpoint: Endpoint) -> Parsed:
    """Every entry as a candidate, in the document's order."""
    kept: list[Candidate] = []
    bad: list[Malformed] = []
    for nth, entry in enumerate(document.entries):
        try:
            candidate = _candidate(entry, document, endpoint)
        except Exception as error:  # noqa: BLE001 - one entry nobody foresaw must not cost its neighbours
            bad.append(_malformed(entry, endpoint, nth, f"unreadable: {error}"))
            continue
        if candidate.title or candidate.url:
            kept.append(candidate)
        else:
            bad.append(_malformed(entry, endpoint, nth, "an entry without title, text and link"))
    ledgers = dates.mark_shared([candidate.dates for candidate in kept])
    marked = [
        candidate if ledger is candidate.dates else replace(candidate, dates=ledger)
        for candidate, ledger in zip(kept, ledgers, strict=True)
    ]
    return Parsed(candidates=common.distinct(marked), malformed=tuple(bad), notes=document.notes)


def _malformed(entry: Entry, endpoint: Endpoint, nth: int, reason: str) -> Malformed:
    ident = f"{endpoint.source}:{common.digest(endpoint.name, entry.id, entry.link, str(nth))}"
    return Malformed(id=ident, title=entry.title[:120], url=common.clean_url(entry.link), reason=reason)


def _candidate(entry: Entry, document: Document, endpoint: Endpoint) -> Candidate:
    url = common.clean_url(entry.link, document.base)
    text = common.text_of(entry.summary)
    full = common.text_of(entry.content)
    lead = text if len(text) >= 200 or len(text) >= len(full) else full
    title = common.title_or_lead(common.title_of(entry.title), lead)
    account = "" if endpoint.searches else document.title  # a search brings everybody's
    publisher = entry.publisher or common.publisher_of(url or document.base, account)
    return Candidate(
        id=f"{endpoint.source}:{common.digest(endpoint.name, entry.id, url, *_fallback(entry, url))}",
        source=endpoint.source,
        endpoint=endpoint.name,
        url=url,
        domain=host_of(url),
        title=_without_publisher(title, entry),
        text=lead,
        author=plain(entry.author)[:120],
        publisher=publisher[:120],
        lang=common.lang_of(f"{title} {lead[:120]}", entry.language or document.language or endpoint.language),
        kind=_kind(url),
        dates=dates.with_event(dates.choose(_claims(entry, url, endpoint.timezone)), f"{title}. {lead}"),
        passages=passages(entry.content),
        engagement=entry.engagement,
        theme=endpoint.theme,
    )


def _fallback(entry: Entry, url: str) -> tuple[str, ...]:
    """What identifies an entry that has neither an id nor a link."""
    return () if entry.id or url else (entry.title, entry.published or entry.updated, entry.summary[:200])


def _claims(entry: Entry, url: str, zone: str) -> Iterable[DateClaim | None]:
    if entry.published:
        yield dates.parse_date(entry.published, zone=zone)
    if entry.updated and entry.updated != entry.published:
        yield dates.parse_date(entry.updated, zone=zone, reliability=UPDATED_RELIABILITY)
    yield dates.url_date(url)


def _without_publisher(title: str, entry: Entry) -> str:
    """Aggregators write "Headline - Publisher"; the publisher is kept in its own field."""
    head, dash, tail = title.rpartition(" - ")
    name, host, stated = (re.sub(r"[\W_]+", "", text.lower()) for text in (tail, entry.publisher, entry.publisher_name))
    return head if head and dash and name and entry.publisher and (name in host or name == stated) else title


def _kind(url: str) -> Kind:
    host = host_of(url)
    if host.endswith(("arxiv.org", "biorxiv.org", "medrxiv.org", "ssrn.com")):
        return "paper"
    if host == "github.com" and "/releases/" in url:
        return "release"
    if host.endswith("reddit.com") or host == "news.ycombinator.com":
        return "thread"
    return "article"


def passages(markup: str) -> tuple[Passage, ...]:
    """Paragraphs of a full text, in order; none for a text that is a single paragraph."""
    if len(markup) < 2 * PARAGRAPH_MIN:
        return ()
    parts = (plain(part)[:PARAGRAPH_CHARS] for part in _PARAGRAPH.split(markup[: common.MARKUP_CHARS]))
    kept = [part for part in parts if len(part) >= PARAGRAPH_MIN][:PARAGRAPHS]
    return tuple(Passage(id=f"p{nth}", text=part) for nth, part in enumerate(kept, 1)) if len(kept) > 1 else ()
