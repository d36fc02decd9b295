"""sources.yaml: whom a run asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from pipeline.settings.section import Section, Share


class RateLimiter(Section):
    max_per_minute: int | None = Field(default=None, ge=1)
    max_per_day: int | None = Field(default=None, ge=1)


class Listed(Section):
    """What every entry of a list of sources may say of itself."""

    name: str
    url: str
    priority: int = Field(default=2, ge=1, le=9)
    class_: str = Field(default="", alias="class")
    owner: str = ""
    theme: str = ""
    language: str = ""
    authority_bias: Share | None = None
    timezone: str = "UTC"
    rate_limiter: RateLimiter = RateLimiter()


class Feed(Listed):
    """RSS, Atom, RDF or JSON Feed."""


class SearchFeed(Feed):
    """A feed whose address holds {query}, and {since} {until} where the service takes them."""


class Selectors(Section):
    item: str
    title: str
    link: str
    date: str = ""
    text: str = ""


class CustomPage(Listed):
    """A page whose items are found by selectors."""

    adapter: Literal["html_extract"] = "html_extract"
    selectors: Selectors
    render: bool = False
    interval_seconds: float = Field(default=5, ge=0)


class Api(Section):
    enabled: bool = True
    base_url: str
    timeout_s: float | None = Field(default=None, gt=0)
    priority: int = Field(default=2, ge=1, le=9)
    limit: int = Field(default=100, ge=1)
    rate_limiter: RateLimiter = RateLimiter()


class FileSource(Section):
    paths: tuple[str, ...] = ()


class SourcesSettings(Section):
    rss: tuple[Feed, ...]
    search: tuple[SearchFeed, ...]
    custom: tuple[CustomPage, ...]
    hackernews: Api
    gdelt: Api
    newsapi: Api
    guardian: Api
    bluesky: Api
    file: FileSource
    default: tuple[str, ...]
    sets: Mapping[str, tuple[str, ...]]
