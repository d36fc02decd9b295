"""A question put into the other language, word by word, as far as config/lexicon knows names and words in both.

No grammar: it is only looked up in items of that language, where otherwise nothing but the embedding could find them.
What is not known stays as it is: a name may be written the same, and any other word counts as one that nobody uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from pipeline.scoring.stem import stem
from pipeline.text import HAN, content_tokens, lexicon, normalise, tokens

LONGEST = 4  # words of an English phrase
_REST = re.compile(rf"(?<!{HAN.pattern}){HAN.pattern}(?!{HAN.pattern})")
"""A Chinese character that is left alone between known words: 新 of 新模型."""


def translated(query: str, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """Chinese to English, anything else to Chinese; "" where no word of it is known in both languages. `names` are
    those of the query that are known besides.

    >>> translated("AI agent frameworks"), translated("智能体框架")
    ('智能体 框架', 'agent framework')
    """
    return _in_english(normalise(query), names) if HAN.search(query) else _in_chinese(query, names)


def _in_english(query: str, names: Mapping[str, str]) -> str:
    table, pattern = _english()
    found, count = pattern.subn(lambda match: f" {table[match[0]]} ", query)
    read = [name for name in names if name in found]
    for name in read:
        found = found.replace(name, f" {names[name]} ")
    return " ".join(_REST.sub(" ", found).split()) if count or read else ""


def _in_chinese(query: str, names: Mapping[str, str]) -> str:
    table = {**{tuple(map(stem, tokens(name))): found for name, found in names.items()}, **_chinese()}
    said = [stem(word) for word in content_tokens(query)]
    found, known, at = [], False, 0
    while at < len(said):
        size = next((n for n in range(LONGEST, 0, -1) if tuple(said[at : at + n]) in table), 0)
        found.append(table[tuple(said[at : at + size])] if size else said[at])
        known, at = known or size > 0, at + max(size, 1)
    return " ".join(found) if known else ""


@cache
def _english() -> tuple[Mapping[str, str], re.Pattern[str]]:
    """Chinese word -> English, and what finds the longest of them."""
    table: dict[str, str] = {}
    for chinese, english in _known():
        table.setdefault(chinese, english)
    return table, re.compile("|".join(map(re.escape, sorted(table, key=len, reverse=True))))


@cache
def _chinese() -> Mapping[tuple[str, ...], str]:
    """Stems of an English phrase -> Chinese."""
    table: dict[tuple[str, ...], str] = {}
    for chinese, english in _known():
        table.setdefault(tuple(map(stem, tokens(english))), chinese)
    return table


def _known() -> Iterator[tuple[str, str]]:
    """(Chinese, English), what comes first being the usual translation."""
    known = lexicon("zh")
    for chinese, english in known.get("names", ()):
        yield str(chinese), str(english)
    for chinese, several in known.get("words", {}).items():
        for english in several:
            yield str(chinese), str(english)
