"""The words of a post that are the tokens the judge found."""

from __future__ import annotations

import pytest

from pipeline.xlane.marks import written

ACRONYMS = ("us", "it")


@pytest.mark.parametrize(
    ("text", "matched", "query", "found"),
    [
        ("Rome's floods #romefloods", ["rome", "flood"], "Rome flood", {"Rome's", "floods", "romefloods"}),
        ("Our agent framework", ["frameworks"], "agent frameworks", {"framework"}),
        ("The promoter of Rome", ["rome"], "Rome", {"Rome"}),
        ("US tariffs hit us", ["US", "tariffs"], "US tariffs", {"US", "tariffs"}),
        ("特斯拉发布新车，Tesla ok", ["特斯拉"], "特斯拉", {"特斯拉", "Tesla"}),
        ("臺灣的訂單", ["订单"], "订单", {"訂單"}),
        ("雲麓的靈犀", ["lingxi"], "Lingxi", {"靈犀"}),
        ("An A-10 and an F 16", ["a10", "f16"], "A10 F16", {"A-10", "F 16"}),
        ("nothing of it", [], "Rome", set()),
        ("nothing of it", ["gone"], "Rome", set()),
        ("", ["rome"], "Rome", set()),
    ],
    ids=["possessive, plural, hash-tag", "singular", "whole words", "acronym", "two scripts", "traditional", "a name as it is read", "models", "none", "not a token", "empty"],
)  # fmt: skip
def test_forms_are_as_they_are_written(text: str, matched: list[str], query: str, found: set[str]) -> None:
    assert set(written(text, matched, query, ACRONYMS)) == found
