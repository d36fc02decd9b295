"""Feeds that list what they have: RSS, Atom, JSON Feed, news sitemaps, from sources.yaml or an OPML file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pipeline.sources import common, feeds
from pipeline.types import Endpoint, Parsed, Plan, Request, Response, Subquery

ACCEPT = (
    "accept",
    "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5",
)


class Rss:
    name = "rss"
    label = "Feeds"
    kind: Literal["feed", "api", "page", "file"] = "feed"
    searches = False
    noisy = False
    social = False
    needs_key = ""

    def endpoints(self, config: Any, plan: Plan) -> Sequence[Endpoint]:
        """One endpoint a feed; `config` is a sequence of settings.Feed."""
        return tuple(common.listed(self.name, feed) for feed in config)

    def requests(self, endpoint: Endpoint, subquery: Subquery, plan: Plan, limit: int) -> Sequence[Request]:
        return (Request(url=endpoint.url, headers=(ACCEPT,)),)

    def parse(self, response: Response, endpoint: Endpoint, plan: Plan) -> Parsed:
        return feeds.parse(response, endpoint)
