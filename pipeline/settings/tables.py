"""authority.yaml, owners.yaml and profiles/*.yaml: named sources, who owns whom, bundles of choices."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from pydantic import Field

from pipeline.settings.scoring import Weights
from pipeline.settings.section import Section, Share


class NamedSource(Section):
    mean: Share
    class_: str = Field(default="", alias="class")
    topics: Mapping[str, Share] = {}


class AuthorityTable(Section):
    sources: Mapping[str, NamedSource]


class OwnersTable(Section):
    groups: Mapping[str, tuple[str, ...]]
    platforms: tuple[str, ...]
    accounts: tuple[str, ...] = ()
    mirrors: Mapping[str, str] = {}
    wires: Mapping[str, tuple[str, ...]]

    def account(self, url: str, *, home: bool = False) -> str:
        """The account that an address on a platform names, lower case ("foo" of foo.substack.com); "" for none.

        home: read the address as an account's own page, where that of an item has something behind it.
        """
        found = _accounts(self.accounts, home).match(url)
        name = found[found.lastindex].lower() if found and found.lastindex else ""
        return "" if name in _OF_THE_PLATFORM else name


_OF_THE_PLATFORM = frozenset(("www", "m", "mobile", "amp", "open", "web", "i", "status", "detail"))
"""Sub-domains and first parts of a path that belong to the platform, not to an account."""


@lru_cache
def _accounts(patterns: tuple[str, ...], home: bool) -> re.Pattern[str]:
    """Of owners.yaml's `accounts`, the longest first: each * is a group, one label of a host or one part of a path."""
    if home:
        patterns = tuple(pattern.rpartition("/")[0] for pattern in patterns if "*/" in pattern)
    ways = "|".join(
        re.escape(pattern).replace(r"\*", r"([^./?#@:][^/?#:]*)" if "/" in pattern else r"([\w-]+)")
        for pattern in sorted(patterns, key=len, reverse=True)
    )
    end = "/?(?:[?#]|$)" if home else "[/?#:]|$|(?<=/)"
    return re.compile(rf"https?://(?:(?:www|m|mobile|amp|old|np)\.)?(?:{ways})(?={end})", re.IGNORECASE)


class Profile(Section):
    label: str
    description: str = ""
    weights: Weights | None = None
    decay_function: Literal["half_life", "linear", "exponential"] | None = None
    days: int | None = Field(default=None, ge=1, le=36_500)
    threshold: float | None = Field(default=None, ge=0, le=100)
    sources: tuple[str, ...] | None = None
    themes: tuple[str, ...] | None = None
    authority_bias: Mapping[str, Share] = {}
    interests: tuple[str, ...] | None = None
