"""Which way a title points: up or down, one of two opposites, denied or not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from pipeline.events.stems import stem
from pipeline.text import HAN, lexicon, stopwords, tokens

Class = tuple[frozenset[str], tuple[str, ...]]
"""English stems, Chinese substrings."""

_CLAUSE = re.compile(r"[,;:!?，、；：。！？]|(?<=[\u4e00-\u9fff])\s")


@cache
def classes(section: str) -> Mapping[str, Class]:
    """Of a section of the word lists: name -> its words in both languages."""
    english, chinese = lexicon("en").get(section, {}), lexicon("zh").get(section, {})
    return {
        name: (frozenset(stem(word) for word in english.get(name, ())), tuple(chinese.get(name, ())))
        for name in {*english, *chinese}
    }


def held(plain: str, stems: frozenset[str], one: Class) -> bool:
    """Whether a normalised text, of these stems, holds a word of the class."""
    words, phrases = one
    return not words.isdisjoint(stems) or (HAN.search(plain) is not None and any(phrase in plain for phrase in phrases))


def told(section: str, plain: str, stems: frozenset[str]) -> frozenset[str]:
    """The classes of a section of which a normalised text, of these stems, holds a word."""
    english, chinese = _names(section)
    found = {name for word in english.keys() & stems for name in english[word]}
    if HAN.search(plain):
        found.update(name for phrase, name in chinese if phrase in plain)
    return frozenset(found)


@cache
def _names(section: str) -> tuple[Mapping[str, Sequence[str]], Sequence[tuple[str, str]]]:
    """English stem -> the classes it stands in; (Chinese substring, class)."""
    english: dict[str, list[str]] = {}
    for name, (words, _) in classes(section).items():
        for word in words:
            english.setdefault(word, []).append(name)
    return english, [(phrase, name) for name, (_, phrases) in classes(section).items() for phrase in phrases]


# --------------------------------------------------------------------------- up and down


def direction(plain: str, stems: frozenset[str]) -> str:
    """ "up", "down", or "" when the title says neither or both."""
    found = told("directions", plain, stems)
    return next(iter(found)) if len(found) == 1 else ""


def turns(plain: str) -> Mapping[str, str]:
    """What moves of itself -> which way: {"price": "up"} of "Oil prices rise on supply fears".

    A word of movement with an object ("Fed raises its forecast") does not say where its subject goes.
    """
    found: dict[str, set[str]] = {}
    stop = stopwords()
    for clause in _CLAUSE.split(plain):
        said = tokens(clause)
        for subject, word, after in zip(said, said[1:], [*said[2:], ""], strict=False):
            if (way := _way(word)) and (not after or after in stop or after[0].isdigit()) and subject not in stop:
                found.setdefault(stem(subject), set()).add(way)
    return {subject: next(iter(ways)) for subject, ways in found.items() if len(ways) == 1}


@lru_cache(maxsize=4096)
def _way(word: str) -> str:
    """The direction of one word."""
    return direction(word, frozenset((stem(word),)))


# --------------------------------------------------------------------------- opposites


@cache
def _opposites() -> tuple[Mapping[str, Sequence[tuple[str, int]]], Sequence[tuple[str, str, int]]]:
    """English stem -> the pairs of opposites it stands in and on which side; (Chinese substring, pair, side)."""
    english: dict[str, list[tuple[str, int]]] = {}
    for name, both in lexicon("en").get("opposites", {}).items():
        for side, words in enumerate(both):
            for word in words:
                english.setdefault(stem(word), []).append((name, side))
    chinese = lexicon("zh").get("opposites", {}).items()
    return english, [
        (phrase, name, side) for name, both in chinese for side, all_ in enumerate(both) for phrase in all_
    ]


def sides(plain: str, said: Sequence[str], stems: Sequence[str]) -> Mapping[str, tuple[int, str]]:
    """Pair of opposites -> (which of the two the title, of these words and their stems, holds, the word); not where it
    holds both.
    """
    english, chinese = _opposites()
    found: dict[str, dict[int, str]] = {}
    for word, root in zip(said, stems, strict=True):
        for name, side in english.get(root, ()):
            found.setdefault(name, {}).setdefault(side, word)
    for phrase, name, side in chinese if HAN.search(plain) else ():
        if phrase in plain:
            found.setdefault(name, {}).setdefault(side, phrase)
    return {name: next(iter(words.items())) for name, words in found.items() if len(words) == 1}


# --------------------------------------------------------------------------- negation


def denials(said: Sequence[str]) -> tuple[frozenset[str], bool]:
    """Words that deny, and whether others were denied themselves ("does not deny", 不否认): these leave the statement
    as it was.
    """
    deny, stop = _denying(), stopwords()
    left: list[str] = []
    denied = undone = False  # whether the last word of content denies
    for word in said:
        if word.replace("’", "'") not in deny:
            denied = denied and word in stop
        elif denied:
            left.pop()
            denied, undone = False, True
        else:
            left.append(word)
            denied = True
    return frozenset(left), undone


@cache
def _denying() -> frozenset[str]:
    return frozenset(word for lang in ("en", "zh") for word in lexicon(lang).get("negation", ()))
