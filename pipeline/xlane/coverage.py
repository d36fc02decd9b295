"""Coverage: which of the query's tokens a post holds, whole words only.

relevance = |tokens of the query found in the text| / |tokens of the query|, 0 for a query without tokens.

A word is looked for as a substring and its neighbours are checked where it is found: a fifth of the cost of cutting
every post into words, for most posts hold none of the query.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from pipeline.text import HAN
from pipeline.xlane.han import stands_in
from pipeline.xlane.query import WORD, Term, folded_all

if TYPE_CHECKING:
    from pipeline.types import Flags


def holdings(texts: Sequence[str], terms: Sequence[Term]) -> list[tuple[int, ...]]:
    """[N] which of the terms (1 or 0 each) every text holds: one term in all texts at a time, the cheap way round."""
    texts = folded_all(texts)
    lowers = [text.lower() for text in texts]
    found = [bytearray(len(texts)) for _ in terms]
    for term, marks in zip(terms, found, strict=True):
        finds(term, texts, lowers, marks)
    return list(zip(*found, strict=True)) if terms else [()] * len(texts)


def holds_all(text: str, terms: Sequence[Term]) -> bool:
    """Whether one text holds every term."""
    return all(holdings([text], terms)[0])


def finds(term: Term, texts: Sequence[str], lowers: Sequence[str], found: Flags | bytearray) -> None:
    """Mark in `found` [N] the folded texts that hold the term; what is marked already is not looked at."""
    for hint, forms, holds in _ways(term, texts, lowers):
        for row, form in enumerate(forms):
            if hint in form and not found[row] and holds(form):
                found[row] = True


_Way = tuple[str, Sequence[str], Callable[[str], bool]]
"""What a text must contain to hold a term, in which of its forms, and the whole test."""


def _ways(term: Term, texts: Sequence[str], lowers: Sequence[str]) -> list[_Way]:
    """Every way to write a term."""
    return [
        *((word, lowers, partial(stands, word)) for word in term.words),
        *((acronym, texts, partial(stands, acronym)) for acronym in term.capitals),
        *((max(phrase.split(), key=len), lowers, partial(_runs_in, phrase)) for phrase in term.phrases),
        *((form, texts, partial(stands_in, form)) for form in term.han),
    ]


def _runs_in(phrase: str, lower: str) -> bool:
    """Whether the words of `phrase` follow each other in `lower`, whatever stands between them."""
    return f" {phrase} " in f" {' '.join(WORD.findall(HAN.sub(' ', lower)))} "


def stands(word: str, text: str) -> bool:
    """Whether `word` is in `text` as a whole word: no letter or digit of its own script beside it.

    An address lends no words, @as_rome is one name, and "j'ai" holds no "ai"; "Rome's" holds Rome, and scripts never
    glue together: 中文AI句子 holds AI.
    """
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if _edge(text[end : end + 1]) and _begins(text, at) and not _inside_name_or_link(text, at):
            return True
        at = text.find(word, at + 1)
    return False


def _begins(text: str, at: int) -> bool:
    before = text[at - 1 : at]
    return _edge(before) and not (before in ("'", "’") and text[at - 2 : at - 1].isalpha())


def _edge(char: str) -> bool:
    return not char.isalnum() or HAN.match(char) is not None


def _inside_name_or_link(text: str, at: int) -> bool:
    start = max(text.rfind(" ", 0, at), text.rfind("\n", 0, at)) + 1
    run = text[start:at]
    return "http" in run or ("@" in run and run.endswith("_"))
