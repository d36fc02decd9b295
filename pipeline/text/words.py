"""Words of a text: Latin-like scripts by word, Chinese segmented."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pipeline.text.forms import folded
from pipeline.text.lexicons import stopwords

_WORD = re.compile(r"\w+(?:['’](?!s\b)[^\W\d_]+)?")  # a possessive 's is no part of the word
_CJK = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\U00020000-\U0002ebef]")
_LOWER = {code: chr(code).lower() if chr(code).isalnum() or chr(code) == "'" else " " for code in range(128)}
"""Lower case for letters, spaces for what is neither letter, digit nor apostrophe."""


def tokens(text: str) -> list[str]:
    """Words in order, normalised: Latin-like scripts by word, Chinese segmented, the two never glued together.

    >>> tokens("OpenAI发布GPT-5模型")
    ['openai', '发布', 'gpt', '5', '模型']
    """
    if text.isascii():
        return _latin_words(text)
    text = folded(text).replace("_", " ")
    if not _CJK.search(text):
        return _WORD.findall(text)
    import rjieba

    found: list[str] = []
    for piece in rjieba.cut(text):
        if piece.isalnum():
            found.append(piece)
        elif len(piece) > 1:
            found += _WORD.findall(piece)
    return found


def _latin_words(text: str) -> list[str]:
    """The same by two calls in C: a pattern is needed for words with an apostrophe only."""
    words = text.translate(_LOWER).split()
    if "'" not in text:
        return words
    return [part for word in words for part in (_WORD.findall(word) if "'" in word else (word,))]


def content_tokens(text: str) -> list[str]:
    """Tokens without the stop words of English and Chinese."""
    stop = stopwords()
    return [token for token in tokens(text) if token not in stop]


def any_in(words: Iterable[str], text: str) -> tuple[str, ...]:
    """Those of `words` that occur in `text` (plain substring test; both already normalised)."""
    return tuple(word for word in words if word in text)
