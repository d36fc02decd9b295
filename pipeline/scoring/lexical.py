"""The lexical half of relevance: BM25 over a pool, by counting only the query's words in the flat token arrays.

The formula is rank-bm25's (Okapi); its index of every word of every item is not built, because one pool is asked one
query. Its idf, log((N - n + .5) / (n + .5)), is 0 or negative for words that most of a pool holds, which is what the
words of the query are in a pool of search results: the one used here is log(1 + (N - n + .5) / (n + .5)) > 0.

Words meet by their stem, and by config/lexicon's names known in both languages (Apple = 苹果).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from typing import TYPE_CHECKING

import numpy as np
from rank_bm25 import BM25Okapi

from pipeline.scoring.roots import Roots, roots_of
from pipeline.scoring.stem import stem
from pipeline.text import HAN, Corpus, content_tokens, lexicon, tokens

if TYPE_CHECKING:
    from pipeline.types import Floats, Ints

ABSENT_IDF = 3.0  # weight of a query word nobody uses: it may be a misspelling, and must not sink the others
MISSING_IDF = (
    7.0  # one rare word weighs at most this much in what is missing: idf grows with the pool, meaning does not
)
MISSING_CAP = 20.0
TITLE_WEIGHT = 2  # a word of the title counts as so many of the text (BM25F with one shared length; Robertson 2004)


class PoolBM25(BM25Okapi):  # type: ignore[misc]
    """rank-bm25's Okapi over counts that are known already, with a positive idf; an empty pool is no error.

    counts: per item, query word -> (weighted) number of occurrences; lengths: [N] weighted lengths.
    """

    def __init__(self, counts: Sequence[Mapping[str, float]], lengths: Floats, *, k1: float, b: float) -> None:
        self.k1, self.b, self.epsilon = k1, b, 0.0
        self.corpus_size = len(counts)
        self.avgdl = max(float(lengths.mean()), 1.0) if len(lengths) else 1.0
        self.doc_freqs = counts
        self.doc_len = lengths
        self.idf: dict[str, float] = {}
        self.tokenizer = None
        holders: dict[str, int] = {}
        for count in counts:
            for word in count:
                holders[word] = holders.get(word, 0) + 1
        self._calc_idf(holders)

    def _calc_idf(self, nd: Mapping[str, int]) -> None:
        """log(1 + (N - n + .5) / (n + .5)), always positive."""
        for word, n in nd.items():
            self.idf[word] = log(1 + (self.corpus_size - n + 0.5) / (n + 0.5))


@dataclass(frozen=True, slots=True)
class Lexical:
    """BM25 of every item for one query."""

    terms: tuple[str, ...]
    """The query's words as asked, in order, each once."""
    bm25: Floats
    """[n] Okapi scores."""
    best: float
    """The score of an item of average length that holds every word of the query once in its title."""
    values: Floats
    """[n] bm25 / best, capped at 1."""
    held: tuple[Ints, ...]
    """Per term the rows that hold it, ascending."""
    missing: Floats
    """[n] summed idf of the query's words that an item lacks, at most MISSING_CAP: what it leaves unanswered."""

    def matched(self, row: int) -> tuple[str, ...]:
        return tuple(term for term, rows in zip(self.terms, self.held, strict=True) if _contains(rows, row))


def _contains(rows: Ints, row: int) -> bool:
    at = int(np.searchsorted(rows, row))
    return at < len(rows) and int(rows[at]) == row


def lexical(words: Corpus, query: str, *, k1: float, b: float, stems: Roots | None = None) -> Lexical:
    """Score every item of the pool for the query. `stems` of the pool are found here when not given."""
    asked = query_words(query)
    terms = tuple(asked)
    stems = roots_of(words) if stems is None else stems
    lengths = (TITLE_WEIGHT * words.titles.lengths + words.texts.lengths).astype(np.float32)
    tf = _frequencies(words, stems, terms)
    held = [np.flatnonzero(column).astype(np.int32) for column in tf.T]
    counts: list[dict[str, float]] = [_NONE] * len(words)
    for row in np.flatnonzero(tf.any(axis=1)).tolist():
        counts[row] = {term: n for term, n in zip(terms, tf[row].tolist(), strict=True) if n}
    model = PoolBM25(counts, lengths, k1=k1, b=b)
    present = [term for term in terms if term in model.idf]
    scores = model.get_scores(present) if present and len(words) else np.zeros(len(words))
    best = _best(terms, model)
    values = np.clip(scores / best, 0, 1) if best else np.zeros(len(words))
    missing = _missing(terms, held, model, len(words))
    return Lexical(
        terms=tuple(asked.values()),
        bm25=scores.astype(np.float32),
        best=best,
        values=values.astype(np.float32),
        held=tuple(held),
        missing=missing,
    )


def _missing(terms: Sequence[str], held: Sequence[Ints], model: PoolBM25, count: int) -> Floats:
    lacking = np.zeros(count, np.float32)
    for term, rows in zip(terms, held, strict=True):
        idf = min(model.idf.get(term, ABSENT_IDF), MISSING_IDF)
        lacking += idf
        lacking[rows] -= idf
    return np.clip(lacking, 0, MISSING_CAP)


_NONE: dict[str, float] = {}


def _best(terms: Sequence[str], model: PoolBM25) -> float:
    """What one title mention of every word earns at average length; a word no item holds counts as the rarest."""
    absent = log(1 + 2 * model.corpus_size + 1)
    idf = sum(model.idf.get(term, min(absent, ABSENT_IDF)) for term in terms)
    return idf * TITLE_WEIGHT * (model.k1 + 1) / (TITLE_WEIGHT + model.k1)


def query_words(query: str) -> dict[str, str]:
    """Stem -> the word as asked, each stem once, in order; without stop words and words that only ask, if others
    are left.
    """
    content = content_tokens(query)
    said = [word for word in content if word not in _asking()]
    found: dict[str, str] = {}
    for word in said or content or tokens(query):
        found.setdefault(stem(word), word)
    return found


@cache
def _asking() -> frozenset[str]:
    return frozenset(str(word) for lang in ("en", "zh") for word in lexicon(lang).get("asking", ()))


def _frequencies(words: Corpus, stems: Roots, terms: Sequence[str]) -> Floats:
    """[n, terms] weighted occurrences of every query word, by stem or under its name in the other language."""
    term_of_root = np.full(stems.total, -1, np.int16)
    for number, term in enumerate(terms):
        for root in (*aliases().get(term, ()), term):
            if (at := stems.numbers.get(root)) is not None:
                term_of_root[at] = number
    chinese = [(number, term) for number, term in enumerate(terms) if len(term) > 1 and is_han(term)]
    longer = [(words.words[at], stems.of[at]) for at in np.flatnonzero(words.han).tolist()] if chinese else []
    for number, term in chinese:
        for word, root_at in longer:
            if term in word and term_of_root[root_at] < 0:
                term_of_root[root_at] = number
    term_of = term_of_root[stems.of] if len(stems.of) else np.zeros(0, np.int16)
    found = np.zeros((len(words), len(terms)), np.float32)
    for field, weight in ((words.titles, TITLE_WEIGHT), (words.texts, 1)):
        which = term_of[field.flat]
        hits = np.flatnonzero(which >= 0)
        rows = np.searchsorted(field.starts, hits, side="right") - 1
        cells = np.bincount(rows * len(terms) + which[hits], minlength=found.size)
        found += weight * cells.reshape(found.shape)
    return found


@cache
def aliases() -> Mapping[str, frozenset[str]]:
    """Stem -> stems of the same name in the other language (single words of config/lexicon's `names`)."""
    found: dict[str, set[str]] = {}
    for pair in (*lexicon("zh").get("names", ()), *lexicon("en").get("names", ())):
        roots = [stem(parts[0]) for name in pair if len(parts := tokens(str(name))) == 1]
        for root in roots:
            found.setdefault(root, set()).update(other for other in roots if other != root)
    return {root: frozenset(others) for root, others in found.items()}


def is_han(word: str) -> bool:
    return HAN.match(word) is not None
