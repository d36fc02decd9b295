"""Feeds of every format through the rss source."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import FetchError
from pipeline.sources import SOURCES
from pipeline.sources.rss import Rss
from pipeline.types import Candidate, Parsed
from tests.sources.helpers import answer, endpoint, plan, recorded, rss, subquery

RSS = Rss()
AT = datetime(2026, 8, 3, 9, 30, tzinfo=UTC)
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title>Made</title><link href="https://made.example/"/>
<entry><title type="html">Cells &amp;amp; batteries</title><id>tag:made.example,2026:1</id>
<link rel="alternate" href="/a"/><published>2026-08-03T09:30:00Z</published><updated>2026-08-05T00:00:00Z</updated>
<summary>A lead.</summary><author><name>Ada</name></author></entry></feed>"""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Made</title><link>https://made.example/</link></channel>
<item rdf:about="x"><title>Cells &amp; batteries</title><link>https://made.example/a</link>
<dc:date>2026-08-03T09:30:00Z</dc:date><dc:creator>Ada</dc:creator></item></rdf:RDF>"""
SITEMAP = """<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"><url><loc>https://made.example/a</loc><news:news>
<news:publication><news:name>Made</news:name><news:language>en</news:language></news:publication>
<news:publication_date>2026-08-03T09:30:00Z</news:publication_date>
<news:title>Cells &amp; batteries</news:title></news:news></url></urlset>"""
JSON_FEED = json.dumps(
    {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Made",
        "home_page_url": "https://made.example/",
        "items": [
            {"id": "1", "url": "/a", "title": "Cells & batteries", "date_published": "2026-08-03T09:30:00Z",
             "content_html": "<p>A lead.</p>", "authors": [{"name": "Ada"}]},
            {"id": 2, "url": None, "title": None, "content_text": "No title here", "authors": None},
        ],
    }
)  # fmt: skip
ITEM = "<title>Cells &amp;amp; batteries</title><link>https://made.example/a</link>"
DATED = ITEM + "<pubDate>Mon, 03 Aug 2026 09:30:00 GMT</pubDate>"


def parse(body: str | bytes, **fields: object) -> Parsed:
    return RSS.parse(answer(body), endpoint(**fields), plan())


def only(body: str | bytes, **fields: object) -> Candidate:
    (candidate,) = parse(body, **fields).candidates
    return candidate


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(rss(DATED), id="RSS 2.0"),
        pytest.param(rss(DATED).replace('version="2.0"', 'version="0.91"'), id="RSS 0.91"),
        pytest.param(RDF, id="RSS 1.0"),
        pytest.param(ATOM, id="Atom"),
        pytest.param(SITEMAP, id="news sitemap"),
        pytest.param("\ufeff  \n" + rss(DATED), id="mark and blanks before the declaration"),
        pytest.param(rss(DATED).replace("<item>", "<rss:item>").replace("</item>", "</rss:item>"), id="unbound prefix"),
    ],
)
def test_every_format_gives_the_same_entry(body: str) -> None:
    candidate = only(body)
    assert (candidate.title, candidate.url, candidate.domain) == (
        "Cells & batteries",
        "https://made.example/a",
        "made.example",
    )
    assert candidate.published_at == AT


def test_json_feed_keeps_entries_without_title_and_link() -> None:
    first, second = parse(JSON_FEED).candidates
    assert (first.title, first.url, first.author, first.text) == (
        "Cells & batteries",
        "https://made.example/a",
        "Ada",
        "A lead.",
    )
    assert first.published_at == AT
    assert (second.title, second.text, second.published_at) == ("No title here", "No title here", None)


def test_published_outweighs_updated() -> None:
    assert only(ATOM).published_at == AT


# --------------------------------------------------------------------------- identity


def test_forty_items_with_one_link_stay_forty() -> None:
    items = [f"<title>Item {n}</title><link>https://made.example/</link>" for n in range(40)]
    found = parse(rss(*items)).candidates
    assert len({candidate.id for candidate in found}) == 40
    assert [candidate.id for candidate in parse(rss(*reversed(items))).candidates][::-1] == [c.id for c in found]


@pytest.mark.parametrize(
    "items",
    [
        pytest.param([ITEM + "<guid>1</guid>", ITEM.replace("/a", "/b") + "<guid>1</guid>"], id="one guid, two links"),
        pytest.param([ITEM, ITEM.replace("/a", "/a#part-2")], id="links that differ in the fragment"),
        pytest.param([ITEM + "<guid>1</guid>", ITEM + "<guid>2</guid>"], id="one link, two guids"),
        pytest.param([ITEM, ITEM], id="equal in everything"),
        pytest.param(["<title>A</title>", "<title>B</title>"], id="neither link nor guid"),
        pytest.param(["<description>One</description>", "<description>Two</description>"], id="text only"),
    ],
)
def test_entries_stay_apart(items: list[str]) -> None:
    assert len({candidate.id for candidate in parse(rss(*items)).candidates}) == 2


def test_ids_are_stable_across_runs_and_independent_of_neighbours() -> None:
    alone = only(rss(DATED)).id
    beside = parse(rss("<title>New</title><link>https://made.example/new</link>", DATED)).candidates[1].id
    assert alone == beside
    assert only(rss(DATED), name="Other").id != alone


# --------------------------------------------------------------------------- one bad entry


def test_a_bad_date_costs_neither_its_entry_nor_its_neighbours() -> None:
    bad = ITEM.replace("/a", "/b") + "<pubDate>when it suits</pubDate>"
    naive = ITEM.replace("/a", "/c") + "<pubDate>2026-08-03 17:30</pubDate>"
    found = parse(rss(DATED, bad, naive, DATED.replace("/a", "/d")), timezone="Asia/Shanghai").candidates
    assert [candidate.published_at for candidate in found] == [AT, None, AT, AT]
    assert found[2].dates.claims[0].zone == "assumed Asia/Shanghai"


def test_an_unreadable_date_is_undated_never_now() -> None:
    candidate = only(rss(ITEM + "<pubDate>soon</pubDate>"))
    assert candidate.published_at is None
    assert candidate.dates.claims == ()


def test_a_chinese_date_is_not_misread() -> None:
    candidate = only(rss(ITEM + "<pubDate>2026年11月28日</pubDate>"), timezone="UTC")
    assert candidate.published_at == datetime(2026, 11, 28, tzinfo=UTC)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(rss(ITEM, "<title>Wave &#xD83D; &#55357; &#99999999999;</title>"), id="XML"),
        pytest.param(JSON_FEED.replace("No title here", "Wave \\ud83d"), id="JSON"),
    ],
)
def test_half_a_character_costs_neither_its_entry_nor_its_neighbours(body: str) -> None:
    first, second = parse(body).candidates
    assert first.title == "Cells & batteries"
    assert set(second.title) <= set("Wave \ufffd")


def test_an_empty_entry_is_malformed_with_its_reason() -> None:
    parsed = parse(rss(DATED, "", "<guid></guid>"))
    assert len(parsed.candidates) == 1
    assert {bad.reason for bad in parsed.malformed} == {"an entry without title, text and link"}


def test_the_title_falls_back_to_the_text() -> None:
    text = "A long first sentence about cells that goes on. " * 6
    candidate = only(rss(f"<description>{text}</description>"))
    assert candidate.title.startswith("A long first sentence")
    assert len(candidate.title) <= 101 and candidate.url == ""


# --------------------------------------------------------------------------- text and links


@pytest.mark.parametrize(
    ("title", "plain"),
    [
        ("&lt;b&gt;Bold&lt;/b&gt; news", "Bold news"),
        ("AT&amp;amp;T rises", "AT&T rises"),
        ("<![CDATA[It&#8217;s <i>here</i>]]>", "It’s here"),
        ("<![CDATA[Tom &amp;amp; Jerry]]>", "Tom & Jerry"),
        ("<![CDATA[<script>alert(1)</script>News]]>", "News"),
        ("a &lt; b and b &gt; c", "a < b and b > c"),
    ],
)
def test_titles_are_plain_text(title: str, plain: str) -> None:
    assert only(rss(f"<title>{title}</title><link>https://made.example/a</link>")).title == plain


@pytest.mark.parametrize(
    ("link", "url", "domain"),
    [
        ("javascript:alert(1)", "", ""),
        ("data:text/html,x", "", ""),
        ("ftp://made.example/a", "", ""),
        ("/relative", "https://made.example/relative", "made.example"),
        ("\n   https://made.example/a\n  ", "https://made.example/a", "made.example"),
        ("https://archive.is/newest/https://www.paper.example/a", "https://www.paper.example/a", "paper.example"),
        ("https://web.archive.org/web/20260803/https://paper.example/a", "https://paper.example/a", "paper.example"),
        ("https://www.google.com/url?rct=j&amp;url=https://paper.example/a&amp;ct=ga", "https://paper.example/a", "paper.example"),
        ("http://[broken", "", ""),
    ],
)  # fmt: skip
def test_links_are_http_or_nothing(link: str, url: str, domain: str) -> None:
    candidate = only(rss(f"<title>T</title><link>{link}</link>"))
    assert (candidate.url, candidate.domain) == (url, domain)


def test_an_aggregator_names_the_true_publisher() -> None:
    item = (
        "<title>Cells ship - The Paper</title><link>https://news.google.com/rss/articles/x</link>"
        '<source url="https://www.paper.example">The Paper</source>'
    )
    candidate = only(rss(item))
    assert (candidate.title, candidate.publisher) == ("Cells ship", "paper.example")


@pytest.mark.parametrize(
    ("link", "publisher"),
    [
        ("https://mp.weixin.qq.com/s?id=1#rd", "Made"),
        ("https://www.reddit.com/r/batteries/comments/1/x/", "r/batteries"),
        ("https://github.com/owner/tool/releases/tag/1", "owner"),
        ("https://paper.example/a", ""),
    ],
)
def test_on_platforms_the_account_is_the_publisher(link: str, publisher: str) -> None:
    assert only(rss(f"<title>T</title><link>{link}</link>")).publisher == publisher


def test_a_search_feed_is_no_account() -> None:
    assert only(rss("<title>T</title><link>https://foo.substack.com/p/1</link>"), searches=True).publisher == ""


def test_a_full_text_becomes_passages() -> None:
    paragraphs = "".join(
        f"<p>Paragraph {n} of the article, which is long enough to be kept as one.</p>" for n in (1, 2)
    )
    item = f'{ITEM}<content:encoded xmlns:content="http://purl.org/rss/1.0/modules/content/"><![CDATA[{paragraphs}]]></content:encoded>'
    candidate = only(rss(item))
    assert [passage.id for passage in candidate.passages] == ["p1", "p2"]
    assert candidate.text.startswith("Paragraph 1")


def test_the_text_may_tell_when_it_happened() -> None:
    item = DATED + "<description>The plant was opened; the firm announced it on July 20, 2026.</description>"
    assert only(rss(item)).dates.event_at == datetime(2026, 7, 20, tzinfo=UTC)


# --------------------------------------------------------------------------- broken and hostile documents


@pytest.mark.parametrize("end", [0.55, 0.7, 0.9])
def test_a_half_closed_feed_keeps_what_is_there(end: float) -> None:
    whole = rss(*(DATED.replace("/a", f"/{n}") for n in range(30)))
    found = parse(whole[: int(len(whole) * end)]).candidates
    assert len(found) >= int(30 * end) - 2


@pytest.mark.parametrize(
    "dtd",
    [
        pytest.param('<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>', id="nested entities"),
        pytest.param(f'<!DOCTYPE r [<!ENTITY a "{"x" * 5000}">]>', id="one long entity"),
        pytest.param('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>', id="external file"),
        pytest.param('<!DOCTYPE r [<!ENTITY % p SYSTEM "http://10.0.0.1/x"> %p;]>', id="parameter entity"),
        pytest.param("<!DOCTYPE r [" + " " * 70_000 + "]>", id="endless declaration"),
    ],
)
def test_entity_tricks_are_refused(dtd: str) -> None:
    with pytest.raises(FetchError, match="entities") as caught:
        parse(rss(DATED).replace("?>", "?>" + dtd, 1))
    assert caught.value.status == "bad response"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(rss(DATED).replace("?>", '?><!DOCTYPE rss PUBLIC "-//N//DTD" "http://n.example/rss.dtd">', 1), id="DTD"),
        pytest.param(rss(DATED).replace("?>", '?><!DOCTYPE r [<!ENTITY nbsp "&#160;">]>', 1), id="a character entity"),
        pytest.param(rss(DATED + "<description><![CDATA[<!ENTITY x SYSTEM 'y'>]]></description>"), id="an article on them"),
    ],
)  # fmt: skip
def test_harmless_declarations_pass(body: str) -> None:
    assert only(body).published_at == AT


@pytest.mark.parametrize(
    ("body", "says"),
    [
        pytest.param(
            "<!DOCTYPE html><html><body>Your request has been blocked</body></html>", "blocked", id="block page"
        ),
        pytest.param("<html><title>Just a moment...</title></html>", "blocked", id="challenge"),
        pytest.param("<!-- x --><html><body><h1>Hello</h1></body></html>", "web page", id="a page"),
        pytest.param("", "no feed", id="empty"),
        pytest.param("User not found", "no feed", id="words"),
        pytest.param('{"error": "nope", "message": "gone"}', "gone", id="an API's error"),
        pytest.param("[" * 100_000, "not JSON", id="bottomless JSON"),
    ],
)
def test_what_is_no_feed_is_a_failure_never_a_quiet_day(body: str, says: str) -> None:
    with pytest.raises(FetchError, match=says) as caught:
        parse(body)
    assert caught.value.status == "bad response"


def test_an_empty_feed_is_an_empty_answer() -> None:
    assert parse(rss()).candidates == ()


@given(st.text(max_size=400))
def test_any_text_is_read_or_refused(text: str) -> None:
    for body in (
        text,
        f"<rss><channel><item><title>{text}</title><link>{text}</link></item>",
        f'{{"items": [{{"id": "{text}"}}]}}',
    ):
        try:
            parsed = parse(body)
        except FetchError:
            continue
        assert all(candidate.url == "" or candidate.url.startswith("http") for candidate in parsed.candidates)


# --------------------------------------------------------------------------- Reddit and the contract


def test_a_reddit_listing_reads_null_counts_and_authors() -> None:
    first, second = RSS.parse(recorded("reddit.json"), endpoint(), plan()).candidates
    assert (first.title, first.publisher, first.author) == ("Cells & where to get them", "r/batteries", "u/ada")
    assert (first.engagement, first.kind) == ((("points", 12), ("comments", 4)), "thread")
    assert first.published_at == datetime(2026, 8, 3, 9, 30, tzinfo=UTC)
    assert (second.engagement, second.author, second.published_at) == ((), "", None)


def test_a_feed_is_asked_once_without_the_query() -> None:
    (request,) = RSS.requests(endpoint(), subquery(), plan(), 50)
    assert (request.url, request.query) == ("https://made.example/feed", "")


def test_sources_have_distinct_names_and_the_declared_facts() -> None:
    assert len({source.name for source in SOURCES}) == len(SOURCES)
    for source in SOURCES:
        assert source.label and source.kind in ("feed", "api", "page", "file")
