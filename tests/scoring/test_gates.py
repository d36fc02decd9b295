"""The first gate that fails decides, in the order of Bucket; each has its reason."""

from dataclasses import replace
from datetime import timedelta

import pytest

from pipeline.scoring import gates, shared_dates, upstream_rows, with_verdicts
from pipeline.types import Bucket, Candidate, Judged
from tests.scoring.made import NOW, SETTINGS, candidate, dated, judged, plan

ASKED = replace(plan(hide_seen=True), excluded=("football", "足球"), sites=())


def bucket_of(one: Judged, asked=ASKED, **more) -> Bucket | None:
    verdict = gates([one], asked, SETTINGS, **more)[0]
    assert verdict.keep or verdict.reason, "every drop says why"
    return None if verdict.keep else verdict.bucket


CASES = [
    ("kept", candidate(title="A"), None),
    ("neither title nor text", candidate(title=" ", text=""), Bucket.MALFORMED),
    ("an excluded word", candidate(title="Football tonight"), Bucket.EXCLUDED),
    ("an excluded word inside another is none", candidate(title="Footballers tonight"), None),
    ("an excluded Chinese word", candidate(title="今晚足球比赛"), Bucket.EXCLUDED),
    ("muted site", candidate(title="A", domain="m.noise.example"), Bucket.MUTED),
    ("muted word", candidate(title="All about Horoscopes"), Bucket.MUTED),
    ("seen before", candidate("seen", title="A"), Bucket.SEEN_BEFORE),
    ("no date is never new", candidate(title="A", age=None), Bucket.UNDATED),
    ("half an hour ahead is skew", candidate(title="A", age=-0.5 / 24), None),
    ("two hours ahead", candidate(title="A", age=-2 / 24), Bucket.FUTURE_DATED),
    ("the window's first second", candidate(title="A", age=30), None),
    ("older than the window", candidate(title="A", age=30.01), Bucket.OUT_OF_WINDOW),
]


@pytest.mark.parametrize(("name", "one", "bucket"), CASES, ids=[row[0] for row in CASES])
def test_gate(name: str, one: Candidate, bucket: Bucket | None) -> None:
    more = {"seen": ["seen"], "muted_domains": ["noise.example"], "muted_words": ["horoscopes"]}
    assert bucket_of(judged(one), **more) == bucket


def test_seen_items_stay_unless_they_are_to_be_hidden() -> None:
    assert bucket_of(judged(candidate("seen", title="A")), plan(), seen=["seen"]) is None


def test_site_restriction_takes_hosts_below_the_site() -> None:
    asked = replace(plan(), sites=("site.example",))
    assert bucket_of(judged(candidate(title="A", domain="news.site.example")), asked) is None
    assert bucket_of(judged(candidate(title="A", domain="othersite.example")), asked) == Bucket.EXCLUDED


def test_an_earlier_gate_wins_over_the_judge_and_a_later_one_does_not() -> None:
    pruned = {"keep": False, "bucket": Bucket.OFF_TOPIC, "reason": "The judge."}
    assert bucket_of(judged(candidate(title="A", age=40), **pruned)) == Bucket.OUT_OF_WINDOW
    assert bucket_of(judged(candidate(title="A"), **pruned)) == Bucket.OFF_TOPIC
    malformed = {"keep": False, "bucket": Bucket.MALFORMED, "reason": "Broken."}
    assert bucket_of(judged(candidate(title="A", age=None), **malformed)) == Bucket.MALFORMED


def test_a_window_that_ended_is_closed_at_its_end() -> None:
    asked = plan(ends_now=False)
    asked = replace(asked, window=replace(asked.window, until=NOW - timedelta(days=5)))
    assert bucket_of(judged(candidate(title="A", age=5)), asked) == Bucket.OUT_OF_WINDOW
    assert bucket_of(judged(candidate(title="A", age=5.01)), asked) is None
    assert bucket_of(judged(candidate(title="A", age=-1)), asked) == Bucket.FUTURE_DATED


def test_a_first_party_post_is_exempt_from_no_gate_here() -> None:
    assert bucket_of(judged(candidate(title="A", age=None), first_party=True)) == Bucket.UNDATED


def upstream(ages: list[float], **more) -> tuple[int, ...]:
    pool = [judged(candidate(str(n), title="A", age=age), **more) for n, age in enumerate(ages)]
    return upstream_rows(with_verdicts(pool, gates(pool, plan(), SETTINGS)), plan(), SETTINGS)


def test_upstream_candidates_are_a_week_older_at_most() -> None:
    assert upstream([1, 31, 36.9, 37.1]) == (1, 2)


def test_what_the_judge_pruned_never_leads_into_an_event() -> None:
    assert upstream([31], keep=False, bucket=Bucket.OFF_TOPIC, reason="The judge.") == ()


def test_no_upstream_where_the_window_is_not_expanded() -> None:
    time = SETTINGS.pipeline.time_window.model_copy(update={"expand_window": False})
    settings = SETTINGS.model_copy(update={"pipeline": SETTINGS.pipeline.model_copy(update={"time_window": time})})
    pool = [judged(candidate(title="A", age=31))]
    assert upstream_rows(with_verdicts(pool, gates(pool, plan(), settings)), plan(), settings) == ()


def test_verdicts_that_did_not_change_keep_their_rows() -> None:
    pool = [judged(candidate(title="A"))]
    assert with_verdicts(pool, gates(pool, plan(), SETTINGS))[0] is pool[0]


def test_many_entries_that_share_one_date_are_noticed() -> None:
    same = [candidate(str(n), title="A", dates=dated(NOW)) for n in range(6)]
    other = [candidate(str(n), title="A", age=n, endpoint="good") for n in range(6)]
    warnings = shared_dates([*same, *other])
    assert len(warnings) == 1 and "6 entries of feed" in warnings[0]
