"""Names of a question that items in the other language write as they are read: 灵犀 is Lingxi."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from pipeline.text import HAN, Corpus, normalise
from pipeline.text.pinyin import capitals, chinese_names, in_latin, readings, spellings
from pipeline.types import Candidate

TEXT_CHARS = 300  # characters of a text in which a word may show that it is no name


def read_names(query: str, items: Sequence[Candidate], corpus: Corpus) -> dict[str, str]:
    """Name as the question writes it -> as the pool's items in the other language do.

    Only what the segmenter takes for a name and items do not write small: 大厅 is read "dating" and 马克 "make".
    """
    texts = (f"{item.title} {item.text[:TEXT_CHARS]}" for item in items)
    return _in_latin(query, texts, corpus) if HAN.search(query) else _in_chinese(query, texts, corpus)


def _in_latin(query: str, texts: Iterable[str], corpus: Corpus) -> dict[str, str]:
    ways = [(name, way) for name in chinese_names(normalise(query)) for way in sorted(in_latin(name))]
    held = [(name, way) for name, way in ways if all(part in corpus.ids for part in way.split())]
    more = capitals({way for _, way in held}, texts)
    return {name: way for name, way in sorted(held, key=lambda one: more[one[1]]) if more[way] > 0}


def _in_chinese(query: str, texts: Iterable[str], corpus: Corpus) -> dict[str, str]:
    said = spellings(query)
    if not said:
        return {}
    words = [part for i in np.flatnonzero(corpus.han) for part in (corpus.words[i], " ")]  # each by itself
    found = {said[name]: " ".join(forms) for name, forms in readings(words, said.keys()).items()}
    more = capitals({name.lower() for name in found}, texts)
    return {name: written for name, written in found.items() if more[name.lower()] >= 0}
