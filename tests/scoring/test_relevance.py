"""Words, stems, the echo, the blend and its floor, the shortlist."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.scoring import shortlist
from pipeline.scoring.consistency import borne_out, consistency
from pipeline.scoring.echo import SMALLEST_POOL, echo
from pipeline.scoring.grams import Grams, pairs_in
from pipeline.scoring.lexical import lexical, query_words
from pipeline.scoring.relevance import only_asks
from pipeline.scoring.roots import roots_of
from pipeline.scoring.stem import stem
from pipeline.text import corpus
from tests.scoring.made import SETTINGS, candidate, judged, plan, run

BM25 = {"k1": 1.2, "b": 0.75}


def texts(*titles: str):
    return corpus([candidate(str(n), title=title) for n, title in enumerate(titles)])


# --------------------------------------------------------------------------- stems and words

STEMS = [
    ("package", "packages"),
    ("release", "released"),
    ("launch", "launching"),
    ("company", "companies"),
    ("cut", "cutting"),
    ("organize", "organization"),
]


@pytest.mark.parametrize(("one", "other"), STEMS)
def test_forms_of_one_word_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(
    ("one", "other"), [("new", "news"), ("us", "use"), ("gas", "gass"), ("universe", "university")]
)
def test_different_words_do_not(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@given(st.text(max_size=20))
def test_any_word_has_a_stem(word: str) -> None:
    assert stem(word.lower()) or not word


def test_what_only_asks_is_not_looked_for() -> None:
    assert list(query_words("苹果什么时候发布手机").values()) == ["苹果", "发布", "手机"]
    assert list(query_words("what is it").values()) == ["what", "is", "it"], "nothing else is left"


# --------------------------------------------------------------------------- BM25


def test_a_word_that_most_items_hold_still_counts() -> None:
    """The package's own idf is 0 or negative here: that is the case of every pool of search results."""
    found = lexical(texts("openai model", "openai chip", "openai deal", "weather"), "openai", **BM25)
    assert (found.bm25[:3] > 0).all() and found.bm25[3] == 0


def test_two_items_one_match() -> None:
    assert lexical(texts("storm", "calm"), "storm", **BM25).bm25.tolist()[0] > 0


@pytest.mark.parametrize("titles", [(), ("",), ("", "")])
def test_empty_pools_and_empty_items(titles: tuple[str, ...]) -> None:
    assert lexical(texts(*titles), "storm", **BM25).values.tolist() == [0.0] * len(titles)


def test_a_query_nobody_answers() -> None:
    found = lexical(texts("storm", "calm"), "unicorn", **BM25)
    assert found.values.tolist() == [0, 0] and found.matched(0) == ()


def test_the_share_is_one_when_a_short_title_says_it_all() -> None:
    found = lexical(texts("openai model release", "a b c d e f g h i", "x"), "openai model release", **BM25)
    assert found.values[0] == 1 and found.matched(0) == ("openai", "model", "release")


def test_names_meet_across_languages_and_words_inside_longer_ones() -> None:
    found = lexical(texts("苹果发布新手机", "Banana prices"), "Apple phone", **BM25)
    assert found.matched(0) == ("apple",)
    found = lexical(texts("全面降准落地", "天气"), "降准", **BM25)
    assert found.matched(0) == ("降准",)


def test_what_is_missing_weighs_by_rarity() -> None:
    found = lexical(texts("openai model", "openai", "model"), "openai model", **BM25)
    assert found.missing[0] == 0 and (found.missing[1:] > 0).all()


# --------------------------------------------------------------------------- pairs of characters


def test_pairs_are_found_inside_words_and_across_their_borders() -> None:
    words = texts("新手机发布会", "手机", "天气")
    share = Grams(words).share("机发", **BM25)
    assert share[0] > 0 and share[1:].tolist() == [0, 0]
    assert Grams(words).share("手机", **BM25)[:2].min() > 0


def test_pairs_count_like_a_search_in_the_text() -> None:
    titles = ["央行宣布降准降息", "央行降息, 央行再降息", "x央行y"]
    words = texts(*titles)
    asked = pairs_in("央行降息")
    counted = Grams(words)._counts(words.titles, asked)
    expected = [[title.replace(", ", "").count(pair) for pair in asked] for title in titles]
    assert counted.tolist() == expected


def test_no_pairs_in_other_scripts() -> None:
    assert Grams(texts("storm")).share("storm", **BM25).tolist() == [0]
    assert Grams(texts()).share("降息", **BM25).tolist() == []


# --------------------------------------------------------------------------- echo


def crowd(size: int):
    """Some answer half of the question and share words; one says the same in other words; the rest is noise."""
    said = ["openai launches gpt assistant browser"] * 8 + ["gpt assistant browser arrives"]
    return texts(*said, *(f"weather in town number{n}" for n in range(size - len(said))))


def test_the_echo_finds_what_says_it_in_other_words() -> None:
    words = crowd(60)
    found = lexical(words, "openai model release november", **BM25)
    heard = echo(words, found.values, **BM25)
    assert heard.strength > 0 and "browser" in heard.words
    assert heard.values[8] > 0 and heard.values[9:].max() == 0


def test_the_echo_is_silent_in_small_pools_and_where_one_answers_all() -> None:
    small = crowd(SMALLEST_POOL - 1)
    assert echo(small, lexical(small, "openai model", **BM25).values, **BM25).strength == 0
    words = crowd(60)
    assert echo(words, lexical(words, "openai launches", **BM25).values, **BM25).strength == 0


# --------------------------------------------------------------------------- the blend

LONG = "OpenAI released a new model on Monday. The release follows months of work on the model, the company said. " * 3


def values(items, query: str, cosines: list[float] | None = None) -> list[float]:
    pool = [judged(candidate(str(n), title=title, text=text)) for n, (title, text) in enumerate(items)]
    vectors = target = None
    if cosines is not None:
        vectors = np.array([[c, (1 - c * c) ** 0.5] for c in cosines], np.float32)
        target = np.array([1, 0], np.float32)
    report = run(pool, asked=plan(query), vectors=vectors, query_vector=target)
    return report.table.values[:, 1].tolist()


FLOOR = [
    ("English, the words", "openai model release", ("OpenAI releases new model", ""), 0.5, True),
    (
        "English, other words, same meaning",
        "openai model release",
        ("ChatGPT maker unveils its best yet", ""),
        0.6,
        True,
    ),
    ("English, one word, other meaning", "openai model release", ("Train model fair opens in town", ""), 0.1, False),
    ("English, nothing", "openai model release", ("Storm hits the coast", ""), 0.05, False),
    ("Chinese, the words", "华为发布新手机", ("华为新手机正式发布", ""), 0.6, True),
    ("Chinese, nothing", "华为发布新手机", ("多地迎来强降雨天气", ""), 0.1, False),
    ("a translation", "华为发布新手机", ("Huawei unveils its new phone", ""), 0.6, True),
    ("another language, nothing", "华为发布新手机", ("Storm hits the coast", ""), 0.1, False),
    ("a text with the words", "openai model release", ("Company news", LONG), 0.3, True),
    (
        "a text about something else",
        "openai model release",
        ("Storm hits", "The storm hit the coast. " * 20),
        0.1,
        False,
    ),
]


@pytest.mark.parametrize(("name", "query", "item", "cosine", "passes"), FLOOR, ids=[row[0] for row in FLOOR])
def test_the_floor_means_the_same_in_every_language(name, query, item, cosine, passes) -> None:
    noise = [("Unrelated headline about gardening", ""), ("另一条无关的消息", "")]
    value = values([item, *noise], query, [cosine, 0.0, 0.0])[0]
    assert (value >= SETTINGS.scoring.relevance.floor) == passes, value


def test_without_a_model_words_alone_decide() -> None:
    good, half, none = values(
        [("OpenAI model release", ""), ("OpenAI hires", ""), ("Storm", "")], "openai model release"
    )
    assert good > half > none and good > 0.4 > none


class SecondModel:
    """Finds every text identical to the query."""

    name, dims = "second", 2

    def __init__(self) -> None:
        self.seen: list[str] = []

    def encode(self, texts, langs):
        self.seen += texts
        return np.tile(np.array([1, 0], np.float32), (len(texts), 1))


def test_the_second_model_looks_at_the_best_few_only() -> None:
    embedding = SETTINGS.pipeline.embedding.model_copy(update={"rerank_top": 1})
    settings = SETTINGS.model_copy(update={"pipeline": SETTINGS.pipeline.model_copy(update={"embedding": embedding})})
    pool = [judged(candidate(str(n), title=title)) for n, title in enumerate(["OpenAI model release", "Storm"])]
    vectors = np.array([[0.6, 0.8], [0, 1]], np.float32)
    model = SecondModel()
    report = run(pool, settings=settings, vectors=vectors, query_vector=np.array([1, 0], np.float32), reranker=model)
    assert len(model.seen) == 2 and "second look" in report.item(0).parts[1].evidence
    assert "second look" not in report.item(1).parts[1].evidence


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("新手机怎么样", True),
        ("华为发布新手机", False),
        ("How to bake bread", True),
        ("Who resigns", True),
        ("Acme wins", False),
    ],
)
def test_titles_that_only_ask(title: str, expected: bool) -> None:
    assert only_asks(title) == expected


# --------------------------------------------------------------------------- title and body


def test_what_the_body_bears_out() -> None:
    items = [
        candidate("a", title="Council approves bridge", text="The council approved a bridge."),
        candidate("b", title="Singer marries actor", text="The council approved a bridge."),
        candidate("c", title="Council approves bridge", text=""),
        candidate("d", title="", text="The council approved a bridge."),
    ]
    words = corpus(items)
    borne = borne_out(words, roots_of(words))
    assert borne.tolist() == [1, 0, 1, 1]
    same = np.array([[1, 0]] * 4, np.float32)
    assert consistency(borne, same, same).tolist() == [1, 0.5, 1, 1]


# --------------------------------------------------------------------------- shortlist


def small(size: int, **more):
    embedding = SETTINGS.pipeline.embedding.model_copy(update={"shortlist": size, **more})
    return SETTINGS.model_copy(update={"pipeline": SETTINGS.pipeline.model_copy(update={"embedding": embedding})})


POOL = [
    *(candidate(f"e{n}", title="OpenAI model release", age=20) for n in range(6)),
    *(candidate(f"z{n}", title="开放人工智能公司发布模型", age=n + 1) for n in range(6)),
    candidate("noise", title="Storm", age=0.1),
]


def test_a_share_is_reserved_for_other_languages_newest_first() -> None:
    chosen = [POOL[row].id for row in shortlist(POOL, plan(), small(8))]
    assert chosen == ["e0", "e1", "e2", "e3", "e4", "e5", "z0", "z1"]


def test_no_room_is_kept_for_languages_that_are_not_there() -> None:
    assert len(shortlist(POOL[:6], plan(), small(4))) == 4


def test_everything_is_examined_when_it_fits_or_without_a_model() -> None:
    assert shortlist(POOL, plan(), small(50)) == tuple(range(13))
    assert shortlist(POOL, plan(), small(3, model="off")) == tuple(range(13))


def test_first_party_posts_are_always_examined() -> None:
    assert 12 in shortlist(POOL, plan(), small(4), always=[12])


def test_a_question_in_chinese_reserves_for_english() -> None:
    asked = replace(plan("模型"), language="zh")
    ids = [POOL[row].id for row in shortlist(POOL, asked, small(4))]
    assert sum(one.startswith("e") or one == "noise" for one in ids) == 1
