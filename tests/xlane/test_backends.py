"""The backends against answers in the recorded shapes; what they ask, what they take, what they say."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from xlane_helpers import NOW, FakeNet, answer, id_at, plan, run, settings, window, wire_answer, wire_post, xai_answer

from pipeline.errors import FetchError
from pipeline.types import Request, Response
from pipeline.xlane.backends import Grok, ImportedPosts, XApi, choose, configured, endpoint, not_configured
from pipeline.xlane.backends.base import Backend, Found
from pipeline.xlane.backends.x_api import translate

X = settings().pipeline.x
KEY = "AAAA-secret-bearer"
DATES = "since:2026-11-23 until:2026-12-01"
FAR = 1e9


def x_api(reply: Callable[[Request], Response]) -> tuple[XApi, FakeNet]:
    net = FakeNet(reply)
    return XApi(net=net, endpoint=endpoint(X, "x_api"), key=KEY, now=NOW), net


def grok(reply: Callable[[Request], Response]) -> tuple[Grok, FakeNet]:
    net = FakeNet(reply)
    return Grok(net=net, endpoint=endpoint(X, "grok"), key=KEY, model="grok-test", now=NOW), net


def search(backend: Backend, query: str = f"Rome {DATES}", limit: int = 10) -> Found:
    found: Found = run(backend.search(query, limit, deadline=FAR))
    return found


# --------------------------------------------------------------------------- conformance


def sent(request: Request) -> str:
    """The search text of a request, whichever backend made it."""
    if request.json is not None:
        return str(request.json["input"][-1]["content"])
    return dict(request.params)["query"]


def network_backends() -> list[tuple[str, Backend, FakeNet]]:
    one, one_net = x_api(lambda request: answer(wire_answer([])))
    two, two_net = grok(lambda request: answer(xai_answer([])))
    three_net = FakeNet(lambda request: answer(wire_answer([])))
    three = choose(plan(demo=True), settings(), three_net, {})
    assert three is not None
    return [("x_api", one, one_net), ("grok", two, two_net), ("replay", three, three_net)]


@pytest.mark.parametrize("which", [0, 1, 2], ids=["x_api", "grok", "replay"])
def test_every_backend_honours_and_topic_and_adds_no_quotes(which: int) -> None:
    name, backend, net = network_backends()[which]
    assert backend.name == name
    run(backend.search("Rome Italy", 10, deadline=FAR))
    run(backend.search_handles(["@ana_reads"], "Rome Italy", window=window(), deadline=FAR))
    run(backend.search_handles(["ana_reads"], "Rome Italy", window=window(), and_topic=True, deadline=FAR))
    run(backend.search_name("Ana Reads", window=window(), deadline=FAR))
    plain, lane, both, quoted = map(sent, net.requests)
    assert '"' not in plain + lane + both
    assert "from:ana_reads" in lane
    assert "Rome" not in lane
    assert "from:ana_reads" in both
    assert "Rome Italy" in both
    assert '"Ana Reads"' in quoted
    dated = json.dumps([dict(r.params) if r.json is None else r.json["tools"] for r in net.requests[1:3]])
    assert dated.count("2026-11-23") == 2


def test_the_file_honours_and_topic_too(tmp_path: Path) -> None:
    rows = [
        {"id": "1", "author": "ana_reads", "text": "Rome Italy at night"},
        {"id": "2", "author": "ana_reads", "text": "my cake"},
        {"id": "3", "author": "bo", "text": "Rome Italy again, Ana Reads says"},
    ]
    (tmp_path / "posts.json").write_text(json.dumps(rows))
    backend = ImportedPosts(tmp_path / "posts.json")

    def ids(found: Found) -> list[str]:
        return [post.id for post in found.candidates]

    assert ids(run(backend.search_handles(["Ana_Reads"], "Rome Italy", window=window(), deadline=FAR))) == [
        "x:1",
        "x:2",
    ]
    both = run(backend.search_handles(["ana_reads"], "Rome Italy", and_topic=True, deadline=FAR))
    assert ids(both) == ["x:1"]
    assert ids(run(backend.search_name("Ana Reads", deadline=FAR))) == ["x:3"]
    assert ids(search(backend, "")) == ["x:1", "x:2", "x:3"]


# --------------------------------------------------------------------------- x_api


def test_classic_operators_are_mapped_or_left_out_with_a_note() -> None:
    made = translate(f'"third ring" Rome {DATES} min_faves:5 filter:links -filter:replies filter:news')
    assert made.query == '"third ring" Rome has:links -is:reply'
    assert made.min_faves == 5
    assert len(made.notes) == 2
    assert "filter:news left out" in made.notes[1]


def test_posts_are_read_with_account_counts_and_the_time_in_their_id() -> None:
    backend, net = x_api(lambda request: answer(wire_answer([wire_post("Rome &amp; the tram", hours=3)])))
    (post,) = search(backend).candidates
    assert (post.author, post.text, post.kind, post.source) == ("ana_reads", "Rome & the tram", "post", "x")
    assert post.url == f"https://x.com/ana_reads/status/{post.id.removeprefix('x:')}"
    assert abs((post.published_at - (NOW - timedelta(hours=3))).total_seconds()) < 1  # type: ignore[operator]
    assert ("likes", 7) in post.engagement
    params = dict(net.requests[0].params)
    assert params["query"] == "Rome"
    assert params["start_time"] == "2026-11-23T12:03:00Z"
    assert "end_time" not in params


def test_the_seven_days_are_clamped_and_said() -> None:
    backend, net = x_api(lambda request: answer(wire_answer([])))
    found = search(backend, "Rome since:2026-10-01 until:2026-11-29")
    assert dict(net.requests[0].params)["end_time"] == "2026-11-29T00:00:00Z"
    assert "reaches back 7 days" in found.notes[0]
    found = search(backend, "Rome since:2026-10-01 until:2026-10-20")
    assert len(net.requests) == 1
    assert "nothing was asked" in found.notes[0]


def test_pages_are_followed_until_the_limit() -> None:
    def reply(request: Request) -> Response:
        second = dict(request.params).get("next_token") == "t2"
        start = 100 if second else 0
        entries = [wire_post(f"Rome {n}", serial=start + n + 1) for n in range(20 if second else 100)]
        return answer(wire_answer(entries, next_token="" if second else "t2"))

    backend, net = x_api(reply)
    assert len(search(backend, limit=120).candidates) == 120
    assert [dict(r.params)["max_results"] for r in net.requests] == ["100", "20"]


def test_a_later_page_that_fails_keeps_the_first() -> None:
    def reply(request: Request) -> Response:
        if "next_token" in dict(request.params):
            return answer({"title": "Too Many Requests", "detail": "Too Many Requests"}, 429)
        return answer(wire_answer([wire_post(f"Rome {n}", serial=n + 1) for n in range(100)], next_token="t2"))

    backend, _ = x_api(reply)
    found = search(backend, limit=150)
    assert len(found.candidates) == 100
    assert "stopped after 1 pages" in found.notes[0]


def test_min_faves_is_applied_to_what_came() -> None:
    entries = [wire_post("Rome a", serial=1, likes=2), wire_post("Rome b", serial=2, likes=9)]
    backend, net = x_api(lambda request: answer(wire_answer(entries)))
    assert [post.text for post in search(backend, "Rome min_faves:5").candidates] == ["Rome b"]
    assert dict(net.requests[0].params)["sort_order"] == "relevancy"


def test_a_repost_and_a_long_post_get_their_whole_text() -> None:
    repost = wire_post("RT @bo: Rome is cut of…", serial=1)
    repost["referenced_tweets"] = [{"type": "retweeted", "id": "99"}]
    long_post = wire_post("Rome, the beginn…", serial=2)
    long_post["note_tweet"] = {"text": "Rome, the beginning and the end"}
    linked = wire_post("Rome today https://t.co/abc", serial=3)
    linked["entities"] = {"urls": [{"url": "https://t.co/abc", "expanded_url": "https://news.example/rome-tram-line"}]}
    body = wire_answer([repost, long_post, linked])
    body["includes"]["tweets"] = [{"id": "99", "text": "Rome is cut off by floods"}]
    backend, _ = x_api(lambda request: answer(body))
    assert [post.text for post in search(backend).candidates] == [
        "RT @bo: Rome is cut off by floods",
        "Rome, the beginning and the end",
        "Rome today https://news.example/rome-tram-line",
    ]


ERRORS = [
    ("a bad key", 401, {"title": "Unauthorized", "status": 401, "detail": "Unauthorized"}, "unauthorised"),
    ("no access", 403, {"title": "Forbidden", "detail": "app must be attached to a Project"}, "unauthorised"),
    ("a refused query", 400, {"errors": [{"message": "Rule is invalid"}], "title": "Invalid Request"}, "bad response"),
    ("the limit", 429, {"title": "Too Many Requests"}, "rate limited"),
    ("a fault of theirs", 503, {"title": "Service Unavailable"}, "error"),
    ("no JSON", 200, b"<html>maintenance</html>", "bad response"),
    ("JSON that is no object", 200, [1, 2], "bad response"),
    ("JSON nested too deeply", 200, b"[" * 100_000, "bad response"),
    ("posts that are no list", 200, {"data": "none for you"}, "bad response"),
]


@pytest.mark.parametrize(("status", "body", "outcome"), [row[1:] for row in ERRORS], ids=[row[0] for row in ERRORS])
def test_failures_are_told_apart_and_name_no_key(status: int, body: Any, outcome: str) -> None:
    reset = str(int(NOW.timestamp()) + 90)
    backend, _ = x_api(lambda request: answer(body, status, {"x-rate-limit-reset": reset}))
    with pytest.raises(FetchError) as caught:
        search(backend)
    assert caught.value.status == outcome
    assert KEY not in str(caught.value)
    if status == 429:
        assert caught.value.retry_after == pytest.approx(90)


def test_one_bad_entry_never_costs_its_neighbours() -> None:
    broken: list[Any] = [None, "text", {"text": "no id"}, {"id": "123", "public_metrics": 5, "referenced_tweets": 3}]
    odd = wire_post("Milan", serial=2) | {
        "created_at": "9999-12-31T23:59:59-23:00",
        "public_metrics": {"like_count": -5, "reply_count": True, "quote_count": 3},
    }
    no_text = wire_post("", serial=3) | {"text": ["Bari"], "note_tweet": "x"}
    backend, _ = x_api(lambda request: answer(wire_answer([*broken, odd, no_text, wire_post("Rome")])))
    found = search(backend)
    assert [post.text for post in found.candidates] == ["", "Milan", "", "Rome"]
    assert found.candidates[1].engagement == (("quotes", 3),)
    assert len(found.malformed) == 3


@pytest.mark.parametrize("beside", ["includes", "meta", "errors"])
@pytest.mark.parametrize("odd", [7, "x", [1], {"users": 3, "tweets": "x"}, None])
def test_what_stands_beside_the_posts_may_be_anything(beside: str, odd: Any) -> None:
    backend, _ = x_api(lambda request: answer(wire_answer([wire_post("Rome")]) | {beside: odd}))
    assert [post.text for post in search(backend).candidates] == ["Rome"]


def test_partial_errors_and_a_used_up_limit_are_said() -> None:
    body = wire_answer([wire_post("Rome")])
    body["errors"] = [{"title": "Not Found Error", "detail": "Could not find user with id: [7]."}]
    backend, _ = x_api(lambda request: answer(body, headers={"x-rate-limit-remaining": "0"}))
    notes = search(backend).notes
    assert notes == ("X says: Could not find user with id: [7].", "X's rate limit is used up until its reset")


def test_a_query_that_is_too_long_says_so_before_it_is_sent() -> None:
    backend, net = x_api(lambda request: answer(wire_answer([])))
    with pytest.raises(FetchError, match="512"):
        search(backend, "Rome " * 120)
    assert net.requests == []


def test_the_key_travels_only_as_the_secret_header_and_is_checked_for_free() -> None:
    backend, net = x_api(lambda request: answer({"data": {"project_usage": "5", "project_cap": "100"}}))
    assert run(backend.check_key(deadline=FAR)) == "key accepted; 5 of 100 posts read this month"
    request = net.requests[0]
    assert request.url.endswith("/2/usage/tweets")
    assert request.secret_header == ("Authorization", f"Bearer {KEY}")
    assert KEY not in repr((request.url, request.params, request.headers, request.json))


# --------------------------------------------------------------------------- grok


def xai_post(text: str, handle: str = "ana_reads", *, hours: float = 4, serial: int = 3) -> dict[str, Any]:
    post_id = id_at(NOW - timedelta(hours=hours), serial)
    return {
        "id": post_id,
        "url": f"https://x.com/{handle}/status/{post_id}",
        "handle": handle,
        "text": text,
        "created_at": "2026-11-30T08:00:00Z",
        "likes": 3,
        "reposts": 0,
        "replies": 1,
    }


def test_the_tool_is_given_window_and_handles_and_the_query_as_it_is() -> None:
    backend, net = grok(lambda request: answer(xai_answer([xai_post("Rome")])))
    assert len(search(backend, f'from:ana_reads "third ring" {DATES}').candidates) == 1
    body = net.requests[0].json
    assert body is not None
    assert body["tools"] == [
        {"type": "x_search", "from_date": "2026-11-23", "to_date": "2026-12-01", "allowed_x_handles": ["ana_reads"]}
    ]
    assert body["input"][1]["content"] == f'from:ana_reads "third ring" {DATES}'
    assert "at most 10 posts" in body["input"][0]["content"]


LIES = [
    ("an id that is no number", {"id": "abc123", "url": ""}, "is no number"),
    ("no text", {"text": ""}, "text could not be had"),
    ("text that is no text", {"text": ["a"]}, "text could not be had"),
    ("a handle outside the alphabet", {"handle": "not a handle!", "url": ""}, "alphabet"),
    ("id and link differ", {"id": "1578516068309794817"}, "different posts"),
    ("handle and link differ", {"handle": "somebody"}, "different accounts"),
]


@pytest.mark.parametrize(("over", "reason"), [row[1:] for row in LIES], ids=[row[0] for row in LIES])
def test_lies_are_dropped_and_their_neighbours_kept(over: dict[str, Any], reason: str) -> None:
    good = xai_post("Rome is real", serial=8)
    backend, _ = grok(lambda request: answer(xai_answer([{**xai_post("Rome"), **over}, good, "junk"])))
    found = search(backend)
    assert [post.text for post in found.candidates] == ["Rome is real"]
    assert reason in found.malformed[0].reason
    assert len(found.malformed) == 2


def test_a_post_that_the_search_did_not_cite_is_dropped_where_others_are_cited() -> None:
    cited, uncited = xai_post("Rome a", serial=1), xai_post("Rome b", serial=2)
    backend, _ = grok(lambda request: answer(xai_answer([cited, uncited], cited=[cited["id"]])))
    found = search(backend)
    assert [post.text for post in found.candidates] == ["Rome a"]
    assert "cited" in found.malformed[0].reason


@pytest.mark.parametrize(
    "text", ["### What people say about Rome\n- @ana_reads is happy", "{broken", '{"answer": 1}', ""]
)
def test_prose_instead_of_json_delivers_nothing(text: str) -> None:
    backend, _ = grok(lambda request: answer(xai_answer(text, cited=["1982033415697514642"])))
    with pytest.raises(FetchError) as caught:
        search(backend)
    assert caught.value.status == "bad response"


@pytest.mark.parametrize("odd", [7, "x", None, {"url": 3}, [3, None]])
def test_what_stands_beside_the_answer_may_be_anything(odd: Any) -> None:
    body = xai_answer([xai_post("Rome")]) | {"citations": odd}
    body["output"] = [odd, {"content": odd}, {"content": [odd]}, *body["output"]]
    body["output"][-1]["content"][0]["annotations"] = odd
    backend, _ = grok(lambda request: answer(body))
    assert [post.text for post in search(backend).candidates] == ["Rome"]


def test_json_in_a_code_fence_is_read() -> None:
    fenced = "```json\n" + json.dumps({"posts": [xai_post("Rome")]}) + "\n```"
    backend, _ = grok(lambda request: answer(xai_answer(fenced)))
    assert len(search(backend).candidates) == 1


def test_xais_errors_and_key_check() -> None:
    backend, _ = grok(lambda request: answer({"code": "invalid", "error": "Incorrect API key provided"}, 400))
    with pytest.raises(FetchError, match="Incorrect API key"):
        search(backend)
    backend, net = grok(lambda request: answer({"api_key_blocked": True}))
    with pytest.raises(FetchError) as caught:
        run(backend.check_key(deadline=FAR))
    assert caught.value.status == "unauthorised"
    assert net.requests[0].url.endswith("/v1/api-key")


# --------------------------------------------------------------------------- choosing


CHOICES = [
    ("nothing set", {}, None),
    ("the token", {"X_BEARER_TOKEN": "t"}, "x_api"),
    ("xAI's key", {"XAI_API_KEY": "k"}, "grok"),
    ("both: the official one", {"XAI_API_KEY": "k", "X_BEARER_TOKEN": "t"}, "x_api"),
    ("a blank token is none", {"X_BEARER_TOKEN": "  "}, None),
]


@pytest.mark.parametrize(("environ", "name"), [row[1:] for row in CHOICES], ids=[row[0] for row in CHOICES])
def test_the_backend_follows_the_keys(environ: dict[str, str], name: str | None) -> None:
    found = choose(plan(), settings(), FakeNet(lambda request: answer({})), environ)
    assert (found.name if found else None) == name
    assert configured(X, environ) == (name or "")


def test_no_key_names_the_variable_and_is_no_request() -> None:
    outcome = not_configured(plan(), X)
    assert outcome.status == "not configured"
    assert "X_BEARER_TOKEN" in outcome.detail
    assert not outcome.requested
    assert not_configured(plan(sources=("x",)), X).requested


def test_a_file_comes_before_keys(tmp_path: Path) -> None:
    found = choose(
        plan(x_import=str(tmp_path / "p.csv")), settings(), FakeNet(lambda r: answer({})), {"XAI_API_KEY": "k"}
    )
    assert found is not None
    assert (found.name, found.asks) == ("import", False)
