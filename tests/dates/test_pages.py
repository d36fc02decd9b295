from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.dates import choose, day_written, page_dates


def page(body: str = "", head: str = "", lang: str = "en") -> str:
    title = "Cells that do not burn"
    top = f'<html lang="{lang}"><head><title>{title} - Made</title>{head}</head>'
    return f"{top}<body><h1>{title}</h1>{body}</body></html>"


def day(html: str | bytes, url: str = "") -> str:
    ledger = choose(page_dates(html, url))
    return "" if ledger.chosen is None else day_written(ledger.claims[ledger.chosen]).isoformat()


PROSE = "<p>" + "Words of the article that go on for a while. " * 20 + "</p>"
LD = '<script type="application/ld+json">{}</script>'
META = '<meta {}="{}" content="{}">'
ARTICLE = '{"@type":"NewsArticle","datePublished":"2026-08-03T09:30:00Z","dateModified":"2026-08-09"}'
GRAPH = '{"@graph":[{"@type":"WebSite"},{"@type":"Article","datePublished":"2026-08-03"}]}'
RELATED = '<div class="related"><p class="date">1 Aug 2026</p></div>'
CASES = {
    "JSON-LD": page(head=LD.replace("{}", ARTICLE)),
    "JSON-LD graph": page(head=LD.replace("{}", GRAPH)),
    "broken JSON-LD": page(head=LD.replace("{}", '{"datePublished": "2026-08-03", broken}')),
    "meta, the day of its own zone": page(
        head=META.format("property", "article:published_time", "2026-08-03T23:30:00-04:00")
    ),
    "meta in any case, Chinese": page(head=META.format("name", "PubDate", "2026年8月3日")),
    "time element": page('<time datetime="2026-08-03T09:30">today</time>' + PROSE),
    "microdata": page('<span itemprop="datePublished" content="2026-08-03">x</span>'),
    "byline": page('<div class="meta">Posted on August 3, 2026 by Ada</div>' + PROSE),
    "Chinese byline": page("<p>发布时间：2026年8月3日 09:30 来源：某报</p>" + PROSE, lang="zh"),
    "split over elements": page('<div class="d"><b>03</b><i>août</i><u>2026</u></div>' + PROSE, lang="fr"),
    "day first outside American English": page('<p class="date">03/08/2026</p>' + PROSE, lang="pt-BR"),
    "month first in American English": page('<p class="date">08/03/2026</p>' + PROSE, lang="en-US"),
    "updated beside published": page('<p class="meta">3 Aug 2026 <span>Updated 9 Aug 2026</span></p>' + PROSE),
    "related article": page('<p class="date">3 Aug 2026</p>' + PROSE + RELATED),
    "copyright": page('<p class="date">3 Aug 2026</p>' + PROSE + "<footer>© 2026 Made, 1 January 2026</footer>"),
}


@pytest.mark.parametrize("html", [pytest.param(html, id=name) for name, html in CASES.items()])
def test_finds_the_day_of_publication(html: str) -> None:
    assert day(html) == "2026-08-03"


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(page(PROSE), id="nothing"),
        pytest.param(page(PROSE + "<footer>Copyright 2026</footer>"), id="copyright year"),
        pytest.param(page(PROSE + '<div class="comments"><span>3 Aug 2026</span></div>'), id="a comment's date"),
        pytest.param("", id="empty"),
        pytest.param(b"\xff\xfe\x00<", id="not even text"),
    ],
)
def test_undated_stays_undated(html: str | bytes) -> None:
    assert day(html) == ""


def test_the_address_helps_where_the_page_is_silent() -> None:
    assert day(page(PROSE), "https://made.example/2026/08/03/cells") == "2026-08-03"


def test_the_page_outweighs_its_address() -> None:
    head = '<meta property="article:published_time" content="2026-08-03">'
    assert day(page(head=head), "https://made.example/2025/01/01/cells") == "2026-08-03"


@given(st.text(max_size=400))
def test_never_raises(text: str) -> None:
    page_dates(f"<html><body><h1>x</h1><time datetime='{text}'>{text}</time>", text)


@pytest.mark.data
@pytest.mark.skipif(not os.environ.get("LATELY_DATA"), reason="LATELY_DATA is unset: no labelled sets here")
def test_pages_checked_by_hand() -> None:
    from pipeline.evaluation.suites import dates

    metrics = dates.run(Path(os.environ["LATELY_DATA"]) / "pubdate_html", limit=40).metrics
    assert metrics["exact_day"] >= 0.9
    assert metrics["exact_day_no_url"] >= 0.9
