"""Bytes of an answer -> text, whatever the declaration says; JSON that is not quite JSON."""

from __future__ import annotations

import codecs
import json
import re
from typing import Any

from pipeline.errors import FetchError
from pipeline.sources.blockpages import describe, page_instead
from pipeline.text import all_whole

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(rb"""(?:encoding|charset)\s*=\s*["']?\s*([A-Za-z0-9._:\-]+)""")
_WIDER = {
    # what servers call it -> the larger set it is a part of, as browsers read it
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb-2312": "gb18030",
    "x-gbk": "gb18030",
    "iso-8859-1": "cp1252",
    "latin-1": "cp1252",
    "latin1": "cp1252",
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "big5": "cp950",
}
_SEVEN_BIT = ("iso-2022", "hz", "utf-7")
_GOOD_PER_BAD = 5
"""Characters that decode well for one that does not, from which a declared codec is believed all the same."""
_SAMPLE = 20_000
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|(.?))', re.DOTALL)


def to_text(body: bytes, content_type: str = "") -> str:
    """Decode a body: by its mark, as UTF-8 where valid, as declared, so but for a few bad bytes, by a guess."""
    for mark, codec in _BOMS:
        if body.startswith(mark):
            return _clean(body.decode(codec, "replace").lstrip("\ufeff"))
    if wide := _without_mark(body):
        return _clean(body.decode(wide, "replace"))
    names = _declared(body, content_type)
    if not any(name.startswith(_SEVEN_BIT) for name in names):
        names = ["utf-8", *names]
    for name in names:
        if (text := _strict(body, name)) is not None:
            return _clean(text)
    for name in dict.fromkeys([*names[1:], "utf-8"]):
        if (text := _forgiving(body, name)) is not None:
            return _clean(text)
    return _clean(body.decode(_guess(body), "replace"))


def _clean(text: str) -> str:
    return _CONTROL.sub("", text)


def _without_mark(body: bytes) -> str:
    """UTF-16 without a byte order mark shows in the zeros beside the first "<" or "{"."""
    head = body[:4]
    if head[1:2] == b"\x00" and head[:1] in (b"<", b"{", b"["):
        return "utf-16-le"
    if head[:1] == b"\x00" and head[1:2] in (b"<", b"{", b"["):
        return "utf-16-be"
    return ""


def _declared(body: bytes, content_type: str) -> list[str]:
    found = [*_DECLARED.findall(body[:1024])[:1], *_DECLARED.findall(content_type.encode("latin-1", "ignore"))]
    names = (name.decode("ascii").lower() for name in found)
    return [name for name in dict.fromkeys(_WIDER.get(name, name) for name in names) if _known(name)]


def _known(name: str) -> bool:
    try:
        return codecs.lookup(name)._is_text_encoding and not name.startswith("utf-16")
    except LookupError:
        return False


def _strict(body: bytes, codec: str) -> str | None:
    try:
        return body.decode(codec)
    except UnicodeDecodeError:
        return None


def _forgiving(body: bytes, codec: str) -> str | None:
    text = body.decode(codec, "replace")
    bad = text.count("\ufffd")
    good = sum(1 for char in text if char > "\x7f") - bad
    return text if good >= _GOOD_PER_BAD * bad else None


def _guess(body: bytes) -> str:
    """A codec from the bytes themselves; windows-1252, which reads anything, when nothing fits better."""
    from charset_normalizer import from_bytes

    start = next((at for at, byte in enumerate(body) if byte > 127), 0)
    best = from_bytes(body[max(0, start - 100) : start + _SAMPLE]).best()
    return best.encoding if best and best.encoding not in ("ascii", "utf_8") else "cp1252"


def to_json(body: bytes, content_type: str = "", *, cut: bool = False) -> Any:
    """JSON with illegal escapes and raw control characters repaired; of a cut answer, what was complete in it.

    Raises FetchError when it is no JSON.
    """
    text = to_text(body, content_type).strip()
    for repair in (_as_is, _escaped, _closed) if cut else (_as_is, _escaped):
        try:
            return all_whole(json.loads(repair(text), strict=False))
        except (ValueError, RecursionError):
            continue
    raise FetchError(_instead(text), status="bad response")


def _as_is(text: str) -> str:
    return text


def _escaped(text: str) -> str:
    return _ESCAPE.sub(_legal, text)


def _closed(text: str) -> str:
    """A cut document up to its last complete object, with the brackets that were open there closed."""
    text = _escaped(text)
    stack: list[str] = []
    end, closing, quoted, skip = 0, "", False, False
    for at, char in enumerate(text):
        if skip:
            skip = False
        elif quoted:
            skip, quoted = char == "\\", char != '"'
        elif char == '"':
            quoted = True
        elif char in "[{":
            stack.append("]" if char == "[" else "}")
        elif char in "]}" and stack:
            stack.pop()
            if char == "}" and stack and stack[-1] == "]":
                end, closing = at + 1, "".join(reversed(stack))
    return text[:end] + closing


def _instead(text: str) -> str:
    return page_instead(text) if text.startswith("<") else f"not JSON but {describe(text)}"


def _legal(found: re.Match[str]) -> str:
    return found.group() if found[1] else "\\\\" + (found[2] or "")
