"""The records in a file's bytes, whatever it is called: CSV of any delimiter, JSON, or a JSON record a line.

Every record comes with its place in the file, so that one that can't be read can be named.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from unicodedata import category

from pipeline.errors import InputError
from pipeline.xlane.fields import field, is_post

MOST_BROKEN = 1_000
"""Records of a broken list that can't be read, after which reading stops."""
_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))
_WINDOWS = ["gb18030", "big5", "cp1252"]
_SAMPLE = 200_000
"""Bytes by which an encoding is guessed."""
_SCRIPT = re.compile(r"\s*[\w.$]+\s*=\s*(?=[\[{])")
"""What X's own archive writes before its JSON: window.YTD.tweets.part0 = [...]"""
_PREAMBLE = 20
"""Lines among which the one that names the columns is looked for: reports of other tools begin with a title."""
_DEEPEST = 6
"""Levels of JSON among which posts are looked for."""
_LOOKED_AT, _FEW, _MOST_STRANGE = 4_096, 3, 0.05
"""Characters that are looked at, and how many (and which share) of them may be none of any text: a broken byte is no
binary file, and of random bytes a tenth are controls. Our judgement."""
_NO_TEXT = ("Cc", "Cn", "Co")
_SEP = re.compile(r'"?sep=(.)"?\r?\n', re.IGNORECASE)
"""Excel's own first line, which names the delimiter."""


class Unread(str):
    """Why a record could not be read."""


def records(data: bytes, name: str) -> Iterator[tuple[str, Any]]:
    """(place, record) of each; one that can't be read comes as Unread, what is no record as something that is no mapping.

    Raises InputError.
    """
    text = _decoded(data, name)
    if script := _SCRIPT.match(text):
        text = text[script.end() :]
    if text.lstrip()[:1] in ("[", "{"):
        yield from _json(text)
        return
    csv.field_size_limit(10_000_000)
    marked = _SEP.match(text)
    text = text[marked.end() :] if marked else text
    delimiter = marked[1] if marked else _delimiter(text[:4096].split("\n")[:_PREAMBLE])
    try:
        yield from _csv(text, delimiter, first=3 if marked else 2)
    except csv.Error as error:
        raise InputError(f"{name}: broken CSV ({error}); save it as CSV, JSON or JSONL again") from error


def _decoded(data: bytes, name: str) -> str:
    """UTF-8, UTF-16 (by its mark, or by its zeros where it has none), or as older office programs save tables."""
    encoding = next((found for mark, found in _MARKS if data.startswith(mark)), "") or _by_zeros(data[:4096], name)
    text = data.decode(encoding or _guessed(data), "replace").replace("\x00", "")
    head = text[:_LOOKED_AT]
    strange = sum(char == "\ufffd" or (category(char) in _NO_TEXT and not char.isspace()) for char in head)
    if strange > max(_FEW, len(head) * _MOST_STRANGE):
        raise InputError(f"{name}: this is no text; save the posts as CSV, JSON or JSONL")
    return text


def _guessed(data: bytes) -> str:
    """UTF-8 also where a few bytes of it are broken; else the likeliest of what Windows writes without a mark."""
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    if not broken or broken < (len(text.encode("utf-8")) - len(text)) / 8:
        return "utf-8"
    from charset_normalizer import from_bytes

    sample = data[:_SAMPLE]
    found = from_bytes(sample[: sample.rfind(b"\n") + 1] or sample, cp_isolation=_WINDOWS).best()
    return found.encoding if found else "utf-8"


def _by_zeros(head: bytes, name: str) -> str:
    """UTF-16 without a mark has a zero beside every Latin letter; a stray one is nothing; else this is no text."""
    even, odd = head[::2].count(0), head[1::2].count(0)
    if (even + odd) * 100 <= len(head):
        return ""
    if max(even, odd) > 8 * min(even, odd) and not head.startswith((b"PK", b"\x89PNG", b"\xd0\xcf")):
        return "utf-16-le" if odd > even else "utf-16-be"
    raise InputError(f"{name}: this is no text; save the posts as CSV, JSON or JSONL")


# --------------------------------------------------------------------------- CSV


def _delimiter(head: list[str]) -> str:
    """The one that parts most known names of columns in one line; where none is known, the most frequent in the first."""
    return max(
        ",;\t|", key=lambda mark: (max(_named(line.split(mark)) for line in head), head[0].count(mark) if head else 0)
    )


def _named(cells: list[str]) -> int:
    return sum(field(cell.strip().strip('"\ufeff')) != "" for cell in cells)


def _csv(text: str, delimiter: str, first: int) -> Iterator[tuple[str, Any]]:
    """Rows as mappings. A quote that is never closed swallows what follows: then each line is a row."""
    rows = list(csv.reader(io.StringIO(text, newline=None), delimiter=delimiter)) or [[]]
    at = _header(rows)
    whole = text.count('"') % 2 == 0 and not any(_swallows(cells, len(rows[at]), delimiter) for cells in rows[at + 1 :])
    if not whole:
        lines = io.StringIO(text, newline=None)
        rows = [next(csv.reader([line], delimiter=delimiter), []) for line in lines]
        at = _header(rows)
    for n, cells in enumerate(rows[at + 1 :], first + at):
        if cells:
            yield f"line {n}", _row(rows[at], cells, delimiter, whole=whole)


def _header(rows: list[list[str]]) -> int:
    """Place of the first row that names a text and something else; 0 where none does."""
    named = (at for at, row in enumerate(rows[:_PREAMBLE]) if _named(row) > 1 and "text" in map(field, row))
    return next(named, 0)


def _swallows(cells: list[str], width: int, delimiter: str) -> bool:
    """A cell holds whole rows of its own, each with the id of a post at its begin."""
    return any(
        line.count(delimiter) == width - 1 and _ID.match(line)
        for cell in cells
        if "\n" in cell
        for line in cell.split("\n")[1:]
    )


_ID = re.compile(r'"?\d{10,}"?\D')


def _row(names: list[str], cells: list[str], delimiter: str, *, whole: bool) -> dict[str | None, str] | None:
    """A record; under None what stands beyond the last column, with its delimiters. Blank cells there are none."""
    while len(cells) > len(names) and not cells[-1].strip():
        cells.pop()
    if not whole and len(cells) != len(names):
        return None
    row: dict[str | None, str] = {}
    for name, cell in zip(names, cells, strict=False):
        row[name] = row.get(name) or cell  # a name that occurs twice: the first that holds something
    if len(cells) > len(names):
        row[None] = "".join(delimiter + cell for cell in cells[len(names) :])
    return row


# --------------------------------------------------------------------------- JSON


def _json(text: str) -> Iterator[tuple[str, Any]]:
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        lines = list(_json_lines(text))
        yield from lines if any(isinstance(row, dict) for _, row in lines) else _json_pieces(text)
        return
    yield from ((f"entry {n}", row) for n, row in enumerate(_posts(whole), 1))


def _posts(value: Any, depth: int = _DEEPEST) -> list[Any]:
    """The posts in a JSON value, however they are wrapped, with the accounts that X's own answers keep beside them.

    What holds no post comes back as it is.
    """
    if isinstance(value, list):
        return [post for one in value for post in _posts(one, depth)] if depth else value
    if not isinstance(value, dict) or is_post(value) or not depth:
        return [value]
    for key, inner in value.items():
        found = _posts(inner, depth - 1) if key != _BESIDE and isinstance(inner, (dict, list)) else []
        if any(map(is_post, found)):
            users = _users(value.get(_BESIDE))
            return [_by(users, post) for post in found] if users else found
    return [value]


_BESIDE = "includes"


def _users(includes: Any) -> dict[str, Any]:
    """Account number -> handle."""
    listed = includes.get("users") if isinstance(includes, dict) else None
    return {
        str(user.get("id")): user.get("username")
        for user in (listed if isinstance(listed, list) else ())
        if isinstance(user, dict)
    }


def _by(users: Mapping[str, Any], post: Any) -> Any:
    return {"author": users.get(str(post.get("author_id")), ""), **post} if isinstance(post, dict) else post


def _json_lines(text: str) -> Iterator[tuple[str, Any]]:
    for n, line in enumerate(re.split(r"\r\n|\n|\r", text), 1):  # a text may hold other breaks
        if line.strip():
            try:
                found = _posts(json.loads(line))
            except (ValueError, RecursionError) as error:
                found = [_unread(error)]
            for k, row in enumerate(found, 1):
                yield f"line {n}" if len(found) == 1 else f"line {n}, entry {k}", row


def _json_pieces(text: str) -> Iterator[tuple[str, Any]]:
    """The records that can be read in a list that is cut off or broken somewhere."""
    decoder = json.JSONDecoder()
    at, broken = text.find("{"), 0
    for n in range(1, len(text)):
        if at < 0 or broken > MOST_BROKEN:
            return
        try:
            row, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            row, end, broken = _unread(error, whole=text), at + 1, broken + 1
        yield f"entry {n}", row
        at = text.find("{", end)


def _unread(error: Exception, whole: str = "") -> Unread:
    """Where the JSON breaks: the column, and the line where it was part of a whole file."""
    if not isinstance(error, json.JSONDecodeError):
        return Unread("broken JSON, nested too deeply")
    line = f"line {error.lineno}, " if whole else ""
    return Unread(f"broken JSON at {line}column {error.colno}: {error.msg[:1].lower()}{error.msg[1:]}")
