"""Re-scoring touches only what a setting changes, and what it keeps between two moves is never another table's."""

import gc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.scoring import beta, rescore
from pipeline.scoring.authority import Prior, posterior
from pipeline.scoring.kept import Kept
from pipeline.types import DIMENSION_NAMES, Bucket, Report, ScoreSettings, Table
from tests.scoring.test_select import SCORES, ran, table

AUTHORITY = DIMENSION_NAMES.index("authority")


# --------------------------------------------------------------------------- against one row after another


def by_hand(made: Table, total: np.ndarray, scores: ScoreSettings) -> list[int]:
    """The bucket of every row by the rules as they are written, in a loop."""
    found = made.fixed.tolist()
    order = sorted(
        (row for row in range(len(made)) if made.fixed[row] < 0), key=lambda row: (-total[row], -made.engagement[row])
    )
    seen: set[tuple[str, int, bool]] = set()
    held: dict[tuple[str, str], int] = {}

    def new(kind: str, group: int, row: int) -> bool:
        mark = (kind, group, bool(made.upstream[row]))
        fresh = mark not in seen
        seen.add(mark)
        return fresh

    shown = []
    for row in order:
        if made.values[row, 1] < scores.relevance_floor and not made.first_party[row]:
            found[row] = Bucket.OFF_TOPIC
        elif made.dismissed[row]:
            found[row] = Bucket.DISMISSED
        elif not new("copy", int(made.original[row]), row):
            found[row] = Bucket.COPY
        elif total[row] < scores.threshold:
            found[row] = Bucket.BELOW_THRESHOLD
        elif made.social[row] and made.authors[row] and _full(held, made, row, scores.per_author):
            found[row] = Bucket.AUTHOR_CAP
        elif not new("event", int(made.event[row]), row):
            found[row] = Bucket.FOLDED
        else:
            shown.append(row)
    events = list(dict.fromkeys(int(made.event[row]) for row in shown))
    shown.sort(key=lambda row: events.index(int(made.event[row])))
    for place, row in enumerate(shown):
        found[row] = Bucket.SELECTED if place < scores.max_results else Bucket.OVER_LIMIT
    return [int(bucket) for bucket in found]


def _full(held: dict[tuple[str, str], int], made: Table, row: int, cap: int) -> bool:
    account = (made.sources[row], made.authors[row])
    held[account] = held.get(account, 0) + 1
    return held[account] > cap


@settings(max_examples=120)
@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(0, 9), st.integers(0, 3))
def test_buckets_are_those_of_the_rules_read_one_after_another(seed: int, n: int, limit: int, cap: int) -> None:
    rng = np.random.default_rng(seed)
    original = np.minimum(rng.integers(0, n, n), np.arange(n))
    for _ in range(6):
        original = original[original]
    made = table(
        n,
        values=rng.integers(0, 11, (n, 6)) / 10,
        original=original,
        event=rng.integers(0, max(n // 3, 1), n)[original],
        engagement=rng.integers(0, 3, n),
        fixed=np.where(rng.random(n) < 0.1, 6, -1),
        upstream=rng.random(n) < 0.2,
        social=rng.random(n) < 0.5,
        first_party=rng.random(n) < 0.1,
        authors=tuple(("", "a", "b")[k] for k in rng.integers(0, 3, n)),
        sources=tuple(("x", "bluesky")[k] for k in rng.integers(0, 2, n)),
    )
    scores = replace(SCORES, max_results=limit, per_author=cap, threshold=float(rng.integers(0, 80)))
    ranking = rescore(ran(made), scores)
    assert ranking.bucket.tolist() == by_hand(made, ranking.total, scores)


# --------------------------------------------------------------------------- only what changed


def biased(run: Report, **keys: float) -> Report:
    estimates = {key: posterior(key, Prior(0.3, "class unlisted"), 20, 4, 1) for key in set(run.table.authority_keys)}
    return replace(run, authorities=estimates, settings=replace(run.settings, authority_biases=keys))


def test_weights_and_threshold_read_the_values_and_copy_none() -> None:
    run = ran(table(3))
    ranking = rescore(run, replace(SCORES, threshold=70.0, weights=(1, 1, 1, 1, 1, 0)))
    assert ranking.values is run.table.values


def test_a_bias_reaches_every_topic_of_its_source_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    run = biased(ran(table(4, authority_keys=("a.example", "a.example#ai", "b.example", "aa.example"))))
    monkeypatch.setattr(beta, "beta_cdf", lambda *_: pytest.fail("the interval is not what re-scoring needs"))
    values = rescore(run, replace(SCORES, authority_biases={"a.example": 0.9})).values
    assert values[:, AUTHORITY].tolist() == pytest.approx([(0.9 * 20 + 4) / 25] * 2 + [0.6, 0.6])
    only = rescore(run, replace(SCORES, authority_biases={"a.example#ai": 0.9})).values
    assert only[:, AUTHORITY].tolist() == pytest.approx([0.6, (0.9 * 20 + 4) / 25, 0.6, 0.6])


def test_a_bias_leaves_what_was_never_scored_alone() -> None:
    run = biased(ran(table(2, fixed=[-1, 6])))
    assert rescore(run, replace(SCORES, authority_biases={"site.example": 0.9})).values[1, AUTHORITY] == np.float32(0.6)


# --------------------------------------------------------------------------- what is kept


def test_what_is_kept_is_made_once_for_the_same_arrays_and_anew_for_others() -> None:
    kept: Kept[int] = Kept()
    one, other = np.zeros(1), np.zeros(1)
    made = [kept.of((array,), lambda value=value: value) for value, array in enumerate((one, one, other, one))]
    assert made == [0, 0, 2, 3]


def test_what_is_kept_goes_with_its_arrays() -> None:
    class Large:
        pass

    kept: Kept[Large] = Kept()
    array = np.zeros(1)
    kept.of((array,), Large)
    del array
    gc.collect()
    assert not [one for one in gc.get_objects() if type(one) is Large]


def test_each_table_is_ranked_by_its_own_columns() -> None:
    first = ran(table(2, base=[60, 60], engagement=[1, 5]))
    second = replace(first, table=replace(first.table, engagement=np.array([5, 1], np.float32)))
    orders = [rescore(run, SCORES).order.tolist() for run in (first, second, first)]
    assert orders == [[1, 0], [0, 1], [1, 0]]
