"""Posts from a file that the analyst has: CSV, JSON or JSONL with any of the common column names.

One bad row never costs its neighbours: it is reported as malformed, with its place in the file.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.errors import InputError
from pipeline.text import plain
from pipeline.types import Candidate, DateClaim, Malformed
from pipeline.xlane.posts import candidate, id_claim
from pipeline.xlane.snowflake import posted_at

MAX_BYTES = 64_000_000
"""A larger file is refused: it would be parsed in memory."""
ENDPOINT = "import"
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "id_str", "tweet_id", "tweetid", "post_id", "status_id"),
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
        "user",
        "account",
        "from",
        "作者",
    ),
    "text": ("text", "full_text", "content", "tweet", "body", "post", "message", "正文", "内容"),
    "date": ("created_at", "date", "time", "timestamp", "datetime", "posted_at", "published_at", "posted_ms", "时间"),
    "url": ("url", "link", "permalink", "tweet_url"),
    "lang": ("lang", "language"),
    "likes": ("likes", "like_count", "favorite_count", "favourites", "public_metrics.like_count"),
    "reposts": ("reposts", "retweets", "retweet_count", "public_metrics.retweet_count"),
    "replies": ("replies", "reply_count", "public_metrics.reply_count"),
}


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
    """Posts out of CSV, JSON or JSONL bytes. Raises InputError when no row has an author, a text or an id."""
    text = _decoded(data)
    seen: set[str] = set()
    read: list[Candidate] = []
    bad: list[Malformed] = []
    for place, row in _rows(text, name):
        if not isinstance(row, Mapping):
            bad.append(Malformed(id=f"x:{place}", title="", url="", reason=f"{place}: not a record"))
            continue
        fields = _fields(row)
        if not (fields.get("text") or fields.get("id") or fields.get("author")):
            bad.append(Malformed(id=f"x:{place}", title="", url="", reason=f"{place}: no id, author or text"))
            continue
        made = _post(fields, place)
        if made.id in seen:
            bad.append(
                Malformed(id=made.id, title=made.text[:80], url=made.url, reason=f"{place}: the id occurs twice")
            )
            continue
        seen.add(made.id)
        read.append(made)
    if not read:
        raise InputError(f"{name}: no posts found; expected CSV, JSON or JSONL with columns such as id, author, text")
    return Imported(tuple(read), tuple(bad))


def _decoded(data: bytes) -> str:
    for encoding in ("utf-8-sig", "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("utf-8", "replace")


def _rows(text: str, name: str) -> Iterator[tuple[str, Any]]:
    start = text.lstrip()[:1]
    if start == "[" or start == "{":
        try:
            whole = json.loads(text)
        except (ValueError, RecursionError):
            lines = list(_json_lines(text))
            yield from lines if any(isinstance(row, dict) for _, row in lines) else _json_pieces(text)
            return
        yield from ((f"entry {n}", row) for n, row in enumerate(_listed(whole), 1))
        return
    csv.field_size_limit(10_000_000)
    head = text[:4096].split("\n", 1)[0]
    delimiter = max(",;\t|", key=head.count)
    try:
        yield from _csv_rows(text.replace("\x00", ""), delimiter)
    except csv.Error as error:
        raise InputError(f"{name}: broken CSV ({error}); save it as CSV, JSON or JSONL again") from error


def _csv_rows(text: str, delimiter: str) -> Iterator[tuple[str, Any]]:
    """Rows as mappings. A quote that is never closed would swallow all that follows: then each line is a row."""
    if text.count('"') % 2 == 0:
        for n, row in enumerate(csv.DictReader(io.StringIO(text, newline=None), delimiter=delimiter), 2):
            yield f"line {n}", row
        return
    lines = io.StringIO(text, newline=None)
    names = next(csv.reader(lines, delimiter=delimiter), [])
    for n, line in enumerate(lines, 2):
        cells = next(csv.reader([line], delimiter=delimiter), [])
        if cells:
            yield f"line {n}", dict(zip(names, cells, strict=True)) if len(cells) == len(names) else None


def _listed(whole: Any) -> list[Any]:
    """The list of posts in a JSON file: itself, or under one of the usual keys (X's own answer among them)."""
    if isinstance(whole, list):
        return whole
    includes = whole.get("includes")
    listed = includes.get("users") if isinstance(includes, dict) else None
    users = {
        str(user.get("id")): user.get("username")
        for user in (listed if isinstance(listed, list) else ())
        if isinstance(user, dict)
    }
    for key in ("data", "posts", "tweets", "items", "statuses", "results"):
        if isinstance(whole.get(key), list):
            rows = whole[key]
            return [
                {"author": users.get(str(row.get("author_id")), ""), **row} if users and isinstance(row, dict) else row
                for row in rows
            ]
    return [whole]


def _json_lines(text: str) -> Iterator[tuple[str, Any]]:
    for n, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield f"line {n}", json.loads(line)
            except (ValueError, RecursionError):
                yield f"line {n}", None


def _json_pieces(text: str) -> Iterator[tuple[str, Any]]:
    """The records that can be read in a list that is cut off or broken somewhere."""
    decoder = json.JSONDecoder()
    at, broken = text.find("{"), 0
    for n in range(1, len(text)):
        if at < 0 or broken > MOST_BROKEN:
            return
        try:
            row, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            row, end, broken = None, at + 1, broken + 1
        yield f"entry {n}", row
        at = text.find("{", end)


MOST_BROKEN = 1_000
"""Records of a broken list that can't be read, after which reading stops."""


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
    post_id = fields.get("id") or place.replace(" ", "-")
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
    said = _given(given)
    if at is not None:
        return tuple(claim for claim in (id_claim(at, post_id), said) if claim), ()
    return ((said,) if said else ()), ("unverified: the id holds no time",)


def _given(raw: str) -> DateClaim | None:
    if not raw:
        return None
    at: datetime | None = None
    zone = "stated"
    try:
        if raw.replace(".", "", 1).isdigit():
            number = float(raw)
            at = datetime.fromtimestamp(number / 1000 if number > 1e11 else number, UTC)
        else:
            at = datetime.fromisoformat(raw)
    except (ValueError, OverflowError, OSError):
        at = _classic(raw)
    if at is None:
        return None
    if at.tzinfo is None:
        at, zone = at.replace(tzinfo=UTC), "assumed UTC"
    try:
        at = at.astimezone(UTC)
    except OverflowError:  # the calendar's first or last day, beyond which its zone reaches
        return None
    return DateClaim(kind="given", at=at, reliability=0.6, raw=raw, zone=zone)


def _classic(raw: str) -> datetime | None:
    """X's classic form, "Wed Aug 27 13:08:45 +0000 2008"."""
    try:
        return datetime.strptime(raw, "%a %b %d %H:%M:%S %z %Y")
    except ValueError:
        return None


def _count(raw: str | None) -> int | None:
    try:
        return int(float(raw)) if raw else None
    except (ValueError, OverflowError):
        return None
