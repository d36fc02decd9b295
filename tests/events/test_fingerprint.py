"""The two fingerprints, and the pairs they propose."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.events import candidates, fingerprint
from pipeline.events.entities import Facts
from pipeline.events.forest import Forest
from pipeline.events.numbers import chinese_number, editions, numbers
from pipeline.events.stems import stem
from pipeline.text import corpus, normalise
from tests.events.helpers import item

LEAD = "The council of the old harbour town voted on Monday to rebuild the pier that a winter storm tore down last year"


def _prints(*pairs: tuple[str, str]) -> fingerprint.Prints:
    return fingerprint.prints(corpus([item(title, text) for title, text in pairs]))


def test_fingerprints_depend_on_words_alone() -> None:
    alone = _prints(("Council votes to rebuild pier", LEAD))
    among = _prints(("Something else first", "Other words here"), ("Council votes to rebuild pier", LEAD))
    assert alone.title[0] == among.title[1]
    assert np.array_equal(alone.lead[0], among.lead[1])


def test_leads_are_hashed_in_portions_as_they_are_together(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = [(f"Title {n}", f"{LEAD} {n} times" if n != 3 else "") for n in range(7)]
    together = _prints(*pool).lead
    monkeypatch.setattr(fingerprint, "_LEADS", 2)
    assert np.array_equal(_prints(*pool).lead, together)


def test_agreement_estimates_the_share_of_common_shingles() -> None:
    words = LEAD.split()
    half = " ".join(words[: len(words) // 2])
    found = _prints(
        ("A", LEAD), ("B", half + " " + "quite other words follow after the first half of this sentence now")
    )
    common = fingerprint.agreement(found.lead, np.array([0]), np.array([1]))[0]
    assert common == pytest.approx(9 / 33, abs=0.2)


def test_chinese_leads_are_compared_by_characters() -> None:
    found = _prints(
        ("甲", "央行周一宣布下调存款准备金率以支持实体经济发展"), ("乙", "央行周一宣布，下调存款准备金率以支持实体经济")
    )
    assert fingerprint.agreement(found.lead, np.array([0]), np.array([1]))[0] > 0.6


def test_buckets_give_linear_pairs() -> None:
    found = _prints(*((f"Title {n} of many", LEAD) for n in range(500)))
    a, b = candidates.by_lead(found)
    assert len(a) <= 2 * 500
    forest = Forest(500)
    for x, y in zip(a.tolist(), b.tolist(), strict=True):
        forest.join(x, y)
    assert len(forest.groups()) == 1


def test_empty_leads_propose_nothing() -> None:
    assert len(candidates.by_lead(_prints(("A", ""), ("B", ""), ("C", "short")))[0]) == 0


NUMBERS = {
    "ordinal": ("12th package", {"#12"}),
    "ordinal word": ("twelfth package", {"#12"}),
    "Chinese ordinal": ("第十二轮", {"#12"}),
    "thousands and percent": ("17,000 jobs, 4.4% of all", {"17000", "4.4%"}),
    "billions": ("$2.5 billion", {"2500000000"}),
    "Chinese hundred millions": ("25亿美元", {"2500000000"}),
    "word": ("seven people", {"7"}),
}


@pytest.mark.parametrize(("raw", "expected"), NUMBERS.values(), ids=NUMBERS)
def test_numbers(raw: str, expected: set[str]) -> None:
    assert numbers(normalise(raw)) == expected


EDITIONS = {
    "a version": ("Firefox 131 brings tabs", {"firefox": {"131"}}),
    "written together": ("Tesla misses in Q3 and Q4", {"q": {"3", "4"}}),
    "a year": ("CES 2026 opens", {"ces": {"2026"}}),
    "after a hyphen": ("OpenAI trains GPT-5.1", {"gpt": {"5.1"}}),
    "an amount": ("Ford 90,000 vehicles", {}),
    "a share": ("Nvidia 3% up", {}),
    "money": ("Adobe 20 billion offer", {}),
    "a score": ("Arsenal 2-1 Chelsea", {}),
    "an ordinal": ("Bach 12th in line", {}),
}


@pytest.mark.parametrize(("title", "found"), EDITIONS.values(), ids=EDITIONS)
def test_editions(title: str, found: dict[str, set[str]]) -> None:
    assert {what: set(numbers) for (what, _), numbers in editions(title).items()} == found


@pytest.mark.parametrize(("raw", "value"), [("十二", 12), ("二十", 20), ("一百零三", 103), ("三", 3)])
def test_chinese_number(raw: str, value: int) -> None:
    assert chinese_number(raw) == value


@pytest.mark.parametrize("form", ["raise", "raises", "raised", "raising"])
def test_endings_fold(form: str) -> None:
    assert stem(form) == "rais"


def test_pronouns_are_no_organisations() -> None:
    assert "世卫组织" not in Facts("Man who told us the story", "").names
    assert "世卫组织" in Facts("WHO warns of new variant", "").names
