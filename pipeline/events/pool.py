"""The items being grouped, and what is known of each, read once and on demand."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pipeline.events.entities import LEAD_CHARS, WHEN, Facts, inner_capitals, known_names, title_case
from pipeline.events.fingerprint import Prints, headings, prints, select
from pipeline.events.read_names import ReadNames
from pipeline.text import Corpus, stopwords, without_outlet
from pipeline.text import corpus as tokenised
from pipeline.types import Candidate

if TYPE_CHECKING:
    from pipeline.types import Flags

NAME_CHARS = 800  # characters of a text in which names are collected


def open_pool(items: Sequence[Candidate], corpus: Corpus | None = None) -> Pool:
    """Tokenise (unless that was done) and fingerprint the items."""
    corpus = corpus or tokenised(items)
    return Pool(items, corpus, prints(corpus))


class Pool:
    """The items being grouped and what is known of each, read once and on demand."""

    def __init__(self, items: Sequence[Candidate], corpus: Corpus, prints: Prints) -> None:
        self.items = items
        self.corpus = corpus
        self.prints = prints
        self._facts: dict[int, Facts] = {}
        self._read: dict[tuple[str, str], Facts] = {}
        self._known: dict[int, str] = {}
        self.read = ReadNames({}, {})

    @cached_property
    def headings(self) -> list[frozenset[int]]:
        rows = headings(self.corpus)
        flat, starts = rows.flat.tolist(), rows.starts.tolist()
        return [frozenset(flat[a:b]) for a, b in zip(starts[:-1], starts[1:], strict=True)]

    @cached_property
    def han(self) -> Flags:
        """[N] items whose title (or text, without one) holds as many Chinese characters as words of other scripts."""
        corpus = self.corpus
        characters = self._in_headings(np.fromiter(map(len, corpus.words), np.int64, len(corpus.words)) * corpus.han)
        found: Flags = (characters > 0) & (characters >= self._in_headings(~corpus.han & ~corpus.numeric))
        return found

    def _in_headings(self, values: NDArray[Any]) -> NDArray[np.int64]:
        """[N] sum of a value of each word over the words of an item's heading."""
        rows = headings(self.corpus)
        sums = np.concatenate(([0], np.cumsum(values[rows.flat], dtype=np.int64)))
        found: NDArray[np.int64] = sums[rows.starts[1:]] - sums[rows.starts[:-1]]
        return found

    def facts(self, row: int) -> Facts:
        """Those of two rows are one object where title and lead are the same."""
        if row not in self._facts:
            item = self.items[row]
            said = without_outlet(item.title, item.domain, item.publisher), item.text[:LEAD_CHARS]
            if said not in self._read:
                self._read[said] = Facts(*said)
            self._facts[row] = self._read[said]
        return self._facts[row]

    def people(self, row: int) -> frozenset[str]:
        """Names in title and text, as far as capitals, the known names and how others write them show them."""
        ids = self.corpus.ids
        if not self._known:
            single = (form for forms in known_names().values() for form in forms if len(form[0]) == 1 and not form[2])
            self._known = {ids[first]: name for (first,), name, _ in single if first in ids}
        words = {*self.corpus.titles[row].tolist(), *self.corpus.texts[row].tolist()}
        known = {self._known[word] for word in self._known.keys() & words}
        own = self._names_in_chinese(row, words) if self.han[row] else self._capitalised(row)
        return self.read.united(row, known | own, map(self.corpus.words.__getitem__, words))

    def _names_in_chinese(self, row: int, words: Set[int]) -> Set[str]:
        """Latin words in Chinese text are names; Chinese ones are told by part of speech."""
        latin = (self.corpus.words[word] for word in words)
        return {word for word in latin if word.isascii() and word.isalpha() and len(word) > 2} | self.facts(row).names

    def _capitalised(self, row: int) -> Set[str]:
        item = self.items[row]
        said = item.text[:NAME_CHARS] if title_case(item.title) else f"{item.title}. {item.text[:NAME_CHARS]}"
        return {word.lower() for word in inner_capitals(said)} - stopwords() - WHEN

    @cached_property
    def _numeric(self) -> tuple[list[int], list[int]]:
        rows = select(self.corpus.texts, self.corpus.numeric[self.corpus.texts.flat])
        return rows.flat.tolist(), rows.starts.tolist()

    def figures(self, row: int) -> frozenset[str]:
        """Numbers of the whole text, as its tokens."""
        flat, starts = self._numeric
        words = self.corpus.words
        return frozenset([words[i] for i in flat[starts[row] : starts[row + 1]]])

    def tells(self, row: int) -> bool:
        """Its text holds a figure, or its lead a name; "Here is what we know so far" stands under anything."""
        return bool(self.figures(row) or self.facts(row).lead_names)

    def same_title(self, a: int, b: int) -> bool:
        """Their titles are the same word for word (or both have none)."""
        titles = self.corpus.titles
        return titles[a].tobytes() == titles[b].tobytes()

    def says_more(self, a: int, b: int) -> bool:
        """One title holds all words of the other in their order, and some more."""
        fewer, more = sorted((self.corpus.titles[a].tolist(), self.corpus.titles[b].tolist()), key=len)
        rest = iter(more)
        return bool(fewer) and all(word in rest for word in fewer)

    def shared(self, a: int, b: int) -> tuple[str, ...]:
        """Some content words that both titles hold."""
        both = self.headings[a] & self.headings[b]
        return tuple(sorted(self.corpus.words[i] for i in both)[:6])
