"""Names of a question that items in the other language write as they are read: 灵犀 is Lingxi."""

from __future__ import annotations

import numpy as np

from pipeline.text import HAN, Corpus, normalise
from pipeline.text.pinyin import chinese_names, in_latin, readings, spellings


def read_names(query: str, corpus: Corpus) -> dict[str, str]:
    """Name as the question writes it -> as the pool's items in the other language do.

    Only what the segmenter takes for a name: 大厅 is read "dating", and is none.
    """
    return _in_latin(query, corpus) if HAN.search(query) else _in_chinese(query, corpus)


def _in_latin(query: str, corpus: Corpus) -> dict[str, str]:
    ways = ((name, way) for name in chinese_names(normalise(query)) for way in sorted(in_latin(name)))
    return {name: way for name, way in ways if all(part in corpus.ids for part in way.split())}


def _in_chinese(query: str, corpus: Corpus) -> dict[str, str]:
    said = spellings(query)
    if not said:
        return {}
    words = [part for i in np.flatnonzero(corpus.han) for part in (corpus.words[i], " ")]  # each by itself
    return {said[name]: found for name, found in readings(words, said.keys()).items() if chinese_names(found)}
