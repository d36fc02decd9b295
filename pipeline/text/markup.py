"""Plain text out of markup, and out of what feeds and JSON leave behind."""

from __future__ import annotations

import html
import re
from typing import Any

_TAG = re.compile(r"<(script|style)\b.*?</\1\s*>|<!--.*?-->|</?[a-zA-Z][^>]*>|<![A-Z][^>]*>", re.DOTALL | re.IGNORECASE)
_BLOCK = re.compile(r"</?(?:p|div|br|li|h[1-6]|tr|ul|ol|blockquote)\b[^>]*>", re.IGNORECASE)
_HALF = re.compile("[\ud800-\udfff]")
"""Half of a character, left over where an emoji was cut: no file, database, model or terminal takes it."""


def whole(text: str) -> str:
    """Text without halves of characters: each becomes U+FFFD."""
    return text if text.isascii() else _HALF.sub("\ufffd", text)


def all_whole(data: Any) -> Any:
    """The same for every string of data that was read from JSON, whose escapes can name halves of characters."""
    if isinstance(data, str):
        return whole(data)
    if isinstance(data, list):
        return [all_whole(one) for one in data]
    if isinstance(data, dict):
        return {whole(key): all_whole(value) for key, value in data.items()}
    return data


def plain(markup: str) -> str:
    """Text of an HTML fragment: tags off, entities resolved (twice: feeds escape twice), spaces folded."""
    if "<" in markup or "&" in markup:
        for _ in range(2):
            markup = html.unescape(_TAG.sub("", _BLOCK.sub(" ", markup)))
    return " ".join(whole(markup).replace("\x00", "").split())
