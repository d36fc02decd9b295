"""Names of a query that a corpus writes in the other script, as they are read: Lingxi is 灵犀, in no table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pipeline.text import HAN, tokens
from pipeline.text.pinyin import capitals, chinese_names, in_latin, may_name, readings, spellings
from pipeline.xlane.query import Term

_APART = " "  # between two posts: no name reaches over it


def as_read(wanted: tuple[Term, ...], query: str, texts: Sequence[str]) -> tuple[Term, ...]:
    """The terms of a query with the forms that their names have in the other script.

    Only what the segmenter takes for a name and posts do not write small: 大厅 is read "dating" and 马克 "make".
    """
    characters = _characters(query, texts)
    return tuple(
        _with_latin(term, texts) if _only_chinese(term) else _with_chinese(term, characters) for term in wanted
    )


def _characters(query: str, texts: Sequence[str]) -> dict[str, list[str]]:
    """Word of a name in the query -> what posts write in characters."""
    said = spellings(query)
    posts = may_name(texts, said.keys()) if said else []
    if not posts:
        return {}
    words = [word for text in posts for word in (*tokens(text), _APART)]
    read = {said[name].lower(): forms for name, forms in readings(words, said.keys()).items()}
    more = capitals(read.keys(), texts)
    characters: dict[str, list[str]] = {}
    for name, forms in read.items():
        for word in name.split() if more[name] >= 0 else ():
            characters.setdefault(word, []).extend(forms)
    return characters


def _with_chinese(term: Term, characters: Mapping[str, Sequence[str]]) -> Term:
    return replace(term, han=(*term.han, *characters[term.label])) if term.label in characters else term


def _only_chinese(term: Term) -> bool:
    return HAN.match(term.label) is not None and not term.words and not term.phrases


def _with_latin(term: Term, texts: Sequence[str]) -> Term:
    ways = in_latin(term.label) if chinese_names(term.label) else frozenset()
    more = capitals(ways, texts)
    written = [way for way in ways if more[way] > 0]
    return replace(
        term,
        words=frozenset(way for way in written if " " not in way),
        phrases=tuple(sorted(way for way in written if " " in way)),
    )
