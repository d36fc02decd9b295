"""JSON Feed 1.0/1.1 and Reddit listings -> entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeline.errors import FetchError
from pipeline.sources.common import counts, rows, string
from pipeline.sources.entries import Document, Entry


def read(data: Any, url: str) -> Document:
    """A JSON Feed or a Reddit listing. Raises FetchError for any other JSON (an API's error, for example)."""
    if isinstance(data, list) and data and all(isinstance(part, dict) for part in data):
        data = data[0]  # a Reddit thread is a list: the story, then its comments
    if not isinstance(data, dict):
        raise FetchError("JSON that is no feed", status="bad response")
    if isinstance(data.get("items"), list):
        return _json_feed(data, url)
    if isinstance(listing := data.get("data"), dict) and isinstance(listing.get("children"), list):
        return Document(entries=tuple(map(_reddit, rows(listing["children"], "posts"))), base="https://www.reddit.com")
    said = string(data.get("message")) or string(data.get("error")) or ", ".join(map(str, list(data)[:5]))
    raise FetchError(f"JSON that is no feed: {said[:120]}", status="bad response")


def _json_feed(data: Mapping[str, Any], url: str) -> Document:
    return Document(
        entries=tuple(map(_item, rows(data["items"], "items"))),
        title=string(data.get("title")),
        language=string(data.get("language")),
        base=string(data.get("home_page_url")) or url,
    )


def _item(item: Mapping[str, Any]) -> Entry:
    authors = item.get("authors") or [item.get("author")]
    first = authors[0] if isinstance(authors, list) and authors else None
    body = string(item.get("content_html")) or string(item.get("content_text"))
    return Entry(
        id=string(item.get("id")),
        link=string(item.get("url")) or string(item.get("external_url")) or string(item.get("id")),
        title=string(item.get("title")),
        summary=string(item.get("summary")),
        content=body,
        author=string(first.get("name")) if isinstance(first, dict) else "",
        published=string(item.get("date_published")),
        updated=string(item.get("date_modified")),
        language=string(item.get("language")),
    )


def _reddit(child: Mapping[str, Any]) -> Entry:
    post = child.get("data")
    if not isinstance(post, dict):
        return Entry()
    author = string(post.get("author"))
    return Entry(
        id=string(post.get("name")) or string(post.get("id")),
        link=string(post.get("permalink")) or string(post.get("url")),
        title=string(post.get("title")) or string(post.get("link_title")),
        summary=string(post.get("selftext")) or string(post.get("body")),
        author=f"u/{author}" if author else "",
        published=string(post.get("created_utc")),
        publisher=f"r/{string(post.get('subreddit'))}" if post.get("subreddit") else "",
        engagement=counts(post, ("score", "points"), ("num_comments", "comments")),
    )
