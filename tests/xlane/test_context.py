"""Context mode: the corpus tells what the topic is called, and what merely shares its name."""

from __future__ import annotations

from sys import byteorder

import numpy as np
import pytest
from xlane_corpora import CORPUS_A, CORPUS_B, GOOD_EIGHT, OFF_32, TOPIC, mappings

from pipeline.settings import load_settings
from pipeline.types import Embedder
from pipeline.xlane import judge_x_corpus, prune_off_topic_items
from pipeline.xlane.context import vectors_for
from pipeline.xlane.reading import forget, read
from pipeline.xlane.stems import stem
from pipeline.xlane.veto import only_in_other_names


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    from pipeline.embedding import open_embedder

    found, warnings = open_embedder(load_settings({"LATELY_HOME": "/nonexistent-home"}))
    if found is None or warnings:
        pytest.skip("the packaged model is not installed")
    return found


@pytest.mark.parametrize("with_vectors", [False, True], ids=["words only", "with vectors"])
@pytest.mark.parametrize("corpus", [CORPUS_A, CORPUS_B], ids=["a", "b"])
def test_context_keeps_exactly_the_real_ones(
    corpus: tuple[tuple[str, str], ...], with_vectors: bool, embedder: Embedder
) -> None:
    rows = mappings(corpus)
    vectors = vectors_for(rows, TOPIC, embedder, []) if with_vectors else None
    kept = prune_off_topic_items(rows, TOPIC, mode="context", vectors=vectors)
    assert [row["text"] for row in kept] == [text for _, text in GOOD_EIGHT]


@pytest.mark.parametrize("with_vectors", [False, True], ids=["words only", "with vectors"])
def test_a_corpus_of_bait_stays_off_topic(with_vectors: bool, embedder: Embedder) -> None:
    rows = mappings(OFF_32)
    vectors = vectors_for(rows, TOPIC, embedder, []) if with_vectors else None
    judged = judge_x_corpus(rows, TOPIC, mode="context", vectors=vectors)
    assert judged.on_topic_items == []
    assert judged.is_off_topic_flood


def test_a_collision_is_named_in_the_verdict() -> None:
    judged = judge_x_corpus(mappings(CORPUS_B), TOPIC, mode="context")
    verdict = judged.verdicts[9]
    assert verdict.verdict == "off"
    assert "'odell'" in verdict.rule


def test_split_hash_tags_and_inflected_forms_count() -> None:
    rows = mappings(
        (("a_a", "Stay safe everyone #qldfloods"), ("b_b", "flooding in Queensland again"), ("c_c", "my lunch"))
    )
    matched = [v.matched for v in judge_x_corpus(rows, "Queensland floods", mode="context").verdicts]
    assert matched == [("floods",), ("queensland", "floods"), ()]


def test_posts_in_chinese_are_read_in_context(embedder: Embedder) -> None:
    rows = mappings(
        (
            ("ev_watch_a", "特斯拉宣布召回部分Model Y，涉及转向软件"),
            ("ev_watch_b", "特斯拉召回电动车，车主称已收到通知"),
            ("ev_watch_c", "因转向软件问题，特斯拉将召回两万辆"),
            ("food_diary", "今天的火锅太好吃了"),
            ("cat_album", "我家猫又睡了一整天"),
        )
    )
    vectors = vectors_for(rows, "特斯拉 召回", embedder, [])
    kept = prune_off_topic_items(rows, "特斯拉 召回", mode="context", vectors=vectors)
    assert kept == rows[:3]


@pytest.mark.parametrize("with_vectors", [False, True], ids=["words only", "with vectors"])
@pytest.mark.parametrize(
    "more", [("metro opens", "rain"), ("note 1", "note 2", "note 3"), ("one", "two", "three", "four")]
)
def test_a_handful_of_posts_that_hold_the_whole_query_is_on_topic(
    more: tuple[str, ...], with_vectors: bool, embedder: Embedder
) -> None:
    """In a few posts a word of one of them tells nothing against the others."""
    rows = mappings(tuple((f"u_{n}", f"Rome Italy {words}") for n, words in enumerate(more)))
    vectors = vectors_for(rows, TOPIC, embedder, []) if with_vectors else None
    assert prune_off_topic_items(rows, TOPIC, mode="context", vectors=vectors) == rows


def test_what_was_judged_before_changes_no_verdict() -> None:
    """The lexicon is kept from corpus to corpus; of forty words that tell as much, the thirty that come first count."""
    words = [f"quol{letter}{other}" for letter in "bcdfg" for other in "ptkmnrsv"]
    rows = mappings((("a_a", f"Rome Italy {' '.join(words)}"), *((f"u_{n}", word) for n, word in enumerate(words))))
    forget()
    first = judge_x_corpus(rows, TOPIC, mode="context").verdicts
    forget()
    judge_x_corpus(mappings((("b_b", " ".join(reversed(words))),)), TOPIC, mode="context")
    assert judge_x_corpus(rows, TOPIC, mode="context").verdicts == first
    assert len({verdict.rank for verdict in first[1:]}) == 2


def test_what_is_near_the_query_ranks_before_what_is_not_even_without_its_words() -> None:
    near = np.array([[1, 0], [0, 1], [1, 0]], np.float32)
    one, other = judge_x_corpus(
        mappings((("a_a", "soup"), ("b_b", "bread"))), TOPIC, mode="context", vectors=near
    ).verdicts
    assert one.rank > other.rank


def test_posts_without_text_are_unjudged_and_alignment_holds(embedder: Embedder) -> None:
    rows = [{"id": "0", "author": "z_z", "text": ""}, *mappings(CORPUS_A)]
    vectors = vectors_for(rows, TOPIC, embedder, [])
    judged = judge_x_corpus(rows, TOPIC, mode="context", vectors=vectors)
    assert judged.unjudged_items == rows[:1]
    assert len(judged.on_topic_items) == 8


@pytest.mark.parametrize("text", ["😀", "!!", "the of", "@someone", "\u200b"])
def test_a_corpus_without_a_word_is_off_topic(text: str) -> None:
    judged = judge_x_corpus(mappings((("a_a", text),)), TOPIC, mode="context")
    assert judged.on_topic_items == []


def test_a_query_of_stop_words_keeps_nothing() -> None:
    assert prune_off_topic_items(mappings(CORPUS_A), "the of", mode="context") == []


def test_a_model_that_fails_is_a_note_and_words_decide() -> None:
    from pipeline.errors import ModelError

    class Broken:
        name, dims = "broken", 3

        def encode(self, texts: object, langs: object) -> np.ndarray:
            raise ModelError("no weights")

    notes: list[str] = []
    assert vectors_for(mappings(CORPUS_A), TOPIC, Broken(), notes) is None  # type: ignore[arg-type]
    assert "judged by their words" in notes[0]


VETOES = [
    ("an athlete", "Rome Odell with nine catches", "odell"),
    ("a club", "AS Rome won the derby", "as"),
    ("another city", "snow in Rome New York today", "new"),
    ("a town and its region", "police in Rome, Georgia say", "georgia"),
    ("a town and a code", "fire in Rome, NY tonight", "ny"),
    ("a list of cities", "we saw Rome, Florence and Venice", ""),
    ("free use", "rain over Rome this morning", ""),
    ("a possessive", "Rome's Termini is closed", ""),
    ("after a full stop", "I love Rome. Odell does not", ""),
    ("a headline in title case", "Rome Opens New Metro Station Near Forum", ""),
    ("capitals throughout", "ROME ODELL IS THE BEST", ""),
    ("a name that on-topic posts use", "queues at Rome Termini", ""),
    ("once free, once not", "Rome Odell loves rome", ""),
]


@pytest.mark.parametrize(("text", "other"), [row[1:] for row in VETOES], ids=[row[0] for row in VETOES])
def test_longer_names(text: str, other: str) -> None:
    assert only_in_other_names(text, frozenset({"rome"}), frozenset({"termini"})) == other


def held(text: str) -> set[str]:
    """Stems and "/" words of links that one text is read as."""
    found = read(["", text.lower()])
    assert set(found.rows.tolist()) <= {1}
    assert found.texts[0] == b""
    names = {int.from_bytes(number, byteorder): name for name, number in found.numbers.items()}
    return {names[number] for number in found.words.tolist()}


READINGS = [
    (
        "words of links and hash-tags apart",
        "RT @bo: Floods! #RomeFloods https://news.example/2026/rome-tram-line?x=1",
        {"flood", "romeflood", "/", "/rome", "/tram", "/line"},
    ),
    ("a possessive and a word of two parts", "Rome's third-ring works", {"rome", "third", "ring", "work"}),
    ("an account is no word", "@rome_desk reports", {"report"}),
    ("a tag with a stroke below", "#rome_floods", {"rome", "flood"}),
    ("Chinese beside Latin", "特斯拉recall通知 the", {"特斯拉", "recall", "通知"}),
    (
        "an account and a link within Chinese",
        "召回@tesla_cn 见https://a.example/recall_list",
        {"召回", "见", "/", "/recall", "/list"},
    ),
    ("a tag of two Chinese words", "#特斯拉_召回# 通知", {"特斯拉", "召回", "通知"}),
    ("nothing", "the of — !", set()),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in READINGS], ids=[row[0] for row in READINGS])
def test_a_text_is_read_as(text: str, expected: set[str]) -> None:
    assert held(text) == expected


def test_texts_are_read_together_as_they_are_alone() -> None:
    """All Chinese pieces are cut at once; a word of one text may be cut otherwise where it is a text of its own."""
    texts = ["今天\n特斯拉召回两万辆", "@tesla_cn\u2028通知https://a.example/x 两万辆", "万辆", "recall 召回", "两万辆"]
    forget()
    alone = {text: held(text) for text in texts}
    forget()
    found = read(texts)
    names = {int.from_bytes(number, byteorder): name for name, number in found.numbers.items()}
    assert [{names[word] for word in found.words[found.rows == row].tolist()} for row in range(len(texts))] == list(
        alone.values()
    )


@pytest.mark.parametrize(
    ("word", "expected"), [("flooding", "flood"), ("cities", "city"), ("us", "us"), ("crisis", "crisi")]
)
def test_light_stems(word: str, expected: str) -> None:
    assert stem(word) == expected
