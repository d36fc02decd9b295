from __future__ import annotations

from types import SimpleNamespace

import pytest

from pipeline.sources.search_feeds import SearchFeeds, fill
from tests.sources.helpers import answer, endpoint, plan, rss, subquery

SEARCH = SearchFeeds()


@pytest.mark.parametrize(
    ("template", "url"),
    [
        ("https://s.example/rss?q={query}", "https://s.example/rss?q=solid+state+%26+more"),
        ("https://s.example/{query}?a={since}&b={until}", "https://s.example/solid+state+%26+more?a=2026-07-11&b=2026-08-11"),
        ("https://s.example/?q={query}&f={since_unix}-{until_unix}", "https://s.example/?q=solid+state+%26+more&f=1783771200-1786363200"),
        ("https://s.example/?d=[{since_minute}+TO+{until_minute}]", "https://s.example/?d=[202607111200+TO+202608101200]"),
        ("https://s.example/?q={query}&x={other}", "https://s.example/?q=solid+state+%26+more&x={other}"),
    ],
)  # fmt: skip
def test_templates_are_filled(template: str, url: str) -> None:
    assert fill(template, "solid state & more", plan().window) == url


def test_a_query_cannot_fill_other_places() -> None:
    assert fill("https://s.example/?q={query}&s={since}", "{since}", plan().window).startswith(
        "https://s.example/?q=%7B"
    )


@pytest.mark.parametrize(
    ("raw_topic", "search_query", "queries", "sent"),
    [
        pytest.param("solid state", "battery", {}, "solid state", id="the raw topic"),
        pytest.param("", "battery", {}, "battery", id="else the search query"),
        pytest.param('"exact" words -no AND site:x.example', "", {}, "exact words", id="operators taken off"),
        pytest.param("x", "y", {"search": "mine"}, "mine", id="edited for the source"),
        pytest.param("x", "y", {"search": "mine", "search:Made": "yours"}, "yours", id="edited for the endpoint"),
        pytest.param("固态电池“量产”", "", {}, "固态电池 量产", id="Chinese quotes"),
    ],
)
def test_what_is_sent(raw_topic: str, search_query: str, queries: dict[str, str], sent: str) -> None:
    where = endpoint("search", url="https://s.example/rss?q={query}", searches=True)
    (request,) = SEARCH.requests(where, subquery(raw_topic, search_query), plan(queries), 50)
    assert request.query == sent


def test_a_template_without_a_query_only_lists() -> None:
    feed = SimpleNamespace(
        name="Releases", url="https://g.example/releases.atom", priority=2, class_="", owner="", theme="", language="",
        authority_bias=None, timezone="UTC", rate_limiter=SimpleNamespace(max_per_minute=None, max_per_day=None),
    )  # fmt: skip
    (where,) = SEARCH.endpoints([feed], plan())
    assert where.searches is False
    assert SEARCH.requests(where, subquery(), plan(), 50)[0].query == ""


def test_answers_are_feeds() -> None:
    body = rss("<title>T</title><link>https://made.example/a</link>")
    (candidate,) = SEARCH.parse(answer(body), endpoint("search"), plan()).candidates
    assert (candidate.source, candidate.id.partition(":")[0]) == ("search", "search")


def test_the_name_of_a_search_is_no_account() -> None:
    body = rss("<title>T</title><link>https://foo.substack.com/p/1</link>")
    (found,) = SEARCH.parse(answer(body), endpoint("search", searches=True), plan()).candidates
    assert found.publisher == ""
