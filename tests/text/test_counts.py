"""Counts in words."""

from __future__ import annotations

import pytest

from pipeline.text.counts import many

COUNTS = {
    "none": ((0, "site"), "0 sites"),
    "one": ((1, "site"), "1 site"),
    "thousands": ((1200, "site"), "1,200 sites"),
    "another plural": ((2, "entry", "entries"), "2 entries"),
    "one of another plural": ((1, "entry", "entries"), "1 entry"),
}


@pytest.mark.parametrize(("given", "expected"), COUNTS.values(), ids=COUNTS)
def test_many(given: tuple[int, str], expected: str) -> None:
    assert many(*given) == expected
