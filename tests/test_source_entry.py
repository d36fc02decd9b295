"""What may be saved as a source: the first entry that can't be asked is refused in one line."""

from __future__ import annotations

import pytest

from pipeline.errors import InputError
from pipeline.settings import source_entry

FEED = {"name": "Harbour News", "url": "https://harbour.example/feed"}
PAGE = {**FEED, "selectors": {"item": "li.news", "title": "h2", "link": "a"}}


def entry(kind, **changed):
    base = {"rss": FEED, "search": {**FEED, "url": FEED["url"] + "?q={query}"}, "custom": PAGE}[kind]
    return source_entry(kind, {**base, **changed})


@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        pytest.param("rss", {}, id="a feed"),
        pytest.param("search", {}, id="a search feed"),
        pytest.param("custom", {}, id="a page"),
        pytest.param("rss", {"url": "http://[::1]:8080/feed"}, id="IPv6 with a port"),
        pytest.param("rss", {"url": "http://127.0.0.1:8971/feed"}, id="an address of this machine"),
        pytest.param("rss", {"url": "http://intranet/feed"}, id="a host without a dot"),
        pytest.param("rss", {"url": "https://新闻.example/订阅"}, id="a host in Chinese"),
        pytest.param("rss", {"name": "港口 新闻", "timezone": "Asia/Shanghai", "language": "zh-Hant"}, id="Chinese"),
        pytest.param("custom", {"selectors": {"item": "tr", "title": ".t", "link": "a@href"}}, id="an attribute"),
        pytest.param("custom", {"selectors": {"item": "tr", "title": "+tr .t", "link": "."}}, id="what follows"),
        pytest.param("custom", {"selectors": {"item": "a[href*='@']", "title": "", "link": "@href"}}, id="@ in quotes"),
    ],
)
def test_what_can_be_asked_is_taken(kind, changed):
    assert entry(kind, **changed).url.startswith("http")


@pytest.mark.parametrize(
    ("kind", "changed", "says"),
    [
        pytest.param("rss", {"url": "https://[::1/feed"}, "no host", id="a bracket left open"),
        pytest.param("rss", {"url": "https:///feed"}, "no host", id="no host"),
        pytest.param("rss", {"url": "https://a.example:99999/"}, "no host", id="no such port"),
        pytest.param("rss", {"url": "https://a.example:port/"}, "no host", id="a port in words"),
        pytest.param("rss", {"url": "https://a..example/"}, "no host", id="an empty label"),
        pytest.param("search", {"url": "https://{query}/"}, "no host", id="the words as host"),
        pytest.param("rss", {"url": "https://a.example/my feed"}, "space", id="a space"),
        pytest.param("rss", {"url": "https://a.example/\nfeed"}, "line break", id="a line break in the address"),
        pytest.param("rss", {"url": "ftp://a.example/"}, "http://", id="another scheme"),
        pytest.param("rss", {"name": "Har\nbour"}, "line break", id="a line break in the name"),
        pytest.param("rss", {"name": "Har\x1b[31mbour"}, "control character", id="an escape in the name"),
        pytest.param("rss", {"owner": "a\x07"}, "control character", id="a bell in the owner"),
        pytest.param("rss", {"timezone": "Mars/Olympus"}, "time zone", id="no such zone"),
        pytest.param("rss", {"timezone": "../../etc/passwd"}, "time zone", id="a path for a zone"),
        pytest.param("rss", {"timezone": ""}, "time zone", id="an empty zone"),
        pytest.param("rss", {"language": "english"}, "language", id="a language in words"),
        pytest.param("rss", {"language": "e1"}, "language", id="no letters"),
        pytest.param("custom", {"selectors": {"item": "li[", "title": "h2", "link": "a"}}, "item", id="broken item"),
        pytest.param("custom", {"selectors": {"item": "", "title": "h2", "link": "a"}}, "item", id="no item"),
        pytest.param(
            "custom", {"selectors": {"item": "li", "title": "h2:::", "link": "a"}}, "title", id="broken title"
        ),
    ],
)
def test_what_can_not_be_asked_is_refused_in_one_line(kind, changed, says):
    with pytest.raises(InputError) as error:
        entry(kind, **changed)
    assert says in str(error.value)
    assert "\n" not in str(error.value)
