"""Expected values are written out as arithmetic, so that a reader can check them by hand."""

from math import log2, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluation import metrics as m


def test_accuracy_is_the_share_that_agrees():
    assert m.accuracy(["a", "b", "b", "a"], ["a", "b", "a", "a"]) == 3 / 4


def test_precision_recall_and_f1_of_one_class():
    truth = [True, True, True, False, False]
    guess = [True, True, False, True, False]
    assert m.prf(truth, guess) == (2 / 3, 2 / 3, 2 / 3)
    assert m.prf(truth, guess, False) == (1 / 2, 1 / 2, 1 / 2)


def test_macro_f1_counts_each_class_the_same():
    truth, guess = ["a", "a", "a", "b"], ["a", "a", "a", "a"]
    f1_a = 2 * (3 / 4) * 1 / (3 / 4 + 1)
    assert m.macro_f1(truth, guess) == pytest.approx((f1_a + 0) / 2)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        pytest.param([4, 3, 2, 1], 4 / 4, id="both positives above both negatives"),
        pytest.param([4, 2, 3, 1], 3 / 4, id="one of four pairs reversed"),
        pytest.param([1, 1, 1, 1], 1 / 2, id="all tied"),
        pytest.param([1, 2, 3, 4], 0 / 4, id="all reversed"),
        pytest.param([4, 3, 3, 1], (2 + 1.5) / 4, id="one tie counts half"),
    ],
)
def test_auc_is_the_share_of_pairs_in_order(scores, expected):
    assert m.auc([True, True, False, False], scores) == expected


def test_correlations():
    a, b = [1, 2, 3], [1, 2, 4]
    covariance = (-1) * (1 - 7 / 3) + 0 + 1 * (4 - 7 / 3)
    spread = sqrt(2) * sqrt((1 - 7 / 3) ** 2 + (2 - 7 / 3) ** 2 + (4 - 7 / 3) ** 2)
    assert m.pearson(a, b) == pytest.approx(covariance / spread)
    assert m.spearman(a, b) == pytest.approx(1)
    assert m.spearman([1, 2, 2, 3], [1, 2, 2, 9]) == pytest.approx(1)


def test_ranked_measures():
    relevant = [False, True, False, True]
    assert m.precision_at(relevant, 2) == 1 / 2
    assert m.precision_at([True], 10) == 1 / 10
    assert m.average_precision(relevant) == (1 / 2 + 2 / 4) / 2
    assert m.reciprocal_rank(relevant) == 1 / 2
    assert m.reciprocal_rank(relevant, k=1) == 0


def test_ndcg_has_linear_gain_and_takes_what_was_not_ranked():
    gains = [0, 2, 1]
    found = 0 / log2(2) + 2 / log2(3) + 1 / log2(4)
    assert m.ndcg(gains, 3) == pytest.approx(found / (2 / log2(2) + 1 / log2(3)))
    assert m.ndcg(gains, 3, judged=[3, 2, 1]) == pytest.approx(found / (3 / log2(2) + 2 / log2(3) + 1 / log2(4)))


def test_ranked_puts_the_best_first_and_keeps_ties_in_order():
    assert m.ranked("abcd", [0.1, 0.9, 0.9, 0.5]) == ["b", "c", "d", "a"]


def test_groups():
    truth, guess = [1, 1, 1, 2, 2], ["x", "x", "y", "y", "y"]
    precision = (2 / 2 + 2 / 2 + 1 / 3 + 2 / 3 + 2 / 3) / 5
    recall = (2 / 3 + 2 / 3 + 1 / 3 + 2 / 2 + 2 / 2) / 5
    assert m.bcubed(truth, guess) == pytest.approx((precision, recall, 2 * precision * recall / (precision + recall)))
    assert m.pairwise(truth, guess) == (2 / 4, 2 / 4, 1 / 2)  # {1,2} and {4,5} of 3+1 true and 1+3 guessed pairs


def test_sets():
    assert m.prf_of_sets({1, 2, 3}, {2, 3, 4, 5}) == (2 / 4, 2 / 3, pytest.approx(2 * 0.5 * (2 / 3) / (0.5 + 2 / 3)))


@pytest.mark.parametrize(
    "empty",
    [
        lambda: m.accuracy([], []),
        lambda: m.macro_f1([], []),
        lambda: m.auc([True], [0.5]),
        lambda: m.pearson([1, 1], [1, 2]),
        lambda: m.ndcg([], 10),
        lambda: m.average_precision([False]),
        lambda: m.bcubed([], []).f1,
        lambda: m.pairwise([1], [1]).f1,
    ],
)
def test_nothing_to_measure_is_zero(empty):
    assert empty() == 0.0


def test_different_lengths_are_a_mistake():
    with pytest.raises(ValueError):
        m.accuracy([1], [1, 2])


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), max_size=40))
def test_auc_equals_counting_every_pair(rows):
    truth, scores = [t for t, _ in rows], [float(s) for _, s in rows]
    pairs = [(p, n) for t, p in rows if t for u, n in rows if not u]
    counted = sum((p > n) + 0.5 * (p == n) for p, n in pairs) / len(pairs) if pairs else 0.0
    assert m.auc(truth, scores) == pytest.approx(counted)
