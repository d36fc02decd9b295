"""The topic, its core, the operators and the subqueries."""

from __future__ import annotations

import pytest

from tests.planning.helpers import plan


@pytest.mark.parametrize(
    ("text", "topic", "core"),
    [
        ("AI agent frameworks released in the last 30 days", "AI agent frameworks released", "AI agent frameworks"),
        ("what are the latest OpenAI announcements?", "OpenAI announcements", "OpenAI"),
        ("tell me about Tesla's recall in the past two weeks please", "Tesla's recall", "Tesla's recall"),
        ("What happened with the Boeing strike this week?", "Boeing strike", "Boeing strike"),
        ("elections in May in Peru", "elections in Peru", "elections Peru"),
        ("yesterday's match", "match", "match"),
        ("US flu and the WHO", "US flu and the WHO", "US flu WHO"),
        ("最近三个月大模型有哪些新进展", "大模型新进展", "大模型新进展"),
        ("大模型 发布 智能体", "大模型 发布 智能体", "大模型 智能体"),
        ("8月1日到8月10日的台风", "台风", "台风"),
        ("昨天在东京的地震", "东京的地震", "东京地震"),
        ("2025 World Cup qualifiers", "2025 World Cup qualifiers", "2025 World Cup qualifiers"),
        ("news this week", "news", "news"),
    ],
)
def test_topic_and_core(text: str, topic: str, core: str) -> None:
    made = plan(text)
    assert (made.raw_topic, made.core_subject) == (topic, core)


@pytest.mark.parametrize("text", ["this week", "最近", "yesterday", "@OpenAI today", "site:arxiv.org", '"long covid"'])
def test_something_is_always_searched(text: str) -> None:
    made = plan(text)
    assert made.raw_topic
    assert made.core_subject
    assert made.subqueries[0].raw_topic == made.raw_topic


def test_operators_are_read_and_kept_out_of_the_topic() -> None:
    made = plan('"agent protocol" standards -crypto -site:spam.com site:https://www.arxiv.org/list @AnthropicAI')
    assert made.phrases == ("agent protocol",)
    assert made.excluded == ("spam.com", "crypto")
    assert made.sites == ("arxiv.org",)
    assert made.handles == ("AnthropicAI",)
    assert made.raw_topic == '"agent protocol" standards'
    assert '"' not in made.ranking_query
    assert '"' not in made.subqueries[0].search_query


def test_times_in_quotes_are_titles() -> None:
    made = plan('reviews of "The Day After Tomorrow"')
    assert made.window.how == "default"


@pytest.mark.parametrize("text", ["mail me at a@b.com", "GPT-5 and state-of-the-art -5 degrees", "3 - 2"])
def test_marks_inside_words_are_no_operators(text: str) -> None:
    made = plan(text)
    assert (made.handles, made.excluded) == ((), ())


def test_handles_given_apart_join_the_typed_ones() -> None:
    assert plan("@OpenAI agents", x_handles=("@sama", "OpenAI")).handles == ("OpenAI", "sama")


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        ("Rust vs Go last month", ["Rust vs Go", "Rust", "Go"]),
        ("compare PyTorch and JAX", ["compare PyTorch and JAX", "PyTorch", "JAX"]),
        ("华为和小米哪个更好", ["华为和小米哪个更好", "华为", "小米"]),
        ("比亚迪 对比 特斯拉", ["比亚迪 对比 特斯拉", "比亚迪", "特斯拉"]),
        ("salt and pepper", ["salt and pepper"]),
    ],
)
def test_a_comparison_asks_for_the_whole_and_for_each_side(text: str, topics: list[str]) -> None:
    made = plan(text)
    assert [subquery.raw_topic for subquery in made.subqueries] == topics
    assert made.subqueries[0].weight == 1.0
    assert all(subquery.weight < 1 for subquery in made.subqueries[1:])
    assert all(topic in made.text for topic in topics)
