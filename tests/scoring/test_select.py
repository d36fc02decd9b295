"""Who is shown: representatives, caps and the limit; every row ends in exactly one bucket."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.scoring import cautions, effective_weights, lift, nearest, overlooked, rescore, score_settings, select
from pipeline.types import DIMENSION_NAMES, Bucket, Report, ScoreSettings, Table
from tests.scoring.made import NOW, SETTINGS, plan, report

SCORES = replace(score_settings(SETTINGS, plan()), threshold=45.0, max_results=12)


def table(n: int, **columns) -> Table:
    """n unrelated scored items worth `base` points each, unless columns say otherwise."""
    base = columns.pop("base", [60.0] * n)
    values = np.tile(np.asarray(base, np.float32)[:, None] / 100, (1, 6))
    names = tuple(f"r{row}" for row in range(n))
    defaults = {
        "ids": names,
        "titles": names,
        "urls": names,
        "sources": ("rss",) * n,
        "endpoints": ("feed",) * n,
        "domains": ("site.example",) * n,
        "authors": ("",) * n,
        "authority_keys": ("site.example",) * n,
        "published": NOW.timestamp() - np.arange(n) * 3600.0,
        "age_days": np.full(n, 1, np.float32),
        "values": values,
        "factors": np.ones((n, 4), np.float32),
        "struck": np.zeros((n, 4), bool),
        "engagement": np.zeros(n, np.float32),
        "event": np.arange(n, dtype=np.int32),
        "original": np.arange(n, dtype=np.int32),
        "voice": np.zeros(n, np.int32),
        "fixed": np.full(n, -1, np.int8),
        "first_party": np.zeros(n, bool),
        "social": np.zeros(n, bool),
        "upstream": np.zeros(n, bool),
        "dismissed": np.zeros(n, bool),
        "adopted": np.zeros(n, bool),
        "total": np.zeros(n, np.float32),
        "bucket": np.zeros(n, np.int8),
        "tier": np.zeros(n, np.int8),
    }
    given = {name: value if isinstance(value, tuple) else np.asarray(value) for name, value in columns.items()}
    typed = {name: v.astype(defaults[name].dtype) if isinstance(v, np.ndarray) else v for name, v in given.items()}
    return Table(**{**defaults, **typed})


def buckets(made: Table, scores: ScoreSettings = SCORES) -> list[str]:
    return [Bucket(int(b)).name for b in select(made, scores).bucket]


def test_total_is_the_weighted_sum_times_the_penalties() -> None:
    made = table(1, base=[80], factors=[[0.55, 0.40, 1, 1]])
    assert select(made, SCORES).total[0] == pytest.approx(round(80 * 0.55 * 0.40, 2))


def test_weights_without_interests_leave_preference_out() -> None:
    assert effective_weights(SCORES)[-1] == 0
    assert sum(effective_weights(SCORES)) == pytest.approx(1)
    with_words = effective_weights(replace(SCORES, interests=("ai",)))
    assert with_words == pytest.approx((0.30, 0.25, 0.20, 0.15, 0.05, 0.05))


@pytest.mark.parametrize(
    ("weights", "interests", "expected"),
    [
        pytest.param((0,) * 6, (), True, id="all 0"),
        pytest.param((0, 0, 0, 0, 0, 0.05), (), True, id="only preference, which is off"),
        pytest.param((0, 0, 0, 0, 0, 0.05), ("ai",), False, id="only preference, which is on"),
        pytest.param((0, 0.01, 0, 0, 0, 0), (), False, id="one that is on"),
    ],
)
def test_no_weight_at_all_is_said(weights, interests, expected) -> None:
    scores = replace(SCORES, weights=weights, interests=interests)
    assert any("All weights are 0" in said for said in cautions(scores, SETTINGS)) is expected


def test_weights_of_zero_still_give_a_total() -> None:
    assert sum(effective_weights(replace(SCORES, weights=(0,) * 6))) == pytest.approx(1)


def test_below_the_floor_is_off_topic_unless_first_party() -> None:
    values = np.full((2, 6), 0.9)
    values[:, 1] = 0.39
    assert buckets(table(2, values=values, first_party=[False, True])) == ["OFF_TOPIC", "SELECTED"]


def test_off_topic_comes_before_dismissed() -> None:
    values = np.full((2, 6), 0.9)
    values[0, 1] = 0.2
    assert buckets(table(2, values=values, dismissed=[True, True])) == ["OFF_TOPIC", "DISMISSED"]


def test_copies_collapse_into_the_best_scored_not_the_original() -> None:
    made = table(3, base=[50, 70, 60], original=[0, 0, 0], event=[0, 0, 0])
    assert buckets(made) == ["COPY", "SELECTED", "COPY"]


def test_a_dismissed_original_leaves_its_copy_standing() -> None:
    made = table(2, base=[80, 70], original=[0, 0], event=[0, 0], dismissed=[True, False])
    assert buckets(made) == ["DISMISSED", "SELECTED"]


def test_an_event_is_shown_by_its_best_item() -> None:
    assert buckets(table(3, base=[50, 70, 40], event=[0, 0, 0])) == ["FOLDED", "SELECTED", "BELOW_THRESHOLD"]


def test_the_limit_counts_what_is_shown() -> None:
    made = table(4, base=[90, 80, 70, 60], event=[0, 0, 1, 2])
    assert buckets(made, replace(SCORES, max_results=2)) == ["SELECTED", "FOLDED", "SELECTED", "OVER_LIMIT"]


def test_engagement_breaks_ties_and_no_more() -> None:
    made = table(3, base=[60, 60, 61], engagement=[1, 500, 0])
    assert buckets(made, replace(SCORES, max_results=2)) == ["OVER_LIMIT", "SELECTED", "SELECTED"]


def test_one_account_holds_so_many_places_and_articles_any_number() -> None:
    made = table(4, base=[90, 80, 70, 60], authors=("@a",) * 4, social=[True, True, True, False])
    assert buckets(made, replace(SCORES, per_author=2)) == ["SELECTED", "SELECTED", "AUTHOR_CAP", "SELECTED"]


def test_the_same_name_on_two_networks_is_two_accounts() -> None:
    made = table(2, authors=("@a", "@a"), sources=("x", "bluesky"), social=[True, True])
    assert buckets(made, replace(SCORES, per_author=1)) == ["SELECTED", "SELECTED"]


def test_the_best_upstream_item_stands_beside_the_best_and_is_never_folded() -> None:
    made = table(4, base=[90, 50, 48, 70], event=[0, 0, 0, 1], upstream=[False, True, True, False])
    assert buckets(made) == ["SELECTED", "SELECTED", "FOLDED", "SELECTED"]
    assert buckets(made, replace(SCORES, max_results=2)) == ["SELECTED", "SELECTED", "FOLDED", "OVER_LIMIT"]


def test_an_upstream_item_below_the_threshold_is_not_shown() -> None:
    assert buckets(table(2, base=[90, 40], event=[0, 0], upstream=[False, True])) == ["SELECTED", "BELOW_THRESHOLD"]


def test_an_upstream_original_does_not_swallow_the_copy_in_the_window() -> None:
    made = table(2, base=[80, 70], event=[0, 0], original=[0, 0], upstream=[True, False])
    assert buckets(made) == ["SELECTED", "SELECTED"]


TIERS = [
    ("two owners", {"corroboration": 0.5}, "fact"),
    ("trusted and relevant", {"authority": 0.80, "relevance": 0.60}, "fact"),
    ("trusted, barely relevant", {"authority": 0.95, "relevance": 0.59}, "lead"),
    ("a lone rumour however fresh", {"timeliness": 1.0, "relevance": 1.0}, "lead"),
]


@pytest.mark.parametrize(("name", "high", "tier"), TIERS, ids=[row[0] for row in TIERS])
def test_tier(name: str, high: dict[str, float], tier: str) -> None:
    values = np.array([[0.95, 0.75, 0.6, 0.0, 1.0, 0.0]])
    for dimension, value in high.items():
        values[0, DIMENSION_NAMES.index(dimension)] = value
    made = select(table(1, values=values), SCORES)
    assert made.total[0] >= 60
    assert ("none", "lead", "fact")[made.tier[0]] == tier


def test_below_the_threshold_is_neither_fact_nor_lead() -> None:
    assert select(table(1, base=[44]), SCORES).tier[0] == 0
    assert select(table(1, base=[59]), SCORES).tier[0] == 1


def test_fixed_rows_keep_their_gate_and_have_no_points() -> None:
    made = select(table(2, fixed=[4, -1]), SCORES)
    assert (made.bucket[0], made.total[0], made.tier[0]) == (4, 0, 0)


def test_nothing_at_all() -> None:
    assert buckets(table(0)) == []


# --------------------------------------------------------------------------- re-scoring


def ran(made: Table, scores: ScoreSettings = SCORES) -> Report:
    return report(plan(), scores, select(made, scores), None, lambda row: None, {})


@settings(max_examples=60)
@given(st.data())
def test_every_row_ends_in_one_bucket_and_the_same_settings_change_nothing(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 25))
    ints = lambda top: data.draw(st.lists(st.integers(0, top), min_size=n, max_size=n))  # noqa: E731
    original = np.minimum(ints(n - 1), np.arange(n))
    original = original[original][original[original]]
    event = np.asarray(ints(3))[original]
    made = table(
        n,
        base=ints(100),
        original=original,
        event=event,
        social=np.asarray(ints(1), bool),
        upstream=np.asarray(ints(1), bool),
        fixed=np.where(np.asarray(ints(5)) == 0, 6, -1),
        dismissed=np.asarray(ints(5)) == 0,
        engagement=ints(2),
        authors=tuple("ab"[i] for i in ints(1)),
    )
    made.values[:, 3] = 0  # one voice an event, as the table says
    scores = replace(SCORES, max_results=data.draw(st.integers(0, 6)), per_author=2)
    run = ran(made, scores)
    counts = Counter(run.table.bucket.tolist())
    assert sum(counts.values()) == n and set(counts) <= set(map(int, Bucket))
    assert counts[Bucket.SELECTED] <= scores.max_results
    again = rescore(run, scores)
    assert np.array_equal(again.bucket, run.table.bucket)
    assert np.array_equal(again.total, run.table.total)
    assert np.array_equal(again.tier, run.table.tier)
    assert not again.rank_change.any()
    shown = run.table.bucket == Bucket.SELECTED
    pairs = list(zip(run.table.event[shown].tolist(), run.table.upstream[shown].tolist(), strict=True))
    assert len(pairs) == len(set(pairs)), "an event is shown once, and once more by an upstream item"


def test_rank_change_counts_places() -> None:
    values = np.full((3, 6), 0.8)
    values[:, 0] = [1.0, 0.6, 0.2]
    values[:, 2] = [0.2, 0.5, 0.6]
    run = ran(table(3, values=values))
    ranking = rescore(run, replace(SCORES, weights=(0.0, 0.5, 0.5, 0, 0, 0)))
    assert ranking.order.tolist() == [2, 1, 0]
    assert ranking.rank_change.tolist() == [-2, 0, 2]


def test_selected_rows_come_as_a_story_and_the_order_by_score() -> None:
    run = ran(table(3, base=[90, 50, 70]))
    ranking = rescore(run, SCORES)
    assert ranking.selected.tolist() == [2, 1, 0]
    assert ranking.order.tolist() == [0, 2, 1]


def test_another_decay_is_computed_from_ages_and_leaves_upstream_alone() -> None:
    run = ran(table(2, age_days=[15, 33], upstream=[False, True], event=[0, 0]))
    values = rescore(run, replace(SCORES, decay="linear")).values
    assert values[:, 0].tolist() == pytest.approx([0.5, 0.05])


def test_a_dismissal_takes_the_voice_away() -> None:
    made = table(2, event=[0, 0], voice=[0, 1])
    made.values[:, 3] = 0.5
    run = ran(made)
    later = replace(run, table=replace(run.table, dismissed=np.array([False, True])))
    ranking = rescore(later, SCORES)
    assert ranking.values[0, 3] == 0
    assert ranking.bucket.tolist() == [Bucket.SELECTED, Bucket.DISMISSED]


def test_the_report_itself_stays_as_it_was() -> None:
    run = ran(table(2, base=[90, 50]))
    before = run.table.values.copy()
    rescore(run, replace(SCORES, decay="linear", threshold=80.0))
    assert np.array_equal(before, run.table.values)


# --------------------------------------------------------------------------- what would lift it


def test_lift_names_changes_that_reach_the_threshold() -> None:
    values = np.array([[0.9, 0.5, 0.3, 0.0, 0.3, 0.0]])
    scores = replace(SCORES, threshold=60.0)
    made = select(table(1, values=values), scores)
    found = lift(made, 0, scores)
    assert found.gap == pytest.approx(60 - found.total, abs=0.01)
    assert rescore(ran(made, scores), replace(scores, threshold=found.threshold)).bucket[0] == Bucket.SELECTED
    weights = np.array(effective_weights(scores))
    for name, needed in found.dimensions.items():
        changed = values.copy()
        changed[0, DIMENSION_NAMES.index(name)] = needed
        assert 100 * float((changed @ weights)[0]) == pytest.approx(60, abs=0.01)
    for name, share in found.weights.items():
        k = DIMENSION_NAMES.index(name)
        other = weights * (1 - share) / (1 - weights[k])
        other[k] = share
        assert 100 * float((values @ other)[0]) == pytest.approx(60, abs=0.01)
    assert found.sentence.startswith("To reach 60 it would need ")
    assert f"a threshold of {found.threshold:.2f} would show it" in found.sentence


def test_lift_says_when_no_single_change_is_enough() -> None:
    far = select(table(1, base=[10]), SCORES)
    assert lift(far, 0, SCORES).sentence.startswith("To reach 45 no single change is enough: 35.00 points are missing")


def test_nothing_needs_lifting_above_the_line() -> None:
    assert lift(select(table(1, base=[80]), SCORES), 0, SCORES).sentence == "It is over the line."


def test_nearest_rejects_best_first() -> None:
    assert nearest(select(table(4, base=[41, 44, 42, 90]), SCORES), 2).tolist() == [1, 2]


def test_overlooked_leads_are_what_nobody_took() -> None:
    made = table(5, base=[60, 60, 60, 80, 54], adopted=[False, True, False, False, False],
                 dismissed=[False, False, True, False, False])  # fmt: skip
    assert overlooked(select(made, SCORES), 55, 75).tolist() == [0]
