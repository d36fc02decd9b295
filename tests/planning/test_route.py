"""Recent or evergreen, and the class of the subject, with reasons."""

from __future__ import annotations

import pytest

from tests.planning.helpers import plan


@pytest.mark.parametrize(
    ("text", "route", "stability"),
    [
        ("最近想读几本讲罗马法的好书", "evergreen", "slow"),
        ("recent good introductions to Roman law", "evergreen", "slow"),
        ("history of the Roman empire", "evergreen", "slow"),
        ("红烧肉的做法", "evergreen", "slow"),
        ("who wrote Hamlet", "evergreen", "never"),
        ("new books this week", "recent", "slow"),
        ("最近 罗马法 新闻", "recent", "slow"),
        ("latest Chrome vulnerability", "recent", "fast"),
        ("who is the prime minister of Japan", "recent", "fast"),
        ("英伟达 股价", "recent", "fast"),
        ("OpenAI releases", "recent", "unsure"),
        ("大模型 发布 智能体", "recent", "unsure"),
        ("football in Peru", "unsure", "unsure"),
        ("history of the ceasefire talks", "unsure", "unsure"),
    ],
)
def test_route_and_stability(text: str, route: str, stability: str) -> None:
    made = plan(text)
    assert (made.route, made.stability) == (route, stability), made.reasons
    assert all(made.reasons)


def test_an_explicit_time_or_window_always_means_recent() -> None:
    assert plan("history of the Roman empire last week").route == "recent"
    assert plan("history of the Roman empire", days=7).route == "recent"


def test_the_analyst_can_ask_anyway() -> None:
    assert plan("history of the Roman empire", route="recent").route == "recent"


def test_every_sign_stands_at_its_place() -> None:
    text = '"agent protocol" news -crypto site:arxiv.org @AnthropicAI this week'
    made = plan(text)
    assert [(sign.kind, sign.text) for sign in made.signals] == [
        ("phrase", '"agent protocol"'),
        ("news word", "news"),
        ("excluded", "-crypto"),
        ("site", "site:arxiv.org"),
        ("handle", "@AnthropicAI"),
        ("time", "this week"),
    ]
    assert all(text[sign.start : sign.end] == sign.text for sign in made.signals)


def test_chinese_signs_stand_at_their_place() -> None:
    text = "最近想读几本讲罗马法的好书"
    made = plan(text)
    assert {sign.kind for sign in made.signals} >= {"vague time word", "lasting subject"}
    assert all(text[sign.start : sign.end] == sign.text for sign in made.signals)
