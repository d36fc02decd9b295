"""Other things of the same name: the topic's word inside a longer capitalised name.

"Rome Odell" and "AS Rome FC" hold the word and mean an athlete and a club. No dictionary of collisions: a longer name
counts against a post when no surely-on-topic post of the same corpus uses it.
"""

from __future__ import annotations

import re
from functools import cache

from pipeline.text import lexicon

_WORD = re.compile(r"[#@]?[^\W_]+(?:['’][^\W\d_]+)?|[.!?:;,\n|()\[\]\"“”…–—-]+")
_SMALL = frozenset({"the", "in", "of", "and", "a", "an", "to", "for", "on", "at", "is", "was", "from", "with", "i"})


def neighbours(text: str, words: frozenset[str]) -> tuple[set[str], bool]:
    """(capitalised words that stand right beside one of `words`, whether one of `words` stands free of such).

    A neighbour after a full stop or a comma is none, but for a region after a comma ("Paris, Texas"); nor is the
    first word of a sentence, which is capital anyway.
    A text in capitals throughout says nothing about names.
    """
    parts = _WORD.findall(text)
    shouting = _shouting(parts) or _title_case(parts)
    beside: set[str] = set()
    free = False
    for at, part in enumerate(parts):
        if part.lower().removesuffix("'s").removesuffix("’s") not in words:
            continue
        before = parts[at - 1] if at else ""
        after = parts[at + 1] if at + 1 < len(parts) else ""
        starts = at < 2 or not parts[at - 2][:1].isalnum()
        names = {after} if _name(after, words) else set()
        names |= {before} if _name(before, words) and not starts else set()
        if after.startswith(",") and at + 2 < len(parts) and _region(parts[at + 2]):
            names.add(parts[at + 2])
        names |= {before} if starts and before.isupper() and 2 <= len(before) <= 4 else set()
        if names and not shouting and part[:1].isupper() and not part.lower().endswith(("'s", "’s")):
            beside |= {name.lower() for name in names}
        else:
            free = True
    return beside, free


def names_in(text: str) -> set[str]:
    """Every capitalised word of a text, in lower case."""
    return {part.lower() for part in _WORD.findall(text) if part[:1].isupper()}


def only_in_other_names(text: str, words: frozenset[str], known: frozenset[str]) -> str:
    """The neighbour that makes every occurrence a longer name unknown to the topic; "" where there is none."""
    beside, free = neighbours(text, words)
    return "" if free or not beside or beside & known else min(beside)


def _name(word: str, topic: frozenset[str]) -> bool:
    lower = word.lower()
    return len(word) >= 2 and word[0].isupper() and lower not in topic and lower not in _SMALL


def _region(word: str) -> bool:
    """A region's name or code, in capitals as such a name is written."""
    return word[:1].isupper() and (len(word) > 2 or word.isupper()) and word.lower() in _regions()


@cache
def _regions() -> frozenset[str]:
    return frozenset(lexicon("en").get("regions", ()))


def _shouting(parts: list[str]) -> bool:
    words = [part for part in parts if part[:1].isalpha()]
    return sum(map(str.isupper, words)) > 0.6 * len(words)


def _title_case(parts: list[str]) -> bool:
    """A headline In Title Case has capitals everywhere."""
    words = [part for part in parts if part[:1].isalpha() and part.lower() not in _SMALL]
    return len(words) >= 5 and sum(word[0].isupper() for word in words) > 0.7 * len(words)
