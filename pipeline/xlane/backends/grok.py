"""xAI's Responses API with its X search tool: POST /v1/responses.

Facts (docs.x.ai, read 2026-11): tools [{type: x_search, from_date, to_date, allowed_x_handles (at most 10)}];
text.format json_schema asks for structured output; found posts appear as url_citation annotations, often without
their text. GET /v1/api-key tells about a key for free.

A language model writes this answer, so nothing in it is taken on trust: every field is checked, every id is read
(snowflake), a post without text is dropped, and where the answer cites posts, an uncited one is dropped too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pipeline.errors import FetchError
from pipeline.settings import bundled
from pipeline.text import all_whole, plain
from pipeline.types import Candidate, Endpoint, Fetcher, Malformed, Request
from pipeline.xlane.backends.base import Backend, Found, is_count, listed, read_json, record
from pipeline.xlane.backends.x_api import dates_of
from pipeline.xlane.posts import HANDLE, candidate
from pipeline.xlane.snowflake import is_numeric

MAX_POSTS = 10
"""Posts of one call: more and the model starts to summarise."""
MAX_HANDLES = 10
_DATE = re.compile(r"(?<!\S)(since|until):(\d{4}-\d{2}-\d{2})(?!\S)")
_FROM = re.compile(r"from:(\w+)")
_STATUS_ID = re.compile(r"(?:x|twitter)\.com/([A-Za-z0-9_]+)/status(?:es)?/(\d+)")
_ENGAGEMENT = ("likes", "reposts", "replies")
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["posts"],
    "properties": {
        "posts": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["id", "url", "handle", "text", "created_at", "likes", "reposts", "replies"],
                "properties": {
                    **{name: {"type": "string"} for name in ("id", "url", "handle", "text", "created_at")},
                    **{name: {"type": "integer"} for name in _ENGAGEMENT},
                },
            },
        }
    },
}


class Grok(Backend):
    name = "grok"
    label = "xAI's X search"

    def __init__(
        self, *, net: Fetcher, endpoint: Endpoint, key: str, model: str, now: datetime, name: str = ""
    ) -> None:
        self.name = name or self.name
        self._net = net
        self._endpoint = endpoint
        self._key = key
        self._model = model
        self._now = now

    async def search(self, query: str, limit: int, *, deadline: float) -> Found:
        request = self._request(query, min(limit, MAX_POSTS))
        response = await self._net.fetch(request, endpoint=self._endpoint, deadline=deadline)
        data = read_json(response, "xAI", now=self._now)
        posts, cited = _answer(data)
        found, bad = self._validated(posts, cited)
        notes = (
            [f"{len(bad)} of {len(posts)} posts in the answer could not be verified and were dropped"] if bad else []
        )
        if posts and not cited:
            notes.append("the answer cited no post: verified by id only")
        return Found(
            candidates=tuple(found[:limit]),
            malformed=tuple(bad),
            notes=tuple(notes),
            requests=1,
            bytes=len(response.body),
        )

    async def check_key(self, *, deadline: float) -> str:
        """GET /v1/api-key: no tokens, no search."""
        request = Request(url=f"{self._endpoint.url}/v1/api-key", secret_header=self._secret())
        data = read_json(
            await self._net.fetch(request, endpoint=self._endpoint, deadline=deadline), "xAI", now=self._now
        )
        if any(data.get(flag) for flag in ("api_key_blocked", "api_key_disabled", "team_blocked")):
            raise FetchError("xAI says the key is blocked or disabled", status="unauthorised")
        return "key accepted"

    def _secret(self) -> tuple[str, str] | None:
        return ("Authorization", f"Bearer {self._key}") if self._key else None

    def _request(self, query: str, limit: int) -> Request:
        tool: dict[str, Any] = {"type": "x_search"}
        for word, date in _DATE.findall(query):
            tool["from_date" if word == "since" else "to_date"] = date
        if handles := _FROM.findall(query):
            tool["allowed_x_handles"] = handles[:MAX_HANDLES]
        prompt = (bundled("config") / "prompts" / "x_search.md").read_text("utf-8").format(limit=limit)
        return Request(
            url=f"{self._endpoint.url}/v1/responses",
            method="POST",
            json={
                "model": self._model,
                "input": [{"role": "system", "content": prompt}, {"role": "user", "content": query}],
                "tools": [tool],
                "text": {"format": {"type": "json_schema", "name": "posts", "schema": _SCHEMA, "strict": True}},
                "store": False,
            },
            query=query,
            secret_header=self._secret(),
        )

    def _validated(self, posts: list[Any], cited: frozenset[str]) -> tuple[list[Candidate], list[Malformed]]:
        read: list[Candidate] = []
        bad: list[Malformed] = []
        ids = {_id(entry) for entry in posts if isinstance(entry, dict)}
        must_be_cited = bool(ids & cited)
        for entry in posts:
            problem, made = self._one(entry)
            if made is not None and must_be_cited and _id(entry) not in cited:
                problem, made = "not among the posts that the search cited", None
            if made is not None:
                read.append(made)
            else:
                bad.append(_dropped(entry, problem))
        return read, bad

    def _one(self, entry: Any) -> tuple[str, Candidate | None]:
        if not isinstance(entry, dict):
            return "no record", None
        post_id, handle, text = _id(entry), str(entry.get("handle") or "").strip().lstrip("@"), entry.get("text")
        link = _STATUS_ID.search(str(entry.get("url") or ""))
        if not is_numeric(post_id):
            return f"id {post_id[:30]!r} is no number", None
        if link and link[2] != post_id:
            return "id and link name different posts", None
        if not HANDLE.fullmatch(handle):
            return f"handle {handle[:30]!r} is outside X's alphabet", None
        if link and link[1].lower() not in (handle.lower(), "i"):
            return "handle and link name different accounts", None
        if not isinstance(text, str) or not text.strip():
            return "its text could not be had", None
        claims, chosen = dates_of(post_id, entry.get("created_at"))
        counts = tuple((name, entry[name]) for name in _ENGAGEMENT if is_count(entry.get(name)))
        return "", candidate(
            post_id=post_id,
            handle=handle,
            text=plain(text),
            endpoint=self._endpoint.name,
            claims=claims,
            chosen=chosen,
            engagement=counts,
        )


def _id(entry: Mapping[str, Any]) -> str:
    stated = str(entry.get("id") or "").strip()
    link = _STATUS_ID.search(str(entry.get("url") or ""))
    return stated or (link[2] if link else "")


def _dropped(entry: Any, reason: str) -> Malformed:
    post_id = _id(entry) if isinstance(entry, dict) else ""
    text = str(entry.get("text") or "")[:120] if isinstance(entry, dict) else ""
    return Malformed(id=f"x:{post_id[:40] or '?'}", title=text, url="", reason=reason)


def _answer(data: Mapping[str, Any]) -> tuple[list[Any], frozenset[str]]:
    """(the posts of the answer's JSON, ids that the search cited). Raises FetchError for prose."""
    texts: list[str] = []
    cited: set[str] = set()
    for output in listed(data.get("output")):
        for content in map(record, listed(record(output).get("content"))):
            if content.get("type") == "output_text":
                texts.append(str(content.get("text") or ""))
                for note in listed(content.get("annotations")):
                    cited |= _cited(note.get("url") if isinstance(note, dict) else note)
    for link in listed(data.get("citations")):
        cited |= _cited(link.get("url") if isinstance(link, dict) else link)
    posts = next((found for found in map(_posts, texts) if found is not None), None)
    if posts is None:
        raise FetchError("xAI answered in prose instead of the posts asked for; nothing taken", status="bad response")
    return posts, frozenset(cited)


def _cited(link: Any) -> set[str]:
    found = _STATUS_ID.search(str(link or ""))
    return {found[2]} if found else set()


def _posts(text: str) -> list[Any] | None:
    """The list of posts in a text that is JSON, also inside a code fence; None for prose."""
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return None
    try:
        data = all_whole(json.loads(text[start : end + 1]))
    except (ValueError, RecursionError):
        return None
    posts = data.get("posts") if isinstance(data, dict) else None
    return posts if isinstance(posts, list) else None
