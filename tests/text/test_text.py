"""Text as data: tokens, folding, outlet names, excerpts, a pool tokenised once."""

from __future__ import annotations

import json
from unicodedata import normalize

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import text
from pipeline.types import Candidate

TOKENS = {
    "Latin words and numbers": ("OpenAI ships GPT-5 for $1,000", ["openai", "ships", "gpt", "5", "for", "1", "000"]),
    "mixed text is never glued": ("OpenAI发布GPT-5模型", ["openai", "发布", "gpt", "5", "模型"]),
    "traditional is folded": ("臺灣總統選舉", ["台湾", "总统", "选举"]),
    "full width is folded": ("ＡＰＰＬＥ　１７", ["apple", "17"]),
    "a possessive is no part of the word": ("Apple's plan", ["apple", "s", "plan"]),
    "an apostrophe inside stays": ("They don't", ["they", "don't"]),
    "one apostrophe a word": ("rock'n'roll", ["rock'n", "roll"]),
    "underscores part words": ("_alpha_beta_", ["alpha", "beta"]),
    "Cyrillic": ("ИИ и Россия", ["ии", "и", "россия"]),
    "Hangul": ("한국 대통령", ["한국", "대통령"]),
    "nothing": ("…!?", []),
}


@pytest.mark.parametrize(("raw", "expected"), TOKENS.values(), ids=TOKENS)
def test_tokens(raw: str, expected: list[str]) -> None:
    assert text.tokens(raw) == expected


@given(st.text(max_size=200))
def test_tokens_are_normalised_words_whatever_comes(raw: str) -> None:
    for token in text.tokens(raw):
        assert token
        assert token == token.lower()
        assert not any(char.isspace() for char in token)


@given(st.text("aT1_'s -.", max_size=40))
def test_plain_text_is_read_as_any_other(raw: str) -> None:
    assert text.tokens(f"é {raw}") == ["é", *text.tokens(raw)]


@given(st.text("，～（é\u0301①ﬁ中a ", max_size=20))
def test_a_normal_form_is_composed(raw: str) -> None:
    assert text.normalise(raw) == text.normalise(normalize("NFKC", raw))


TITLES = {
    "a listed name": ("Bank cuts rates - Reuters", ("x.example",), "Bank cuts rates"),
    "the host's own name": ("Bank cuts rates | Daily Gazette", ("daily-gazette.example",), "Bank cuts rates"),
    "an article that the host drops": ("Bank cuts - The Seattle Times", ("seattletimes.example",), "Bank cuts"),
    "a label of the host": ("Deal is done | BBC News", ("bbc.co.uk",), "Deal is done"),
    "the publisher behind an aggregator": ("Deal done - The Paper", ("news.google.com", "thepaper.cn"), "Deal done"),
    "the publisher's name and more": ("Deal done - World Gazette Online", ("x.example", "Gazette"), "Deal done"),
    "a Chinese portal": ("某地发生地震_新浪网", ("news.sina.com.cn",), "某地发生地震"),
    "a second half that belongs to the title": ("Oil - and gas", ("x.example",), "Oil - and gas"),
    "a title that is nothing else": ("BBC", ("bbc.co.uk",), "BBC"),
}


@pytest.mark.parametrize(("title", "hosts", "expected"), TITLES.values(), ids=TITLES)
def test_without_outlet(title: str, hosts: tuple[str, ...], expected: str) -> None:
    assert text.without_outlet(title, *hosts) == expected


def _item(title: str, body: str) -> Candidate:
    return Candidate(id=title, source="s", endpoint="e", url="", domain="", title=title, text=body)


def test_corpus_holds_the_tokens_of_every_row() -> None:
    items = [_item("Bank cuts the rate", "By 25 points"), _item("", ""), _item("央行降息", "25个基点")]
    found = text.corpus(items)
    for row, item in enumerate(items):
        assert [found.words[i] for i in found.titles[row]] == text.tokens(item.title)
        assert [found.words[i] for i in found.texts[row]] == text.tokens(item.text)
    assert len(found) == 3
    assert list(found.titles.rows) == [0] * 4 + [2] * int(found.titles.lengths[2])
    assert found.stop[found.ids["the"]]
    assert found.numeric[found.ids["25"]]
    assert found.han[found.ids["央行"]]
    assert not found.han[found.ids["bank"]]
    assert found.find(["bank", "unknown", "cuts"]) == (found.ids["bank"], found.ids["cuts"])


def test_corpus_of_nothing() -> None:
    found = text.corpus([])
    assert len(found) == 0
    assert np.array_equal(found.titles.starts, [0])


def test_excerpt_ends_at_a_sentence() -> None:
    long = "One sentence that is short. Another one follows it here. " * 10
    assert text.excerpt(long, 40, 80) == "One sentence that is short. Another one follows it here."
    assert text.excerpt("字" * 100, 40, 80).endswith("…")
    assert text.excerpt("short", 40, 80) == "short"


def test_plain_strips_markup_and_double_escapes() -> None:
    assert text.plain("<p>A &amp;amp; B</p><script>x()</script><br>C") == "A & B C"


@pytest.mark.parametrize(
    ("raw", "lang"),
    [("苹果发布新手机", "zh"), ("OpenAI发布GPT-5", "zh"), ("The bank cut its rate today", "en"), ("123", "")],
)
def test_language(raw: str, lang: str) -> None:
    assert text.language(raw) == lang


@pytest.mark.parametrize(
    ("host", "domain"),
    [("news.bbc.co.uk", "bbc.co.uk"), ("WWW.Example.com", "example.com"), ("localhost", "localhost")],
)
def test_registrable(host: str, domain: str) -> None:
    assert text.registrable(host) == domain


HALVES = {
    "a cut emoji": ("floods \ud83d", "floods \ufffd"),
    "both halves are one character": (json.loads('"\\ud83c\\udf0a"'), "\N{WATER WAVE}"),
    "whole text": ("洪水 \N{WATER WAVE}", "洪水 \N{WATER WAVE}"),
}


@pytest.mark.parametrize(("raw", "expected"), HALVES.values(), ids=HALVES)
def test_halves_of_characters_go_no_further(raw: str, expected: str) -> None:
    assert text.whole(raw) == text.plain(raw) == expected
    assert text.all_whole({"rows": [{raw: raw, "n": 1}]}) == {"rows": [{expected: expected, "n": 1}]}


def test_the_language_of_a_text_with_half_a_character() -> None:
    assert text.language("The river rose in the old town \ud83d") == "en"
