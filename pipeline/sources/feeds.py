"""Feed documents of every format. Used by rss and search."""

from __future__ import annotations

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
