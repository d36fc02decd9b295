"""Feed documents of every format, and the endpoint a configured feed becomes. Used by rss and search."""

from __future__ import annotations

from typing import Any

from pipeline.sources import common, decode, entries, feed_json, feed_xml
from pipeline.types import Endpoint, Parsed, Response


def parse(response: Response, endpoint: Endpoint) -> Parsed:
    """Any feed format -> candidates. Raises FetchError when the answer is no feed."""
    kind = common.content_type(response)
    text = decode.to_text(response.body, kind)
    base = response.url or endpoint.url
    if text.lstrip()[:1] in ("{", "["):
        document = feed_json.read(common.json_of(response), base)
    else:
        document = feed_xml.read(text, base)
    return entries.candidates(document, endpoint)


def endpoint(source: str, feed: Any, *, searches: bool) -> Endpoint:
    """The endpoint of one configured feed (settings.Feed)."""
    return Endpoint(
        source=source,
        name=feed.name,
        url=feed.url,
        timeout_s=common.KIND_TIMEOUT_S,
        priority=feed.priority,
        searches=searches,
        max_per_minute=feed.rate_limiter.max_per_minute,
        max_per_day=feed.rate_limiter.max_per_day,
        class_=feed.class_,
        owner=feed.owner,
        theme=feed.theme,
        language=feed.language,
        timezone=feed.timezone,
        authority_bias=feed.authority_bias,
        named=True,
    )
