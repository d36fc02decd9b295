"""Quantiles of the Beta distribution, from its incomplete integral; standard library only."""

from __future__ import annotations

from functools import lru_cache
from math import exp, lgamma, log

_TINY = 1e-300


def beta_cdf(x: float, a: float, b: float) -> float:
    """P(X <= x) for X ~ Beta(a, b): the regularised incomplete beta function.

    Continued fraction by Lentz's method (Press et al., Numerical Recipes, 6.4).
    """
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    result = d
    for m in range(1, 300):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1 / _away(1 + even * d), _away(1 + even / c)
        result *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / _away(1 + odd * d), _away(1 + odd / c)
        result *= d * c
        if abs(d * c - 1) < 1e-10:
            break
    return result


def _away(value: float) -> float:
    """Not zero: Lentz's method divides by it."""
    return value if abs(value) > _TINY else _TINY


@lru_cache(maxsize=4096)
def beta_quantile(share: float, a: float, b: float) -> float:
    """x with P(X <= x) = share, by bisection to 1e-7. Most sources of a run share a few (a, b): cached."""
    low, high = 0.0, 1.0
    for _ in range(24):
        middle = (low + high) / 2
        if beta_cdf(middle, a, b) < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2
