"""English endings off, so that two ways to write one word meet."""

from __future__ import annotations

from pipeline.text import stopwords, tokens


def stem(word: str) -> str:
    """English endings off (raises, raised, raising -> rais): crude, and the same for both sides of a comparison."""
    if len(word) < 4 or (word[-1] not in "sdge" and word[-1] != word[-2]) or not word.isascii():
        return word
    if word[-1] in "sdg":
        for ending in ("ing", "ied", "ies", "ed", "es", "s"):
            if word.endswith(ending) and len(word) - len(ending) >= 3:
                word = word[: -len(ending)] + ("y" if ending in ("ied", "ies") else "")
                break
    word = word.removesuffix("e")
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def stems(plain: str) -> frozenset[str]:
    """Content words of a normalised text."""
    stop = stopwords()
    return frozenset(stem(word) for word in tokens(plain) if word not in stop)
