"""The form in which texts are compared: full width, traditional characters and case folded."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Any

HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ebef]")
"""A Chinese character."""
_WIDE = tuple((mark, unicodedata.normalize("NFKC", mark)) for mark in "，：；！？（）％～")
"""Punctuation of Chinese text, and its usual form."""


@cache
def _simplifier() -> Any:
    import opencc

    return opencc.OpenCC("t2s")


@cache
def _traditional() -> re.Pattern[str]:
    """The characters that folding changes: most Chinese text has none, and looking is 50 times cheaper than folding."""
    every = [chr(code) for code in (*range(0x3400, 0x4DC0), *range(0x4E00, 0xA000), *range(0xF900, 0xFB00))]
    folded = _simplifier().convert("\n".join(every)).split("\n")
    changed = "".join(old for old, new in zip(every, folded, strict=True) if old != new)
    return re.compile(f"[{changed}]")


def simplified(text: str) -> str:
    """Traditional Chinese characters folded to simplified; other text is untouched."""
    return str(_simplifier().convert(text)) if HAN.search(text) and _traditional().search(text) else text


def normalise(text: str) -> str:
    """The form in which texts are compared: NFKC, full-width to half-width, simplified, case folded."""
    return " ".join(folded(text).split())


def folded(text: str) -> str:
    """The same with its spaces as they are."""
    if not text.isascii():
        text = simplified(_composed(text))
    return text.lower()


def _composed(text: str) -> str:
    """NFKC. Most Chinese text differs from it by a few marks of punctuation, and taking it is dear."""
    if not unicodedata.is_normalized("NFKC", text):
        for wide, narrow in _WIDE:
            text = text.replace(wide, narrow)
    return text if unicodedata.is_normalized("NFKC", text) else unicodedata.normalize("NFKC", text)
