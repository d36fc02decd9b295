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
from pipeline.xlane.fields import field, fields
from pipeline.xlane.posts import HANDLE, candidate, id_claim
from pipeline.xlane.records import Unread, records
from pipeline.xlane.snowflake import posted_at

MAX_BYTES = 64_000_000
"""A larger file is refused: it would be parsed in memory."""
ENDPOINT = "import"
GIVEN_RELIABILITY = 0.6
"""Of a date that a file gives: anybody can write one. Our judgement."""
_ROUNDED = re.compile(r"\d(?:[.,]\d+)?e\+\d+", re.IGNORECASE)
"""A long id after a spreadsheet has read it as a number: 1.57852E+18 is no id any more."""
_STATUS = re.compile(r"(?:x|twitter)\.com/(?P<handle>[A-Za-z0-9_]{1,15})/status(?:es)?/(?P<id>\d+)")
"""A post's own address: it names the account and the id, where a file has no column that does."""


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
    broken = ""
    for place, row in records(data, name):
        made = _made(row, place, read)
        if isinstance(made, Malformed):
            bad.append(made)
            broken = broken or (f" ({made.reason})" if isinstance(row, Unread) else "")
        else:
            read[made.id] = made
        if isinstance(row, Mapping) and len(columns) < _NAMED:
            columns |= dict.fromkeys(row)
    if not any(post.text for post in read.values()):
        what = "no post has a text" if read else "no posts found"
        raise InputError(f"{name}: {what}{_said(columns)}{broken}; expected {_EXPECTED}")
    return Imported(tuple(read.values()), tuple(bad))


_EXPECTED = (
    "CSV, JSON or JSONL with columns such as id, author, text, created_at "
    "(a text may also be called content, body, message or 正文; an author handle, user or 用户)"
)
_NAMED = 12
"""Columns of a file that are named when none of them is a text."""


def _said(columns: Iterable[Any]) -> str:
    """ " (its columns: Datum, Inhalt; understood: none)"; "" where it has none."""
    named = [one for one in columns if one is not None][:_NAMED]
    names = [" ".join(re.sub(r"[^\w\s.:/-]", " ", str(one)).split())[:30] for one in named]
    known = [name for one, name in zip(named, names, strict=True) if field(one)]
    return f" (its columns: {', '.join(names)}; understood: {', '.join(known) or 'none'})" if named else ""


def _made(row: Any, place: str, read: Mapping[str, Candidate]) -> Candidate | Malformed:
    """One record as a post, or why it is none."""
    if not isinstance(row, Mapping):
        return _bad(place, str(row) if isinstance(row, Unread) else "not a record")
    rest, columns = row.get(None, ""), [column for column in row if column is not None]
    if rest and not (columns and field(columns[-1]) == "text"):
        return _bad(place, f"more cells than columns: {rest[1:40]}")
    read_as = fields(row)
    if rest:  # a text that holds the delimiter unquoted
        read_as["text"] = read_as.get("text", "") + rest
    if not (read_as.get("text") or read_as.get("id") or read_as.get("author")):
        return _bad(place, "no id, author or text")
    made = _post(read_as, place)
    if made.id in read and read[made.id].text == made.text:
        return _bad(place, f"the id occurs twice ({read_as['id']})", made)
    if made.id in read:  # a spreadsheet has rounded the ids: the text is another post's
        made = _post({**read_as, "id": ""}, place)
    return made


def _bad(place: str, reason: str, post: Candidate | None = None) -> Malformed:
    title, url = (post.text[:80], post.url) if post else ("", "")
    return Malformed(id=f"x:{place.replace(' ', '-')}", title=title, url=url, reason=f"{place}: {reason}")


def _post(found: Mapping[str, str], place: str) -> Candidate:
    link = _STATUS.search(found.get("url", ""))
    given = found.get("id") or (link["id"] if link else "")
    author = found.get("author", "")
    if link and link["handle"] != "i" and not HANDLE.fullmatch(author.lstrip("@＠")):
        author = link["handle"]
    post_id = given if given and not _ROUNDED.fullmatch(given) else place.replace(" ", "-")
    claims, notes = _dates(post_id, found.get("date", ""))
    counts = ((name, _count(found.get(name))) for name in ("likes", "reposts", "replies"))
    url = found.get("url", "")
    return candidate(
        post_id=post_id,
        handle=author,
        text=plain(found.get("text", "")),
        endpoint=ENDPOINT,
        claims=claims,
        chosen=0 if claims else None,
        url=url if url.lower().startswith(("https://", "http://")) else "",
        lang=found.get("lang", "")[:2].lower(),
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
