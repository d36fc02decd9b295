"""Other things of the same name: the topic's word inside a longer capitalised name.

"Rome Odell" and "AS Rome FC" hold the word and mean an athlete and a club. No dictionary of collisions: a longer name
counts against a post when no surely-on-topic post of the same corpus uses it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from pipeline.text import lexicon

_WORD = re.compile(r"[#@]?[^\W_]+(?:['’][^\W\d_]+)?|[.!?:;,\n|()\[\]\"“”…–—-]+")
_BLANK = re.compile(r"(?:(?![.!?:;,\n|()\[\]\"“”…–—-])[\W_])*")
"""What stands between two parts and is none."""
_ANY_BLANK = re.compile(r"[\W_]*")
_AROUND = '.,:;!?()[]"“”'
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


def names_in(texts: Iterable[str]) -> frozenset[str]:
    """Every capitalised word of the texts, in lower case; a piece between blanks that comes back is read once."""
    pieces: set[str] = set()
    for text in texts:
        pieces.update(text.split())
    names: set[str] = set()
    for piece in pieces:
        if piece.islower() or piece[:1] in "@#" or piece[:4] == "http":
            continue
        word = piece.strip(_AROUND)
        if word.isalpha():
            if word[0].isupper():
                names.add(word.lower())
        else:
            names.update(part.lower() for part in _WORD.findall(word) if part[0].isupper())
    return frozenset(names)


def may_be_another(text: str, lower: str, words: Iterable[str]) -> bool:
    """Whether `only_in_other_names` could find a name; it can't for most posts, and this costs a tenth of it.

    False where one of `words` is missing or stands in lower case, as a possessive or without a capital beside it.
    """
    if len(text) != len(lower):
        return True  # a letter that lower case writes as two: places differ
    found = False
    for word in words:
        at = lower.find(word)
        while at >= 0:
            end = at + len(word)
            if _is_part(text, at, end):
                if not text[at].isupper() or _possessive(text, end) or not _beside_capital(text, at, end):
                    return False
                found = True
            at = lower.find(word, end)
    return found


_MARKS = ("'", "’")


def _is_part(text: str, at: int, end: int) -> bool:
    """text[at:end] is a whole part, or one with a possessive 's."""
    before, after = text[at - 1 : at], text[end : end + 3]
    if before.isalnum() or before in ("#", "@") or after[:1].isalnum():
        return False
    return after[:1] not in _MARKS or not after[1:2].isalpha() or _possessive(text, end)


def _possessive(text: str, end: int) -> bool:
    after = text[end : end + 3]
    return after[:1] in _MARKS and after[1:2] in ("s", "S") and not after[2:].isalpha()


def _beside_capital(text: str, at: int, end: int) -> bool:
    """A capitalised word may be next to text[at:end], or a region after a comma."""
    blank = _BLANK.match(text, end)
    next_at = blank.end() if blank else end
    if text[next_at : next_at + 1] == ",":
        blank = _ANY_BLANK.match(text, next_at)
        next_at = blank.end() if blank else next_at
    if text[next_at : next_at + 1].isupper():
        return True
    chunk = text[text.rfind(" ", 0, max(at - 1, 0)) + 1 : at]
    return chunk != chunk.lower() or (at > 0 and _WORD.search(chunk) is None)


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
