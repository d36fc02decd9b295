"""What diagnosing says about sources that work, are silent, fail, lack a key or live in the future."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest

from pipeline.diagnose import Diagnosis, cut_off, diagnose, try_source, works
from pipeline.errors import InputError
from pipeline.settings import Feed, load_settings
from pipeline.store import open_store

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def feed(*hours_ago):
    entries = "".join(
        f"<item><title>Harbour bridge report {n}</title><link>http://x.example/{n}</link>"
        f"<pubDate>{format_datetime(NOW - timedelta(hours=hours))}</pubDate></item>"
        for n, hours in enumerate(hours_ago)
    )
    return f'<rss version="2.0"><channel><title>t</title>{entries}</channel></rss>'


ANSWERS = {
    "daily.example": httpx.Response(200, text=feed(1, 25, 49)),
    "rare.example": httpx.Response(200, text=feed(24 * 60, 24 * 90)),
    "ahead.example": httpx.Response(200, text=feed(-9)),
    "broken.example": httpx.Response(200, text="<html><body>moved</body></html>"),
    "gone.example": httpx.Response(404),
    "down.example": httpx.Response(500),
    "away.example": httpx.ConnectError("no address found"),
}


def using(**sources):
    loaded = load_settings({})
    embedding = loaded.pipeline.embedding.model_copy(update={"model": "off", "rerank_model": "off"})
    feeds = tuple(Feed(name=host.partition(".")[0], url=f"http://{host}/") for host in ANSWERS)
    changed = loaded.sources.model_copy(update={"rss": feeds} | sources)
    pipeline = loaded.pipeline.model_copy(update={"embedding": embedding, "timezone": "Asia/Shanghai"})
    return loaded.model_copy(update={"sources": changed, "pipeline": pipeline})


@pytest.fixture
def kept(tmp_path):
    return open_store(tmp_path / "lately.db")


def answer(request):
    found = ANSWERS.get(request.url.host, httpx.Response(401))
    if isinstance(found, Exception):
        raise found
    return found


def asked(store, *, sources=("rss",), environ=None, settings=None):
    found = asyncio.run(
        diagnose(
            "harbour bridge in the last 30 days",
            sources=sources,
            settings=settings or using(),
            store=store,
            environ=environ or {},
            transport=httpx.MockTransport(answer),
            now=NOW,
        )
    )
    return {one.endpoint: one for one in found}


def test_a_feed_that_works_is_counted(kept):
    daily = asked(kept)["daily"]
    assert (daily.status, daily.advice) == ("ok", "")
    assert (daily.requests, daily.items, daily.dated, daily.in_window) == (1, 3, 3, 3)
    assert daily.newest == NOW - timedelta(hours=1)
    assert kept.runs.count() == 0, "a question to the sources is no run of the analyst's"
    rows = dict(kept.check().rows)
    assert [rows[table] for table in ("shown", "first_seen", "evidence", "items")] == [0, 0, 0, 0]
    assert kept.health.endpoints()
    assert daily.interval_hours == 24.0
    assert daily.mean_score is not None
    assert 0 < daily.mean_score <= 100
    assert sum(daily.dropped.values()) <= 3


def test_one_date_as_it_was_written_and_as_it_was_read(kept):
    daily = asked(kept)["daily"]
    assert daily.raw_date == "Sun, 29 Nov 2026 23:00:00 +0000"
    assert daily.converted == "2026-11-30 07:00 Asia/Shanghai (zone stated)"


def test_publishing_rarely_is_told_apart_from_failing(kept):
    found = asked(kept)
    assert found["rare"].status == "ok"
    assert found["rare"].dropped == {"out of window": 2}
    assert "published nothing in the window; usually every 720 hours" in found["rare"].advice
    assert found["gone"].status == found["broken"].status == "bad response"
    assert "404" in found["gone"].detail


def test_a_date_in_the_future_points_at_clock_and_zone(kept):
    assert "check this machine's clock" in asked(kept)["ahead"].advice


@pytest.mark.parametrize(
    ("environ", "key", "status"),
    [
        pytest.param({}, "GUARDIAN_API_KEY is not set", "not configured", id="no key"),
        pytest.param({"GUARDIAN_API_KEY": "k"}, "GUARDIAN_API_KEY is set", "unauthorised", id="refused"),
    ],
)
def test_keys(kept, environ, key, status):
    found = asked(kept, sources=("guardian",), environ=environ)["guardian"]
    assert (found.key, found.status) == (key, status)


def test_what_is_left_of_the_rate_limit(kept):
    found = asked(kept, sources=("guardian",), environ={"GUARDIAN_API_KEY": "k"})["guardian"]
    assert found.budget == "1 of 55 in the last minute (54 left), 1 of 450 in the last 24 hours (449 left)"


def test_x_is_asked_for_its_key_alone(kept):
    (without,) = asked(kept, sources=("x",)).values()
    assert (without.status, without.requests) == ("not configured", 0)
    (refused,) = asked(kept, sources=("x",), environ={"X_BEARER_TOKEN": "hush"}).values()
    assert (refused.status, refused.requests) == ("unauthorised", 1)
    assert "hush" not in repr(refused)


def test_an_unknown_source_is_an_error(kept):
    with pytest.raises(InputError, match="unknown source 'rsss'"):
        asked(kept, sources=("rsss",))


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [(("timeout", "ok"), True), (("empty",), True), (("timeout", "not configured"), False), ((), False)],
)
def test_one_source_that_works_is_enough(statuses, expected):
    assert works([Diagnosis(source="s", endpoint="e", status=status) for status in statuses]) is expected


AWAY = {"status": "error", "detail": "can't be reached: no address found for a.example", "requests": 1}
LATE = {"status": "timeout", "requests": 1}
CUT_OFF = {
    "all away or late": ((AWAY, LATE), True),
    "those without a key were not asked": ((AWAY, LATE, {"status": "not configured"}), True),
    "one answered": ((AWAY, LATE, {"status": "ok", "requests": 1}), False),
    "one server answered with an error": ((AWAY, {**AWAY, "detail": "the server answered 500"}), False),
    "one alone says nothing of the network": ((AWAY,), False),
    "none was asked": (({"status": "not configured"}, {"status": "not configured"}), False),
}


@pytest.mark.parametrize(("found", "expected"), CUT_OFF.values(), ids=CUT_OFF)
def test_no_network_is_told_from_sources_that_fail(found, expected):
    assert cut_off([Diagnosis(source="s", endpoint="e", **one) for one in found]) is expected


def test_an_error_says_what_to_do_about_it(kept):
    found = asked(kept)
    assert found["down"].advice == "its server fails: try again later"
    assert "check this machine's network" in found["away"].advice


def trial(kept, kind, **entry):
    transport = httpx.MockTransport(answer)
    return asyncio.run(try_source(kind, entry, settings=using(), store=kept, environ={}, transport=transport))


def test_a_new_feed_is_tried_by_itself(kept):
    found = trial(kept, "rss", name="new", url="http://daily.example/")
    assert (found.outcome.endpoint, found.outcome.status) == ("new", "ok")
    assert [one.title for one in found.candidates] == [f"Harbour bridge report {n}" for n in range(3)]


def test_a_new_feed_that_is_none_says_so(kept):
    assert trial(kept, "rss", name="new", url="http://broken.example/").outcome.status == "bad response"


def test_an_unknown_kind_is_an_error(kept):
    with pytest.raises(InputError, match="known: rss, search, custom"):
        trial(kept, "podcast", name="new", url="http://daily.example/")


@pytest.mark.parametrize(
    ("url", "says"),
    [
        pytest.param("http://daily.example/", (), id="nothing strange"),
        pytest.param("http://ahead.example/", ("its newest date lies in the future",), id="future"),
        pytest.param("http://gone.example/", ("look at the address in a browser",), id="failed"),
    ],
)
def test_a_trial_says_what_is_strange(kept, url, says):
    transport = httpx.MockTransport(answer)
    entry = {"name": "new", "url": url}
    found = asyncio.run(
        try_source("rss", entry, settings=using(), store=kept, environ={}, transport=transport, now=NOW)
    )
    assert len(found.advice) == len(says)
    assert all(part in advice for part, advice in zip(says, found.advice, strict=True))
