"""A run recorded is a run played: the same bytes, the same failures, no network, no key."""

from __future__ import annotations

import asyncio
import json
import zipfile
from dataclasses import replace

import pytest

from pipeline.collect import fetch_opml, gather
from pipeline.errors import FetchError, InputError
from pipeline.net import Exchange, Net, Player, Recorder, load
from pipeline.net.recording import address, words
from pipeline.settings import Feed
from pipeline.types import Question, Request
from tests.collect.helpers import Lines, collect, hosts, network, plan, settings
from tests.net.helpers import endpoint


def played(player, url="http://a.example/", *, query="", source="s", name="n", **request):
    try:
        return player.play(Request(url=url, query=query, **request), endpoint(source=source, name=name)).body
    except FetchError as error:
        return error.status


def recorded_run(path, sources, transport, asked, **more):
    async def run():
        recorder = Recorder()
        async with Net(settings(), transport=transport, recorder=recorder, **more) as net:
            gathered = await gather(asked, sources, settings=settings(), net=net)
        recorder.save(path, asked)
        return gathered

    return asyncio.run(run())


def test_a_recorded_run_plays_back_the_same_to_the_byte(tmp_path):
    hostile = "naïve | 1\n\x00中文 | 2\n!bad\nmore http://one.example/2"

    def answers(request):
        if request.url.host == "two.example":
            return (500, "down")
        if request.url.host == "three.example":
            return 9.0
        return "second page | 3" if request.url.path == "/2" else hostile

    source = Lines(one={}, two={}, three={"timeout_s": 0.2})
    asked = plan("harbour", sources=("lines",), days=7)
    first = recorded_run(tmp_path / "run.zip", [source], network(answers), asked)
    recording = load(tmp_path / "run.zip")
    again = collect(asked, [Lines()], hosts(), player=recording.player())
    assert again.judged == first.judged
    assert [(o.endpoint, o.status, o.items, o.detail, o.bytes) for o in again.outcomes] == [
        (o.endpoint, o.status, o.items, o.detail, o.bytes) for o in first.outcomes
    ]
    assert [o.status for o in again.outcomes] == ["ok", "error", "timeout"]
    assert recording.question == replace(asked.question, as_of=asked.now), "the run's clock is kept"


def test_who_was_stopped_early_is_stopped_in_the_replay_too(tmp_path):
    source = Lines(best={"priority": 1}, slow={"timeout_s": 5})
    asked = plan("harbour", sources=("lines",), max_results=1)
    lines = "\n".join(f"harbour {n} | 1" for n in range(5))
    first = recorded_run(tmp_path / "run.zip", [source], hosts(best=lines, slow=60.0), asked)
    again = collect(asked, [Lines()], hosts(), player=load(tmp_path / "run.zip").player())
    assert [o.status for o in first.outcomes] == [o.status for o in again.outcomes] == ["ok", "cancelled"]


def test_an_opml_is_recorded_with_its_feeds(tmp_path):
    async def run(player=None):
        recorder = Recorder()
        asked = plan(opml="http://list.example/")
        transport = hosts(list="one", one="a | 1")
        async with Net(settings(), transport=transport, recorder=recorder, player=player) as net:
            feeds = await fetch_opml("http://list.example/", net=net, settings=settings(), read=_one_feed)
            gathered = await gather(asked, [Feeds("rss")], settings=settings(), net=net, opml_feeds=feeds)
        recorder.save(tmp_path / "run.zip", asked)
        return gathered

    class Feeds(Lines):
        def endpoints(self, config, plan):
            return [endpoint(source="rss", name=feed.name, url=feed.url) for feed in config]

    def _one_feed(body):
        return [Feed(name=body.decode(), url=f"http://{body.decode()}.example/")]

    first = asyncio.run(run())
    again = asyncio.run(run(load(tmp_path / "run.zip").player()))
    assert first.judged == again.judged
    assert [o.endpoint for o in again.outcomes] == ["one"]


def test_no_key_is_written(tmp_path):
    class Keyed(Lines):
        def requests(self, endpoint, subquery, plan, limit):
            params = (("api_key", "hush"), ("q", "x"))
            return (Request(url=endpoint.url, params=params, secret_header=("x-key", "")),)

    journal = []

    def answers(request):
        journal.append(request)
        return "a | 1"

    asked = plan(sources=("lines",))
    source = Keyed(one={"needs_key": "KEY", "url": "http://one.example/?token=hush"})
    recorded_run(tmp_path / "run.zip", [source], network(answers), asked, environ={"KEY": "hush"})
    assert journal[0].headers["x-key"] == "hush"
    with zipfile.ZipFile(tmp_path / "run.zip") as file:
        assert not any(b"hush" in file.read(name) for name in file.namelist())
    again = collect(asked, [source], hosts(), player=load(tmp_path / "run.zip").player())
    assert [o.status for o in again.outcomes] == ["ok"], "and none is needed to play it"


# ------------------------------------------------------------------ matching

HELD = Player(
    [
        Exchange(source="s", endpoint="feed", body=b"list"),
        Exchange(source="s", url="http://a.example/?q=exact", body=b"exact"),
        Exchange(source="s", queries=("harbour works", "works of the harbour bridge"), body=b"harbour"),
        Exchange(source="s", queries=("智能体框架 发布",), body=b"zh"),
        Exchange(source="t", queries=("x",), body=b"other"),
        Exchange(source="t", fallback=True, body=b"nothing found"),
        Exchange(source="u", failure=("rate limited", "wait", 9.0)),
    ]
)


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        pytest.param({"name": "feed", "url": "http://whatever.example/"}, b"list", id="a feed, whatever its address"),
        pytest.param({"query": "works HARBOUR"}, b"harbour", id="the same words in another order"),
        pytest.param({"query": "the harbour works since:2026-01-01 -filter:links"}, b"harbour", id="operators aside"),
        pytest.param({"query": "bridge harbour works"}, b"harbour", id="another of its queries"),
        pytest.param({"query": "发布 智能体框架"}, b"zh", id="Chinese words in another order"),
        pytest.param({"query": "harbour works today"}, "empty", id="one word more"),
        pytest.param({"query": "cooking", "source": "t"}, b"nothing found", id="the source's answer to anything else"),
        pytest.param({"url": "http://a.example/", "params": (("q", "exact"),)}, b"exact", id="the very address"),
        pytest.param({"url": "http://a.example/other"}, "empty", id="a list that is not held"),
        pytest.param({"source": "u"}, "rate limited", id="a failure"),
    ],
)
def test_which_answer_is_played(request_, expected):
    assert played(HELD, **request_) == expected


def test_a_search_that_is_not_held_warns_and_names_what_is():
    player = Player([Exchange(source="lines", queries=("harbour works",), body=b"a | 1")])
    gathered = collect(plan("cooking"), [Lines(searches=True, one={})], hosts(), player=player)
    assert [o.status for o in gathered.outcomes] == ["empty"]
    assert gathered.warnings == ("the recording holds no search for 'cooking' (lines); it holds: harbour works",)


def test_one_warning_for_all_who_were_asked_and_none_for_an_accounts_own_posts():
    player = Player([Exchange(source="s", queries=("harbour",)), Exchange(source="x", queries=("from:me harbour",))])
    for source in ("s", "t", "s"):
        assert played(player, query="cooking since:2026-11-01", source=source) == "empty"
    assert played(player, query="from:you harbour", source="x") == "empty"
    assert player.warnings == ("the recording holds no search for 'cooking' (s, t); it holds: harbour",)


def test_repeated_requests_get_their_answers_in_turn():
    player = Player([Exchange(source="s", url="http://a.example/", body=body) for body in (b"1", b"2")])
    assert [played(player) for _ in range(3)] == [b"1", b"2", b"2"]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://user:pw@a.example/x?token=1&q=2#f", "http://a.example/x?token=&q=2"),
        ("http://a.example/?next_token=1", "http://a.example/?next_token=1"),
        ("http://a.example/?api-key=1&API_KEY=2", "http://a.example/?api-key=&API_KEY="),
    ],
)
def test_addresses_hold_no_secret(url, expected):
    assert address(Request(url=url)) == expected


def test_words_of_stop_words_only_are_still_words():
    assert words("the who") == {"the", "who"}


# ------------------------------------------------------------------ files


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda path: None, id="none"),
        pytest.param(lambda path: path.write_bytes(b"PK no zip"), id="no zip"),
        pytest.param(lambda path: _zip(path, {}), id="no manifest"),
        pytest.param(lambda path: _zip(path, {"manifest.json": "{"}), id="broken manifest"),
        pytest.param(lambda path: _zip(path, {"manifest.json": "[]"}), id="another manifest"),
        pytest.param(
            lambda path: _zip(path, {"manifest.json": json.dumps({"format": "x", "version": 1})}), id="other format"
        ),
        pytest.param(lambda path: path.mkdir(), id="a folder"),
    ],
)
def test_what_is_no_recording_is_an_error_in_one_line(tmp_path, make):
    path = tmp_path / "run.zip"
    make(path)
    with pytest.raises(InputError) as caught:
        load(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


_ENDPOINT = {"source": "s", "name": "n", "url": "http://a.example/", "timeout_s": 2}
_EXCHANGE = {"source": "s", "body": "bodies/0", "failure": None}


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param({"question": None}, id="no question"),
        pytest.param({"question": {"text": 5}}, id="a question that is a number"),
        pytest.param({"question": {"text": "x", "sources": 5}}, id="sources that are a number"),
        pytest.param({"question": {"text": "x", "days": "many"}}, id="days in words"),
        pytest.param({"question": {"text": "x", "since": 5}}, id="a time that is a number"),
        pytest.param({"now": None}, id="no clock"),
        pytest.param({"now": "2026-11-01T00:00:00"}, id="a clock without zone"),
        pytest.param({"endpoints": 5}, id="endpoints that are a number"),
        pytest.param({"endpoints": [None]}, id="an endpoint that is none"),
        pytest.param({"endpoints": [_ENDPOINT | {"url": 5}]}, id="an address that is a number"),
        pytest.param({"endpoints": [_ENDPOINT | {"options": [1]}]}, id="options that are a list"),
        pytest.param({"exchanges": {"a": 1}}, id="exchanges that are no list"),
        pytest.param({"exchanges": [_EXCHANGE | {"body": "gone"}]}, id="a body that is not there"),
        pytest.param({"exchanges": [_EXCHANGE | {"headers": None}]}, id="no headers"),
        pytest.param({"exchanges": [_EXCHANGE | {"failure": "down"}]}, id="a failure in a word"),
        pytest.param(
            {"exchanges": [_EXCHANGE | {"failure": {"status": "x", "message": "", "retry_after": 0}}]}, id="x"
        ),
        pytest.param({"exchanges": [_EXCHANGE | {"status": "fine"}]}, id="a status in words"),
    ],
)
def test_a_damaged_manifest_is_an_error_in_one_line(tmp_path, damage):
    path = tmp_path / "run.zip"
    whole = {
        "format": "lately-recording", "version": 1, "now": "2026-11-01T00:00:00+00:00", "question": {"text": "x"},
        "endpoints": [_ENDPOINT], "exchanges": [_EXCHANGE],
    }  # fmt: skip
    _zip(path, {"manifest.json": json.dumps(whole), "bodies/0": "ok"})
    assert load(path).question.text == "x", "it is the damage that breaks it"
    _zip(path, {"manifest.json": json.dumps(whole | damage), "bodies/0": "ok"})
    with pytest.raises(InputError, match="record the run again"):
        load(path)


def test_a_manifest_too_deep_or_too_large_is_an_error_in_one_line(tmp_path, monkeypatch):
    _zip(tmp_path / "deep.zip", {"manifest.json": "[" * 100_000})
    with pytest.raises(InputError, match="record the run again"):
        load(tmp_path / "deep.zip")
    monkeypatch.setattr("pipeline.net.recording._MAX_MANIFEST", 99_999)
    with pytest.raises(InputError, match="not opened"):
        load(tmp_path / "deep.zip")


def _zip(path, files):
    with zipfile.ZipFile(path, "w") as file:
        for name, text in files.items():
            file.writestr(name, text)


def test_a_place_that_can_not_be_written_is_an_error_in_one_line(tmp_path):
    with pytest.raises(InputError, match="choose another place"):
        Recorder().save(tmp_path / "no such folder" / "run.zip", plan())


def test_every_field_of_a_question_survives(tmp_path):
    asked = plan(
        "q", days=3, x_handles=("a",), queries={"rss": "x"}, sources=("rss",), since=plan().now, hide_seen=True
    )
    Recorder().save(tmp_path / "run.zip", asked)
    assert load(tmp_path / "run.zip").question == replace(asked.question, as_of=asked.now)
    assert isinstance(load(tmp_path / "run.zip").question, Question)
