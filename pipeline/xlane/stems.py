"""Light stems: the forms of an English word as one."""

from __future__ import annotations

_SUFFIXES = {"s": (("ies", "y"), ("ings", ""), ("es", "e"), ("s", "")), "g": (("ing", ""),), "d": (("ed", ""),)}
"""By a word's last letter."""


def stem(word: str) -> str:
    """A light stem of an English word (plural, -ing, -ed); other scripts and short words as they are.

    >>> [stem(w) for w in ("floods", "flooding", "cities", "bombed", "news")]
    ['flood', 'flood', 'city', 'bomb', 'new']
    """
    if len(word) < 4 or not word.isascii():
        return word
    word = word.removesuffix("'s")
    if word[-1] in _SUFFIXES and not word.endswith(("ss", "us")):
        for suffix, instead in _SUFFIXES[word[-1]]:
            if word.endswith(suffix) and len(word) - len(suffix) >= 3:
                word = word[: -len(suffix)] + instead
                break
    if len(word) > 4:
        if word[-1] == word[-2] and word[-1] not in "lsz":
            word = word[:-1]
        return word.removesuffix("e") if len(word) > 4 else word
    return word
