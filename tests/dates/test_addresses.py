from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.dates import url_date


@pytest.mark.parametrize(
    ("url", "day", "precision"),
    [
        ("https://a.example/2026/08/03/story", "2026-08-03", "day"),
        ("https://a.example/news/20260803/34.html", "2026-08-03", "day"),
        ("https://a.example/2026-08/03/content_1.htm", "2026-08-03", "day"),
        ("https://a.example/2026/0803/c1.html", "2026-08-03", "day"),
        ("https://a.example/world/2026/aug/03/story", "2026-08-03", "day"),
        ("https://a.example/story-2026-08-03", "2026-08-03", "day"),
        ("https://a.example/story_03-08-2026.html", "2026-08-03", "day"),
        ("https://a.example/2026/08/story", "2026-08-01", "month"),
    ],
)
def test_finds_the_day_in_an_address(url: str, day: str, precision: str) -> None:
    claim = url_date(url)
    assert claim is not None
    assert (claim.at.date().isoformat(), claim.precision, claim.kind) == (day, precision, "url")


@pytest.mark.parametrize(
    "url",
    ["https://a.example/id/20261399", "https://a.example/p/1234567890123", "https://a.example/2026", "", "http://[bad",
     "https://2026-08-03.example/", "https://a.example/iphone-16-2-1"],
)  # fmt: skip
def test_numbers_that_are_no_date(url: str) -> None:
    assert url_date(url) is None


@given(st.text(max_size=200))
def test_never_raises(text: str) -> None:
    url_date(text)
