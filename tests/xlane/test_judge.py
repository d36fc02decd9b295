"""The corpus judge in coverage mode: whole tokens, floods, exact statistics."""

from __future__ import annotations

import pytest
from xlane_corpora import CORPUS_A, CORPUS_B, GOOD_EIGHT, OFF_32, TOPIC, mappings
from xlane_helpers import posts, settings

from pipeline.xlane import judge_x_corpus, prune_off_topic_items, should_retry_x_search
from pipeline.xlane.judge import HandleCount


def score(text: str, query: str) -> float | None:
    return judge_x_corpus([{"id": "1", "author": "ana", "text": text}], query).verdicts[0].score


WHOLE_TOKENS = [
    ("a short word is not inside a longer one", "he said so", "AI", 0.0),
    ("a city is not inside a job", "the promoter called", "Rome", 0.0),
    ("a product is not inside a noun", "the machine stopped", "mac", 0.0),
    ("a Latin word stands free inside Chinese", "中文AI句子", "AI", 1.0),
    ("a Latin word inside a Latin word in Chinese", "这台machine很好", "mac", 0.0),
    ("a Latin word before Chinese", "新款mac发布了", "mac", 1.0),
    ("capitals do not matter for plain words", "ROME today", "rome", 1.0),
    ("a Chinese word is not inside a longer name", "罗马尼亚总统访问", "罗马", 0.0),
    ("a Chinese word on its boundaries", "总统访问罗马", "罗马", 1.0),
    ("traditional characters fold to simplified", "總統訪問羅馬", "罗马", 1.0),
    ("Chinese posts on a Chinese topic", "比亚迪宣布召回部分电动汽车", "比亚迪 召回", 1.0),
    ("half of a Chinese topic", "比亚迪发布新车", "比亚迪 召回", 0.5),
    ("an English topic with a name known in Chinese", "特斯拉今天宣布降价", "Tesla", 1.0),
    ("a Chinese topic in an English post", "Tesla cuts prices", "特斯拉", 1.0),
    ("an English topic with a name in no table", "用灵犀框架搭了三个智能体", "Lingxi framework", 0.5),
    ("family and given name in no table", "王传福谈价格战", "Wang Chuanfu", 1.0),
    ("a Chinese topic with a name in no table", "Wang Chuanfu speaks", "王传福", 1.0),
    ("a name that is read like a common word", "make way", "马克", 0.0),
    ("a common word that is read like another", "政务大厅泄露数据", "Dating leak", 0.0),
    ("a name of two words is one token", "Saudi Arabia said", "Saudi Arabia oil", 0.5),
    ("its parts alone are not the name", "Saudi officials said", "Saudi Arabia oil", 0.0),
    ("an acronym known in Chinese", "美国加征关税", "US tariffs", 0.5),
    ("capitals US match", "the US said tariffs rise", "US tariffs", 1.0),
    ("the pronoun does not and stays in the denominator", "they told us about tariffs", "US tariffs", 0.5),
    ("an acronym that is no known name matches in capitals", "ICE agents came", "ICE raids", 0.5),
    ("the word that it also is does not match", "ice on the road", "ICE raids", 0.0),
    ("a pronoun in the query is a stop word", "tariffs explained", "tell us about tariffs", 0.5),
    ("stop words only", "the of and", "the of and", 0.0),
    ("an address lends no words", "see https://example.org/rome now", "Rome", 0.0),
    ("an account's name is one word", "thanks @as_rome", "Rome", 0.0),
    ("a hash-tag is a word", "#Rome at night", "Rome", 1.0),
    ("a name and its number, apart in the post", "苹果iPhone 17发布", "iPhone17", 1.0),
    ("a name and its number, with a stroke", "GPT-5 is out", "GPT5", 1.0),
    ("a name and its number, as one in the post", "苹果iPhone17发布", "iPhone 17", 1.0),
    ("another number is another model", "iPhone 16 is out", "iPhone17", 0.0),
    ("another number as one word", "iPhone16 is out", "iPhone 17", 0.0),
    ("one letter and its number, with a stroke in the post", "An F-16 crashed", "F16", 1.0),
    ("one letter and its number, apart in the post", "An F 16 crashed", "F16", 1.0),
    ("one letter and its number, with a stroke in the query", "an F16 crashed", "F-16", 1.0),
    ("apart in the query, as one in the post", "an F16 crashed", "F 16", 1.0),
    ("neither half of a model alone is the model", "16 people got an F", "F-16", 0.0),
    ("of a name with a number each half tells something", "the covid wave", "COVID-19", 0.5),
    ("a number and letters", "Boeing 737-MAX grounded", "737MAX", 1.0),
    ("a number before letters, as one in the post", "the 737MAX is back", "737 MAX", 1.0),
    ("letters, number and letters", "the #iPhone17Pro sells", "iPhone 17 Pro", 1.0),
    ("a model that begins with an article, with a stroke", "the A-10 flew low", "A10", 1.0),
    ("an article and a number are no model", "a 10 year old boy", "A10", 0.0),
    ("a hash-tag of two words, spelled out in the post", "the floods in Rome: Rome floods again", "#RomeFloods", 1.0),
    ("the same words apart are not the tag", "floods, but not in Rome", "#RomeFloods", 0.0),
    ("a name of two words as one, spelled out", "Open AI hires", "OpenAI", 1.0),
    ("words that a stroke joins, as one in the post", "the wifi is down", "wi-fi", 1.0),
    ("a year after a place, as in hash-tags", "#Turin2026", "Turin 2026", 1.0),
    ("an acronym with dots in the post", "the U.S. said tariffs rise", "US tariffs", 1.0),
    ("an acronym with dots in the query", "the US said tariffs rise", "U.S. tariffs", 1.0),
    ("dots in both", "the U.K. election", "U.K. election", 1.0),
    ("dots in the query make no pronoun an acronym", "they told us about tariffs", "U.S. tariffs", 0.5),
    ("initials of a person", "J.K. Rowling wrote", "J.K. Rowling", 1.0),
    ("an acronym that is a name, with dots", "A.I. safety", "AI safety", 1.0),
    ("letters of two words are no acronym", "such a. I think", "AI", 0.0),
    ("a name of two words beside Chinese", "New York发生事故", "New York", 1.0),
    ("Cyrillic words are words", "Землетрясение в Риме", "Риме", 1.0),
]


@pytest.mark.parametrize(
    ("text", "query", "expected"), [row[1:] for row in WHOLE_TOKENS], ids=[r[0] for r in WHOLE_TOKENS]
)
def test_tokens_are_whole_words(text: str, query: str, expected: float) -> None:
    assert score(text, query) == pytest.approx(expected)


def test_the_numbers_of_the_rules() -> None:
    x = settings().pipeline.x
    assert (x.corpus_on_topic_floor, x.handle_on_topic_floor, x.min_on_topic_hits, x.relevance_floor) == (
        0.4,
        0.5,
        2,
        0.1,
    )
    assert (x.near_floor, x.deadline_s, x.budget, x.lane_posts, x.extracted_lanes) == (0.5, 60, 40, 10, 3)
    assert (x.related_weight, settings().pipeline.per_author) == (0.3, 5)


def test_a_query_of_stop_words_is_no_licence() -> None:
    judged = judge_x_corpus(mappings((("a_b", "the of and"),)), "the of and")
    assert judged.on_topic_items == []
    assert judged.verdicts[0].rule == "the query holds no word that could be looked for"


def test_verdicts_say_what_they_were_decided_by() -> None:
    verdict = judge_x_corpus(mappings((("a_b", "Rome at dusk"),)), TOPIC).verdicts[0]
    assert (verdict.verdict, verdict.matched, verdict.missing) == ("on", ("rome",), ("italy",))
    assert (verdict.score, verdict.floor) == (0.5, 0.1)
    assert verdict.rule == "1 of 2 query words found"


def test_the_ranking_query_is_judged_when_given() -> None:
    rows = mappings((("a_b", "tram line to the Vatican"),))
    assert judge_x_corpus(rows, TOPIC).on_topic_ratio == 0.0
    assert judge_x_corpus(rows, TOPIC, ranking_query="Vatican tram").on_topic_ratio == 1.0


def test_corpus_a_is_a_flood_and_pruning_leaves_the_eight() -> None:
    corpus = mappings(CORPUS_A)
    judged = judge_x_corpus(corpus, TOPIC)
    assert judged.on_topic_ratio == pytest.approx(0.20)
    assert judged.is_off_topic_flood
    assert should_retry_x_search(corpus, TOPIC)
    assert prune_off_topic_items(corpus, TOPIC) == corpus[:8]
    assert all(a is b for a, b in zip(prune_off_topic_items(corpus, TOPIC), corpus[:8], strict=True))
    assert judged.handle_stats["rome_desk"] == HandleCount(on_topic=3, total=3)
    assert judged.handle_stats["bait_account_0"] == HandleCount(on_topic=0, total=8)


def test_corpus_b_with_collisions_is_still_a_flood_in_coverage() -> None:
    judged = judge_x_corpus(mappings(CORPUS_B), TOPIC)
    assert judged.on_topic_ratio == pytest.approx(14 / 40)
    assert judged.is_off_topic_flood


def test_a_good_corpus_is_no_flood_and_no_retry() -> None:
    corpus = mappings(GOOD_EIGHT)
    assert not judge_x_corpus(corpus, TOPIC).is_off_topic_flood
    assert not should_retry_x_search(corpus, TOPIC)


@pytest.mark.parametrize(
    ("rows", "depth"),
    [pytest.param(CORPUS_A, "quick", id="quick never retries"), pytest.param((), "deep", id="empty never retries")],
)
def test_no_retry(rows: tuple[tuple[str, str], ...], depth: str) -> None:
    assert not should_retry_x_search(mappings(rows), TOPIC, depth=depth)


def test_an_all_off_corpus_prunes_to_nothing() -> None:
    assert prune_off_topic_items(mappings(OFF_32), TOPIC) == []


def test_an_empty_corpus_has_ratio_one_and_is_no_flood() -> None:
    judged = judge_x_corpus([], TOPIC)
    assert (judged.on_topic_ratio, judged.is_off_topic_flood) == (1.0, False)


def test_posts_without_text_are_outside_the_ratio_and_outside_pruning() -> None:
    corpus = [*mappings(GOOD_EIGHT), {"id": "x", "author": "rome_desk", "text": "  "}, {"id": "y", "author": "z_z"}]
    judged = judge_x_corpus(corpus, TOPIC)
    assert judged.on_topic_ratio == 1.0
    assert judged.unjudged_items == corpus[8:]
    assert prune_off_topic_items(corpus, TOPIC) == corpus[:8]
    assert judged.handle_stats["rome_desk"].total == 3
    assert "z_z" not in judged.handle_stats


FLOODS = [
    ("passes the floor, led by on-topic accounts", [("lead", "Rome")] * 3 + [("odd", "cake")] * 3, False),
    ("one hit of two, led by an off-topic account", [("lead", "cake"), ("", "Rome")], True),
    (
        "just passes while its leading accounts are off topic",
        [("lead_a", "cake")] * 3
        + [("lead_b", "tea")] * 3
        + [("lead_c", "jam")] * 2
        + [(f"u{n}", "Rome") for n in range(7)],
        True,
    ),
    (
        "leading accounts off topic, but half of the corpus is on topic",
        [("lead_a", "cake")] * 3
        + [("lead_b", "tea")] * 3
        + [("lead_c", "jam")] * 2
        + [(f"u{n}", "Rome") for n in range(8)],
        False,
    ),
    (
        "the accounts that lead are the most frequent, not the best",
        [("lead_a", "cake")] * 3
        + [("lead_b", "tea")] * 3
        + [("lead_c", "jam")] * 3
        + [("good", "Rome")] * 2
        + [("", "Rome")] * 6,
        True,
    ),
    (
        "just passes, and the leading accounts have two posts on topic between them",
        [("lead_a", "cake")] * 3
        + [("lead_a", "Rome")]
        + [("lead_b", "tea")] * 3
        + [("lead_b", "Rome")]
        + [("lead_c", "jam")] * 3
        + [(f"u{n}", "Rome") for n in range(5)],
        False,
    ),
    (
        "a fourth account is not among those that lead",
        [("lead_a", "cake")] * 3
        + [("lead_b", "tea")] * 3
        + [("lead_c", "jam")] * 3
        + [("fourth", "Rome")] * 2
        + [(f"u{n}", "Rome") for n in range(5)],
        True,
    ),
    ("no handle known: only the ratio counts", [("", "Rome"), ("", "cake")], False),
    ("below the floor", [("a_a", "Rome")] + [("b_b", "cake")] * 3, True),
]


@pytest.mark.parametrize(("rows", "flood"), [row[1:] for row in FLOODS], ids=[row[0] for row in FLOODS])
def test_the_clauses_of_a_flood(rows: list[tuple[str, str]], flood: bool) -> None:
    judged = judge_x_corpus(mappings(tuple(rows)), "Rome")
    assert judged.is_off_topic_flood is flood, judged.rule


def test_candidates_and_mappings_are_judged_alike() -> None:
    by_candidate = judge_x_corpus(posts(CORPUS_A), TOPIC)
    by_mapping = judge_x_corpus(mappings(CORPUS_A), TOPIC)
    assert by_candidate.handle_stats == by_mapping.handle_stats
    assert [v.score for v in by_candidate.verdicts] == [v.score for v in by_mapping.verdicts]


@pytest.mark.parametrize("key", ["author", "handle", "username", "screen_name"])
def test_handles_under_common_names(key: str) -> None:
    judged = judge_x_corpus([{"id": 7, key: "@Rome_Desk", "text": "Rome"}], TOPIC)
    assert dict(judged.handle_stats) == {"rome_desk": (1, 1)}
