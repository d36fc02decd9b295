"""Posts as the judge sees them, and posts as candidates of the pool.

The judge takes whatever has an id, an author and a text: a `Candidate`, or a plain mapping from an imported file.
One adapter reads both; everything that comes back out is the very object that went in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from pipeline.text import whole
from pipeline.types import Candidate, DateClaim, DateLedger

HANDLE = re.compile(r"[A-Za-z0-9_]{1,15}")
"""X's alphabet for handles; an account outside it does not exist."""

SOURCE = "x"
_ID_KEYS = ("id", "id_str", "tweet_id", "post_id", "status_id")
_AUTHOR_KEYS = ("author", "handle", "author_handle", "username", "screen_name", "user", "account", "from")
_TEXT_KEYS = ("text", "full_text", "content", "body", "tweet", "post")


class Columns(NamedTuple):
    """A corpus by column: N ids, lower-cased handles ("" unknown) and texts ("" none)."""

    ids: list[str]
    handles: list[str]
    texts: list[str]


class Post(NamedTuple):
    """One post: the object it was made from, its lower-cased handle ("" unknown) and its text ("" none)."""

    id: str
    handle: str
    text: str
    item: Any


def post(item: Any) -> Post:
    """Read a candidate or a mapping; what is missing is an empty string."""
    [found], [handle], [text] = columns([item])
    return Post(found, handle, text, item)


def columns(items: Sequence[Any]) -> Columns:
    """Read candidates, mappings or anything with such fields; what is missing is an empty string."""
    ids, handles, texts = [], [], []
    for item in items:
        post_id, author, text = _fields(item)
        ids.append(post_id)
        handles.append(handle_key(author))
        texts.append(text)
    return Columns(ids, handles, _all_whole(texts))


def _fields(item: Any) -> tuple[str, str, str]:
    """Id, author and text as they are written there."""
    if type(item) is dict:
        post_id, author, text = item.get("id"), item.get("author"), item.get("text")
        if type(post_id) is type(author) is type(text) is str:  # the common case
            return post_id, author or _first(item.get, _AUTHOR_KEYS), text
    if isinstance(item, Candidate):
        return item.id, item.author, f"{item.title} {item.text}".strip() if item.title else item.text
    get = item.get if isinstance(item, Mapping) else lambda key: getattr(item, key, None)
    return _first(get, _ID_KEYS), _first(get, _AUTHOR_KEYS), _first(get, _TEXT_KEYS)


def _all_whole(texts: list[str]) -> list[str]:
    """Texts without halves of characters, which are all that UTF-8 can't write: one look at all of them together."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return list(map(whole, texts))
    return texts


def _first(get: Any, keys: tuple[str, ...]) -> str:
    for key in keys:
        value = get(key)
        if isinstance(value, Mapping):
            value = next((value[k] for k in ("username", "screen_name", "handle", "name") if value.get(k)), None)
        if value is not None and not isinstance(value, (list, tuple, bool)) and str(value).strip():
            return str(value).strip()
    return ""


def handle_key(handle: str) -> str:
    """The form in which handles are compared: lower case, without "@"."""
    return handle.strip().lstrip("@＠").lower()


def candidate(
    *,
    post_id: str,
    handle: str,
    text: str,
    endpoint: str,
    claims: tuple[DateClaim, ...],
    chosen: int | None,
    url: str = "",
    lang: str = "",
    engagement: tuple[tuple[str, int], ...] = (),
    notes: tuple[str, ...] = (),
) -> Candidate:
    """A post as a candidate of the source "x"."""
    account = handle.strip().lstrip("@＠")
    return Candidate(
        id=f"{SOURCE}:{post_id}",
        source=SOURCE,
        endpoint=endpoint,
        url=url or f"https://x.com/{account or 'i'}/status/{post_id}",
        domain="x.com",
        title="",
        text=whole(text),
        author=account,
        publisher=account,
        lang=lang,
        kind="post",
        dates=DateLedger(claims=claims, chosen=chosen, notes=notes),
        engagement=engagement,
    )


def post_id(candidate: Candidate) -> str:
    """The service's own id of a candidate made here."""
    return candidate.id.removeprefix(f"{SOURCE}:")


def id_claim(at: datetime, raw: str) -> DateClaim:
    """The date that is in the post's id: the one claim nobody can set."""
    return DateClaim(kind="post id", at=at, reliability=1.0, raw=raw)
