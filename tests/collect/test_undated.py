"""Undated items are dated by their own pages; what fails there costs nothing else."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime

import httpx
import pytest

from pipeline.net import Exchange, Player
from tests.collect.helpers import NOW, Lines, candidate, collect, hosts, network, plan, settings

PUBLISHED = datetime(2026, 10, 30, 8, tzinfo=UTC)
PAGE = '<meta property="article:published_time" content="2026-10-30T08:00:00Z">'
MODIFIED = '<meta property="article:modified_time" content="2026-10-30T08:00:00Z">'


def html(text, status=200):
    return httpx.Response(status, text=text, headers={"content-type": "text/html"})


def site(pages, feed="Harbour bridge opens |", robots=404):
    """`/` is the feed of endpoint "one"; `pages` path -> answer."""
    asked = []

    def answer(request):
        asked.append(request.url.path)
        if request.url.path == "/":
            return feed
        if request.url.path == "/robots.txt":
            return robots if isinstance(robots, str) else (robots, "")
        return pages(request.url.path) if callable(pages) else pages.get(request.url.path, (404, ""))

    return network(answer), asked


def dates(gathered):
    return [one.candidate.published_at for one in gathered.judged]


def test_an_undated_item_is_dated_by_its_page():
    transport, _ = site({"/0": html(PAGE)})
    gathered = collect(plan(), [Lines(one={"timeout_s": 9.0})], transport)
    assert dates(gathered) == [PUBLISHED]
    ledger = gathered.judged[0].candidate.dates
    claim = ledger.claims[ledger.chosen]
    assert (claim.kind, claim.reliability) == ("meta", 0.93)
    assert "dated by its page" in ledger.notes
    assert (gathered.pages.n_in, gathered.pages.n_out, gathered.pages.dropped) == (1, 1, {})


def test_a_dated_item_needs_no_page():
    transport, asked = site({"/0": html(PAGE)}, feed="Harbour bridge opens | 1")
    gathered = collect(plan(), [Lines(one={"timeout_s": 9.0})], transport)
    assert asked == ["/"]
    assert gathered.pages is None


@pytest.mark.parametrize(
    ("page", "why"),
    [
        pytest.param((404, "gone"), "bad response", id="not there"),
        pytest.param((500, "oops"), "error", id="server fault"),
        pytest.param(9.0, "timeout", id="hangs"),
        pytest.param(html("<p>no date</p>"), "no date in the page", id="no date"),
        pytest.param(html(MODIFIED), "no date in the page", id="only the last change"),
        pytest.param(
            httpx.Response(200, content=b"%PDF", headers={"content-type": "application/pdf"}),
            "no date in the page",
            id="no web page",
        ),
        pytest.param(
            httpx.Response(302, headers={"location": "http://one.example/"}), "no date in the page", id="front page"
        ),
        pytest.param(
            httpx.Response(302, headers={"location": "http://127.0.0.1/x"}), "bad response", id="private address"
        ),
    ],
)
def test_a_page_that_fails_leaves_the_item_undated_and_is_counted(page, why):
    transport, _ = site({"/0": page}, feed="Harbour bridge opens |\nHarbour bridge shut | 2")
    patience = 0.3 if page == 9.0 else 9.0  # the first page loads the date reader
    using = settings(undated_timeout_s=patience, polite_interval_s=0.0)
    gathered = collect(plan(), [Lines(one={"timeout_s": 9.0})], transport, using=using)
    assert dates(gathered)[0] is None
    assert dates(gathered)[1] is not None
    assert [outcome.status for outcome in gathered.outcomes] == ["ok"]
    assert (gathered.pages.n_in, gathered.pages.n_out, gathered.pages.dropped) == (1, 0, {why: 1})


@pytest.mark.parametrize(
    ("link", "named", "asked"),
    [
        pytest.param("http://127.0.0.1:8971/x", True, False, id="another feed's host"),
        pytest.param("http://127.0.0.1:8972/x", True, True, id="its own"),
        pytest.param("http://127.0.0.1:8973/x", True, False, id="nobody's"),
        pytest.param("http://two.example/go", True, False, id="sent on to another feed's host"),
        pytest.param("http://127.0.0.1:8972/x", False, False, id="its own, which nobody named"),
    ],
)
def test_a_feed_has_no_way_to_a_private_host_named_for_another(monkeypatch, link, named, asked):
    monkeypatch.setattr(
        "tests.collect.helpers.candidate",
        lambda source, name, title, days, nth: replace(
            candidate(source, name, title, None, nth), url=link if name == "hostile" else "http://127.0.0.1:8971/own"
        ),
    )
    seen = []

    def answer(request):
        seen.append(str(request.url))
        if request.url.path == "/go":
            return httpx.Response(302, headers={"location": "http://127.0.0.1:8971/x"})
        return (404, "") if request.url.path == "/robots.txt" else "Harbour bridge opens |"

    feeds = Lines(
        intranet={"url": "http://127.0.0.1:8971/", "named": True, "timeout_s": 9.0},
        hostile={"url": "http://127.0.0.1:8972/", "named": named, "timeout_s": 9.0},
    )
    collect(plan(), [feeds], network(answer), using=settings(polite_interval_s=0.0))
    assert "http://127.0.0.1:8971/own" in seen
    assert any(url.endswith("/x") for url in seen) is asked


def test_robots_are_obeyed():
    transport, asked = site({"/0": html(PAGE)}, robots="User-agent: *\nDisallow: /")
    gathered = collect(plan(), [Lines(one={"timeout_s": 9.0})], transport)
    assert "/0" not in asked
    assert gathered.pages.dropped == {"blocked by robots": 1}


def test_at_most_so_many_pages_those_about_the_question_first():
    transport, asked = site(lambda path: html(PAGE), feed="weather |\nfootball |\nharbour works |\ncooking |")
    gathered = collect(
        plan(), [Lines(one={"timeout_s": 9.0})], transport, using=settings(undated_pages=2, polite_interval_s=0.0)
    )
    assert [path for path in asked if path not in ("/", "/robots.txt")] == ["/2", "/0"]
    assert dates(gathered) == [PUBLISHED, None, PUBLISHED, None]
    assert gathered.pages.n_in == 2


def test_none_at_depth_quick():
    transport, asked = site({"/0": html(PAGE)})
    gathered = collect(plan(depth="quick"), [Lines(one={"timeout_s": 9.0})], transport)
    assert asked == ["/"]
    assert gathered.pages is None


def test_an_address_that_many_items_share_is_no_page_of_theirs(monkeypatch):
    made = Lines.parse

    def shared(self, response, endpoint, plan):
        parsed = made(self, response, endpoint, plan)
        return replace(parsed, candidates=tuple(replace(c, url="http://one.example/all") for c in parsed.candidates))

    monkeypatch.setattr(Lines, "parse", shared)
    transport, asked = site(lambda path: html(PAGE), feed="harbour a |\nharbour b |")
    gathered = collect(plan(), [Lines(one={"timeout_s": 9.0})], transport)
    assert asked == ["/"]
    assert dates(gathered) == [None, None]


def test_pages_never_make_a_run_longer_than_its_slowest_endpoint():
    transport, _ = site(lambda path: 60.0)
    started = time.monotonic()
    gathered = collect(plan(), [Lines(one={"timeout_s": 0.5})], transport)
    assert time.monotonic() - started < 20, "the pages would take 60 s"
    assert gathered.pages.dropped == {"timeout": 1}


def test_enough_results_stop_the_pages_too():
    enough = "\n".join(f"harbour works {n} | 1" for n in range(6))

    def answer(request):
        if request.url.path == "/":
            return {"undated.example": "harbour |", "good.example": enough}.get(request.url.host, 60.0)
        return 60.0 if request.url.path != "/robots.txt" else (404, "")

    source = Lines(undated={}, good={"priority": 1}, slow={"timeout_s": 30.0})
    started = time.monotonic()
    gathered = collect(plan(), [source], network(answer), using=settings(max_results=2))
    assert time.monotonic() - started < 20
    assert [outcome.status for outcome in gathered.outcomes] == ["ok", "ok", "cancelled"]
    assert gathered.pages is None or gathered.pages.n_out == 0


def test_a_replay_asks_its_recording_and_nothing_else():
    feed = Exchange(source="lines", endpoint="one", url="http://one.example/", body=b"harbour a |\nharbour b |")
    held = Exchange(source="item page", endpoint="one", url="http://one.example/0", body=PAGE.encode())
    gathered = collect(plan(), [Lines(one={})], hosts(), player=Player([feed, held]))
    assert dates(gathered) == [PUBLISHED, None]
    assert (gathered.pages.n_in, gathered.pages.n_out, gathered.warnings) == (1, 1, ())


def test_a_replay_without_pages_says_nothing_of_them():
    feed = Exchange(source="lines", endpoint="one", url="http://one.example/", body=b"harbour a |")
    gathered = collect(plan(), [Lines(one={})], hosts(), player=Player([feed]))
    assert (dates(gathered), gathered.pages) == ([None], None)


def test_dates_never_come_from_the_clock():
    transport, _ = site({"/0": html("<title>Harbour</title><p>Today is a fine day. © 2026</p>")})
    gathered = collect(plan(), [Lines(one={"timeout_s": 9.0})], transport)
    assert dates(gathered) == [None]
    assert NOW not in dates(gathered)
