"""The stream: one search widely, one retry, lanes, budget; every post ends with a verdict."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from xlane_corpora import GOOD_EIGHT, OFF_32
from xlane_helpers import FakeBackend, FakeNet, answer, plan, posts, run, settings, wire_answer, wire_post, x_post

from pipeline.errors import FetchError
from pipeline.settings import Settings
from pipeline.types import Bucket, Judged, Malformed, Outcome, Plan, XReport
from pipeline.xlane import noisy_judge, stream
from pipeline.xlane.backends import choose
from pipeline.xlane.backends.base import Found
from pipeline.xlane.judge import PostVerdict, default_floors, judgement
from pipeline.xlane.steps.budget import within_budget
from pipeline.xlane.steps.corpus import Corpus
from pipeline.xlane.steps.prune import as_judged, prune

TOPIC = "latest Rome Italy news"
GOOD = posts(GOOD_EIGHT)
OFF = posts(OFF_32, start=100)
FRESH = posts(tuple((f"fresh_{n}", f"Rome Italy metro works, day {n}") for n in range(12)), start=300)


def go(
    backend: Any, asked: Plan | None = None, use: Settings | None = None
) -> tuple[tuple[Judged, ...], XReport, Outcome]:
    asked = asked or plan(TOPIC, core="Rome Italy", ranking="Rome Italy")
    judged, report, (outcome,) = run(stream(asked, backend, settings=use or settings(), embedder=None))
    assert report is not None
    return judged, report, outcome


def kept(judged: tuple[Judged, ...]) -> set[str]:
    return {j.candidate.id for j in judged if j.verdict.keep}


def ids(candidates: Any) -> set[str]:
    return {post.id for post in candidates}


def flood_then(*retry: Any) -> FakeBackend:
    """The first search floods; the widest form brings `retry`."""
    return FakeBackend(("from:", []), ("latest", [*GOOD, *OFF]), ("Rome Italy since", list(retry)))


# --------------------------------------------------------------------------- retry (R1, R6)


def test_a_flood_is_searched_again_exactly_once_and_the_better_corpus_wins() -> None:
    backend = flood_then(*FRESH, *OFF[:3])
    judged, report, outcome = go(backend)
    retries = [line for line in report.queries if line.variant == "retry"]
    assert [line.query for line in retries] == ["Rome Italy since:2026-11-23 until:2026-12-01"]
    assert report.before.is_off_topic_flood
    assert report.after is not None
    assert report.used == "after"
    assert "8 of 40 posts on topic, 20%" in report.retry_note
    assert "12 of 15 were (80%)" in report.retry_note
    assert kept(judged) == ids(GOOD) | ids(FRESH), "on-topic posts of the other corpus join"
    assert outcome.status == "ok"
    assert len(report.post_ids_before) == 40
    assert len(report.post_ids_after) == 15


def test_a_retry_that_is_no_better_never_wins() -> None:
    judged, report, _ = go(flood_then(*OFF[:4]))
    assert report.used == "before"
    assert "no better" in report.retry_note
    assert kept(judged) == ids(GOOD)


def test_an_empty_retry_never_wins() -> None:
    judged, report, _ = go(flood_then())
    assert report.used == "before"
    assert report.retry_note.endswith("the retry brought nothing.")
    assert kept(judged) == ids(GOOD)


def test_a_post_that_only_the_other_corpus_finds_on_topic_joins() -> None:
    """A photo of the crowd's own words, on topic beside the first search's posts, means nothing among the retry's."""
    run_ = Corpus("a", judgement([GOOD[0]], [said(GOOD[0], "off")], mode="context", floors=default_floors()))
    other = Corpus("b", judgement([GOOD[0]], [said(GOOD[0], "on")], mode="context", floors=default_floors()))
    kept_, pruned = prune(plan(TOPIC), run_, other)
    assert ([j.candidate.id for j in kept_], pruned) == ([GOOD[0].id], [])


def said(post: Any, verdict: Any) -> PostVerdict:
    return PostVerdict(post.id, post.author, verdict, 0.5, 0.5)


def test_the_same_ratio_is_no_better() -> None:
    _, report, _ = go(flood_then(GOOD[0], *OFF[:4]))
    assert (report.before.on_topic_ratio, report.used) == (0.2, "before")
    assert report.after is not None
    assert report.after.on_topic_ratio == 0.2


def test_a_retry_that_fails_leaves_the_first_search() -> None:
    backend = FakeBackend(
        ("from:", []), ("latest", [*GOOD, *OFF]), ("Rome Italy since", FetchError("limit", status="rate limited"))
    )
    judged, report, outcome = go(backend)
    assert outcome.status == "ok"
    assert "the retry failed: limit" in report.retry_note
    assert kept(judged) == ids(GOOD)


def test_the_widest_form_already_asked_is_not_asked_twice() -> None:
    backend = FakeBackend(("from:", []), ("Rome", [*GOOD, *OFF]))
    judged, report, _ = go(backend, plan("Rome Italy"))
    assert "had been asked already" in report.retry_note
    assert report.after is None
    assert kept(judged) == ids(GOOD)


def test_quick_never_retries_and_has_no_lanes() -> None:
    backend = flood_then(*FRESH)
    asked = plan(TOPIC, core="Rome Italy", ranking="Rome Italy", depth="quick", x_handles=("rome_desk",))
    judged, report, _ = go(backend, asked)
    assert len(backend.asked) == 1
    assert "quick" in report.retry_note
    assert "no lanes at quick depth" in report.notes
    assert kept(judged) == ids(GOOD)


def test_a_good_corpus_is_not_searched_again() -> None:
    backend = FakeBackend(("from:", []), ("latest", GOOD))
    _, report, outcome = go(backend)
    assert report.after is None
    assert report.retry_note == ""
    assert report.warnings == ()
    assert outcome.status == "ok"


def test_nothing_on_topic_is_empty_and_no_failure() -> None:
    judged, report, outcome = go(FakeBackend(("from:", []), ("", OFF)))
    assert kept(judged) == set()
    assert (outcome.status, outcome.detail) == ("empty", "0 of 32 posts were on topic")
    assert any(
        "32 of 32 posts (100%) were pruned, 0 went on to the next steps" in warning for warning in report.warnings
    )


def test_pruning_is_a_warning_with_counts() -> None:
    _, report, outcome = go(flood_then())
    assert outcome.status == "ok"
    assert (
        "X was mostly off topic, its searches taken together: 32 of 40 posts (80%) were pruned, 8 went on to the next steps."
        in report.warnings
    )


def test_a_post_without_text_goes_on_and_is_counted_where_later_steps_take_it() -> None:
    blank = x_post("", serial=900)
    judged, report, _ = go(FakeBackend(("from:", []), ("latest", [*GOOD, *OFF[:3], blank])))
    assert blank.id in kept(judged)
    assert report.warnings == (
        "Not all of X was on topic: 3 of 12 posts (25%) were pruned, 9 went on to the next steps.",
    )


def test_pruning_a_good_corpus_is_said_too() -> None:
    _, report, outcome = go(FakeBackend(("from:", []), ("latest", [*GOOD, *OFF[:3]])))
    assert not report.before.is_off_topic_flood
    assert report.warnings == (
        "Not all of X was on topic: 3 of 11 posts (27%) were pruned, 8 went on to the next steps.",
    )
    assert outcome.status == "ok"


# --------------------------------------------------------------------------- verify


LIES = [
    ("an id that looks typed", "1234567890123456789", "ana_reads", Bucket.MALFORMED, "looks made up"),
    ("an id that is no number", "abcdef", "ana_reads", Bucket.MALFORMED, "is no number"),
    ("a handle outside the alphabet", None, "no such handle!", Bucket.MALFORMED, "alphabet"),
]


@pytest.mark.parametrize(("post_id", "handle", "bucket", "reason"), [r[1:] for r in LIES], ids=[r[0] for r in LIES])
def test_posts_that_can_not_be_true_are_dropped_with_the_reason(
    post_id: str | None, handle: str, bucket: Bucket, reason: str
) -> None:
    from dataclasses import replace

    lie = x_post("Rome Italy is lovely", serial=900)
    lie = replace(lie, id=f"x:{post_id}" if post_id else lie.id, author=handle)
    judged, report, outcome = go(FakeBackend(("from:", []), ("", [lie, *GOOD])))
    found = next(j for j in judged if j.candidate.id == lie.id)
    assert (found.verdict.keep, found.verdict.bucket) == (False, bucket)
    assert reason in found.verdict.reason
    assert "Dropped 1 post that could not be true or could not be read." in report.warnings
    assert outcome.status == "ok"


def test_ids_outside_the_window_are_dropped_whatever_the_backend_says() -> None:
    old = x_post("Rome Italy long ago", hours=24 * 30, serial=901)
    future = x_post("Rome Italy to come", hours=-48, serial=902)
    judged, _, _ = go(FakeBackend(("from:", []), ("", [old, future, *GOOD])))
    buckets = {j.candidate.id: j.verdict.bucket for j in judged}
    assert buckets[old.id] is Bucket.OUT_OF_WINDOW
    assert buckets[future.id] is Bucket.OUT_OF_WINDOW


def test_malformed_entries_of_a_backend_stay_visible() -> None:
    broken = Found(candidates=tuple(GOOD), malformed=(Malformed(id="x:?", title="", url="", reason="no id"),))
    judged, _, _ = go(FakeBackend(("from:", []), ("", broken)))
    assert Counter(j.verdict.bucket for j in judged)[Bucket.MALFORMED] >= 1


# --------------------------------------------------------------------------- lanes (R4, R5)


def lane_backend(main: Any = GOOD, **lanes: Any) -> FakeBackend:
    rules = [(f"from:{handle}", found) for handle, found in lanes.items()]
    return FakeBackend(*rules, ("from:", []), ("", main))


def test_explicit_handles_get_a_lane_without_the_topic_and_are_first_party() -> None:
    lunch = x_post("what a lunch", "newsroom_it", serial=700)
    backend = lane_backend(newsroom_it=[lunch])
    judged, report, _ = go(backend, plan(TOPIC, core="Rome Italy", ranking="Rome Italy", x_handles=("@Newsroom_IT",)))
    assert "from:newsroom_it since:2026-11-23 until:2026-12-01" in backend.asked
    found = next(j.verdict for j in judged if j.candidate.id == lunch.id)
    assert (found.keep, found.first_party, found.lane) == (True, True, "explicit")
    assert report.handles[0].handle == "newsroom_it"
    assert report.handles[0].promotable == "explicit"


MAIN_SEARCH = [
    ("first party", {"x_handles": ("newsroom_it",)}, True),
    ("related", {"x_related": ("newsroom_it",)}, False),
    ("typed", {"handles": ("newsroom_it",), "text": "@newsroom_it Rome Italy"}, False),
    ("found in the corpus", {}, False),
]


@pytest.mark.parametrize(("question", "stays"), [row[1:] for row in MAIN_SEARCH], ids=[row[0] for row in MAIN_SEARCH])
def test_an_off_topic_post_of_the_main_search_stays_only_as_first_party(question: dict[str, Any], stays: bool) -> None:
    lunch = x_post("what a lunch", "newsroom_it", serial=700)
    story = posts((("newsroom_it", "Rome Italy metro opens"), ("newsroom_it", "Rome Italy metro closes")), start=710)
    judged, _, _ = go(
        lane_backend(main=[*GOOD, lunch, *story]), plan(TOPIC, core="Rome Italy", ranking="Rome Italy", **question)
    )
    found = next(j.verdict for j in judged if j.candidate.id == lunch.id)
    assert (found.keep, found.first_party) == (stays, stays)
    assert ("kept as first party although off topic" in found.reason) is stays


def test_an_account_of_the_corpus_has_no_immunity_in_the_lane_it_earned() -> None:
    lunch = x_post("what a lunch", "rome_desk", serial=700)
    judged, _, _ = go(lane_backend(rome_desk=[lunch]))
    assert next(j.verdict for j in judged if j.candidate.id == lunch.id).bucket is Bucket.OFF_TOPIC


def test_gates_look_at_the_corpus_before_pruning() -> None:
    """Two of five on topic: after pruning it would be two of two."""
    mixed = posts(
        tuple(("half_desk", text) for text in ("Rome Italy metro", "Rome Italy tram", "cake", "tea", "jam")), 720
    )
    backend = lane_backend(main=[*GOOD, *mixed])
    _, report, _ = go(backend)
    assert not any("half_desk" in query for query in backend.asked)
    gate = next(row for row in report.handles if row.handle == "half_desk")
    assert (gate.on_topic, gate.total, gate.promotable) == (2, 5, "no")


def test_the_table_of_accounts_is_that_of_the_corpus_that_was_used() -> None:
    _, report, _ = go(flood_then(*FRESH))
    assert {row.handle for row in report.handles} == {f"fresh_{n}" for n in range(12)}


@pytest.mark.parametrize(
    "question",
    [{"x_related": ("newsroom_it",)}, {"handles": ("newsroom_it",), "text": "@newsroom_it Rome Italy"}],
    ids=["related", "typed"],
)
def test_other_named_handles_have_a_lane_but_no_immunity(question: dict[str, Any]) -> None:
    lunch = x_post("what a lunch", "newsroom_it", serial=700)
    story = x_post("Rome Italy metro opens", "newsroom_it", serial=701)
    backend = lane_backend(newsroom_it=[lunch, story])
    judged, _, _ = go(backend, plan(TOPIC, core="Rome Italy", ranking="Rome Italy", **question))
    assert "from:newsroom_it since:2026-11-23 until:2026-12-01" in backend.asked
    verdicts = {j.candidate.id: j.verdict for j in judged}
    assert (verdicts[lunch.id].keep, verdicts[story.id].keep) == (False, True)
    assert not verdicts[story.id].first_party


def test_extracted_handles_earn_their_lane_and_are_searched_with_the_topic() -> None:
    backend = lane_backend()
    _, report, _ = go(backend)
    assert [q for q in backend.asked if "from:" in q] == [f"from:rome_desk {TOPIC} since:2026-11-23 until:2026-12-01"]
    assert next(row.promotable for row in report.handles if row.handle == "rome_desk") == "extracted"


def test_a_frequent_off_topic_account_never_gets_a_lane() -> None:
    backend = flood_then(*FRESH)
    go(backend)
    assert not any("bait" in query for query in backend.asked)


def test_a_proposed_handle_that_is_not_the_subject_is_not_used() -> None:
    backend = lane_backend()
    go(backend, plan(TOPIC, core="Rome Italy", ranking="Rome Italy", handles=("daily_hype",)))
    assert not any("daily_hype" in query for query in backend.asked)


def test_a_lane_that_answers_with_somebody_else_delivers_nothing() -> None:
    wrong = x_post("Rome Italy from elsewhere", "impostor", serial=702)
    judged, _, _ = go(
        lane_backend(newsroom_it=[wrong]),
        plan(TOPIC, core="Rome Italy", ranking="Rome Italy", x_handles=("newsroom_it",)),
    )
    found = next(j.verdict for j in judged if j.candidate.id == wrong.id)
    assert "asked for @newsroom_it, got a post of @impostor" in found.reason


def test_at_most_three_extracted_lanes_and_ten_posts_each() -> None:
    rows = tuple((f"desk_{n}", f"Rome Italy item {k}") for n in range(5) for k in range(2))
    many = [x_post(f"Rome Italy more {n}", "desk_0", serial=800 + n) for n in range(14)]
    backend = FakeBackend(("from:desk_0", many), ("from:", []), ("", posts(rows)))
    judged, _, _ = go(backend)
    assert sum("from:" in query for query in backend.asked) == 3
    lane = [j for j in judged if j.candidate.id in ids(many)]
    assert sum(j.verdict.keep for j in lane) == 10
    assert sum(j.verdict.bucket is Bucket.NOT_EXAMINED for j in lane) == 4


# --------------------------------------------------------------------------- budget, deadline, failure


def test_the_budget_holds_and_lane_posts_never_displace_main_ones() -> None:
    main = posts(tuple((f"u{n}", f"Rome Italy note {n}") for n in range(38)))
    lane = [x_post(f"Rome Italy special {n}", "newsroom_it", serial=600 + n) for n in range(6)]
    backend = FakeBackend(("from:newsroom_it", lane), ("from:", []), ("", main))
    judged, _, _ = go(backend, plan(TOPIC, core="Rome Italy", ranking="Rome Italy", x_handles=("newsroom_it",)))
    assert len(kept(judged)) == 40
    assert ids(main) <= kept(judged)
    over = [j for j in judged if j.verdict.bucket is Bucket.NOT_EXAMINED]
    assert len(over) == 4
    assert over[0].verdict.reason == "over X's budget of 40 posts"


def test_posts_without_text_and_related_lanes_come_last_in_the_budget() -> None:
    """The main search first, then lanes, then what could not be judged."""
    main = posts(tuple((f"u{n}", f"Rome Italy note {n}") for n in range(3)))
    silent = x_post("", "quiet_one", serial=960)
    typed, related = (
        x_post("Rome Italy metro", "typed_it", serial=701),
        x_post("Rome Italy metro", "related_it", serial=702),
    )
    backend = lane_backend(main=[silent, *main], typed_it=[typed], related_it=[related])
    asked = plan(TOPIC, core="Rome Italy", ranking="Rome Italy", text="@typed_it Rome Italy", handles=("typed_it",), x_related=("related_it",))  # fmt: skip
    for budget, last in ((6, silent), (5, related), (4, typed)):
        judged, _, _ = go(backend, asked, settings(budget=budget))
        assert last.id in kept(judged)
        assert len(kept(judged)) == budget
        judged, _, _ = go(backend, asked, settings(budget=budget - 1))
        assert last.id not in kept(judged)


def test_a_related_lane_weighs_less_than_another_even_with_the_better_score() -> None:
    lane = [
        as_judged(x_post("Rome Italy", kind, serial=n), PostVerdict("", kind, "on", score, 0.5), lane=kind)
        for n, (kind, score) in enumerate((("related", 0.9), ("typed", 0.6)), 1)
    ]
    order = within_budget([], lane, settings(budget=1).pipeline.x)
    assert [(one.verdict.lane, one.verdict.keep) for one in order] == [("typed", True), ("related", False)]


def test_every_post_that_came_ends_with_exactly_one_verdict() -> None:
    backend = flood_then(*FRESH, *OFF[:3], x_post("Rome Italy old", hours=24 * 40, serial=950))
    judged, _, _ = go(backend)
    seen = [j.candidate.id for j in judged]
    assert len(seen) == len(set(seen)) == 40 + 12 + 1
    assert all(j.verdict.reason for j in judged)
    assert all(j.verdict.keep or j.verdict.bucket is not None for j in judged)


def test_posts_without_text_are_put_back_and_counted_apart() -> None:
    silent = x_post("", "quiet_one", serial=960)
    judged, report, _ = go(FakeBackend(("from:", []), ("", [*GOOD, silent])))
    assert silent.id in kept(judged)
    assert report.before.unjudged == 1
    assert report.before.on_topic_ratio == 1.0
    assert any("1 posts without text" in note for note in report.notes)


def test_one_absolute_deadline_for_the_whole_stream() -> None:
    started = time.perf_counter()
    judged, report, outcome = go(FakeBackend(("", GOOD), delay=30), use=settings(deadline_s=0.2))
    assert time.perf_counter() - started < 15
    assert judged == ()
    assert outcome.status == "timeout"
    assert report.before.on_topic_ratio == 1.0


def test_the_deadline_is_not_begun_anew_for_retry_and_lanes() -> None:
    """Each search takes 0.3 s of the 0.5 s: the first is in time, the retry is not."""
    backend = FakeBackend(("from:", []), ("latest", [*GOOD, *OFF]), ("Rome Italy since", FRESH), delay=0.3)
    judged, report, _ = go(backend, use=settings(deadline_s=0.5))
    assert kept(judged) == ids(GOOD)
    assert "the retry failed: no answer within the stream's 0.5 s" in report.retry_note


def test_a_slow_lane_costs_only_itself() -> None:
    class SlowLanes(FakeBackend):
        async def search(self, query: str, limit: int, *, deadline: float) -> Found:
            self.delay = 30 if "from:" in query else 0
            return await super().search(query, limit, deadline=deadline)

    judged, report, outcome = go(SlowLanes(("", GOOD)), use=settings(deadline_s=0.3))
    assert kept(judged) == ids(GOOD)
    assert outcome.status == "ok"
    assert any("no answer within" in warning for warning in report.warnings)


FAILURES = ["unauthorised", "rate limited", "bad response", "error"]


@pytest.mark.parametrize("status", FAILURES)
def test_a_service_that_fails_is_an_outcome(status: Any) -> None:
    error = FetchError("the service said no", status=status, retry_after=9.0)
    judged, report, outcome = go(FakeBackend(("", error)))
    assert (outcome.status, outcome.detail, outcome.retry_after_s) == (status, "the service said no", 9.0)
    assert judged == ()
    assert all(line.note == "the service said no" for line in report.queries)


def test_one_variant_that_fails_is_a_warning() -> None:
    backend = FakeBackend(("from:", []), ("min_faves", FetchError("refused", status="bad response")), ("", GOOD))
    judged, report, outcome = go(backend)
    assert kept(judged) == ids(GOOD)
    assert outcome.status == "ok"
    assert "An X search failed: refused" in report.warnings


def test_no_backend_is_not_configured_and_harms_nobody() -> None:
    judged, report, (outcome,) = run(stream(plan(), None, settings=settings(), embedder=None))
    assert (judged, report) == ((), None)
    assert outcome.status == "not configured"


# --------------------------------------------------------------------------- import, replay, noisy


def test_an_imported_file_is_judged_without_a_key_and_never_retried(tmp_path: Path) -> None:
    rows = "\n".join(f'{post.id.removeprefix("x:")},{post.author},"{post.text}"' for post in (*GOOD, *OFF))
    (tmp_path / "posts.csv").write_text(f"id,author,text\n{rows}\n")
    asked = plan(TOPIC, core="Rome Italy", ranking="Rome Italy", x_import=str(tmp_path / "posts.csv"))
    judged, report, outcome = go(choose(asked, settings(), FakeNet(lambda r: answer({})), {}), asked)
    assert report.backend == "import"
    assert "nothing to ask again" in report.retry_note
    assert kept(judged) == ids(GOOD)
    assert outcome.status == "ok"


def test_imported_posts_whose_id_holds_no_time_keep_their_date_and_obey_the_window(tmp_path: Path) -> None:
    rows = ["in,ana,Rome Italy metro,2026-11-28", "old,ana,Rome Italy tram,2026-10-01", "undated,ana,Rome Italy rain,"]
    (tmp_path / "posts.csv").write_text("\n".join(["id,author,text,created_at", *rows]))
    asked = plan(TOPIC, core="Rome Italy", ranking="Rome Italy", x_import=str(tmp_path / "posts.csv"))
    judged, _, _ = go(choose(asked, settings(), FakeNet(lambda r: answer({})), {}), asked)
    assert kept(judged) == {"x:in", "x:undated"}
    old = next(j.verdict for j in judged if j.candidate.id == "x:old")
    assert old.bucket is Bucket.OUT_OF_WINDOW and "2026-10-01 00:00 UTC by the date given with it" in old.reason
    assert all(j.candidate.dates.notes[0].startswith("unverified") for j in judged)


def test_no_post_of_a_file_is_in_the_run_twice(tmp_path: Path) -> None:
    (tmp_path / "posts.csv").write_text("id,author,text\n7,a_a,Rome Italy\n7,a_a,Rome Italy\n8,b_b,Italy and Rome\n")
    asked = plan(TOPIC, core="Rome Italy", ranking="Rome Italy", x_import=str(tmp_path / "posts.csv"))
    judged, _, _ = go(choose(asked, settings(), FakeNet(lambda r: answer({})), {}), asked)
    assert sorted(j.candidate.id for j in judged) == ["x:7", "x:8", "x:line-3"]


def test_a_replay_uses_the_recorded_retry() -> None:
    flood = [wire_post(text, "1", serial=n + 1) for n, (_, text) in enumerate((*GOOD_EIGHT[:3], *OFF_32))]
    better = [wire_post(f"Rome Italy metro, day {n}", "1", serial=200 + n) for n in range(6)]

    def play(request: Any) -> Any:
        words = set(dict(request.params)["query"].lower().split())
        if words == {"rome", "italy"}:
            return answer(wire_answer(better))
        return answer(wire_answer(flood if "latest" in words and "from:ana_reads" not in words else []))

    asked = plan(TOPIC, core="Rome Italy", ranking="Rome Italy", demo=True)
    net = FakeNet(play)
    _, report, outcome = go(choose(asked, settings(), net, {}), asked)
    assert report.backend == "replay"
    assert report.used == "after"
    assert report.after is not None
    assert report.after.on_topic_ratio > report.before.on_topic_ratio
    assert all(request.secret_header is None for request in net.requests)
    assert outcome.endpoint == "replay"


def test_a_search_that_the_recording_does_not_hold_is_no_failure() -> None:
    def play(request: Any) -> Any:
        if "has:links" in dict(request.params)["query"]:
            raise FetchError("not in the recording: x", status="empty")
        return answer(wire_answer([wire_post(text, serial=n + 1) for n, (_, text) in enumerate(GOOD_EIGHT)]))

    asked = plan("Rome Italy", demo=True)
    _, report, outcome = go(choose(asked, settings(), FakeNet(play), {}), asked)
    assert outcome.status == "ok"
    assert report.warnings == ()
    assert any("not in the recording" in line.note for line in report.queries)


def test_keys_are_in_nothing_that_is_kept() -> None:
    key = "AAAA-very-secret"
    backend = choose(
        plan(), settings(), FakeNet(lambda r: answer(wire_answer([wire_post("Rome Italy")]))), {"X_BEARER_TOKEN": key}
    )
    judged, report, outcome = go(backend, plan("Rome Italy"))
    assert key not in repr((judged, report, outcome))


def test_the_same_judge_serves_noisy_sources() -> None:
    judge = noisy_judge(settings(), None)
    verdicts = judge([*GOOD[:2], *OFF[:2]], plan("Rome Italy"))
    assert [v.keep for v in verdicts] == [True, True, False, False]
    assert verdicts[2].bucket is Bucket.OFF_TOPIC
    assert judge([], plan()) == []


def test_a_dropped_link_without_text_says_that_only_its_headline_was_judged() -> None:
    bare = replace(OFF[0], title=OFF[0].text, text="")
    one, other = noisy_judge(settings(), None)([*GOOD, bare, OFF[1]], plan("Rome Italy"))[-2:]
    assert not one.keep and "only its headline was judged" in one.reason
    assert not other.keep and "headline" not in other.reason


def test_the_window_admits_one_hour_of_clock_skew() -> None:
    ahead = x_post("Rome Italy just now", hours=-0.5, serial=970)
    assert ahead.published_at is not None
    assert ahead.published_at - plan().window.until == timedelta(minutes=30)
    judged, _, _ = go(FakeBackend(("from:", []), ("", [ahead])))
    assert ahead.id in kept(judged)
