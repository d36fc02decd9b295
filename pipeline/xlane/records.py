"""The records in a file's bytes, whatever it is called: CSV of any delimiter, JSON, or a JSON record a line.

Every record comes with its place in the file, so that one that can't be read can be named.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any

from pipeline.errors import InputError

MOST_BROKEN = 1_000
"""Records of a broken list that can't be read, after which reading stops."""
_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))
_SEP = re.compile(r'"?sep=(.)"?\r?\n', re.IGNORECASE)
"""Excel's own first line, which names the delimiter."""


def records(data: bytes, name: str) -> Iterator[tuple[str, Any]]:
    """(place, record) of each; what is no record comes as something that is no mapping. Raises InputError."""
    text = _decoded(data, name)
    if text.lstrip()[:1] in ("[", "{"):
        yield from _json(text)
        return
    csv.field_size_limit(10_000_000)
    marked = _SEP.match(text)
    text = text[marked.end() :] if marked else text
    head = text[:4096].split("\n", 1)[0]
    delimiter = marked[1] if marked else max(",;\t|", key=head.count)
    try:
        yield from _csv(text, delimiter, first=3 if marked else 2)
    except csv.Error as error:
        raise InputError(f"{name}: broken CSV ({error}); save it as CSV, JSON or JSONL again") from error


def _decoded(data: bytes, name: str) -> str:
    """UTF-8, UTF-16 (by its mark, or by its zeros where it has none) or GB 18030, as office programs save tables."""
    encoding = next((found for mark, found in _MARKS if data.startswith(mark)), "") or _by_zeros(data[:4096], name)
    for tried in [encoding] if encoding else ["utf-8", "gb18030"]:
        try:
            return data.decode(tried).replace("\x00", "")
        except UnicodeDecodeError:
            continue
    return data.decode(encoding or "utf-8", "replace").replace("\x00", "")


def _by_zeros(head: bytes, name: str) -> str:
    """UTF-16 without a mark has a zero beside every Latin letter; a stray one is nothing; else this is no text."""
    even, odd = head[::2].count(0), head[1::2].count(0)
    if (even + odd) * 100 <= len(head):
        return ""
    if max(even, odd) > 8 * min(even, odd) and not head.startswith((b"PK", b"\x89PNG", b"\xd0\xcf")):
        return "utf-16-le" if odd > even else "utf-16-be"
    raise InputError(f"{name}: this is no text; save the posts as CSV, JSON or JSONL")


# --------------------------------------------------------------------------- CSV


def _csv(text: str, delimiter: str, first: int) -> Iterator[tuple[str, Any]]:
    """Rows as mappings. A quote that is never closed swallows what follows: then each line is a row."""
    names, *rows = list(csv.reader(io.StringIO(text, newline=None), delimiter=delimiter)) or [[]]
    whole = text.count('"') % 2 == 0 and not any(_swallows(cells, len(names), delimiter) for cells in rows)
    if not whole:
        lines = io.StringIO(text, newline=None)
        names, *rows = [next(csv.reader([line], delimiter=delimiter), []) for line in lines]
    for n, cells in enumerate(rows, first):
        if cells:
            yield f"line {n}", _row(names, cells, delimiter, whole=whole)


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
    row: dict[str | None, str] = dict(zip(names, cells, strict=False))
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
    yield from ((f"entry {n}", row) for n, row in enumerate(_listed(whole), 1))


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
    for n, line in enumerate(re.split(r"\r\n|\n|\r", text), 1):  # a text may hold other breaks
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
