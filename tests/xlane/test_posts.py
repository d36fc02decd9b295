"""Posts as the judge reads them."""

from __future__ import annotations

import pytest

from pipeline.xlane import judge_x_corpus
from pipeline.xlane.judge import Mode


@pytest.mark.parametrize("mode", ["coverage", "context"])
def test_half_a_character_in_a_post_harms_nothing(mode: Mode) -> None:
    rows = [{"id": "1", "author": "a_b", "text": "Rome \ud83d"}, {"id": "2", "author": "c_d", "text": "Rome"}]
    judged = judge_x_corpus(rows, "Rome", mode=mode)
    assert judged.on_topic_items == rows
