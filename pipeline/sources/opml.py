"""OPML -> feeds. Read leniently (HTML rules, not XML): exports are often not well-formed, and nothing can expand."""

from __future__ import annotations

from html.parser import HTMLParser

from pipeline.errors import InputError
from pipeline.settings import Feed
from pipeline.sources import common, decode
from pipeline.text import host_of


class _Outlines(HTMLParser):
    """Collects feeds; an outline without an address is a folder and names the theme of what stands in it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.feeds: list[Feed] = []
        self.skipped = 0
        self.is_opml = False
        self._folders: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open(tag, attrs, holds_others=True)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open(tag, attrs, holds_others=False)

    def handle_endtag(self, tag: str) -> None:
        if tag == "outline" and self._folders:
            self._folders.pop()

    def _open(self, tag: str, attrs: list[tuple[str, str | None]], *, holds_others: bool) -> None:
        self.is_opml = self.is_opml or tag == "opml"
        if tag != "outline":
            return
        values = {name: (value or "").strip() for name, value in attrs}
        label = values.get("title") or values.get("text") or ""
        address = values.get("xmlurl", "")
        if address:
            self._add(address, label, values)
        if holds_others:
            self._folders.append("" if address else label)

    def _add(self, address: str, label: str, values: dict[str, str]) -> None:
        url = common.clean_url(address)
        if not url:
            self.skipped += 1
            return
        theme = values.get("category", "").strip("/").split(",")[0] or next(filter(None, reversed(self._folders)), "")
        self.feeds.append(
            Feed(name=label[:120] or host_of(url), url=url, theme=theme[:60], language=values.get("language", ""))
        )


def read_opml(data: bytes) -> tuple[Feed, ...]:
    """The feeds of an OPML file in its order, one per address, names made unique.

    Raises InputError when it is no OPML or holds no usable feed.
    """
    reader = _Outlines()
    reader.feed(decode.to_text(data))
    reader.close()
    unique = {feed.url: feed for feed in reversed(reader.feeds)}
    feeds = tuple(reversed(unique.values()))
    if not feeds:
        why = "holds no feed with an http(s) address" if reader.is_opml else "is no OPML"
        raise InputError(f"the OPML file {why}; export it again from your feed reader")
    return _distinct_names(feeds)


def _distinct_names(feeds: tuple[Feed, ...]) -> tuple[Feed, ...]:
    """Two feeds of one name are told apart by number: outcomes and health go by name."""
    seen: dict[str, int] = {}
    named = []
    for feed in feeds:
        nth = seen[feed.name] = seen.get(feed.name, 0) + 1
        named.append(feed if nth == 1 else feed.model_copy(update={"name": f"{feed.name} ({nth})"}))
    return tuple(named)
