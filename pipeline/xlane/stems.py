"""A post's words as context mode compares them: light stems, hash-tags whole, words of links apart."""

from __future__ import annotations

import re
from typing import NamedTuple

from pipeline.text import HAN, stopwords, tokens
from pipeline.xlane.query import WORD

_SKIPPED = re.compile(r"https?://\S+|@\w+")
_LINK = re.compile(r"https?://(?:www\.)?[^\s/]*/?(\S*)")
_LINK_WORD = re.compile(r"[a-z]{3,}")
_TAG = re.compile(r"#(\w+)")
_NO_WORDS = frozenset({"rt", "via", "amp", "http", "https", "gt", "lt", "com", "html", "www"})
_SUFFIXES = (("ies", "y"), ("ings", ""), ("ing", ""), ("ed", ""), ("es", "e"), ("s", ""))


class Words(NamedTuple):
    stems: frozenset[str]
    tags: str
    """Hash-tags in lower case, a space between them."""
    link_stems: frozenset[str]
    has_link: bool


def words_of(text: str) -> Words:
    """What context mode compares of a post, in one pass."""
    lower = text.lower()
    has_link = "http" in lower and _LINK.search(lower) is not None
    link_stems = _link_stems(lower) if has_link else frozenset()
    tags = " ".join(_TAG.findall(lower)) if "#" in lower else ""
    bare = _SKIPPED.sub(" ", lower) if has_link or "@" in lower else lower
    words = tokens(bare) if HAN.search(bare) else WORD.findall(bare)
    return Words(frozenset(map(_STEMS.__getitem__, words)) - _NOTHING, tags, link_stems, has_link)


def is_repost(text: str) -> bool:
    lower = text[:200].lower()
    return lower.startswith("rt ") or " rt @" in lower


def _link_stems(lower: str) -> frozenset[str]:
    paths = " ".join(match[1] for match in _LINK.finditer(lower))
    return frozenset(map(_STEMS.__getitem__, _LINK_WORD.findall(paths))) - _NOTHING


class _Stems(dict[str, str]):
    """Word -> stem, "" for words that say nothing; filled as words are met, emptied when it grows too large."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_STEMS:
            self.clear()
        self[word] = found = "" if word in _NO_WORDS or word in stopwords() else stem(word)
        return found


_MOST_STEMS = 200_000
_STEMS = _Stems()
_NOTHING = frozenset({""})


def stem(word: str) -> str:
    """A light stem of an English word (plural, -ing, -ed); other scripts and short words as they are.

    >>> [stem(w) for w in ("floods", "flooding", "cities", "bombed", "news")]
    ['flood', 'flood', 'city', 'bomb', 'new']
    """
    if len(word) < 4 or not word.isascii():
        return word
    word = word.removesuffix("'s").removesuffix("’s")
    if not word.endswith(("ss", "us")):
        for suffix, instead in _SUFFIXES:
            if word.endswith(suffix) and len(word) - len(suffix) >= 3:
                word = word[: -len(suffix)] + instead
                break
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word
