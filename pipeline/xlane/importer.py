"""Posts from a file that the analyst has: CSV, JSON or JSONL with any of the common column names.

One bad row never costs its neighbours: it is reported as malformed, with its place in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.dates import parse_date
from pipeline.errors import InputError
from pipeline.text import plain
from pipeline.types import Candidate, DateClaim, Malformed
from pipeline.xlane.posts import candidate, id_claim
from pipeline.xlane.records import records
from pipeline.xlane.snowflake import posted_at

MAX_BYTES = 64_000_000
"""A larger file is refused: it would be parsed in memory."""
ENDPOINT = "import"
GIVEN_RELIABILITY = 0.6
"""Of a date that a file gives: anybody can write one. Our judgement."""
_ROUNDED = re.compile(r"\d(?:[.,]\d+)?e\+\d+", re.IGNORECASE)
"""A long id after a spreadsheet has read it as a number: 1.57852E+18 is no id any more."""
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "id_str", "tweet_id", "tweetid", "post_id", "status_id", "编号"),
    "author": (
        "author",
        "handle",
        "author_handle",
        "username",
        "user_name",
        "screen_name",
        "author.username",
        "user.screen_name",
        "user.username",
        "user_screen_name",
        "author_username",
        "user",
        "account",
        "from",
        "作者",
        "用户",
    ),
    "text": (
        "text",
        "full_text",
        "tweet_text",
        "post_text",
        "content",
        "tweet",
        "body",
        "post",
        "message",
        "正文",
        "内容",
        "文本",
    ),
    "date": (
        "created_at",
        "date",
        "time",
        "timestamp",
        "datetime",
        "posted_at",
        "published_at",
        "posted_ms",
        "时间",
        "发布时间",
    ),
    "url": ("url", "link", "permalink", "tweet_url", "链接"),
    "lang": ("lang", "language"),
    "likes": ("likes", "like_count", "favorite_count", "favourites", "public_metrics.like_count"),
    "reposts": ("reposts", "retweets", "retweet_count", "public_metrics.retweet_count"),
    "replies": ("replies", "reply_count", "public_metrics.reply_count"),
}
_FIELDS = {column: field for field, columns in _COLUMNS.items() for column in columns}


class Imported(NamedTuple):
    candidates: tuple[Candidate, ...]
    malformed: tuple[Malformed, ...]


def read_posts(path: Path) -> Imported:
    """Read a file by its content, whatever it is called. Raises InputError when it holds no posts to read."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"{path}: larger than {MAX_BYTES // 1_000_000} MB; split the file")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: can't be read ({error.strerror}); check the path") from error
    return parse_posts(data, name=str(path))


def parse_posts(data: bytes, *, name: str = "the file") -> Imported:
    """Posts out of CSV, JSON or JSONL bytes. Raises InputError where no record holds a text."""
    read: dict[str, Candidate] = {}
    bad: list[Malformed] = []
    columns: dict[Any, None] = {}
    for place, row in records(data, name):
        made = _made(row, place, read)
        if isinstance(made, Malformed):
            bad.append(made)
        else:
            read[made.id] = made
        if isinstance(row, Mapping) and len(columns) < _NAMED:
            columns |= dict.fromkeys(row)
    if not any(post.text for post in read.values()):
        what = "no post has a text" if read else "no posts found"
        raise InputError(f"{name}: {what}{_said(columns)}; expected {_EXPECTED}")
    return Imported(tuple(read.values()), tuple(bad))


_EXPECTED = "CSV, JSON or JSONL with columns such as id, author, text"
_NAMED = 12
"""Columns of a file that are named when none of them is a text."""


def _said(columns: Iterable[Any]) -> str:
    names = [" ".join(str(one).split())[:30] for one in columns if one is not None][:_NAMED]
    return f" (its columns: {', '.join(names)})" if names else ""


def _made(row: Any, place: str, read: Mapping[str, Candidate]) -> Candidate | Malformed:
    """One record as a post, or why it is none."""
    if not isinstance(row, Mapping):
        return _bad(place, "not a record")
    rest, columns = row.get(None, ""), [column for column in row if column is not None]
    if rest and not (columns and _field(columns[-1]) == "text"):
        return _bad(place, f"more cells than columns: {rest[1:40]}")
    fields = _fields(row)
    if rest:  # a text that holds the delimiter unquoted
        fields["text"] = fields.get("text", "") + rest
    if not (fields.get("text") or fields.get("id") or fields.get("author")):
        return _bad(place, "no id, author or text")
    made = _post(fields, place)
    if made.id in read and read[made.id].text == made.text:
        return _bad(place, f"the id occurs twice ({fields['id']})", made)
    if made.id in read:  # a spreadsheet has rounded the ids: the text is another post's
        made = _post({**fields, "id": ""}, place)
    return made


def _bad(place: str, reason: str, post: Candidate | None = None) -> Malformed:
    title, url = (post.text[:80], post.url) if post else ("", "")
    return Malformed(id=f"x:{place.replace(' ', '-')}", title=title, url=url, reason=f"{place}: {reason}")


def _field(column: Any) -> str:
    """Our name of a file's column; "" for one that is not used."""
    return _FIELDS.get(str(column).strip().lower().replace(" ", "_"), "")


def _fields(row: Mapping[Any, Any]) -> dict[str, str]:
    """Our field name -> its value, by the first known column that holds something."""
    flat: dict[str, Any] = {}
    for key, value in row.items():
        name = str(key).strip().lower().replace(" ", "_")
        if isinstance(value, Mapping):
            flat |= {f"{name}.{str(inner).lower()}": item for inner, item in value.items()}
        elif value is not None and not isinstance(value, (list, bool)):
            flat[name] = value
    found: dict[str, str] = {}
    for field, columns in _COLUMNS.items():
        value = next((flat[c] for c in columns if c in flat and str(flat[c]).strip()), None)
        if value is not None:
            found[field] = str(value).strip()
    return found


def _post(fields: Mapping[str, str], place: str) -> Candidate:
    given = fields.get("id", "")
    post_id = given if given and not _ROUNDED.fullmatch(given) else place.replace(" ", "-")
    claims, notes = _dates(post_id, fields.get("date", ""))
    counts = ((name, _count(fields.get(name))) for name in ("likes", "reposts", "replies"))
    url = fields.get("url", "")
    return candidate(
        post_id=post_id,
        handle=fields.get("author", ""),
        text=plain(fields.get("text", "")),
        endpoint=ENDPOINT,
        claims=claims,
        chosen=0 if claims else None,
        url=url if url.lower().startswith(("https://", "http://")) else "",
        lang=fields.get("lang", "")[:2].lower(),
        engagement=tuple((name, count) for name, count in counts if count is not None),
        notes=notes,
    )


def _dates(post_id: str, given: str) -> tuple[tuple[DateClaim, ...], tuple[str, ...]]:
    """The time in a numeric id; else the date the file gives, marked `unverified`."""
    at = posted_at(post_id)
    said = parse_date(given, kind="given", reliability=GIVEN_RELIABILITY)
    if at is not None:
        return tuple(claim for claim in (id_claim(at, post_id), said) if claim), ()
    return ((said,) if said else ()), ("unverified: the id holds no time",)


def _count(raw: str | None) -> int | None:
    try:
        return int(float(raw)) if raw else None
    except (ValueError, OverflowError):
        return None
