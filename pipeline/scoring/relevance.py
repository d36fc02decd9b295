"""Relevance: does the item answer the query? Words and meaning, blended.

    logit = bias + lexical x words + semantic x cosine + missing x lacking + asks x [it only asks]
    value = 1 / (1 + exp(-logit))

words     BM25 over its best; in Chinese the mean of that by words and that by pairs of characters (grams.py);
          in items of the other language by the question put into it word by word (translated.py), where that finds
          more; for English items with a text with the echo of the best items (echo.py):
          (1 - strength) x share + strength x echo
cosine    similarity of the embeddings, the item's of its title and the beginning of its text
lacking   summed idf of the query's words that the item does not hold
asks      the title is a question: it repeats what is asked, and seldom tells

Additive, since fusing by ranks hurts where most lexical scores are 0. Coefficients (config/scoring.yaml) by kind of
pair: both English, both Chinese, mixed; for items with a text of TEXT_WORDS or more in the query's language another
set, because there BM25 sees the whole and the embedding only the beginning. They were fitted on judged sets, so that
0.40 separates "about it" from "not about it". Without vectors a lexical-only set applies. A second model may look at
the best few again: its cosine enters by a coefficient of its own. An item that another brings too, with more to read, is
judged by the better of the two (same_page.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from pipeline.errors import ModelError
from pipeline.scoring.echo import Echo, echo
from pipeline.scoring.frame import Dimension, Evidence, Pool, figure, headline, is_chinese
from pipeline.scoring.grams import Grams
from pipeline.scoring.lexical import Lexical, lexical
from pipeline.scoring.read_names import read_names
from pipeline.scoring.same_page import judged_by
from pipeline.scoring.translated import translated
from pipeline.settings import Embedding as Rules
from pipeline.settings import Relevance as Constants
from pipeline.text import Corpus
from pipeline.types import Candidate

if TYPE_CHECKING:
    from pipeline.types import Embedder, Flags, Floats, Ints

PAIRS = ("en", "zh", "mixed", "en_text", "zh_text")
TEXT_WORDS = 40
MIXED, ECHOING = PAIRS.index("mixed"), PAIRS.index("en_text")


@dataclass(frozen=True, slots=True)
class Terms:
    """What the logit multiplies, per item."""

    words: Floats
    cosine: Floats | None
    """None when no model was at hand."""
    lacking: Floats
    asks: Floats
    second: Floats | None = None
    """Similarity in the second model, NaN where it did not look."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    values: Floats
    own: Floats
    """[n] the same, every item by itself."""
    found: Lexical
    other: Lexical | None
    """The question put into the other language, for the items of that language."""
    echo: Echo
    grams: Floats | None
    """[n] share by pairs of characters; None unless the query is Chinese."""
    terms: Terms
    pairs: Ints
    """[n] index into PAIRS."""
    judged_by: Ints
    """[n] the row whose words and vector decided: its own, or another's that brings the same page."""
    candidates: Sequence[Candidate]
    constants: Constants

    def explain(self, row: int) -> Evidence:
        by = int(self.judged_by[row])
        if by == row:
            return self._explain(row)
        said, facts = self._explain(by)
        other = self.candidates[by]
        says = f"judged by the same page as {other.source} ({other.endpoint}) brings it: {said}"
        return Evidence(f"{says}; by its own words {self.own[row]:.2f}", (*facts, ("judged_by", other.id)))

    def _explain(self, row: int) -> Evidence:
        pair, found = PAIRS[int(self.pairs[row])], self._wording(row)
        matched = found.matched(row)
        strength = self.echo.strength if pair == PAIRS[ECHOING] else 0.0
        facts = [("pair", pair), ("bm25", figure(float(found.bm25[row]))), ("bm25_best", figure(found.best))]
        facts += [("bm25_share", figure(float(found.values[row]), 6)), ("echo_strength", figure(strength, 6))]
        facts += [("echo", figure(float(self.echo.values[row]), 6))] if strength else []
        if self.grams is not None and pair != PAIRS[MIXED]:
            facts += [("pairs_share", figure(float(self.grams[row]), 6))]
        facts += [(f"x_{name}", figure(value, 6)) for name, value in self._values(row).items()]
        facts += [(name, figure(weight, 6)) for name, weight in self._weights(row, pair).items()]
        facts += [("matched", ", ".join(matched)), ("query_words", ", ".join(found.terms))]
        return Evidence(self._sentence(row, found, matched), tuple(facts))

    def _wording(self, row: int) -> Lexical:
        """By the question as asked, or put into the item's language where that finds more."""
        if self.other is None or self.pairs[row] != MIXED:
            return self.found
        return self.other if self.other.values[row] > self.found.values[row] else self.found

    def _values(self, row: int) -> dict[str, float]:
        terms = self.terms
        told = {"lexical": float(terms.words[row])}
        if terms.cosine is not None:
            told["semantic"] = float(terms.cosine[row])
        told |= {"missing": float(terms.lacking[row]), "asks": float(terms.asks[row])}
        if self._looked(row) and terms.second is not None:
            told["second"] = float(terms.second[row])
        return told

    def _weights(self, row: int, pair: str) -> dict[str, float]:
        used = self.constants
        if self.terms.cosine is None:
            return {"bias": used.bias_alone[pair], "lexical": used.lexical_alone[pair], "missing": 0.0, "asks": 0.0}
        told = {"bias": used.bias[pair], "lexical": used.lexical[pair], "semantic": used.semantic[pair]}
        told |= {"missing": used.missing[pair], "asks": used.asks[pair]}
        if self._looked(row):
            told |= {"bias": used.bias[pair] + used.bias_second[pair], "second": used.second[pair]}
        return told

    def _looked(self, row: int) -> bool:
        return self.terms.second is not None and not np.isnan(self.terms.second[row])

    def _sentence(self, row: int, found: Lexical, matched: tuple[str, ...]) -> str:
        says = f"holds {len(matched)} of {len(found.terms)} query words"
        says += " in its own language" if found is self.other else ""
        says += f" ({', '.join(matched)})" if matched else ""
        says += f", BM25 {found.bm25[row]:.2f} of {found.best:.2f}"
        says += ", which counts as all of it" if found.bm25[row] > found.best > 0 else ""
        if self.terms.cosine is not None:
            says += f", similarity {self.terms.cosine[row]:.2f}"
        if self._looked(row) and self.terms.second is not None:
            says += f", at the second look {self.terms.second[row]:.2f}"
        says += ", only asks" if self.terms.asks[row] else ""
        return f"{says}; blended {self.own[row]:.2f}"


def measure(pool: Pool) -> Relevance:
    constants = pool.settings.scoring.relevance
    query = pool.plan.ranking_query or pool.plan.core_subject or pool.plan.text
    k1, b = constants.bm25_k1, constants.bm25_b
    found = lexical(pool.corpus, query, k1=k1, b=b, stems=pool.stems)
    heard = echo(pool.corpus, found.values, k1=k1, b=b, stems=pool.stems)
    pairs = pairs_of(pool.corpus, pool.zh, is_chinese(query))
    grams = Grams(pool.corpus).share(query, k1=k1, b=b) if is_chinese(query) else None
    said = translated(query, read_names(query, pool.candidates, pool.corpus)) if (pairs == MIXED).any() else ""
    other = lexical(pool.corpus, said, k1=k1, b=b, stems=pool.stems) if said else None
    cosine = None
    if pool.vectors is not None and pool.query_vector is not None:
        cosine = (pool.vectors @ pool.query_vector.reshape(-1)).astype(np.float32)
    asks = np.fromiter((only_asks(c.title) for c in pool.candidates), np.float32, len(pool))
    terms = Terms(words_of(found, other, heard, grams, pairs), cosine, found.missing, asks)
    values = blend(terms, pairs, constants)
    if cosine is not None and (second := _second_look(pool, query, values)) is not None:
        terms = replace(terms, second=second)
        values = blend(terms, pairs, constants)
    by = judged_by(pool.candidates, values)
    return Relevance(
        values=values[by],
        own=values,
        found=found,
        other=other,
        echo=heard,
        grams=grams,
        terms=terms,
        pairs=pairs,
        judged_by=by,
        candidates=pool.candidates,
        constants=constants,
    )


def pairs_of(words: Corpus, zh: Flags, query_zh: bool) -> Ints:
    """[n] index into PAIRS."""
    same = np.where(words.texts.lengths >= TEXT_WORDS, 3, 0) + int(query_zh)
    return np.where(zh == query_zh, same, 2).astype(np.int32)


def words_of(found: Lexical, other: Lexical | None, heard: Echo, grams: Floats | None, pairs: Ints) -> Floats:
    """[n] 0..1: BM25's share; with the pairs of characters in Chinese, with the echo for English items with a text, by
    the better wording where item and question differ in language.
    """
    mixed = pairs == MIXED
    share = found.values if grams is None else np.where(mixed, found.values, (found.values + grams) / 2)
    if other is not None:
        share = np.where(mixed, np.maximum(share, other.values), share)
    strength = np.where(pairs == ECHOING, np.float32(heard.strength), np.float32(0))
    words: Floats = ((1 - strength) * share + strength * heard.values).astype(np.float32)
    return words


_ASKS = re.compile(r"\s*(?:how|what|why|when|where|which|who|ask hn)\b", re.IGNORECASE)
_ASKS_ZH = re.compile(
    r"[吗呢哪谁]|怎么|怎样|如何|什么|多少|几[个次年天]|能不能|能否|是不是|好不好|求助|请教|问答|问问|百度知道|解答"
)


def only_asks(title: str) -> bool:
    if title.rstrip().endswith(("?", "？")) or _ASKS.match(title):
        return True
    return not title.isascii() and _ASKS_ZH.search(title) is not None


def blend(terms: Terms, pairs: Ints, constants: Constants) -> Floats:
    """[n] 0..1, by the formula above."""
    if terms.cosine is None:
        return sigmoid(_by(constants.bias_alone, pairs) + _by(constants.lexical_alone, pairs) * terms.words)
    logit = _by(constants.bias, pairs) + _by(constants.lexical, pairs) * terms.words
    logit += _by(constants.semantic, pairs) * terms.cosine
    logit += _by(constants.missing, pairs) * terms.lacking + _by(constants.asks, pairs) * terms.asks
    if terms.second is not None:
        again = _by(constants.bias_second, pairs) + _by(constants.second, pairs) * terms.second
        logit += np.nan_to_num(again)
    return sigmoid(logit)


def sigmoid(logit: Floats) -> Floats:
    return (1 / (1 + np.exp(-logit))).astype(np.float32)


def _by(table: Mapping[str, float], pairs: Ints) -> Floats:
    """[n] the coefficient of each item's kind of pair."""
    numbers = [table[pair] for pair in PAIRS]
    return np.asarray(numbers, np.float32)[pairs]


def _second_look(pool: Pool, query: str, values: Floats) -> Floats | None:
    """[n] similarity in the second model for the best few, NaN elsewhere; None when it is off or fails."""
    rules = pool.settings.pipeline.embedding

    def read(row: int) -> tuple[str, str]:
        one = pool.candidates[row]
        said = second_text(headline(one), one.text if one.title else "", rules.text_chars)
        return said, "zh" if pool.zh[row] else one.lang or "en"

    if pool.reranker is None or rules.rerank_top == 0 or not len(values):
        return None
    try:
        return look_again(pool.reranker, query, values, pool.zh, read, rules)
    except ModelError:
        return None  # the first look stands; opening the model has already warned


def look_again(
    model: Embedder, query: str, values: Floats, zh: Flags, read: Callable[[int], tuple[str, str]], rules: Rules
) -> Floats:
    """[n] similarity in `model` for the best rows of `values`, NaN elsewhere. read: row -> (text, language)."""
    foreign = np.asarray(zh != is_chinese(query), bool)
    rows = _best_few(values, foreign, rules.rerank_top, rules.language_share)
    texts, langs = zip(*map(read, rows.tolist()), strict=True)
    vectors = model.encode([query, *texts], ["zh" if is_chinese(query) else "en", *langs])
    found = np.full(len(values), np.nan, np.float32)
    found[rows] = vectors[1:] @ vectors[0]
    return found


def _best_few(values: Floats, foreign: Flags, top: int, share: float) -> Ints:
    """The best rows, with a share kept for the other script: without common words it never comes first."""
    order = np.argsort(-values, kind="stable")
    kept = order[foreign[order]][: int(top * share)]
    rest = order[~np.isin(order, kept)][: top - len(kept)]
    return np.concatenate((kept, rest)).astype(np.int32)


def second_text(title: str, text: str, chars: int) -> str:
    """What a model sees of an item: the title and the beginning of the text."""
    return f"{title} {text[:chars]}".strip()


DIMENSION = Dimension("relevance", measure)
