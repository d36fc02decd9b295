"""robots.txt and the pace, for scraped pages alone."""

from __future__ import annotations

import asyncio
import time

import httpx
import pytest

from pipeline.net import Net
from tests.net.helpers import Journal, fetch, once, settings

PAGE = {"options": {"page": True, "interval_seconds": 0}}


@pytest.mark.parametrize(
    ("robots", "path", "status"),
    [
        pytest.param("User-agent: *\nDisallow: /private", "/private/x", "blocked by robots", id="forbidden"),
        pytest.param("User-agent: *\nDisallow: /private*", "/private/x", "blocked by robots", id="with a star"),
        pytest.param("User-agent: *\nDisallow: /*?sort=", "/a?sort=1", "blocked by robots", id="a query"),
        pytest.param("User-agent: *\nDisallow: /private", "/news", 200, id="another path"),
        pytest.param("User-agent: other\nDisallow: /", "/news", 200, id="another robot"),
        pytest.param(httpx.Response(404), "/news", 200, id="no robots.txt"),
        pytest.param(httpx.Response(403), "/news", 200, id="robots.txt refused"),
        pytest.param(httpx.Response(500), "/news", "blocked by robots", id="robots.txt can't be had"),
        pytest.param("<html>not a rule file</html>", "/news", 200, id="a page in its place"),
    ],
)
def test_pages_obey_robots(robots, path, status):
    journal = Journal(lambda r: robots if r.url.path == "/robots.txt" else "page")
    assert once(journal, "http://a.example" + path, facts=PAGE).status == status


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        pytest.param(httpx.ConnectError("connection refused"), "error", id="refused"),
        pytest.param(httpx.ConnectError("no address found"), "error", id="no such host"),
        pytest.param(httpx.ConnectTimeout("too slow"), "timeout", id="too slow"),
    ],
)
def test_a_site_that_can_not_be_reached_is_no_refusal(fault, status):
    def answer(request):
        raise fault

    error = once(Journal(answer), "http://a.example/news", facts=PAGE)
    assert error.status == status
    assert str(fault) in str(error)


def test_feeds_are_made_to_be_asked():
    journal = Journal(lambda r: "User-agent: *\nDisallow: /" if r.url.path == "/robots.txt" else "feed")
    assert once(journal, "http://a.example/feed").status == 200
    assert journal.urls == ["http://a.example/feed"]


def test_a_redirect_of_a_page_obeys_the_other_hosts_rules():
    def answer(request):
        if request.url.path == "/robots.txt":
            return "User-agent: *\nDisallow: /" if request.url.host == "b.example" else httpx.Response(404)
        return httpx.Response(302, headers={"location": "http://b.example/x"})

    assert once(Journal(answer), "http://a.example/", facts=PAGE).status == "blocked by robots"


@pytest.mark.parametrize(
    ("interval", "robots", "seconds"), [(0.15, "", 0.3), (0, "User-agent: *\nCrawl-delay: 0.15", 0.3), (0, "", 0.0)]
)
def test_pages_of_one_host_keep_the_pace_and_rules_are_read_once(interval, robots, seconds):
    journal = Journal(lambda r: robots if r.url.path == "/robots.txt" else "page")

    async def run():
        async with Net(settings(), transport=journal) as net:
            started = time.monotonic()
            options = {"page": True, "interval_seconds": interval}
            await asyncio.gather(*(fetch(net, f"http://a.example/{n}", options=options) for n in range(3)))
            return time.monotonic() - started

    took = asyncio.run(run())
    assert seconds <= took < seconds + 2  # far below a default pace of seconds, however busy the machine
    assert journal.urls.count("http://a.example/robots.txt") == 1


def test_this_machine_when_named_has_no_pace():
    journal = Journal(lambda r: "" if r.url.path == "/robots.txt" else "page")

    async def run():
        async with Net(settings(), transport=journal) as net:
            started = time.monotonic()
            options = {"page": True, "interval_seconds": 5}
            urls = [f"http://127.0.0.1:8970/{n}" for n in range(3)]
            answers = await asyncio.gather(*(fetch(net, url, options=options, named=True, url=url) for url in urls))
            return [answer.status for answer in answers], time.monotonic() - started

    statuses, took = asyncio.run(run())
    assert statuses == [200, 200, 200]
    assert took < 1
