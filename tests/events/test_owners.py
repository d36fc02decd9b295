"""Who speaks: sites, groups, platforms, agencies."""

from __future__ import annotations

import pytest

from pipeline.events.owners import Owners
from tests.events.helpers import grouped, item, settings

SITES = {
    "sub-domains are one site": ("https://news.bbc.co.uk/1", {}, "bbc"),
    "an unlisted site is its registrable domain": ("https://blog.some-paper.co.uk/1", {}, "some-paper.co.uk"),
    "sister sites share an owner": ("https://www.barrons.com/x", {}, "news corp"),
    "an account on a platform": ("https://mp.weixin.qq.com/s/1", {"author": "量子位"}, "qq.com/@量子位"),
    "a handle": ("https://x.com/nasa/status/1", {"author": "@NASA"}, "x.com/@nasa"),
    "the feed's stated publisher": ("https://news.google.com/rss/1", {"publisher": "www.reuters.com"}, "reuters"),
    "a publisher without address": ("https://news.google.com/rss/1", {"publisher": "The Paper"}, "the paper"),
    "an archive's copy": ("https://archive.is/newest/https://www.cnbc.com/2026/a", {}, "nbcuniversal"),
    "an archive's copy of a blog": ("https://archive.is/newest/https://foo.substack.com/p/a", {}, "substack.com/@foo"),
    "a sub-domain is the account": ("https://foo.substack.com/p/1", {}, "substack.com/@foo"),
    "whoever is given as author": ("https://foo.substack.com/p/1", {"author": "A Reader"}, "substack.com/@foo"),
    "whatever the feed is called": ("https://foo.substack.com/p/1", {"publisher": "Weekly links"}, "substack.com/@foo"),
    "another host of the same blog": ("https://open.substack.com/pub/foo/p/1", {}, "substack.com/@foo"),
    "pages of code": ("https://foo.github.io/notes/1", {}, "github.io/@foo"),
    "a blog host": ("http://foo.blogspot.com:80/2026/a.html", {}, "blogspot.com/@foo"),
    "a part of the path": ("https://medium.com/@Joe/a-title-1", {}, "medium.com/@joe"),
    "a path without an account": ("https://x.com/i/status/1", {"author": "@NASA"}, "x.com/@nasa"),
    "a handle that is a domain": ("https://bsky.app/profile/reuters.com/post/1", {}, "reuters"),
    "a handle of the platform's own": (
        "https://bsky.app/profile/ann.bsky.social/post/1",
        {},
        "bsky.app/@ann.bsky.social",
    ),
    "an account at the platform's old name": ("https://mobile.twitter.com/nasa/status/1", {}, "x.com/@nasa"),
    "an account in a mirror": ("https://nitter.net/NASA/status/1", {}, "x.com/@nasa"),
    "an account on the mobile host": ("https://m.weibo.cn/u/123", {}, "weibo.com/@123"),
    "a post on the mobile host": ("https://m.weibo.cn/status/123", {"author": "央视新闻"}, "weibo.com/@央视新闻"),
    "a forum's writer on its old pages": ("https://old.reddit.com/user/ann/1", {}, "reddit.com/@ann"),
    "a page in an AMP cache": ("https://www-cnbc-com.cdn.ampproject.org/c/s/www.cnbc.com/amp/1", {}, "nbcuniversal"),
    "a page in an AMP viewer": ("https://www.google.com/amp/s/www.cnbc.com/2026/1", {}, "nbcuniversal"),
    "the AMP host of a site": ("https://amp.cnn.com/cnn/1", {}, "warner bros discovery"),
    "a site that only looks like another": ("https://www.cnbc.com.reader.net/1", {}, "reader.net"),
    "a forum's writer": ("https://reddit.com/r/a/1", {"publisher": "r/a", "author": "/u/Ada"}, "reddit.com/@ada"),
    "a forum without writer": ("https://old.reddit.com/r/a/1", {"publisher": "r/a"}, "reddit.com"),
    "an aggregator without publisher": ("https://news.google.com/rss/articles/1", {}, "google.com"),
    "a site whose path looks like an account's": ("https://paper.example/@joe/1", {}, "paper.example"),
}


@pytest.mark.parametrize(("url", "fields", "owner"), SITES.values(), ids=SITES)
def test_owner(url: str, fields: dict[str, str], owner: str) -> None:
    assert Owners(settings()).owner(item("Title", url=url, **fields)) == owner


CREDITS = {
    "dateline": ("LONDON (Reuters) - The bank said", "", "reuters"),
    "author": ("The bank said", "Associated Press", "ap"),
    "author with name": ("The bank said", "AFP News", "afp"),
    "Chinese dateline": ("新华社北京11月28日电 外交部发言人表示", "", "xinhua"),
    "Chinese source line": ("外交部发言人表示。来源：路透社", "", "reuters"),
    "source line": ("The bank said. Source: Bloomberg News", "", "bloomberg"),
    "mentioned, not credited": ("The bank told a Reuters reporter that it would wait", "", ""),
    "a word that looks like one": ("An ap for phones was released", "", ""),
}


@pytest.mark.parametrize(("text", "author", "agency"), CREDITS.values(), ids=CREDITS)
def test_wire(text: str, author: str, agency: str) -> None:
    assert Owners(settings()).wire(item("Title", text, author=author)) == agency


def test_sister_sites_count_once_and_the_tree_shows_it() -> None:
    titles = ("Bridge over the river collapses in storm", "Storm brings down bridge over the river",
              "River bridge collapses as storm hits")  # fmt: skip
    text = "The old road bridge over the Severn river at Upton collapsed in a storm on Friday, police said, nobody was hurt."
    other = "Police in Upton say that nobody was hurt on Friday when the Severn road bridge came down in heavy winds."
    third = "Winds on Friday tore down the Severn road bridge at Upton, according to police; there were no injuries."
    urls = ("https://www.wsj.com/1", "https://nypost.com/2", "https://www.lemonde.fr/3")
    items = [item(t, x, url=u) for t, x, u in zip(titles, (text, other, third), urls, strict=True)]
    (event,) = grouped(*items).events
    assert event.independent == 2
    assert {voice: len(members) for voice, members in event.owners} == {"news corp": 2, "le monde": 1}


def test_posts_of_one_account_are_one_voice() -> None:
    titles = ("Bridge over the river collapses in storm", "Storm brings down bridge over the river",
              "River bridge collapses as storm hits")  # fmt: skip
    texts = ("The old road bridge over the Severn river at Upton collapsed in a storm on Friday, police said.",
             "Police in Upton say that nobody was hurt on Friday when the Severn road bridge came down in heavy winds.",
             "Winds on Friday tore down the Severn road bridge at Upton, according to police; there were no injuries.")  # fmt: skip
    told = ({"author": "ann", "source": "hackernews"}, {"author": "Foo Writer"}, {})
    items = [
        item(title, text, url=f"https://foo.substack.com/p/{at}", **more)
        for at, (title, text, more) in enumerate(zip(titles, texts, told, strict=True))
    ]
    (event,) = grouped(*items).events
    assert (event.independent, len(event.owners)) == (1, 1)
