"""A question is looked up in the other language too, as far as its words are known there."""

import numpy as np
import pytest

from pipeline.scoring.frame import chinese
from pipeline.scoring.read_names import read_names
from pipeline.scoring.translated import translated
from pipeline.text import corpus, lexicon, tokens
from tests.scoring.made import SETTINGS, candidate, judged, plan, run
from tests.scoring.test_evidence import recomputed

FLOOR = SETTINGS.scoring.relevance.floor

QUERIES = [
    ("words", "trade tariffs", "贸易 关税"),
    ("a phrase before its parts", "AI agent frameworks", "智能体 框架"),
    ("a name", "Nvidia chips", "英伟达 芯片"),
    ("what is not known stays", "Tern framework", "tern 框架"),
    ("from Chinese, the longest word first", "大语言模型发布", "large language model release"),
    ("traditional characters", "量子計算", "quantum computing"),
    ("a name in Latin letters", "OpenAI新模型", "openai model"),
    ("unknown Chinese stays in one piece", "霍尔木兹海峡", "霍尔木兹 strait"),
    ("nothing known, English", "lighthouse keepers", ""),
    ("nothing known, Chinese", "霍尔木兹", ""),
    ("nothing", "", ""),
]


@pytest.mark.parametrize(("name", "query", "expected"), QUERIES, ids=[row[0] for row in QUERIES])
def test_translated(name: str, query: str, expected: str) -> None:
    assert translated(query) == expected


def test_the_list_of_words_holds_words_of_two_languages() -> None:
    for zh, english in lexicon("zh")["words"].items():
        assert len(zh) > 1 or zh == "税", zh
        assert english and all(word.isascii() and 1 <= len(tokens(word)) <= 4 for word in english), zh


NOISE = ["Storm hits the coast", "多地迎来强降雨天气", "Tractor fair opens", "地铁三号线全线通车"]


def relevance(title: str, query: str, cosine: float):
    """The relevance part of an item among unrelated ones, similar to the question by `cosine`."""
    pool = [judged(candidate(str(n), title=text)) for n, text in enumerate([title, *NOISE])]
    vectors = np.array([[c, (1 - c * c) ** 0.5] for c in [cosine, *[0.0] * len(NOISE)]], np.float32)
    report = run(pool, asked=plan(query), vectors=vectors, query_vector=np.array([1, 0], np.float32))
    return report.item(0).parts[1]


FOREIGN = [
    ("Chinese item, English words", "trade tariffs", "美国对进口汽车加征关税，贸易伙伴反对", 0.2),
    ("English item, Chinese words", "贸易关税", "New tariffs upset trade partners", 0.2),
    ("Chinese item, a name as it is read", "Wang Chuanfu speech", "王传福谈电动车", 0.2),
    ("English item, a name in characters", "王传福讲话", "Wang Chuanfu on electric cars", 0.2),
    ("English item, a name of one word", "潍坊爆炸", "Blast in Weifang kills five", 0.2),
]


READ = [
    ("read alike, and no name", "Dating leaks", ("政务大厅启用",), {}),
    ("tagged as a name, and written small", "Mike drop", ("米克诺斯岛", "They mike the room"), {}),
    ("the same from Chinese", "大厅 改造", ("Dating app redesign",), {}),
    ("a name that is read as a common word", "马克 卡尼", ("Make way", "Banks make profits"), {}),
    ("an apostrophe before a vowel", "西安", ("Xi'an opens a line", "Guangxi and Anhui"), {"西安": "xi'an"}),
    ("nobody writes it", "Lingxi framework", ("智能体框架",), {}),
    ("one that stands there", "Lingxi framework", ("灵犀框架",), {"Lingxi": "灵犀"}),
    ("family name apart", "王传福", ("Wang Chuanfu speaks",), {"王传福": "wang chuanfu"}),
]


@pytest.mark.parametrize(("name", "query", "titles", "expected"), READ, ids=[row[0] for row in READ])
def test_a_name_is_read_where_an_item_writes_it(name, query, titles, expected) -> None:
    items = [candidate(str(n), title=title) for n, title in enumerate(titles)]
    assert read_names(query, items, corpus(items)) == expected


@pytest.mark.parametrize(("name", "query", "title", "cosine"), FOREIGN, ids=[row[0] for row in FOREIGN])
def test_the_words_of_the_question_are_found_in_the_other_language(name, query, title, cosine) -> None:
    part = relevance(title, query, cosine)
    assert part.value >= FLOOR and "in its own language" in part.evidence
    assert part.value == pytest.approx(recomputed(part), abs=1e-3)


@pytest.mark.parametrize("cosine", [0.0, 0.2])
def test_without_its_words_a_like_item_stays_out(cosine: float) -> None:
    part = relevance("新款手机今日开售", "trade tariffs", cosine)
    assert part.value < FLOOR and "in its own language" not in part.evidence


def test_a_name_written_the_same_counts_as_before() -> None:
    assert relevance("OpenAI 今日有新动作", "OpenAI lighthouse", 0.1).value > relevance(NOISE[1], "OpenAI", 0.1).value


WRITTEN = [
    ("a Latin name over a Chinese text", {"title": "iPhone 17", "text": "苹果今日发布新手机"}, True),
    ("a Chinese title", {"title": "苹果发布新手机"}, True),
    (
        "English that quotes a name",
        {"title": "Apple in China", "text": "Apple, known there as 苹果, " + "grows. " * 40},
        False,
    ),
    ("English", {"title": "Apple unveils a phone", "text": "It is on sale today."}, False),
    ("what the source says counts", {"title": "苹果发布新手机", "lang": "en"}, False),
]


@pytest.mark.parametrize(("name", "given", "expected"), WRITTEN, ids=[row[0] for row in WRITTEN])
def test_the_language_of_an_item(name, given, expected) -> None:
    assert chinese([candidate(**given)]).tolist() == [expected]
