"""Feeds that search: an address with {query}, and {since} {until} where the service takes them.

- {query}: the words sent, encoded for an address
- {since} {until}: days of the window, 2026-08-03 (until is the day after the window's last)
- {since_unix} {until_unix}: the same in Unix seconds
- {since_minute} {until_minute}: the same as 202608030000 (arXiv)
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Literal
from urllib.parse import quote_plus

from pipeline.sources import common, feeds
from pipeline.sources.rss import ACCEPT
from pipeline.types import Endpoint, Parsed, Plan, Request, Response, Subquery, Window


class SearchFeeds:
    name = "search"
    label = "Search feeds"
    kind: Literal["feed", "api", "page", "file"] = "feed"
    searches = True
    noisy = False
    social = False
    needs_key = ""

    def endpoints(self, config: Any, plan: Plan) -> Sequence[Endpoint]:
        """One endpoint a template; `config` is a sequence of settings.SearchFeed."""
        return tuple(common.listed(self.name, feed, searches="{query}" in feed.url) for feed in config)

    def requests(self, endpoint: Endpoint, subquery: Subquery, plan: Plan, limit: int) -> Sequence[Request]:
        query = common.sent_text(self.name, endpoint.name, subquery, plan) if endpoint.searches else ""
        url = fill(endpoint.url, query, plan.window)
        return (Request(url=url, headers=(ACCEPT,), query=query),)

    def parse(self, response: Response, endpoint: Endpoint, plan: Plan) -> Parsed:
        return feeds.parse(response, endpoint)


def fill(template: str, query: str, window: Window) -> str:
    """The address of one search. Other braces in the template stay as they are."""
    day_after = window.until + timedelta(days=1)
    values = {
        "query": quote_plus(query),
        "since": f"{window.since:%Y-%m-%d}",
        "until": f"{day_after:%Y-%m-%d}",
        "since_unix": common.unix(window.since),
        "until_unix": common.unix(window.until),
        "since_minute": f"{window.since:%Y%m%d%H%M}",
        "until_minute": f"{window.until:%Y%m%d%H%M}",
    }
    for name, value in values.items():
        template = template.replace("{" + name + "}", value)
    return template
