"""Bluesky's public post search: GET <base_url>/xrpc/app.bsky.feed.searchPosts with q, since, until, sort, limit.

At most 100 posts; logged-out clients get the first page only. Noisy: its answers pass the corpus judge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pipeline.errors import FetchError
from pipeline.sources import apis, common
from pipeline.types import Candidate, Endpoint, Malformed, Parsed, Plan, Request, Response, Subquery

_MOST = 100
_COUNTS = (("likeCount", "likes"), ("repostCount", "reposts"), ("replyCount", "replies"), ("quoteCount", "quotes"))


class Bluesky:
    name = "bluesky"
    label = "Bluesky"
    kind: Literal["feed", "api", "page", "file"] = "api"
    searches = True
    noisy = True
    social = True
    needs_key = ""

    def endpoints(self, config: Any, plan: Plan) -> Sequence[Endpoint]:
        return (apis.endpoint(self.name, config, "/xrpc/app.bsky.feed.searchPosts"),) if config.enabled else ()

    def requests(self, endpoint: Endpoint, subquery: Subquery, plan: Plan, limit: int) -> Sequence[Request]:
        query = common.sent_text(self.name, endpoint.name, subquery, plan)
        params = (
            ("q", query),
            ("since", f"{plan.window.since:%Y-%m-%dT%H:%M:%SZ}"),
            ("until", f"{plan.window.until:%Y-%m-%dT%H:%M:%SZ}"),
            ("sort", "latest"),
            ("limit", apis.size(endpoint, limit, _MOST)),
        )
        return (Request(url=endpoint.url, params=params, query=query),)

    def parse(self, response: Response, endpoint: Endpoint, plan: Plan) -> Parsed:
        data = common.json_of(response)
        if isinstance(data, dict) and "error" in data:
            says = f"{common.string(data.get('error'))} {common.string(data.get('message'))}"[:160]
            raise FetchError(f"Bluesky says: {says}", status="bad response")
        posts = common.rows(data.get("posts") if isinstance(data, dict) else None, "posts")
        read = [_candidate(post, endpoint) for post in posts]
        return Parsed(
            candidates=common.distinct([item for item in read if isinstance(item, Candidate)]),
            malformed=tuple(item for item in read if isinstance(item, Malformed)),
        )


def _candidate(post: Mapping[str, Any], endpoint: Endpoint) -> Candidate | Malformed:
    record, author = post.get("record"), post.get("author")
    uri = common.string(post.get("uri"))
    if not isinstance(record, dict) or not isinstance(author, dict) or not uri:
        return Malformed(id=f"bluesky:{common.digest(uri)}", title="", url="", reason="a post without author or record")
    handle = common.string(author.get("handle"))
    url = common.clean_url(
        f"https://bsky.app/profile/{handle or common.string(author.get('did'))}/post/{uri.rpartition('/')[2]}"
    )
    text = " ".join(common.string(record.get("text")).split())[: common.TEXT_CHARS]
    langs = record.get("langs")
    return Candidate(
        id=f"bluesky:{common.digest(uri)}",
        source="bluesky",
        endpoint=endpoint.name,
        url=url,
        domain="bsky.app",
        title="",
        text=text,
        author=handle,
        publisher=handle,
        lang=common.lang_of(text, common.string(langs[0]) if isinstance(langs, list) and langs else ""),
        kind="post",
        dates=apis.dated(record.get("createdAt") or post.get("indexedAt"), "", text),
        engagement=common.counts(post, *_COUNTS),
    )
