"""How far two short texts say the same."""

from __future__ import annotations

import pytest

from pipeline import events
from pipeline.events.alike import FIGURES, MEANING, REORDERED, WORDS


def test_equal_texts_are_as_alike_as_can_be() -> None:
    assert events.similarity(["Bank cuts rates"], ["Bank cuts rates"], ["en"])[0] == pytest.approx(MEANING + WORDS)


def test_figures_and_order_take_away() -> None:
    a = ["Bank cuts rates by 25 points", "Spain beats Italy in final"]
    b = ["Bank cuts rates by 50 points", "Italy beats Spain in final"]
    one, other = events.similarity(a, b, ["en", "en"])
    assert one < MEANING + WORDS - FIGURES
    assert other < MEANING + WORDS - REORDERED / 10


def test_no_pairs() -> None:
    assert len(events.similarity([], [], [])) == 0
