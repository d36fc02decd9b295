"""Hacker News, GDELT, NewsAPI, the Guardian and Bluesky: what is asked, and what is read of answers in their shape."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from pipeline.errors import FetchError
from pipeline.sources.bluesky import Bluesky
from pipeline.sources.gdelt import Gdelt, untokenised
from pipeline.sources.guardian import Guardian
from pipeline.sources.hackernews import HackerNews, thread_passages, thread_request
from pipeline.sources.newsapi import NewsApi
from pipeline.types import Parsed, Request
from tests.sources.helpers import answer, api, endpoint, plan, recorded, subquery

ALL = (HackerNews(), Gdelt(), NewsApi(), Guardian(), Bluesky())
PATHS = {
    "hackernews": "/api/v1/search_by_date",
    "gdelt": "/api/v2/doc/doc",
    "newsapi": "/v2/everything",
    "guardian": "/search",
    "bluesky": "/xrpc/app.bsky.feed.searchPosts",
}
AT = datetime(2026, 8, 3, 9, 30, tzinfo=UTC)


def read(source: Any, body: str | None = None) -> Parsed:
    response = recorded(f"{source.name}.json") if body is None else answer(body)
    return source.parse(response, endpoint(source.name), plan())


def asked(source: Any, raw_topic: str = "solid state battery", limit: int = 30, **queries: str) -> Request:
    where = source.endpoints(api(), plan())[0]
    return source.requests(where, subquery(raw_topic), plan(queries), limit)[0]


@pytest.mark.parametrize("source", ALL, ids=lambda source: source.name)
class TestEvery:
    def test_asks_under_the_configured_address(self, source: Any) -> None:
        (where,) = source.endpoints(api(base_url="http://127.0.0.1:9/x/"), plan())
        assert where.url == f"http://127.0.0.1:9/x{PATHS[source.name]}"
        assert (where.searches, where.needs_key) == (True, source.needs_key)

    def test_is_not_asked_when_off(self, source: Any) -> None:
        assert source.endpoints(api(enabled=False), plan()) == ()

    def test_operators_and_quotes_never_reach_it(self, source: Any) -> None:
        request = asked(source, '"solid state" battery -toy site:x.example')
        assert request.query == "solid state battery"

    def test_an_edited_query_is_sent_as_it_stands(self, source: Any) -> None:
        assert asked(source, **{source.name: 'my "own" query'}).query == 'my "own" query'

    def test_a_key_is_named_never_carried(self, source: Any) -> None:
        secret = asked(source).secret_header
        assert (secret is None) if not source.needs_key else secret is not None and secret[1] == ""

    def test_every_entry_has_its_own_id_and_a_harmless_link(self, source: Any) -> None:
        found = read(source).candidates
        assert len({candidate.id for candidate in found}) == len(found) > 0
        assert all(candidate.url.startswith("http") for candidate in found)

    @pytest.mark.parametrize("body", ["<html>Access denied</html>", "nonsense", "[1, 2]", '{"unexpected": true}'])
    def test_anything_else_is_a_failure(self, source: Any, body: str) -> None:
        with pytest.raises(FetchError) as caught:
            read(source, body)
        assert caught.value.status == "bad response"


# --------------------------------------------------------------------------- Hacker News


def test_hackernews_asks_for_stories_and_comments_of_the_window() -> None:
    source = HackerNews()
    where = source.endpoints(api(), plan())[0]
    stories, comments = source.requests(where, subquery(), plan(), 40)
    assert dict(stories.params) == {
        "query": "solid state battery",
        "tags": "story",
        "numericFilters": "created_at_i>=1783771200,created_at_i<1786363200",
        "hitsPerPage": "40",
    }
    assert (dict(comments.params)["tags"], dict(comments.params)["hitsPerPage"]) == ("comment", "10")


def test_hackernews_reads_stories_comments_and_nonsense() -> None:
    parsed = read(HackerNews())
    story, ask, comment, odd = parsed.candidates
    assert (story.url, story.kind, story.engagement) == (
        "https://lab.example/2026/08/03/battery",
        "article",
        (("points", 120), ("comments", 45)),
    )
    assert (story.author, bool(ask.author)) == ("", True)  # who submits a link did not write the page
    assert (ask.kind, ask.engagement, ask.domain) == ("thread", (), "news.ycombinator.com")
    assert ask.text.startswith("I tried. It <almost> worked") and len(ask.passages) == 2
    assert (comment.kind, comment.text) == ("post", "We measured it: no fire.")
    assert (odd.url, odd.published_at) == ("https://news.ycombinator.com/item?id=50000004", None)
    assert [bad.reason for bad in parsed.malformed] == ["a hit without id or text"]


def test_hackernews_gives_a_threads_comments_on_demand() -> None:
    where = HackerNews().endpoints(api(), plan())[0]
    request = thread_request(where, "hackernews:50000001")
    assert request.url.endswith("/api/v1/search")
    assert dict(request.params)["tags"] == "comment,story_50000001"
    (passage,) = thread_passages(recorded("hackernews.json"))
    assert (passage.id, passage.author, passage.text) == ("c50000003", "eve", "We measured it: no fire.")


# --------------------------------------------------------------------------- GDELT


def test_gdelt_asks_for_the_window_in_its_own_form() -> None:
    params = dict(asked(Gdelt()).params)
    assert (params["startdatetime"], params["enddatetime"]) == ("20260711120000", "20260810120000")
    assert (params["mode"], params["format"], params["maxrecords"]) == ("artlist", "json", "30")


def test_gdelt_dates_are_when_it_was_first_seen() -> None:
    first, chinese, undated = read(Gdelt()).candidates
    (seen, address) = first.dates.claims
    assert (seen.kind, first.text) == ("first seen", "")
    assert seen.reliability < address.reliability
    assert (first.lang, chinese.lang, undated.published_at) == ("en", "zh", None)


@pytest.mark.parametrize(
    ("title", "fixed"),
    [
        ("Battery maker cuts 1 , 000 jobs , says it ' s a low - cost plan", "Battery maker cuts 1,000 jobs, says it's a low-cost plan"),
        ("U . S . plant opens ( again )", "U.S. plant opens (again)"),
        ("Prices fall 3 . 5 %", "Prices fall 3.5%"),
        ("A tall order - The Paper", "A tall order - The Paper"),
        ("What next ?", "What next?"),
        ("Untouched title", "Untouched title"),
    ],
)  # fmt: skip
def test_gdelt_titles_lose_their_stray_spaces(title: str, fixed: str) -> None:
    assert untokenised(title) == fixed


def test_gdelt_says_errors_in_plain_text() -> None:
    with pytest.raises(FetchError, match="GDELT says: 'The specified phrase is too short") as caught:
        read(Gdelt(), "The specified phrase is too short.")
    assert caught.value.status == "bad response"


def test_gdelt_sheds_load_in_plain_text_too() -> None:
    with pytest.raises(FetchError, match=r"shedding load.* ask again in 5 s") as caught:
        read(Gdelt(), "Please limit requests to one every 5 seconds or contact us for larger queries.")
    assert (caught.value.status, caught.value.retry_after) == ("rate limited", 5)


@pytest.mark.parametrize(
    ("said", "asked", "expected"),
    [
        pytest.param("the server answered 429", None, 5, id="429 that names no time"),
        pytest.param("the server answered 429: Please limit requests", 30.0, 30, id="429 that names one"),
        pytest.param("own limit of 10 a minute is used up", 9.0, None, id="our own limit is not its load"),
        pytest.param("the server answered 500", None, None, id="a fault is not its load"),
    ],
)
def test_gdelt_explains_its_own_load_only(said: str, asked: float | None, expected: float | None) -> None:
    error = FetchError(said, status="rate limited", retry_after=asked)
    found = Gdelt().explain(error)
    if expected is None:
        assert found is error
    else:
        assert "no limit of yours" in str(found)
        assert (found.status, found.retry_after) == ("rate limited", expected)


@pytest.mark.parametrize("body", ["{}", "", '{"articles": []}'])
def test_gdelt_without_a_match_is_empty(body: str) -> None:
    assert read(Gdelt(), body).candidates == ()


@pytest.mark.parametrize(
    ("topic", "sent"),
    [("AI battery maker funding", "battery maker funding"), ("AI chips", "AI chips"), ("固态 电池", "固态 电池")],
)
def test_gdelt_is_spared_words_it_refuses(topic: str, sent: str) -> None:
    assert asked(Gdelt(), topic).query == sent


# --------------------------------------------------------------------------- NewsAPI, the Guardian, Bluesky


def test_newsapi_reads_null_fields_and_leaves_withdrawn_articles_out() -> None:
    first, second = read(NewsApi()).candidates
    assert (first.title, first.text, first.published_at) == ("Solid cells ship", "The first cells left the line.", AT)
    assert (second.title, second.published_at) == ("Only a description.", None)


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("apiKeyInvalid", "unauthorised"),
        ("apiKeyMissing", "not configured"),
        ("rateLimited", "rate limited"),
        ("parameterInvalid", "bad response"),
    ],
)
def test_newsapi_errors_keep_their_meaning(code: str, status: str) -> None:
    with pytest.raises(FetchError, match=code) as caught:
        read(NewsApi(), f'{{"status": "error", "code": "{code}", "message": "no"}}')
    assert caught.value.status == status


def test_the_guardian_brings_lead_and_paragraphs() -> None:
    first, bare = read(Guardian()).candidates
    assert (first.text, first.author, first.published_at) == ("A first line is running", "A Writer", AT)
    assert len(first.passages) == 2
    assert (bare.title, bare.published_at) == ("No fields", None)


def test_the_guardian_is_asked_for_all_words() -> None:
    assert dict(asked(Guardian()).params)["q"] == "solid AND state AND battery"


def test_bluesky_posts_carry_their_account() -> None:
    parsed = read(Bluesky())
    (post,) = parsed.candidates
    assert (post.author, post.publisher, post.title) == ("ada.example", "ada.example", "")
    assert (post.text, post.kind) == ("Cells < 1 kg are shipping", "post")
    assert post.url == "https://bsky.app/profile/ada.example/post/3kaaa"
    assert (post.engagement, post.published_at) == ((("likes", 3), ("replies", 0)), AT)
    assert len(parsed.malformed) == 1
