"""An entry for sources.yaml as the analyst gives it, checked before it is asked or kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from pipeline.errors import InputError
from pipeline.settings.sources import CustomPage, Feed, SearchFeed

_ENTRIES: dict[str, type[Feed] | type[CustomPage]] = {"rss": Feed, "search": SearchFeed, "custom": CustomPage}


def source_entry(kind: str, entry: Mapping[str, Any]) -> Feed | CustomPage:
    """An entry for rss, search or custom of sources.yaml, checked. Raises InputError that names what is wrong."""
    if kind not in _ENTRIES:
        raise InputError(f"unknown kind of source {kind!r}; known: {', '.join(_ENTRIES)}")
    if not str(entry.get("name", "")).strip():
        raise InputError("give the source a name")
    for key, value in entry.items():
        if isinstance(value, str) and not value.isprintable():
            raise InputError(f"{key}: {value[:80]!r} holds a line break or control character; write it on one line")
    url = str(entry.get("url", ""))
    _check_address(url)
    if kind == "search" and "{query}" not in url:
        raise InputError("the address of a search feed holds {query} where the search words go")
    try:
        made = _ENTRIES[kind].model_validate(dict(entry))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InputError(f"{'.'.join(map(str, first['loc']))}: {first['msg'].lower()}") from error
    _check_language(made.language)
    _check_zone(made.timezone)
    if isinstance(made, CustomPage):
        for name, selector in made.selectors.model_dump().items():
            _check_selector(name, selector)
    return made


def _check_address(url: str) -> None:
    if not url.startswith(("http://", "https://")):
        raise InputError(f"{url[:80]!r} is no address; it must begin with http:// or https://")
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        if parts.port == 0 or not host or any(char.isspace() or char in '{}<>"\\^`|' for char in host):
            raise ValueError
        if ":" not in host:  # an IPv6 address has no labels
            host.removesuffix(".").encode("idna")
    except ValueError:
        raise InputError(f"{url[:80]!r} has no host that could be asked; write https://example.org/feed") from None
    if any(char.isspace() for char in url):
        raise InputError(f"{url[:80]!r} holds a space; write %20 for it")


def _check_language(language: str) -> None:
    if language and not re.fullmatch(r"[a-z]{2}(-[A-Za-z0-9]{2,8})*", language):
        raise InputError(f"language: {language[:40]!r} is no code of two letters, such as en or zh")


def _check_zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        raise InputError(f"timezone: {name[:40]!r} is no time zone; write a name such as Asia/Shanghai") from None


def _check_selector(name: str, selector: str) -> None:
    """A selector as pages are read with it: CSS, after "+tag" for a following element, before "@attribute"."""
    from selectolax.lexbor import LexborHTMLParser, SelectolaxError

    css = selector.rpartition("@")[0] if "@" in selector.rpartition("]")[2] else selector
    css = css.strip()
    if css.startswith("+"):
        css = css[1:].strip().partition(" ")[2]
    if name == "item" and not css:
        raise InputError("selectors.item: name what holds one item, such as article or li.news")
    try:
        if css not in ("", "."):
            LexborHTMLParser("<p>").css(css)
    except (ValueError, SelectolaxError):
        raise InputError(f"selectors.{name}: {selector[:80]!r} is no CSS selector, such as h2 a or .date") from None
