from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pipeline.errors import FetchError
from pipeline.sources.html_extract import HtmlExtract
from pipeline.types import Parsed
from tests.sources.helpers import answer, endpoint, plan

PAGE = """<html lang="en"><head><base href="https://list.example/news/"></head><body>
<ul><li class="item"><h2><a href="a">First <b>item</b></a></h2><time datetime="2026-08-03T09:30:00Z">3h</time><p>Lead.</p></li>
<li class="item"><h2><a href="javascript:x()">Second</a></h2><time>3小时前</time></li>
<li class="item"><h2><a href="/2026/08/01/c">Third</a></h2></li>
<li class="item"><h2></h2></li></ul>
<dl id="d"><dt><a title="Abstract" href="/abs/1">1</a></dt><dd><div class="t">In the next element</div></dd></dl></body></html>"""
SELECTORS = {"item": "li.item", "title": "h2 a", "link": "h2 a@href", "date": "time@datetime", "text": "p"}


def read(html: str, **selectors: str) -> Parsed:
    options = {"selectors": SELECTORS | selectors}
    where = endpoint("custom", url="https://list.example/", timezone="Asia/Shanghai", options=options)
    return HtmlExtract().parse(answer(html, "https://list.example/"), where, plan())


def test_reads_title_link_date_and_text() -> None:
    parsed = read(PAGE)
    first, second, third = parsed.candidates
    assert (first.title, first.url, first.text) == ("First item", "https://list.example/news/a", "Lead.")
    assert first.published_at == datetime(2026, 8, 3, 9, 30, tzinfo=UTC)
    assert (second.url, second.published_at) == ("", None)
    assert (third.url, third.published_at) == ("https://list.example/2026/08/01/c", datetime(2026, 8, 1, tzinfo=UTC))
    assert [bad.reason for bad in parsed.malformed] == ["an item whose title selector finds nothing"]


def test_relative_dates_are_counted_from_the_clock_of_the_run() -> None:
    second = read(PAGE, date="time").candidates[1]
    assert second.published_at == datetime(2026, 8, 10, 9, 0, tzinfo=UTC)


def test_a_selector_may_look_into_the_following_sibling() -> None:
    (item,) = read(PAGE, item="#d > dt", title="+dd .t", link="a[title=Abstract]@href", date="", text="").candidates
    assert (item.title, item.url) == ("In the next element", "https://list.example/abs/1")


def test_text_and_attribute_of_the_item_itself() -> None:
    html = '<a class="i" href="/x">A headline</a>'
    (item,) = read(html, item="a.i", title=".", link="@href", date="", text="").candidates
    assert (item.title, item.url) == ("A headline", "https://list.example/x")


@pytest.mark.parametrize(
    ("html", "says"),
    [
        pytest.param(
            '<div id="root"></div><script src="app.js"></script>', "needs render: true", id="drawn by scripts"
        ),
        pytest.param("<p>" + "Words of a page. " * 60 + "</p>", "may have changed", id="nothing matches"),
        pytest.param("<p>Verify you are human</p><script></script>", "blocked", id="a bot wall"),
        pytest.param("", "may have changed", id="empty"),
    ],
)
def test_no_item_is_a_failure_that_says_why(html: str, says: str) -> None:
    with pytest.raises(FetchError, match=says) as caught:
        read(html)
    assert caught.value.status == "bad response"


def test_a_broken_selector_is_named() -> None:
    with pytest.raises(FetchError, match="can't be read"):
        read(PAGE, item="li[[")
