"""Whose address it is: hosts and registrable domains."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any
from urllib.parse import urlsplit


@cache
def _suffixes() -> Any:
    import tldextract

    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


@lru_cache(maxsize=65_536)
def registrable(host: str) -> str:
    """The registrable domain of a host ("news.bbc.co.uk" -> "bbc.co.uk"); the host itself where there is none."""
    host = host.lower().strip(".")
    found = _suffixes()(host)
    return _ascii(f"{found.domain}.{found.suffix}") if found.domain and found.suffix else host


def _ascii(domain: str) -> str:
    """As the name service spells it ("xn--..."): one source however it is written, and no letter passes for another."""
    try:
        return domain if domain.isascii() else domain.encode("idna").decode()
    except UnicodeError:
        return domain


def host_of(url: str) -> str:
    """Lower-case host of an http(s) address without "www." and port; "" when it has none."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.")
