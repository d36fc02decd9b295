"""Everything is asked at once, ends in its own time, and what came is never lost."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta

import httpx
import pytest

from pipeline.errors import FetchError
from pipeline.types import Bucket, Judged, Outcome, Verdict
from tests.collect.helpers import Lines, candidate, collect, hosts, network, plan, settings

ON_TOPIC = "\n".join(f"harbour works {n} | 1" for n in range(6))


def status(gathered, name):
    return next(outcome for outcome in gathered.outcomes if outcome.endpoint == name)


@pytest.mark.parametrize(
    ("answer", "expected", "says"),
    [
        pytest.param("a | 1", "ok", "", id="one entry"),
        pytest.param("", "empty", "", id="nothing"),
        pytest.param(9.0, "timeout", "within 0.3 s", id="hangs"),
        pytest.param((401, "bad key"), "unauthorised", "bad key", id="key refused"),
        pytest.param((403, "no"), "bad response", "403", id="refused without a key"),
        pytest.param((400, "unknown filter"), "bad response", "unknown filter", id="filter rejected"),
        pytest.param((404, "gone"), "bad response", "404", id="not there"),
        pytest.param((500, "oops"), "error", "500", id="server fault"),
        pytest.param((429, "slow down"), "rate limited", "429", id="throttled"),
        pytest.param("boom", "error", "KeyError", id="adapter fault"),
        pytest.param("!x\n!y", "bad response", "none of 2 entries", id="no entry readable"),
        pytest.param("!x\na | 1", "ok", "1 entries could not be read", id="one entry unreadable"),
    ],
)
def test_an_endpoint_ends_in_one_outcome_that_says_why(answer, expected, says):
    source = Lines(one={"timeout_s": 0.3}, two={})
    gathered = collect(plan(), [source], hosts(one=answer, two="neighbour | 1"))
    assert status(gathered, "one").status == expected
    assert says in status(gathered, "one").detail
    assert status(gathered, "two").status == "ok", "a failure never costs the neighbour"


def test_a_missing_key_is_said_and_nothing_is_asked():
    gathered = collect(plan(), [Lines(one={"needs_key": "LINES_KEY"})], hosts())
    assert status(gathered, "one") == Outcome(
        source="lines", endpoint="one", status="not configured", detail="set LINES_KEY", requested=True
    )


def test_hanging_endpoints_cost_only_their_own_time():
    source = Lines(fast={"timeout_s": 0.2}, slow={"timeout_s": 0.4}, hangs={"timeout_s": 0.4})
    started = time.monotonic()
    gathered = collect(plan(), [source], hosts(fast="a | 1", slow=0.1, hangs=60.0))
    assert time.monotonic() - started < 20, "the one that hangs takes 60 s"
    assert [o.status for o in gathered.outcomes] == ["ok", "empty", "timeout"]


def test_a_page_that_hangs_keeps_what_the_first_brought():
    def answers(request):
        return 60.0 if request.url.path == "/2" else "a | 1\nmore http://one.example/2"

    gathered = collect(plan(), [Lines(one={"timeout_s": 0.3})], network(answers))
    assert status(gathered, "one").status == "timeout"
    assert status(gathered, "one").items == 1
    assert [row.candidate.title for row in gathered.judged] == ["a"]


def test_pages_that_name_each_other_end():
    asked = []

    def answers(request):
        asked.append(request.url.path)
        return f"page {request.url.path} | 1\nmore http://one.example/\nmore http://one.example/{len(asked)}"

    gathered = collect(plan(), [Lines(one={})], network(answers))
    assert status(gathered, "one").status == "ok"
    assert len(asked) == len(set(asked)) == 6


def test_a_parser_that_hangs_is_a_bad_response_and_the_others_are_read():
    class Hangs(Lines):
        def parse(self, response, endpoint, plan):
            if endpoint.name == "stuck":
                time.sleep(5)
            return super().parse(response, endpoint, plan)

    started = time.monotonic()
    gathered = collect(
        plan(), [Hangs(stuck={"timeout_s": 1.0}, one={"timeout_s": 1.0})], hosts(stuck="a | 1", one="b | 1")
    )
    assert time.monotonic() - started < 4
    assert status(gathered, "stuck").status == "bad response"
    assert status(gathered, "one").status == "ok"


class TestEarlyStop:
    ENOUGH = settings(max_results=2, enough_factor=3)

    def test_the_answer_that_suffices_ends_the_run(self):
        source = Lines(
            best={"priority": 1, "timeout_s": 9}, slow={"timeout_s": 9}, other={"priority": 1, "timeout_s": 9}
        )
        started = time.monotonic()
        gathered = collect(plan(), [source], hosts(best=ON_TOPIC, slow=60.0, other=60.0), using=self.ENOUGH)
        assert time.monotonic() - started < 8
        assert [(o.status, o.detail) for o in gathered.outcomes] == [
            ("ok", ""),
            ("cancelled", "enough results"),
            ("cancelled", "enough results"),
        ]

    @pytest.mark.parametrize(
        "lines",
        [
            pytest.param("\n".join(f"harbour {n} |" for n in range(9)), id="undated"),
            pytest.param("\n".join(f"harbour {n} | 30" for n in range(9)), id="outside the window"),
            pytest.param("\n".join(f"harbour {n} | -1" for n in range(9)), id="in the future"),
            pytest.param("\n".join(f"cooking {n} | 1" for n in range(9)), id="off the subject"),
            pytest.param("\n".join("harbour works | 1" for n in range(9)), id="the same thing again"),
        ],
    )
    def test_what_is_no_good_candidate_does_not_count(self, lines):
        source = Lines(best={"priority": 1}, slow={"timeout_s": 0.2})
        gathered = collect(plan(), [source], hosts(best=lines, slow=60.0), using=self.ENOUGH)
        assert status(gathered, "slow").status == "timeout"

    def test_endpoints_of_lower_priority_do_not_count(self):
        source = Lines(second={"priority": 2}, slow={"timeout_s": 0.2, "priority": 1})
        gathered = collect(plan(), [source], hosts(second=ON_TOPIC, slow=60.0), using=self.ENOUGH)
        assert status(gathered, "slow").status == "timeout"

    def test_off_at_depth_deep(self):
        source = Lines(best={"priority": 1}, slow={"timeout_s": 0.2})
        gathered = collect(plan(depth="deep"), [source], hosts(best=ON_TOPIC, slow=60.0), using=self.ENOUGH)
        assert status(gathered, "slow").status == "timeout"

    def test_the_x_lane_is_not_stopped(self):
        async def lane():
            await asyncio.sleep(0.3)
            post = Judged(candidate=candidate("x", "x", "post"), verdict=Verdict(keep=True))
            return (post,), None, (Outcome(source="x", endpoint="x", status="ok", items=1),)

        source = Lines(best={"priority": 1}, slow={"timeout_s": 9})
        gathered = collect(plan(), [source], hosts(best=ON_TOPIC, slow=60.0), using=self.ENOUGH, xlane=lane)
        assert [o.status for o in gathered.outcomes] == ["ok", "cancelled", "ok"]
        assert gathered.judged[-1].candidate.title == "post"


class TestThinSources:
    def test_a_thin_search_is_asked_once_more_with_the_core_subject(self):
        asked = []

        def answers(request):
            asked.append(request.url.params["q"])
            return "a | 1" if request.url.params["q"].startswith("latest") else "b | 1\nc | 1"

        question = plan_with_core("latest harbour works", "harbour works")
        gathered = collect(question, [Lines(searches=True, one={})], network(answers))
        assert asked == ["latest harbour works", "harbour works"]
        outcome = status(gathered, "one")
        assert outcome.items == 3
        assert outcome.queries == ("latest harbour works", "harbour works")
        assert "asked once more" in outcome.detail

    @pytest.mark.parametrize(
        ("core", "question", "searches", "answer"),
        [
            pytest.param("harbour works", {"depth": "quick"}, True, "a | 1", id="at quick"),
            pytest.param("latest harbour works", {}, True, "a | 1", id="the core is what was asked"),
            pytest.param("harbour works", {"queries": {"lines": "mine"}}, True, "a | 1", id="the analyst's own query"),
            pytest.param("harbour works", {}, False, "a | 1", id="a list searches nothing"),
            pytest.param("harbour works", {}, True, "a | 1\nb | 1\nc | 1", id="plenty"),
            pytest.param("harbour works", {}, True, (500, ""), id="a failure"),
        ],
    )
    def test_not_asked_again(self, core, question, searches, answer):
        source = Lines(searches=searches, one={})
        gathered = collect(plan_with_core("latest harbour works", core, **question), [source], hosts(one=answer))
        assert status(gathered, "one").requests == 1

    def test_a_failing_retry_leaves_the_first_answer(self):
        answers = iter(["a | 1", (400, "no")])
        source = Lines(searches=True, one={})
        gathered = collect(plan_with_core("latest harbour", "harbour"), [source], network(lambda _: next(answers)))
        assert status(gathered, "one").status == "ok"
        assert "that failed" in status(gathered, "one").detail


def plan_with_core(text, core, **question):
    from dataclasses import replace

    return replace(plan(text, **question), core_subject=core)


def test_sources_are_asked_from_some_days_before_the_window():
    asked = []

    def answers(request):
        asked.append(request.url.params["since"])
        return "a | 1\nb | 1\nc | 1"

    collect(plan(), [Lines(searches=True, one={})], network(answers))
    assert asked == [(plan().window.since - timedelta(days=7)).date().isoformat()]


class TestNothingDisappears:
    def test_an_endpoint_above_its_cap_keeps_the_newest(self):
        lines = "\n".join(f"n{n} | {n / 10}" for n in (3, 1, 2, 0))
        gathered = collect(plan(), [Lines(one={})], hosts(one=lines), using=settings(per_endpoint_items=2))
        left_out = [row for row in gathered.judged if not row.verdict.keep]
        assert {row.candidate.title for row in left_out} == {"n3", "n2"}
        assert {row.verdict.bucket for row in left_out} == {Bucket.NOT_EXAMINED}
        assert left_out[0].verdict.reason == "one brought 4 items; the newest 2 are examined"
        assert status(gathered, "one").items == 4

    def test_a_run_above_its_cap_keeps_the_best_endpoints(self):
        source = Lines(second={"priority": 2}, best={"priority": 1})
        gathered = collect(plan(), [source], hosts(second="a | 0", best="b | 5"), using=settings(max_items=1))
        assert [(r.candidate.title, r.verdict.keep) for r in gathered.judged] == [("a", False), ("b", True)]

    def test_the_same_thing_twice_is_one_candidate_the_same_id_of_two_things_is_two(self):
        class Twice(Lines):
            def parse(self, response, endpoint, plan):
                parsed = super().parse(response, endpoint, plan)
                same = [_with(c, id="same", url="http://one.example/", title=c.title) for c in parsed.candidates]
                return type(parsed)(candidates=tuple(same))

        gathered = collect(plan(), [Twice(one={}, two={})], hosts(one="a | 1\nb | 1", two="a | 1"))
        assert [row.candidate.id for row in gathered.judged] == ["same", "same~2"]

    @pytest.mark.parametrize(
        ("answers", "details", "dropped"),
        [
            pytest.param({"one": "a | 1\nb | 1", "two": "c | 1"}, ["", ""], {}, id="nothing twice"),
            pytest.param(
                {"one": "a | 1\nb | 1\na | 1", "two": "c | 1"},
                ["1 of 3 items had come before", ""],
                {"had come before": 1},
                id="twice from one endpoint",
            ),
            pytest.param(
                {"one": "a | 1\nb | 1", "two": "b | 1\na | 1\nc | 1\n!x"},
                ["", "1 entries could not be read; 2 of 3 items had come before"],
                {"had come before": 2, "malformed": 1},
                id="from another endpoint",
            ),
        ],
    )
    def test_what_came_twice_is_accounted_for(self, answers, details, dropped):
        class SameAddress(Lines):
            def parse(self, response, endpoint, plan):
                parsed = super().parse(response, endpoint, plan)
                same = [_with(c, id=c.title, url=f"http://one.example/{c.title}") for c in parsed.candidates]
                return _with(parsed, candidates=tuple(same))

        gathered = collect(plan(), [SameAddress(one={}, two={})], hosts(**answers))
        assert [outcome.detail for outcome in gathered.outcomes] == details
        assert gathered.note.dropped == dropped
        brought = sum(outcome.items for outcome in gathered.outcomes) + dropped.get("malformed", 0)
        assert gathered.note.n_in == brought == gathered.note.n_out + sum(dropped.values())
        assert len(gathered.judged) == brought - dropped.get("had come before", 0)

    def test_unreadable_entries_are_kept_with_their_reason(self):
        gathered = collect(plan(), [Lines(one={})], hosts(one="!x\n!y\na | 1"))
        bad = [row for row in gathered.judged if row.verdict.bucket == Bucket.MALFORMED]
        assert [(row.candidate.title, row.verdict.reason) for row in bad] == [
            ("!x", "no date, no title"),
            ("!y", "no date, no title"),
        ]
        assert len({row.candidate.id for row in gathered.judged}) == 3
        assert gathered.note.n_in == 3
        assert gathered.note.n_out == 1
        assert gathered.note.dropped == {"malformed": 2}


def _with(record, **changes):
    from dataclasses import replace

    return replace(record, **changes)


def test_a_noisy_source_passes_its_judge_and_the_others_do_not():
    def judge(corpus, plan):
        off = Verdict(keep=False, bucket=Bucket.OFF_TOPIC, reason="about cooking")
        return [off if "cooking" in c.title else Verdict(keep=True) for c in corpus]

    noisy, calm = Lines("noisy", one={}), Lines("calm", two={})
    noisy.noisy = True
    gathered = collect(plan(), [noisy, calm], hosts(one="cooking | 1\nharbour | 1", two="cooking | 1"), judge=judge)
    assert [(r.candidate.source, r.candidate.title, r.verdict.keep) for r in gathered.judged] == [
        ("noisy", "cooking", False),
        ("noisy", "harbour", True),
        ("calm", "cooking", True),
    ]


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        pytest.param(FetchError("no key", status="not configured"), "not configured", id="an expected failure"),
        pytest.param(None, "timeout", id="no end"),
    ],
)
def test_what_goes_wrong_in_the_x_lane_is_its_outcome(fault, expected):
    async def lane():
        if fault is not None:
            raise fault
        await asyncio.sleep(60)

    using = settings()
    x = using.pipeline.x.model_copy(update={"deadline_s": 0.1})
    using = using.model_copy(update={"pipeline": using.pipeline.model_copy(update={"x": x})})
    gathered = collect(plan(), [Lines(one={})], hosts(one="a | 1"), xlane=lane, using=using)
    assert status(gathered, "x").status == expected
    assert status(gathered, "one").status == "ok"


def test_progress_is_told_start_counts_and_end():
    told = []
    collect(plan(), [Lines(one={})], hosts(one="a | 1"), progress=lambda kind, **facts: told.append((kind, facts)))
    assert [kind for kind, _ in told] == ["started", "counts", "finished"]
    where = {"source": "lines", "endpoint": "one"}
    assert told[1][1] == where | {"items": 1}
    assert told[2][1].items() >= (where | {"status": "ok", "items": 1}).items()


def test_progress_hears_of_the_x_lane_too():
    async def lane():
        return (), None, (Outcome(source="x", endpoint="x api", status="rate limited"),)

    told = []
    collect(plan(), [], hosts(), xlane=lane, progress=lambda kind, **facts: told.append((kind, facts.get("status"))))
    assert told == [("started", None), ("finished", "rate limited")]


def test_order_is_that_of_the_endpoints_however_they_arrive():
    async def slow_first(request):
        await asyncio.sleep(0.1 if request.url.host == "one.example" else 0)
        return httpx.Response(200, text=f"{request.url.host} | 1")

    gathered = collect(plan(), [Lines(one={}, two={})], httpx.MockTransport(slow_first))
    assert [row.candidate.title for row in gathered.judged] == ["one.example", "two.example"]


def test_a_source_says_what_its_refusal_means():
    source = Lines(one={})
    source.explain = lambda error: FetchError("it sheds load: ask again in 5 s", status=error.status, retry_after=5.0)
    gathered = collect(plan(), [source], hosts(one=(429, "slow down")))
    outcome = status(gathered, "one")
    assert (outcome.status, outcome.detail) == ("rate limited", "it sheds load: ask again in 5 s")
    assert outcome.retry_after_s == 5.0
