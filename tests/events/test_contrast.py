"""The veto between two titles: what separates them, and what does not."""

from __future__ import annotations

import pytest

from pipeline.events.contrast import contrast
from pipeline.events.entities import Facts
from tests.events.helpers import grouped, item

OPPOSITE = {
    "will and will not": ("negation", "OpenAI says it will release GPT-6", "OpenAI says it will not release GPT-6"),
    "does and does not": ("negation", "Chancellor does rule out tax rises", "Chancellor does not rule out tax rises"),
    "has and has not been": ("negation", "Google has been hacked", "Google has not been hacked"),
    "supports and does not, in Chinese": ("negation", "法院支持原告", "法院不支持原告"),
    "for and against": ("direction", "Court rules for Google in ad case", "Court rules against Google in ad case"),
    "up and down": ("direction", "Dow closes up 300 points", "Dow closes down 300 points"),
    "yes and no": ("direction", "Iran says yes to nuclear talks", "Iran says no to nuclear talks"),
    "who sues whom": ("roles", "Google sues Epic", "Epic sues Google"),
    "who attacks whom": ("roles", "Russia attacks Ukraine", "Ukraine attacks Russia"),
    "who beats whom": ("roles", "Arsenal beat Chelsea 2-1", "Chelsea beat Arsenal 2-1"),
    "whose score is the higher": ("roles", "Arsenal 2-1 Chelsea in London", "Chelsea 2-1 Arsenal in London"),
    "whose tariffs, in Chinese": ("roles", "美国对中国加征关税", "中国对美国加征关税"),
    "a side of two words, in Chinese": ("roles", "小米汽车起诉自媒体", "自媒体起诉小米汽车"),
    "score and victory, in Chinese": ("roles", "湖人110比102战胜凯尔特人", "凯尔特人110比102战胜湖人"),
}

THE_SAME = {
    "a meeting, by whom it is named first": ("Trump meets Putin in Alaska", "Putin meets Trump in Alaska"),
    "both sides of an exchange": ("Russia and Ukraine swap prisoners", "Ukraine and Russia swap prisoners"),
    "a list in another order": ("Apple, Google and Meta fined by EU", "Meta, Google and Apple fined by EU"),
    "a draw": ("Arsenal 1-1 Chelsea in London", "Chelsea 1-1 Arsenal in London"),
    "a passive": ("Google sues Epic over store", "Epic sued by Google over store"),
    "clauses in another order": ("Rates rise as inflation falls", "Inflation falls as rates rise"),
    "the place first": ("Quake in Peru kills 12", "12 killed as quake hits Peru"),
    "only more words": ("Dow closes up 300 points", "Dow closes up 300 points in late trading"),
    "an article": ("Court rules for Google in ad case", "Court rules for Google in the ad case"),
}


@pytest.mark.parametrize(("kind", "a", "b"), OPPOSITE.values(), ids=OPPOSITE)
def test_opposite_statements_in_the_same_words_are_neither_copies_nor_one_event(kind: str, a: str, b: str) -> None:
    found = grouped(item(a), item(b))
    assert found.original_of.tolist() == [0, 1]
    assert len(found.events) == 2
    assert {link.layer for link in found.apart} == {f"veto: {kind}"}


@pytest.mark.parametrize(("kind", "a", "b"), OPPOSITE.values(), ids=OPPOSITE)
def test_a_contrast_is_the_same_from_both_sides(kind: str, a: str, b: str) -> None:
    found = [contrast(Facts(x, ""), Facts(y, "")) for x, y in ((a, b), (b, a))]
    assert [one and one.kind for one in found] == [kind, kind]


@pytest.mark.parametrize(("a", "b"), THE_SAME.values(), ids=THE_SAME)
def test_the_same_told_otherwise_is_no_contrast(a: str, b: str) -> None:
    assert contrast(Facts(a, ""), Facts(b, "")) is None
