"""An item's total as steps, and two items step by step."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.scoring import apart, steps
from pipeline.types import DIMENSION_NAMES, Bucket, Judged, Part, Penalty, Scored, Verdict
from tests.scoring.made import candidate

WEIGHTS = (0.30, 0.25, 0.20, 0.15, 0.05, 0.05)


def item(values: tuple[float, ...], *factors: float) -> Scored:
    total = 100 * sum(w * v for w, v in zip(WEIGHTS, values, strict=True))
    for factor in factors:
        total *= factor
    return Scored(
        judged=Judged(candidate=candidate(), verdict=Verdict(keep=True)),
        event_id="e",
        parts=tuple(
            Part(name=n, value=v, weight=w, evidence=f"{n} says")
            for n, v, w in zip(DIMENSION_NAMES, values, WEIGHTS, strict=True)
        ),
        penalties=tuple(
            Penalty(name=f"p{at}", factor=f, effect="total", evidence="struck") for at, f in enumerate(factors)
        ),
        total=round(total, 2),
        tier="lead",
        bucket=Bucket.SELECTED,
        reason="",
    )


SHARES = st.floats(0, 1, allow_nan=False)


@given(st.tuples(*[SHARES] * 6), st.lists(SHARES, max_size=4))
def test_the_steps_lead_from_zero_to_the_total(values: tuple[float, ...], factors: list[float]) -> None:
    made = item(values, *factors)
    found = steps(made)
    assert found[0].start == 0
    assert all(one.end == next_.start for one, next_ in zip(found, found[1:], strict=False))
    assert found[-1].end == pytest.approx(made.total, abs=0.0051)
    assert all(step.points <= 0 for step in found if step.penalty)


def test_a_step_says_its_evidence() -> None:
    assert [step.says for step in steps(item((1.0,) * 6, 0.5))][-2:] == ["preference says", "struck"]


def test_what_was_not_scored_has_no_steps() -> None:
    assert steps(replace(item((0.0,) * 6), parts=(), penalties=())) == ()


def test_two_items_differ_step_by_step_the_largest_first() -> None:
    one, other = item((1.0, 0.5, 0.9, 0.0, 1.0, 0.0)), item((0.5, 0.9, 0.9, 0.0, 1.0, 0.0), 0.55)
    found = apart(one, other)
    assert next(iter(found)) == "p0"
    assert found["timeliness"] == pytest.approx(15)
    assert sum(found.values()) == pytest.approx(one.total - other.total, abs=0.01)
