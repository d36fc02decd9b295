"""The time in an id, and ids nobody was given."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from xlane_helpers import id_at

from pipeline.xlane.snowflake import is_numeric, looks_made_up, posted_at


def test_the_time_of_a_known_id() -> None:
    """1578516068309794817 was posted on 2022-10-07 22:42:12 by its own text and date."""
    at = posted_at("1578516068309794817")
    assert at is not None
    assert at.replace(microsecond=0) == datetime(2022, 10, 7, 22, 42, 12, tzinfo=UTC)


@settings(suppress_health_check=[HealthCheck.too_slow])  # how long drawing takes says nothing on a busy machine
@given(st.datetimes(min_value=datetime(2011, 1, 1), max_value=datetime(2040, 1, 1)))
def test_every_time_comes_back_to_the_millisecond(at: datetime) -> None:
    at = at.replace(tzinfo=UTC, microsecond=at.microsecond // 1000 * 1000)
    found = posted_at(id_at(at, 5))
    assert found is not None
    assert abs((found - at).total_seconds()) < 0.002


@pytest.mark.parametrize("post_id", ["", "abc", "12a", "１２３", "-5", "9" * 30, "7"])
def test_ids_without_a_time(post_id: str) -> None:
    assert posted_at(post_id) is None or not is_numeric(post_id)


@pytest.mark.parametrize(
    "post_id",
    ["1234567890123456789", "1900000000000000000", "1999999999999999999", "1987654321098765432", "1951951951951951951"],
)
def test_ids_that_somebody_typed(post_id: str) -> None:
    assert looks_made_up(post_id)


def test_real_ids_do_not_look_made_up() -> None:
    assert not any(looks_made_up(i) for i in ("1578516068309794817", "1380242611779928066", "1982033415697514642"))
