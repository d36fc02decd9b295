"""Measures of quality: one function a measure, its formula above the code, standard library only.

Labels come first, guesses or scores second, index-aligned. A measure whose denominator is empty is 0.0, so that a
table of results never holds NaN. Ranked measures take labels already in ranked order: see `ranked`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from math import log2, sqrt
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class PRF(NamedTuple):
    precision: float
    recall: float
    f1: float


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _prf(hits: float, guessed: float, true: float) -> PRF:
    precision, recall = _ratio(hits, guessed), _ratio(hits, true)
    return PRF(precision, recall, _ratio(2 * precision * recall, precision + recall))


def mean(values: Iterable[float]) -> float:
    """Sum over count."""
    listed = list(values)
    return _ratio(sum(listed), len(listed))


# --------------------------------------------------------------------------- classes


def accuracy(truth: Sequence[Hashable], guess: Sequence[Hashable]) -> float:
    """Share of positions that agree."""
    return mean(float(t == g) for t, g in zip(truth, guess, strict=True))


def prf(truth: Sequence[Hashable], guess: Sequence[Hashable], positive: Hashable = True) -> PRF:
    """P = TP / (TP + FP), R = TP / (TP + FN), F1 = 2PR / (P + R), of the class `positive`."""
    hits = sum(t == positive and g == positive for t, g in zip(truth, guess, strict=True))
    return _prf(hits, sum(g == positive for g in guess), sum(t == positive for t in truth))


def macro_f1(truth: Sequence[Hashable], guess: Sequence[Hashable]) -> float:
    """Mean F1 over the classes that occur in the truth, each counting the same."""
    return mean(prf(truth, guess, one).f1 for one in dict.fromkeys(truth))


# --------------------------------------------------------------------------- scores


def auc(truth: Sequence[bool], scores: Sequence[float]) -> float:
    """Area under the ROC curve = P(score of a positive > score of a negative), a tie counting one half.

    By ranks (Mann-Whitney): (sum of the positives' mean ranks - p(p+1)/2) / (p x n).
    """
    positives = sum(map(bool, truth))
    negatives = len(truth) - positives
    ranks = _mean_ranks(scores)
    total = sum(rank for rank, true in zip(ranks, truth, strict=True) if true)
    return _ratio(total - positives * (positives + 1) / 2, positives * negatives)


def pearson(a: Sequence[float], b: Sequence[float]) -> float:
    """Covariance over the product of the standard deviations."""
    mean_a, mean_b = mean(a), mean(b)
    covariance = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))
    return _ratio(covariance, sqrt(sum((x - mean_a) ** 2 for x in a)) * sqrt(sum((y - mean_b) ** 2 for y in b)))


def spearman(a: Sequence[float], b: Sequence[float]) -> float:
    """Pearson correlation of the ranks, ties sharing their mean rank."""
    return pearson(_mean_ranks(a), _mean_ranks(b))


def _mean_ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1, smallest first; equal values share the mean of their places."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for place in range(start, end + 1):
            ranks[order[place]] = (start + end) / 2 + 1
        start = end + 1
    return ranks


# --------------------------------------------------------------------------- rankings


def ranked(labels: Sequence[T], scores: Sequence[float]) -> list[T]:
    """Labels ordered by falling score; equal scores keep their order."""
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    return [labels[i] for i in order]


def precision_at(relevant: Sequence[bool], k: int) -> float:
    """Relevant among the first k, over k (also when fewer than k were returned)."""
    return _ratio(sum(map(bool, relevant[:k])), k)


def average_precision(relevant: Sequence[bool]) -> float:
    """Mean of the precision at each relevant place, over all that were ranked."""
    hits, gained = 0, 0.0
    for place, hit in enumerate(relevant, 1):
        if hit:
            hits += 1
            gained += hits / place
    return _ratio(gained, hits)


def reciprocal_rank(relevant: Sequence[bool], k: int | None = None) -> float:
    """1 / place of the first relevant one among the first k; 0 when there is none. Its mean over queries is MRR."""
    return next((1 / place for place, hit in enumerate(relevant[:k], 1) if hit), 0.0)


def dcg(gains: Sequence[float], k: int) -> float:
    """Sum of gain / log2(place + 1) over the first k (Järvelin & Kekäläinen 2002, linear gain as trec_eval)."""
    return sum(gain / log2(place + 1) for place, gain in enumerate(gains[:k], 1))


def ndcg(gains: Sequence[float], k: int, judged: Sequence[float] | None = None) -> float:
    """DCG over that of the ideal order. `judged`: gains of all judged items, when not all of them were ranked."""
    ideal = sorted(gains if judged is None else judged, reverse=True)
    return _ratio(dcg(gains, k), dcg(ideal, k))


# --------------------------------------------------------------------------- groups


def bcubed(truth: Sequence[Hashable], guess: Sequence[Hashable]) -> PRF:
    """B-cubed (Bagga & Baldwin 1998): for each item, the share of its guessed group that is of its true group
    (precision) and the share of its true group found in its guessed one (recall), averaged over items."""
    both = Counter(zip(truth, guess, strict=True))
    in_truth, in_guess = Counter(truth), Counter(guess)
    n = len(truth)
    precision = _ratio(sum(c * c / in_guess[g] for (_, g), c in both.items()), n)
    recall = _ratio(sum(c * c / in_truth[t] for (t, _), c in both.items()), n)
    return PRF(precision, recall, _ratio(2 * precision * recall, precision + recall))


def pairwise(truth: Sequence[Hashable], guess: Sequence[Hashable]) -> PRF:
    """Pairs put together that belong together, over pairs put together (P), over pairs that belong together (R)."""
    hits = _pairs(Counter(zip(truth, guess, strict=True)).values())
    return _prf(hits, _pairs(Counter(guess).values()), _pairs(Counter(truth).values()))


def _pairs(sizes: Iterable[int]) -> int:
    return sum(size * (size - 1) // 2 for size in sizes)


def prf_of_sets(truth: Iterable[Hashable], guess: Iterable[Hashable]) -> PRF:
    """P, R and F1 of what was found against what should have been."""
    true, found = set(truth), set(guess)
    return _prf(len(true & found), len(found), len(true))
