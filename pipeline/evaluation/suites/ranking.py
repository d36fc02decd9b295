"""Ranking: does the product's own relevance put what answers a query first?

A folder with a corpus (rank_scifact, rank_cranfield: `ndcg10`; rank_drcd_zh: `mrr10`) is one pool that every query is
asked; a folder with pairs (rank_qbqtc_zh) asks for the grade of one title: `auc_2` (grade 2 against 0 and 1) and
`macro_f1` over the three grades.

Scored is scoring.relevance as in a run: BM25 with the echo, the configured embedding of title and beginning, blended
by the constants of config/scoring.yaml, and in a corpus the second model's look at the best. Pairs are cut into pools of
POOL titles, for a run's pool is no larger either, and each title is scored in its own; there the second model adds
nothing (AUC 0.628 with it, 0.631 without), so it is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeline.embedding import open_embedder, text_of
from pipeline.evaluation.metrics import auc, macro_f1, mean, ndcg, reciprocal_rank
from pipeline.evaluation.rows import Measured, json_rows, sample
from pipeline.scoring.echo import echo
from pipeline.scoring.frame import chinese, is_chinese
from pipeline.scoring.grams import Grams
from pipeline.scoring.lexical import lexical
from pipeline.scoring.relevance import Terms, blend, look_again, only_asks, pairs_of, words_of
from pipeline.scoring.roots import roots_of
from pipeline.settings import Settings, load_settings
from pipeline.text import Corpus, corpus
from pipeline.types import Candidate

if TYPE_CHECKING:
    from pipeline.types import Embedder, Flags, Floats

TASK = "ranking"
SWEEPS = ("semantic",)
DEPTH = 10  # places that count
LOOK = 30  # of a query's best that the second model sees; a run's 100 would change no more of the ten places
POOL = 1000  # titles
GRADES = (0.52, 0.95)  # relevance from which a title counts as grade 1, as grade 2; set on rank_qbqtc_zh


def run(folder: Path, *, limit: int | None = None, sweep: str | None = None) -> Measured:
    """Measure a folder (a sample of `limit` queries or pairs). sweep: "semantic" scales that coefficient 0..2."""
    settings = load_settings()
    measure = _pairs if (folder / "pairs.jsonl.gz").is_file() else _corpus
    scales = (0.0, 0.5, 1.0, 1.5, 2.0) if sweep == "semantic" else (1.0,)
    count = 0
    metrics: dict[str, float] = {}
    for scale in scales:
        count, found = measure(folder, limit, _scaled(settings, scale))
        metrics |= found if len(scales) == 1 else {f"{name}_x{scale}": value for name, value in found.items()}
    return Measured(count, metrics)


def _scaled(settings: Settings, scale: float) -> Settings:
    relevance = settings.scoring.relevance
    changed = {name: scale * value for name, value in relevance.semantic.items()}
    scoring = settings.scoring.model_copy(update={"relevance": relevance.model_copy(update={"semantic": changed})})
    return settings.model_copy(update={"scoring": scoring})


class _Ranker:
    """A pool that many queries are asked."""

    def __init__(self, documents: Sequence[Candidate], settings: Settings, *, second: bool = True) -> None:
        self.settings = settings
        self.words: Corpus = corpus(documents)
        self.stems = roots_of(self.words)
        self.grams = Grams(self.words)
        self.zh: Flags = chinese(documents)
        self.asks = np.fromiter((only_asks(one.title) for one in documents), np.float32, len(documents))
        self.embedder, _ = open_embedder(settings)
        texts = [text_of(one, settings.pipeline.embedding.text_chars) for one in documents]
        self.vectors = self._encode(texts)
        self.texts = texts
        self.again = _second(settings) if second else None

    def _encode(self, texts: Sequence[str]) -> Floats | None:
        if self.embedder is None:
            return None
        return self.embedder.encode(texts, ["zh" if is_chinese(text) else "en" for text in texts])

    def scores(self, query: str) -> Floats:
        """[N] relevance of every document."""
        constants = self.settings.scoring.relevance
        k1, b = constants.bm25_k1, constants.bm25_b
        found = lexical(self.words, query, k1=k1, b=b, stems=self.stems)
        heard = echo(self.words, found.values, k1=k1, b=b, stems=self.stems)
        pairs = pairs_of(self.words, self.zh, is_chinese(query))
        grams = self.grams.share(query, k1=k1, b=b) if is_chinese(query) else None
        vector = self._encode([query])
        cosine = None if vector is None or self.vectors is None else self.vectors @ vector[0]
        terms = Terms(words_of(found, None, heard, grams, pairs), cosine, found.missing, self.asks)
        first = blend(terms, pairs, constants)
        own = ("zh", "zh_text") if is_chinese(query) else ("en", "en_text")  # one language: no pair is mixed
        if cosine is None or self.again is None or not any(constants.second[pair] for pair in own):
            return first
        rules = self.settings.pipeline.embedding.model_copy(update={"rerank_top": LOOK})
        second = look_again(self.again, query, first, self.zh, self._read, rules)
        return blend(replace(terms, second=second), pairs, constants)

    def _read(self, row: int) -> tuple[str, str]:
        return self.texts[row], "zh" if self.zh[row] else "en"


class _Kept:
    """Vectors of this evaluation: most queries' best were some other query's too."""

    def __init__(self) -> None:
        self._vectors: dict[str, bytes] = {}

    def get_many(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        return {key: self._vectors[key] for key in keys if key in self._vectors}

    def put_many(self, vectors: Mapping[str, bytes]) -> None:
        self._vectors.update(vectors)


def _second(settings: Settings) -> Embedder | None:
    name = settings.pipeline.embedding.rerank_model
    if name == "off" or settings.pipeline.embedding.model == "hashed":
        return None
    model, warnings = open_embedder(settings, _Kept(), name=name)
    return None if warnings else model


def _corpus(folder: Path, limit: int | None, settings: Settings) -> Measured:
    documents = json_rows(folder / "corpus.jsonl.gz")
    ranker = _Ranker([_document(str(row["doc_id"]), row["title"], row["text"]) for row in documents], settings)
    ids = [str(row["doc_id"]) for row in documents]
    queries = sample(json_rows(_either(folder, "queries.jsonl")), limit)
    gains = [_gains(row) for row in queries]
    ranked = [_best(ranker.scores(row["query"]), ids) for row in queries]
    if any(len(one) > 1 for one in gains) or "answer" not in queries[0]:
        pairs = zip(ranked, gains, strict=True)
        found = (ndcg([gain.get(id, 0.0) for id in best], DEPTH, list(gain.values())) for best, gain in pairs)
        return Measured(len(queries), {"ndcg10": mean(found)})
    hits = ([id in gain for id in best] for best, gain in zip(ranked, gains, strict=True))
    return Measured(len(queries), {"mrr10": mean(map(partial(reciprocal_rank, k=DEPTH), hits))})


def _pairs(folder: Path, limit: int | None, settings: Settings) -> Measured:
    rows = sample(json_rows(folder / "pairs.jsonl.gz"), limit)
    scores = [score for at in range(0, len(rows), POOL) for score in _pool_scores(rows[at : at + POOL], settings)]
    grades = [int(row["grade"]) for row in rows]
    guesses = [sum(score >= cut for cut in GRADES) for score in scores]
    best = auc([grade == 2 for grade in grades], scores)
    return Measured(len(rows), {"auc_2": best, "macro_f1": macro_f1(grades, guesses)})


def _pool_scores(rows: Sequence[Any], settings: Settings) -> list[float]:
    ranker = _Ranker([_document(str(n), row["title"], "") for n, row in enumerate(rows)], settings, second=False)
    return [float(ranker.scores(row["query"])[number]) for number, row in enumerate(rows)]


def _best(scores: Floats, ids: Sequence[str]) -> list[str]:
    return [ids[row] for row in np.argsort(-scores, kind="stable")[:DEPTH]]


def _gains(row: Mapping[str, Any]) -> dict[str, float]:
    given = row.get("relevance") or row["relevant"]
    if isinstance(given, Mapping):
        return {str(id): float(gain) for id, gain in given.items()}
    return {str(id): 1.0 for id in ([given] if isinstance(given, str) else given)}


def _document(id: str, title: str, text: str) -> Candidate:
    return Candidate(id=id, source="file", endpoint="file", url="", domain="", title=title, text=text)


def _either(folder: Path, name: str) -> Path:
    return folder / name if (folder / name).is_file() else folder / f"{name}.gz"
