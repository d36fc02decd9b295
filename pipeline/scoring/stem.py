"""A light English stemmer: plurals, -ed, -ing and a few endings, so that "packages" finds "package".

Steps 1a-1c of Porter (1980) and the commonest derivational endings, cut carefully: it must join forms of one word and
never two words. Chinese words and words with digits are left alone.
"""

from __future__ import annotations

import re
from functools import lru_cache

_KEPT = frozenset(("news", "series", "species", "texas", "wales"))  # an s that is no plural
_VOWELS = frozenset("aeiouy")
_ENDINGS = (
    ("ational", "ate"), ("ization", "ize"), ("isation", "ize"), ("fulness", "ful"), ("ousness", "ous"),
    ("iveness", "ive"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("aliti", "al"), ("iviti", "ive"),
    ("biliti", "ble"), ("ically", "ic"), ("ical", "ic"), ("ment", ""), ("ness", ""), ("tional", "tion"),
)  # fmt: skip
_ANY_ENDING = tuple(ending for ending, _ in _ENDINGS)
_SYLLABLE = re.compile("[aeiouy][^aeiouy]")
"""A vowel followed by a consonant: Porter's m is above 0."""


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The stem of a lower-case word.

    >>> [stem(w) for w in ("packages", "unveiled", "launching", "companies", "gas", "发布", "gpt4s")]
    ['packag', 'unveil', 'launch', 'compani', 'gas', '发布', 'gpt4s']
    """
    if len(word) < 4 or not word.isascii() or not word.isalpha() or word in _KEPT:
        return word
    word = _verbal(_plural(word))
    if word.endswith("y") and len(word) > 3 and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    if word.endswith(_ANY_ENDING):
        word = _shortened(word)
    return word[:-1] if len(word) > 4 and word.endswith("e") and _SYLLABLE.search(word[:-1]) else word


def _shortened(word: str) -> str:
    """Its derivational ending cut or replaced, where a syllable is left before it."""
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and _SYLLABLE.search(word[: -len(ending)]):
            return word[: -len(ending)] + instead
    return word


def _plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1] if len(word) > 3 else word
    return word


def _verbal(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _SYLLABLE.search(word[:-3]) else word
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            base = word[: -len(ending)]
            return _restored(base) if len(base) > 2 and not _VOWELS.isdisjoint(base) else word
    return word


def _restored(base: str) -> str:
    """After -ed or -ing: "relat" -> "relate", "runn" -> "run"."""
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if base[-1] == base[-2] and base[-1] not in "lsz":
        return base[:-1]
    return base
