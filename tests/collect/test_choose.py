"""Whom a run asks."""

from __future__ import annotations

import pytest

from pipeline.collect.choose import choose
from pipeline.errors import InputError
from pipeline.net import Net
from pipeline.settings import Feed
from pipeline.sources.rss import Rss
from tests.collect.helpers import SETTINGS, Lines, plan, settings


class Named(Lines):
    """Takes the feeds it is given, as the real feed source does."""

    def endpoints(self, config, plan):
        if self.hosts:
            return super().endpoints(config, plan)
        return [_endpoint(self.name, feed) for feed in config or ()]


def _endpoint(source, feed):
    from pipeline.types import Endpoint

    return Endpoint(source=source, name=feed.name, url=feed.url, timeout_s=1, theme=feed.theme)


def names(question=None, *, using=SETTINGS, environ=None, opml=(), sources=None):
    sources = sources or [
        Named("rss", feed={}),
        Named("hackernews", hn={}, searches=True, kind="api"),
        Named("newsapi", news={"needs_key": "NEWSAPI_KEY"}, kind="api"),
        Named("custom", kind="page"),
    ]
    for source in sources:
        source.needs_key = "NEWSAPI_KEY" if source.name == "newsapi" else ""
    net = Net(using, environ=environ or {})
    return choose(plan(**(question or {})), sources, settings=using, net=net, opml_feeds=opml)


def shown(choices):
    return [(choice.endpoint.name, choice.requested) for choice in choices]


def test_by_default_the_configured_sources_without_a_key():
    assert shown(names()) == [("feed", False), ("hn", False)]


def test_a_keyed_source_joins_when_its_key_is_set():
    assert shown(names(environ={"NEWSAPI_KEY": "k"})) == [("feed", False), ("hn", False), ("news", True)]


def test_a_named_source_without_its_key_is_chosen_with_the_variable_that_is_missing():
    (choice,) = names({"sources": ("newsapi",)})
    assert choice.missing_key == "NEWSAPI_KEY"
    assert choice.requested


def test_pages_the_analyst_configured_are_asked():
    page = {"name": "page", "url": "http://page.example/", "selectors": {"item": "li", "title": "a", "link": "a"}}
    sources = SETTINGS.sources.model_copy(update={"custom": (page,)})
    chosen = names(
        using=SETTINGS.model_copy(update={"sources": sources}), sources=[Named("custom", page={}, kind="page")]
    )
    assert [choice.endpoint.options for choice in chosen] == [{"page": True}]


def test_an_unknown_source_is_an_error_that_names_the_known_ones():
    with pytest.raises(InputError, match=r"unknown source 'rsss'; known: rss, hackernews, newsapi, custom, x"):
        names({"sources": ("rsss",)})


def test_x_is_known_but_has_a_lane_of_its_own():
    assert shown(names({"sources": ("x", "rss")})) == [("feed", True)]


def test_a_set_of_sources_stands_for_its_members():
    sources = SETTINGS.sources.model_copy(update={"sets": {"mine": ("hackernews", "x")}})
    assert shown(names({"sources": ("mine",)}, using=SETTINGS.model_copy(update={"sources": sources}))) == [
        ("hn", True)
    ]


class TestOpml:
    FEEDS = (Feed(name="a", url="http://a.example/"), Feed(name="b", url="http://b.example/"))
    SOURCES = (Named("rss"), Named("hackernews", hn={}))

    def test_alone_it_is_all_that_is_asked(self):
        assert shown(names(opml=self.FEEDS, sources=self.SOURCES)) == [("a", True), ("b", True)]

    def test_beside_named_sources_it_replaces_the_feed_list(self):
        chosen = names({"sources": ("hackernews", "rss")}, opml=self.FEEDS, sources=self.SOURCES)
        assert shown(chosen) == [("hn", True), ("a", True), ("b", True)]

    @pytest.mark.parametrize(
        ("where", "feed", "named"),
        [
            pytest.param("http://127.0.0.1:8970/opml", "http://127.0.0.1:8970/feeds/1", True, id="host and port"),
            pytest.param("http://127.0.0.1:8970/opml", "http://127.0.0.1:8971/feeds/1", False, id="another port"),
            pytest.param("https://list.example/opml", "http://10.0.0.5/feed", False, id="of the web, to the intranet"),
            pytest.param("https://list.example/opml", "http://b.example/feed", False, id="of the web, to the web"),
            pytest.param("mine.opml", "http://10.0.0.5/feed", True, id="a file of the analyst's"),
        ],
    )
    def test_a_list_from_the_web_names_nothing_but_its_own_host(self, where, feed, named):
        sources = (Rss(),)
        chosen = names({"opml": where}, opml=(Feed(name="a", url=feed),), sources=sources)
        assert [one.endpoint.named for one in chosen] == [named]


@pytest.mark.parametrize(
    ("name", "kind", "seconds"),
    [("rss", "feed", 8), ("rss", "page", 20), ("hackernews", "api", 15), ("nobody", "feed", 1)],
)
def test_the_time_out_is_the_configurations_for_the_kind_of_source(name, kind, seconds):
    (choice,) = names({"sources": (name,)}, sources=[Named(name, kind=kind, one={})])
    assert choice.endpoint.timeout_s == seconds


def test_a_section_with_a_time_out_of_its_own_rules():
    hackernews = SETTINGS.sources.hackernews.model_copy(update={"timeout_s": 3})
    using = SETTINGS.model_copy(update={"sources": SETTINGS.sources.model_copy(update={"hackernews": hackernews})})
    (choice,) = names({"sources": ("hackernews",)}, using=using, sources=[Named("hackernews", one={}, kind="api")])
    assert choice.endpoint.timeout_s == 3


def test_a_profile_narrows_feeds_by_theme():
    from pipeline.settings import Profile

    using = settings().model_copy(update={"profiles": {"tech": Profile(label="Tech", themes=("technology",))}})
    rss = Named("rss", tech={"theme": "technology"}, world={"theme": "world"}, any={})
    assert [n for n, _ in shown(names({"profile": "tech"}, using=using, sources=[rss]))] == ["tech", "any"]
