"""Coverage: the share of the query's tokens that a post holds. Whole words only, one pass over the post.

relevance = |tokens of the query found in the text| / |tokens of the query|, 0 for a query without tokens.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pipeline.text import HAN
from pipeline.xlane.query import WORD, Term, folded, on_boundaries

_LINK_OR_UNDERSCORE = re.compile(r"https?://\S+|@\w*_\w*")
"""Addresses are no words, and @as_rome is one name: neither lends its parts."""


class Match(NamedTuple):
    score: float
    matched: tuple[str, ...]
    missing: tuple[str, ...]


def match(text: str, terms: tuple[Term, ...]) -> Match:
    """Which of the terms are in `text`. Pure, linear in the length of the text."""
    if not text.isascii():
        text = folded(text)
    if "http" in text or "_" in text:
        text = _LINK_OR_UNDERSCORE.sub(" ", text)
    lower = text.lower()
    words = WORD.findall(lower)
    have = set(words)
    found: list[str] = []
    missing: list[str] = []
    for term in terms:
        hit = not term.words.isdisjoint(have) or _rare_forms(term, text, words, have)
        (found if hit else missing).append(term.label)
    share = len(found) / len(terms) if terms else 0.0
    return Match(share, tuple(found), tuple(missing))


def _rare_forms(term: Term, text: str, words: list[str], have: set[str]) -> bool:
    """Acronyms, names of several words, and forms inside Chinese text, each tested only when it can be there."""
    for acronym in term.capitals:
        if acronym.lower() in text.lower() and _in_capitals(acronym, text):
            return True
    for phrase in term.phrases:
        if have.issuperset(phrase.split()) and f" {phrase} " in f" {' '.join(words)} ":
            return True
    if term.han and any(form in text and on_boundaries(form, text) for form in term.han):
        return True
    return bool(term.words) and not text.isascii() and any(_beside_han(word, text) for word in term.words)


def _in_capitals(acronym: str, text: str) -> bool:
    return re.search(rf"(?<![A-Za-z0-9]){acronym}(?![A-Za-z0-9])", text) is not None


def _beside_han(word: str, text: str) -> bool:
    """A Latin word inside Chinese text: 中文AI句子 holds AI, because scripts never glue together."""
    lower = text.lower()
    at = lower.find(word)
    while at >= 0:
        before, after = lower[at - 1 : at], lower[at + len(word) : at + len(word) + 1]
        if _edge(before) and _edge(after):
            return True
        at = lower.find(word, at + 1)
    return False


def _edge(char: str) -> bool:
    return not char.isalnum() or bool(HAN.match(char))
