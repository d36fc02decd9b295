"""Relevance: does the item answer the query? BM25 and embedding similarity, blended.

    logit = bias + lexical x BM25/best + semantic x cosine      value = 1 / (1 + exp(-logit))

Additive, since fusing by ranks hurts where most lexical scores are 0. The coefficients (config/scoring.yaml, by
language pair: both English, both Chinese, mixed) were fitted on judged sets, so that 0.40 separates "about it" from
"not about it". Without vectors a lexical-only pair of constants applies. A stronger model may look at the best few
again: their cosine in that model then enters by its own coefficient.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipeline.errors import ModelError
from pipeline.scoring.frame import Dimension, Evidence, Pool, figure, headline, is_chinese
from pipeline.scoring.lexical import Lexical, lexical
from pipeline.settings import Relevance as Constants

if TYPE_CHECKING:
    from pipeline.types import Embedder, Floats, Ints

PAIRS = ("en", "zh", "mixed")


@dataclass(frozen=True, slots=True)
class Relevance:
    values: Floats
    words: Lexical
    cosine: Floats | None
    """[n] similarity in the first model; None when no model was at hand."""
    second: Floats | None
    """[n] similarity in the second model, NaN where it did not look."""
    pairs: Ints
    """[n] index into PAIRS."""
    constants: Constants

    def explain(self, row: int) -> Evidence:
        pair = PAIRS[int(self.pairs[row])]
        matched = self.words.matched(row)
        facts = [("pair", pair), ("bm25", figure(float(self.words.bm25[row]))), ("bm25_best", figure(self.words.best))]
        facts += [("bm25_share", figure(float(self.words.values[row])))]
        facts += [(name, figure(number, 6)) for name, number in self._terms(row, pair)]
        facts += [("matched", ", ".join(matched)), ("query_words", ", ".join(self.words.terms))]
        return Evidence(self._sentence(row, matched), tuple(facts))

    def _terms(self, row: int, pair: str) -> list[tuple[str, float]]:
        """The logit's parts: bias, coefficients and what they multiply."""
        used = self.constants
        if self.cosine is None:
            return [("bias", used.bias_alone[pair]), ("lexical", used.lexical_alone[pair])]
        parts = [("cosine", float(self.cosine[row]))]
        if self.second is not None and not np.isnan(self.second[row]):
            again = [("bias", used.bias_second[pair]), ("lexical", used.lexical_second[pair])]
            again += [("semantic", used.semantic_second[pair]), ("second", used.second[pair])]
            return [*parts, ("second_cosine", float(self.second[row])), *again]
        return [*parts, ("bias", used.bias[pair]), ("lexical", used.lexical[pair]), ("semantic", used.semantic[pair])]

    def _sentence(self, row: int, matched: tuple[str, ...]) -> str:
        says = f"holds {len(matched)} of {len(self.words.terms)} query words"
        says += f" ({', '.join(matched)})" if matched else ""
        says += f", BM25 {self.words.bm25[row]:.2f} of {self.words.best:.2f}"
        if self.cosine is not None:
            says += f", similarity {self.cosine[row]:.2f}"
        if self.second is not None and not np.isnan(self.second[row]):
            says += f", at the second look {self.second[row]:.2f}"
        return f"{says}; blended {self.values[row]:.2f}"


def measure(pool: Pool) -> Relevance:
    constants = pool.settings.scoring.relevance
    query = pool.plan.ranking_query or pool.plan.core_subject or pool.plan.text
    words = lexical(pool.corpus, query, k1=constants.bm25_k1, b=constants.bm25_b)
    zh = is_chinese(query)
    pairs = np.where(pool.zh == zh, 1 if zh else 0, 2).astype(np.int32)
    cosine = None
    if pool.vectors is not None and pool.query_vector is not None:
        cosine = (pool.vectors @ pool.query_vector.reshape(-1)).astype(np.float32)
    values = blend(words.values, cosine, pairs, constants)
    second = _second_look(pool, query, values) if cosine is not None else None
    if second is not None and cosine is not None:
        looked = ~np.isnan(second)
        values = np.where(looked, blend_second(words.values, cosine, np.nan_to_num(second), pairs, constants), values)
    return Relevance(values.astype(np.float32), words, cosine, second, pairs, constants)


def blend(words: Floats, cosine: Floats | None, pairs: Ints, constants: Constants) -> Floats:
    """[n] 0..1 of the first look; `cosine` None: by words alone."""
    if cosine is None:
        return sigmoid(_by(constants.bias_alone, pairs) + _by(constants.lexical_alone, pairs) * words)
    logit = _by(constants.bias, pairs) + _by(constants.lexical, pairs) * words
    return sigmoid(logit + _by(constants.semantic, pairs) * cosine)


def blend_second(words: Floats, cosine: Floats, second: Floats, pairs: Ints, constants: Constants) -> Floats:
    """[n] 0..1 where a second model has looked too."""
    logit = _by(constants.bias_second, pairs) + _by(constants.lexical_second, pairs) * words
    logit = logit + _by(constants.semantic_second, pairs) * cosine + _by(constants.second, pairs) * second
    return sigmoid(logit)


def sigmoid(logit: Floats) -> Floats:
    return (1 / (1 + np.exp(-logit))).astype(np.float32)


def _by(table: object, pairs: Ints) -> Floats:
    """[n] the coefficient of each item's language pair."""
    numbers = [table[pair] for pair in PAIRS]  # type: ignore[index]
    return np.asarray(numbers, np.float32)[pairs]


def _second_look(pool: Pool, query: str, values: Floats) -> Floats | None:
    """[n] similarity in the second model for the best few, NaN elsewhere; None when it is off or fails."""
    top = min(pool.settings.pipeline.embedding.rerank_top, len(values))
    if pool.reranker is None or top == 0:
        return None
    rows = np.argsort(-values, kind="stable")[:top].astype(np.int32)
    chars = pool.settings.pipeline.embedding.text_chars
    texts = [second_text(headline(c), c.text if c.title else "", chars) for c in (pool.candidates[r] for r in rows)]
    langs = ["zh" if pool.zh[row] else pool.candidates[row].lang or "en" for row in rows]
    try:
        return _similar(pool.reranker, query, texts, langs, rows, len(values))
    except ModelError:
        return None  # the first look stands; opening the model has already warned


def _similar(model: Embedder, query: str, texts: list[str], langs: list[str], rows: Ints, count: int) -> Floats:
    vectors = model.encode([query, *texts], ["zh" if is_chinese(query) else "en", *langs])
    found = np.full(count, np.nan, np.float32)
    found[rows] = vectors[1:] @ vectors[0]
    return found


def second_text(title: str, text: str, chars: int) -> str:
    """What a model sees of an item: the title and the beginning of the text."""
    return f"{title} {text[:chars]}".strip()


DIMENSION = Dimension("relevance", measure)
