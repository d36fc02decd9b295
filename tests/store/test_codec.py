"""Whatever a record holds comes back; older and newer shapes load."""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.store.codec import decoder, dump, encode, load, shape
from pipeline.types import Bucket, Candidate, Plan, Question, Scored, Verdict, XReport
from tests.store.helpers import candidate, plan, scored, x_report


class Colour(IntEnum):
    RED = 1
    BLUE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    word: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outer:
    number: float
    flag: bool
    colour: Colour
    maybe: int | None
    when: datetime | None
    inner: Inner | None
    many: tuple[Inner, ...]
    pair: tuple[str, datetime]
    named: Mapping[str, tuple[int, ...]]
    nested: Mapping[str, Mapping[str, Inner]]


TIMES = st.datetimes(timezones=st.just(UTC))
INNER = st.builds(Inner, word=st.text())
OUTER = st.builds(
    Outer,
    number=st.floats(allow_nan=False),
    flag=st.booleans(),
    colour=st.sampled_from(Colour),
    maybe=st.none() | st.integers(),
    when=st.none() | TIMES,
    inner=st.none() | INNER,
    many=st.lists(INNER, max_size=3).map(tuple),
    pair=st.tuples(st.text(), TIMES),
    named=st.dictionaries(st.text(), st.lists(st.integers(), max_size=3).map(tuple), max_size=3),
    nested=st.dictionaries(st.text(), st.dictionaries(st.text(), INNER, max_size=2), max_size=2),
)


@given(OUTER)
def test_roundtrip(value):
    assert load(Outer, dump(value, Outer)) == value


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_any_text_roundtrips_lone_surrogates_too(text):
    assert load(Inner, dump(Inner(word=text), Inner)) == Inner(word=text)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (plan(), Plan),
        (candidate(3), Candidate),
        (scored(candidate(3), 3, Bucket.SELECTED), Scored),
        (x_report(), XReport),
        (Question(text="x", since=datetime(2026, 1, 1, tzinfo=UTC), queries={"rss": "y"}), Question),
    ],
)
def test_the_products_records_roundtrip(value, kind):
    found = load(kind, dump(value, kind))
    assert found == value
    assert type(found) is kind


def test_numbers_out_of_arrays_are_stored_as_numbers():
    assert json.loads(encode([np.float32(0.5), np.int64(3), np.bool_(True)])) == [0.5, 3, True]


def test_a_field_that_was_added_since_takes_its_default_and_one_that_is_gone_is_skipped():
    stored = json.dumps({"Verdict": ["keep", "gone", "reason"]})
    assert decoder(Verdict, stored)([True, "old", "because"]) == Verdict(keep=True, reason="because")


def test_the_order_of_fields_may_change():
    stored = json.dumps({"Verdict": ["reason", "keep"]})
    assert decoder(Verdict, stored)(["because", False]) == Verdict(keep=False, reason="because")


def test_the_shape_names_everything_reachable():
    assert set(json.loads(shape(Candidate))) == {"Candidate", "DateLedger", "DateClaim", "Passage"}
    assert json.loads(shape(Inner)) == {"Inner": [field.name for field in dataclasses.fields(Inner)]}


def test_what_can_not_be_stored_is_a_mistake():
    with pytest.raises(TypeError, match="object can't be stored"):
        encode(object())
