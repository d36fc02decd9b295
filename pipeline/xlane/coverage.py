"""Coverage: which of the query's tokens a post holds, whole words only.

relevance = |tokens of the query found in the text| / |tokens of the query|, 0 for a query without tokens.

A word is looked for as a substring and its neighbours are checked where it is found: a fifth of the cost of cutting
every post into words, for most posts hold none of the query.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipeline.text import HAN
from pipeline.xlane.han import stands_in
from pipeline.xlane.query import WORD, Term, folded

if TYPE_CHECKING:
    from pipeline.types import Flags


def folded_all(texts: Sequence[str]) -> list[str]:
    """Texts in the form in which they are looked at, in their own case."""
    return [text if text.isascii() else folded(text) for text in texts]


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
    [text] = folded_all([text])
    return all(_holds(term, text, text.lower()) for term in terms)


def finds(term: Term, texts: Sequence[str], lowers: Sequence[str], found: Flags | bytearray) -> None:
    """Mark in `found` [N] the folded texts that hold the term; what is marked already is not looked at."""
    hints = (*term.words, *(max(phrase.split(), key=len) for phrase in term.phrases))
    rows = {row for hint in hints for row, lower in enumerate(lowers) if hint in lower}
    for form in (*term.capitals, *term.han):
        rows.update(row for row, text in enumerate(texts) if form in text)
    for row in rows:
        if not found[row] and _holds(term, texts[row], lowers[row]):
            found[row] = True


def _holds(term: Term, text: str, lower: str) -> bool:
    for word in term.words:
        if word in lower and stands(word, lower):
            return True
    for acronym in term.capitals:
        if acronym in text and stands(acronym, text):
            return True
    for phrase in term.phrases:
        if (
            max(phrase.split(), key=len) in lower
            and f" {phrase} " in f" {' '.join(WORD.findall(HAN.sub(' ', lower)))} "
        ):
            return True
    return any(form in text and stands_in(form, text) for form in term.han)


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
