"""One request: limits, redirects, keys, retries, cache, and requests that are the same."""

from __future__ import annotations

import asyncio
import gzip
import threading
import time
import zlib

import httpx
import pytest

from pipeline.errors import FetchError, StoreError
from pipeline.net import Net
from pipeline.net.answers import retry_after
from pipeline.types import Request
from tests.net.helpers import Journal, endpoint, fetch, once, server, settings


def redirect(to, status=302):
    return httpx.Response(status, headers={"location": to})


# ------------------------------------------------------------------ bodies and time


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        pytest.param("gzip", gzip.compress(b"hello"), id="gzip"),
        pytest.param("deflate", zlib.compress(b"hello"), id="deflate"),
        pytest.param("deflate", zlib.compress(b"hello")[2:-4], id="deflate without its header"),
        pytest.param("identity", b"hello", id="as it is"),
    ],
)
def test_bodies_are_unpacked(encoding, body):
    stream = httpx.ByteStream(body)
    answer = Journal(lambda _: httpx.Response(200, headers={"content-encoding": encoding}, stream=_Plain(stream)))
    assert once(answer, "http://a.example/").body == b"hello"


class _Plain(httpx.AsyncByteStream):
    def __init__(self, stream):
        self.stream = stream

    async def __aiter__(self):
        async for part in self.stream:
            yield part


@pytest.mark.parametrize(
    ("headers", "body", "says"),
    [
        pytest.param({"content-encoding": "gzip"}, gzip.compress(bytes(30_000_000)), "larger than 1 MB", id="zip bomb"),
        pytest.param({}, bytes(2_000_000), "larger than 1 MB", id="large"),
        pytest.param({"content-encoding": "gzip"}, b"no gzip at all", "can't be unpacked", id="not what it says"),
        pytest.param({"content-encoding": "br"}, b"abc", "not asked for", id="unknown packing"),
    ],
)
def test_a_body_that_is_too_large_or_can_not_be_unpacked_is_a_bad_response(headers, body, says):
    answer = Journal(lambda _: httpx.Response(200, headers=headers, stream=_Plain(httpx.ByteStream(body))))
    error = once(answer, "http://a.example/", using=settings(max_body_mb=1))
    assert (error.status, says in str(error)) == ("bad response", True)


def test_a_server_that_drips_ends_at_the_deadline():
    async def drip(reader, writer):
        await reader.readline()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        for _ in range(100):
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.02)

    async def run():
        async with server(drip) as url, Net(settings()) as net:
            started = time.monotonic()
            return await fetch(net, url, seconds=0.3, named=True, url=url), time.monotonic() - started

    error, seconds = asyncio.run(run())
    assert error.status == "timeout"
    assert seconds < 0.5


@pytest.mark.parametrize(
    ("sent", "status", "body"),
    [
        pytest.param(
            b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nfirst entry", None, b"first entry", id="in the body"
        ),
        pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n", "bad response", b"", id="before the body"),
        pytest.param(b"HTTP/1.1 200", "error", b"", id="in the headers"),
        pytest.param(b"\x00\x01 nonsense\r\n\r\n", "error", b"", id="no HTTP at all"),
    ],
)
def test_a_connection_closed_early_keeps_what_had_arrived(sent, status, body):
    async def cut(reader, writer):
        await reader.readline()
        writer.write(sent)
        await writer.drain()

    async def run():
        async with server(cut) as url, Net(settings()) as net:
            return await fetch(net, url, named=True, url=url)

    result = asyncio.run(run())
    if status is None:
        assert (result.body, result.incomplete) == (body, True)
    else:
        assert result.status == status


# ------------------------------------------------------------------ redirects and keys


def test_redirects_are_followed_and_the_address_is_the_last():
    journal = Journal(lambda r: redirect("/b?x=1") if r.url.path == "/a" else "here")
    response = once(journal, Request(url="http://a.example/a", params=(("q", "1"),)))
    assert (response.body, response.url) == (b"here", "http://a.example/b?x=1")


def test_endless_redirects_end():
    journal = Journal(lambda r: redirect(r.url.path + "x"))
    error = once(journal, "http://a.example/a")
    assert (error.status, str(error), len(journal.sent)) == ("bad response", "more than 5 redirects", 6)


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1/",
        "http://localhost/",
        "http://10.1.2.3/",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]/",
        "http://[::ffff:192.168.0.1]/",
        "file:///etc/passwd",
        "gopher://a.example/",
        "javascript:alert(1)",
    ],
)
def test_a_redirect_into_the_private_network_or_off_the_web_is_refused(target):
    journal = Journal(lambda r: redirect(target) if r.url.host == "a.example" else "secret page")
    error = once(journal, "http://a.example/")
    assert (error.status, "refused" in str(error), len(journal.sent)) == ("bad response", True, 1)


@pytest.mark.parametrize(
    ("home", "named", "asked", "target", "arrives"),
    [
        pytest.param("http://10.0.0.5:8080/f", True, "http://10.0.0.5:8080/f", "/g", True, id="its own address"),
        pytest.param("http://10.0.0.5:8080/f", True, "http://a.example/f", "http://10.0.0.5:8080/g", True, id="back"),
        pytest.param("http://10.0.0.5:8080/f", True, "http://10.0.0.5:8080/f", "http://10.0.0.5:22/", False, id="port"),
        pytest.param(
            "http://10.0.0.5:8080/f", False, "http://a.example/f", "http://10.0.0.5:8080/", False, id="unnamed"
        ),
        pytest.param("http://a.example/f", True, "http://a.example/f", "http://10.0.0.5:8080/g", False, id="another's"),
        pytest.param("http://a.example/f", True, "http://10.0.0.5:8080/f", "/g", False, id="asked at another's"),
    ],
)
def test_a_private_host_is_asked_for_the_endpoint_named_there_alone(home, named, asked, target, arrives):
    def answer(request):
        return redirect(target) if request.url.path == "/f" else "inside"

    async def run():
        async with Net(settings(), transport=Journal(answer)) as net:
            intranet = await fetch(net, "http://10.0.0.5:8080/x", named=True, url="http://10.0.0.5:8080/")
            return intranet, await fetch(net, asked, named=named, url=home)

    intranet, result = asyncio.run(run())
    assert intranet.body == b"inside", "the same run asks the intranet for its own endpoint"
    assert getattr(result, "body", None) == (b"inside" if arrives else None)
    assert arrives or "private network" in str(result)


@pytest.mark.parametrize(
    ("target", "carried"),
    [
        pytest.param("/again", True, id="same host"),
        pytest.param("http://a.example:8080/", False, id="other port"),
        pytest.param("https://a.example/", False, id="other scheme"),
        pytest.param("http://b.example/", False, id="other host"),
        pytest.param("http://a.example.evil.example/", False, id="longer name"),
    ],
)
def test_a_key_never_crosses_to_another_host(target, carried):
    journal = Journal(lambda r: redirect(target) if r.url.path == "/first" else "ok")
    request = Request(url="http://a.example/first", secret_header=("x-key", ""), headers=(("x-own", "1"),))
    once(journal, request, facts={"needs_key": "KEY"}, environ={"KEY": "hush"})
    assert journal.sent[0].headers["x-key"] == "hush"
    assert ("x-key" in journal.sent[1].headers) is carried
    assert ("x-own" in journal.sent[1].headers) is carried


@pytest.mark.parametrize(
    ("value", "sent"), [("", "hush"), ("KEY", "hush"), ("Bearer KEY", "Bearer hush"), ("Bearer real", "Bearer real")]
)
def test_the_name_of_a_key_is_replaced_by_the_key(value, sent):
    journal = Journal(lambda r: "ok")
    once(
        journal,
        Request(url="http://a.example/", secret_header=("x", value)),
        facts={"needs_key": "KEY"},
        environ={"KEY": "hush"},
    )
    assert journal.sent[0].headers["x"] == sent


def test_a_key_that_the_server_repeats_is_blanked_in_the_error():
    journal = Journal(lambda r: httpx.Response(401, text=f"bad key {r.headers['x']}"))
    request = Request(url="http://a.example/", secret_header=("x", "Bearer KEY"))
    error = once(journal, request, facts={"needs_key": "KEY"}, environ={"KEY": "hush"})
    assert (error.status, str(error)) == ("unauthorised", "the server answered 401: bad key Bearer ***")


def test_without_the_key_nothing_is_sent():
    journal = Journal(lambda r: "ok")
    error = once(journal, Request(url="http://a.example/", secret_header=("x", "")), facts={"needs_key": "KEY"})
    assert (error.status, "KEY" in str(error), journal.sent) == ("not configured", True, [])


def test_what_was_posted_is_not_sent_to_another_host():
    journal = Journal(lambda r: redirect("http://b.example/", 307))
    error = once(journal, Request(url="http://a.example/", method="POST", json={"q": 1}))
    assert (error.status, len(journal.sent)) == ("bad response", 1)


def test_a_post_that_is_redirected_by_303_becomes_a_get():
    journal = Journal(lambda r: redirect("/b", 303) if r.method == "POST" else "ok")
    assert once(journal, Request(url="http://a.example/a", method="POST", json={"q": 1})).body == b"ok"
    assert [r.method for r in journal.sent] == ["POST", "GET"]


# ------------------------------------------------------------------ retries


def test_busy_servers_are_asked_again_after_the_time_they_name(monkeypatch):
    answers = iter([httpx.Response(429, headers={"retry-after": "0.1"}), httpx.Response(503), "at last"])
    journal = Journal(lambda _: next(answers))
    waits = []
    sleep = asyncio.sleep

    async def noted(seconds):
        waits.append(round(seconds, 3))
        await sleep(0)

    monkeypatch.setattr("pipeline.net.client.asyncio.sleep", noted)
    assert once(journal, "http://a.example/").body == b"at last"
    assert [wait for wait in waits if wait] == [0.1, 1.0], "as told, then the second back-off"


@pytest.mark.parametrize(
    ("header", "wait"), [("60", 60.0), ("3", 3.0)], ids=["more than the cap", "more than what is left"]
)
def test_a_wait_that_does_not_fit_ends_at_once_as_rate_limited(header, wait):
    journal = Journal(lambda _: httpx.Response(429, headers={"retry-after": header}))
    started = time.monotonic()
    error = once(journal, "http://a.example/")
    assert (error.status, error.retry_after, len(journal.sent)) == ("rate limited", wait, 1)
    assert time.monotonic() - started < 1


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "-7"}, 0.0),
        ({"retry-after": "Sun, 01 Nov 2026 12:00:30 GMT", "date": "Sun, 01 Nov 2026 12:00:00 GMT"}, 30.0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_retry_after_as_number_and_as_date(headers, seconds):
    assert retry_after(headers) == seconds


def test_a_connection_that_breaks_is_tried_once_more():
    def answer(request):
        if len(journal.sent) == 1:
            raise httpx.ReadError("reset")
        return "ok"

    journal = Journal(answer)
    assert once(journal, "http://a.example/").body == b"ok"


# ------------------------------------------------------------------ budget, cache, sameness


class Counted:
    """A budget in memory: `waits` are given out first."""

    def __init__(self, waits=()):
        self.waits = list(waits)
        self.taken: list[tuple[str, int | None, int | None]] = []

    def take(self, key, *, max_per_minute, max_per_day):
        self.taken.append((key, max_per_minute, max_per_day))
        return self.waits.pop(0) if self.waits and max_per_day else 0.0


def test_every_request_is_counted_on_its_host_and_limited_by_its_source():
    budget = Counted()
    journal = Journal(lambda r: redirect("http://b.example/") if r.url.host == "a.example" else "ok")
    once(journal, "http://a.example/", budget=budget, facts={"max_per_minute": 55})
    assert budget.taken == [
        ("host:a.example", None, None),
        ("source:s@a.example", 55, None),
        ("host:b.example", None, None),
        ("source:s@b.example", 55, None),
    ]


def test_a_short_wait_of_the_budget_is_kept_a_long_one_ends_as_rate_limited():
    journal = Journal(lambda _: "ok")
    assert once(journal, "http://a.example/", budget=Counted([0.05]), facts={"max_per_day": 9}).body == b"ok"
    error = once(journal, "http://a.example/", budget=Counted([30.0]), facts={"max_per_day": 9})
    assert (error.status, error.retry_after, str(error)) == ("rate limited", 30.0, "own limit of 9 a day is used up")


class Kept:
    """A cache in memory whose clock the test sets."""

    def __init__(self, age=0.0):
        self.age = age
        self.rows = {}
        self.written = threading.Event()

    def get(self, key):
        return (self.rows[key], self.age) if key in self.rows else None

    def put(self, key, response):
        self.rows[key] = response
        self.written.set()


def asked_twice(cache, journal, *, refresh=False, using=None):
    """The second answer, after the first one has been written to the cache."""

    async def run():
        async with Net(using or settings(), transport=journal, cache=cache) as net:
            await fetch(net, "http://a.example/")
        assert cache.written.wait(2)
        async with Net(using or settings(), transport=journal, cache=cache, refresh=refresh) as net:
            return await fetch(net, "http://a.example/")

    return asyncio.run(run())


def test_a_fresh_answer_is_used_again_and_says_its_age():
    journal = Journal(lambda _: "ok")
    response = asked_twice(Kept(age=60.0), journal)
    assert (response.body, response.from_cache_s, len(journal.sent)) == (b"ok", 60.0, 1)


def test_refresh_asks_again():
    journal = Journal(lambda _: "ok")
    response = asked_twice(Kept(age=60.0), journal, refresh=True)
    assert (response.from_cache_s, len(journal.sent)) == (None, 2)


def test_an_old_answer_is_asked_for_by_its_validators_and_not_modified_gives_it_back():
    def answer(request):
        if request.headers.get("if-none-match") == '"1"':
            return httpx.Response(304)
        return httpx.Response(200, text="old", headers={"etag": '"1"', "last-modified": "yesterday"})

    journal = Journal(answer)
    response = asked_twice(Kept(age=3600.0), journal)
    assert (response.body, response.status, response.from_cache_s) == (b"old", 200, None)
    assert journal.sent[1].headers["if-modified-since"] == "yesterday"


def test_failures_are_not_cached():
    cache = Kept()
    once(Journal(lambda _: httpx.Response(404)), "http://a.example/", cache=cache)
    assert cache.rows == {}


def test_a_database_that_fails_costs_the_cache_not_the_run():
    class Broken:
        def get(self, key):
            raise StoreError("the disk is full")

        put = get

        def take(self, key, **limits):
            raise StoreError("the disk is full")

    async def run():
        async with Net(settings(), transport=Journal(lambda _: "ok"), cache=Broken(), budget=Broken()) as net:
            return await fetch(net, "http://a.example/"), net.warnings

    response, warnings = asyncio.run(run())
    assert response.body == b"ok"
    assert warnings == ("requests are not counted or cached: the disk is full",)


def test_the_same_request_is_sent_once_while_it_is_under_way_and_after():
    async def slow(request):
        await asyncio.sleep(0.05)
        return httpx.Response(200, text=request.url.path)

    journal = Journal(slow)

    async def run():
        async with Net(settings(), transport=journal) as net:
            both = await asyncio.gather(*(fetch(net, "http://a.example/x") for _ in range(3)))
            return [*both, await fetch(net, "http://a.example/x"), await fetch(net, "http://a.example/y")]

    assert [r.body for r in asyncio.run(run())] == [b"/x"] * 4 + [b"/y"]
    assert len(journal.sent) == 2


def test_one_asker_giving_up_does_not_take_the_answer_from_the_other():
    async def slow(request):
        await asyncio.sleep(0.15)
        return httpx.Response(200, text="ok")

    async def run():
        async with Net(settings(), transport=Journal(slow)) as net:
            return await asyncio.gather(fetch(net, "http://a.example/", seconds=0.05), fetch(net, "http://a.example/"))

    first, second = asyncio.run(run())
    assert (first.status, second.body) == ("timeout", b"ok")


def test_requests_to_one_host_and_over_all_are_bounded():
    under_way: dict[str, int] = {}
    most: dict[str, int] = {}

    async def answer(request):
        for key in (request.url.host, "all"):
            under_way[key] = under_way.get(key, 0) + 1
            most[key] = max(most.get(key, 0), under_way[key])
        await asyncio.sleep(0.02)
        for key in (request.url.host, "all"):
            under_way[key] -= 1
        return httpx.Response(200)

    async def run():
        async with Net(settings(concurrency=5, per_host=2), transport=Journal(answer)) as net:
            urls = [f"http://{host}.example/{n}" for host in "abcd" for n in range(4)]
            await asyncio.gather(*(fetch(net, url) for url in urls))

    asyncio.run(run())
    assert most["all"] == 5
    assert max(most[f"{host}.example"] for host in "abcd") == 2


def test_files_are_read_for_sources_of_files_alone(tmp_path):
    path = tmp_path / "rows of mine.csv"
    path.write_text("title\na")
    journal = Journal(lambda _: "ok")
    for address in (str(path), path.as_uri()):
        assert once(journal, address, facts={"options": {"file": True}}).body == b"title\na"
        assert once(journal, address).status == "bad response"
    missing = once(journal, str(tmp_path / "none"), facts={"options": {"file": True}})
    assert (missing.status, "No such file" in str(missing)) == ("error", True)


def test_a_cancelled_run_leaves_no_request_behind():
    ended = []

    async def slow(request):
        try:
            await asyncio.sleep(9)
        finally:
            ended.append(True)
        return httpx.Response(200)

    async def run():
        async with Net(settings(), transport=Journal(slow)) as net:
            task = asyncio.create_task(net.fetch(Request(url="http://a.example/"), endpoint=endpoint(), deadline=1e9))
            await asyncio.sleep(0.02)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.sleep(0)
            return list(ended)

    assert asyncio.run(run()) == [True]


def test_every_foreign_error_becomes_ours():
    for kind in (
        httpx.ReadTimeout,
        httpx.ProxyError,
        httpx.DecodingError,
        httpx.TooManyRedirects,
        httpx.UnsupportedProtocol,
    ):

        def fail(request, kind=kind):
            raise kind("oops")

        assert isinstance(once(Journal(fail), "http://a.example/"), FetchError)
