"""Chinese words in a text: as the segmenter cuts them, and inside the compounds that say the same thing.

A segmenter makes one word of 郑州市, 苹果公司 and 大暴雨, and so 郑州, 苹果 and 暴雨 would be in none of them. A compound
holds a word if all the rest of it is a title or a measure (config/lexicon/zh.yaml, `compounds`): 郑州市 is 郑州, and
北大荒 is not 北大.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import accumulate

from pipeline.text import lexicon

_MARKS = re.compile(r"[\s,.!?;:、。…]+")
_SHORTEST = 2
"""Characters of a word that is looked for inside a compound: 中 is in too many."""


def on_boundaries(needle: str, text: str) -> bool:
    """Whether Chinese `needle` stands in `text` (simplified) with word boundaries at both its ends.

    罗马 is in 访问罗马 and not in 罗马尼亚, as Rome is not in "promoter". Words never reach over a mark or a blank, so
    only the clauses that hold it are cut.
    """
    return any(_stands(needle, clause, _cut(clause)) for clause in _clauses(needle, text))


def stands_in(needle: str, text: str) -> bool:
    """The same, or inside a compound whose rest changes nothing: 郑州 is in 郑州市民 and in 郑州市."""
    for clause in _clauses(needle, text):
        words = _cut(clause)
        if _stands(needle, clause, words) or any(_is_compound(word, needle) for word in words if needle in word):
            return True
    return False


def without_title(word: str) -> str:
    """A place's name without what kind of place it is.

    >>> without_title("郑州市"), without_title("超市"), without_title("上市公司")
    ('郑州', '超市', '上市公司')
    """
    bare = _endings("places").sub("", word)
    return bare if len(bare) >= _SHORTEST and word not in _apart() else word


def is_name(name: str, word: str) -> bool:
    """Whether `word` is this known name with its kind of place or firm: 苹果公司 is 苹果, 北京大学 is not 北京."""
    return word.startswith(name) and _run("places", "firms").fullmatch(word[len(name) :]) is not None


def after_name(rest: str) -> str:
    """What follows a known name, without the kind of place or firm that it is: of 苹果公司发布 is left 发布."""
    words = _cut(rest)
    titles = _run("places", "firms")
    titled = next((place for place, word in enumerate(words) if not titles.fullmatch(word)), len(words))
    return "".join(words[titled:])


@cache
def measures() -> frozenset[str]:
    """Characters that only say how much of a thing there is, where the segmenter leaves them alone: 大 of 大洪水."""
    return frozenset(word for word in _compounds()["before"] if len(word) < _SHORTEST)


def _clauses(needle: str, text: str) -> Iterable[str]:
    return (clause for clause in _MARKS.split(text) if needle in clause)


def _stands(needle: str, clause: str, words: Sequence[str]) -> bool:
    """On boundaries by itself or with what kind of place it is: 加沙市 may be cut as 加 and 沙市."""
    if needle in words or _bounded(needle, clause, words):
        return True
    return len(needle) >= _SHORTEST and any(_bounded(needle + kind, clause, words) for kind in _compounds()["places"])


def _bounded(needle: str, clause: str, words: Sequence[str]) -> bool:
    ends = {0, *accumulate(map(len, words))}
    start = clause.find(needle)
    while start >= 0:
        if start in ends and start + len(needle) in ends:
            return True
        start = clause.find(needle, start + 1)
    return False


def _is_compound(word: str, needle: str) -> bool:
    if len(needle) < _SHORTEST or word in _apart():
        return False
    before, _, after = word.partition(needle)
    return bool(_run("before").fullmatch(before) and _run("places", "firms", "of").fullmatch(after))


@cache
def _run(*kinds: str) -> re.Pattern[str]:
    """None, one or several of these additions in a row (特区政府, 股份有限公司)."""
    return re.compile(f"(?:{'|'.join(addition for kind in kinds for addition in _compounds()[kind])})*")


@cache
def _endings(kind: str) -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(_compounds()[kind])})$")


@cache
def _apart() -> frozenset[str]:
    return frozenset(_compounds()["apart"])


def _compounds() -> dict[str, list[str]]:
    found: dict[str, list[str]] = lexicon("zh")["compounds"]
    return found


@lru_cache(maxsize=2048)
def _cut(text: str) -> tuple[str, ...]:
    import rjieba

    return tuple(rjieba.cut(text))
