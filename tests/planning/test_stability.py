"""The weighed groups: changing answers against lasting ones."""

from __future__ import annotations

import pytest

from pipeline.planning.stability import intent, judge


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("What is the weather in Lisbon today?", "fast"),
        ("What is the price of copper this week?", "fast"),
        ("Who won this year's Tour de France?", "fast"),
        ("Who is the president of Chile?", "slow"),
        ("What is the tallest building in Africa?", "slow"),
        ("When was the telescope invented?", "never"),
        ("Who wrote the novel Middlemarch?", "never"),
        ("重庆市交通局局长是谁？", "slow"),
        ("什么叫通货紧缩", "never"),
    ],
)
def test_rate_of_questions(text: str, rate: str) -> None:
    assert judge(text, 2026).rate == rate


def test_no_listed_word_is_unsure() -> None:
    judged = judge("Zanzibar", 2026)
    assert (judged.stability, judged.signals) == ("unsure", ())


def test_new_in_a_name_says_nothing() -> None:
    assert judge("New York", 2026).signals == ()


def test_a_past_year_pins_the_answer_and_the_present_one_does_not() -> None:
    pinned, open_ = (judge(f"who won the cup in {year}", 2026).change for year in (1998, 2026))
    assert pinned < 0 < open_


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("gold price", "recent"),
        ("olympics 2030 tickets", "future"),
        ("weather forecast oslo", "future"),
        ("when did the berlin wall fall", "past"),
        ("best films 2009", "past"),
        ("difference between alligator and crocodile", "atemporal"),
        ("guitar chords", "atemporal"),
    ],
)
def test_where_in_time_a_query_looks(query: str, expected: str) -> None:
    assert intent(query, 2026) == expected
