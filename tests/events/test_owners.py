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
