"""What a grouping holds: originals, voices, upstream, time gaps, the analyst's word, memory."""

from __future__ import annotations

from datetime import timedelta
from itertools import combinations

import numpy as np
import pytest

from pipeline import events
from pipeline.text import corpus
from tests.events.helpers import NOW, WINDOW, FakeMemory, grouped, item, settings

QUAKE = (
    "A strong earthquake shook the northern coast early on Tuesday, damaging houses and cutting power to thousands of "
    "homes, officials said, while rescue teams were on their way to the mountain villages."
)


def test_empty_pool() -> None:
    found = grouped()
    assert found.events == ()
    assert len(found.event_of) == 0


def test_original_is_the_earliest_and_undated_never_beats_dated() -> None:
    found = grouped(
        item("Quake shakes coast", QUAKE, hours=10),
        item("Quake shakes the coast", QUAKE, hours=12),
        item("Quake shakes coast again", QUAKE, hours=None),
    )
    assert list(found.original_of) == [1, 1, 1]
    assert found.events[0].originator == item("Quake shakes the coast", QUAKE, hours=12).id


def test_equal_times_go_to_the_more_authoritative() -> None:
    found = grouped(
        item("Quake shakes coast", QUAKE, url="https://unknown.example/1"),
        item("Quake shakes coast", QUAKE, url="https://www.reuters.com/1"),
    )
    assert list(found.original_of) == [1, 1]


def test_copy_that_brings_a_paragraph_of_its_own_adds_something() -> None:
    more = (
        QUAKE
        + " The mayor told this paper that schools would remain shut and asked volunteers to bring blankets, tents, fuel."
    )
    found = grouped(item("Quake shakes coast", QUAKE, hours=10), item("Quake shakes coast", QUAKE, hours=9),
                    item("Quake shakes coast", more, hours=8))  # fmt: skip
    assert list(found.adds_nothing) == [False, True, False]


def test_same_title_with_other_text_is_no_copy() -> None:
    other = (
        "Ministers met bankers to discuss the new levy on imported timber, which builders fear will raise their costs."
    )
    found = grouped(item("Morning briefing for readers", QUAKE), item("Morning briefing for readers", other))
    assert list(found.original_of) == [0, 1]


def test_gap_of_more_than_three_days_separates() -> None:
    near = grouped(item("Quake shakes coast", QUAKE, hours=100), item("Quake shakes coast", QUAKE, hours=30))
    far = grouped(item("Quake shakes coast", QUAKE, hours=104), item("Quake shakes coast", QUAKE, hours=30))
    chain = grouped(*(item(f"Quake shakes coast {'ab'[n % 2]}", QUAKE, hours=30 + 60 * n) for n in range(4)))
    assert (len(near.events), len(far.events), len(chain.events)) == (1, 2, 1)


def test_older_item_of_an_event_in_the_window_is_upstream() -> None:
    hours = (NOW - WINDOW.since) / timedelta(hours=1) + 90
    found = grouped(
        item("Quake shakes coast", QUAKE, hours=hours),
        item("Quake shakes the coast", QUAKE, hours=hours - 100),
        item("Bridge opens after years of delay", hours=hours),
    )
    assert list(found.upstream) == [True, False, False]
    assert found.events[found.event_of[1]].upstream == found.events[found.event_of[1]].members[:1]


def test_a_copy_that_time_parts_from_its_original_is_an_original() -> None:
    told = QUAKE.split(", ")
    other = f"{told[1]}, {told[2]}, {told[0]}, {told[3]}"  # the same event in another order of words
    until_window = (NOW - WINDOW.since) / timedelta(hours=1)
    items = (
        item("Quake shakes northern coast, houses damaged", QUAKE, hours=until_window + 48, url="https://b.example/1"),
        item(
            "Houses damaged as northern coast shakes in quake", other, hours=until_window - 2, url="https://f.example/1"
        ),
        item("Quake shakes northern coast, houses damaged", QUAKE, hours=until_window - 120, url="https://a.example/1"),
    )
    found = grouped(*items)
    assert [len(event.members) for event in found.events] == [2, 1]
    for event in found.events:
        assert all({copy, source} <= set(event.members) for copy, source in event.copies)
    assert found.original_of[2] == 2


def test_analyst_splits_and_joins() -> None:
    a, b = item("Quake shakes coast", QUAKE), item("Quake shakes the coast", QUAKE)
    c = item("Bridge opens after years of delay")
    pair = sorted((a.id, b.id))
    split = grouped(a, b, memory=FakeMemory({(pair[0], pair[1]): False}))
    assert len(split.events) == 2
    pair = sorted((a.id, c.id))
    joined = grouped(a, b, c, memory=FakeMemory({(pair[0], pair[1]): True}))
    assert len(joined.events) == 1
    assert "analyst" in {link.layer for link in joined.events[0].why}


UNLIKE = {
    "a": item("Bridge opens after years of delay"),
    "b": item("Ferry prices rise in the north"),
    "c": item("Museum finds a lost map"),
    "d": item("Council bans scooters at night"),
    "copy of a": item("Bridge opens after years of delay", url="https://copy.example/1"),
}


@pytest.mark.parametrize(
    ("here", "joined", "split", "found"),
    [
        ("a,b,c,d", "a+b,a+c,b+c", "", "a+b+c,d"),
        ("b,c,d", "a+b,a+c", "", "b+c,d"),  # joined to one that is not here
        ("a,copy of a,b", "a+b", "", "a+copy of a+b"),
        ("b,a,copy of a", "a+b", "copy of a+b", "a+b,copy of a"),  # no copy overrules the analyst
        ("b,c,d", "a+b,b+d", "c+a", "b+d,c"),
        ("copy of a,a,b", "b+a", "copy of a+c,c+b", "copy of a+a+b"),
        ("a,copy of a,d", "a+b", "copy of a+b", "a,copy of a,d"),  # b, of which one was split, is not here
        ("a,b,c", "a+b,b+c", "a+c", "a+b+c"),
    ],
)
def test_the_analysts_word_holds_for_all_it_was_said_of(here: str, joined: str, split: str, found: str) -> None:
    name = {one.id: key for key, one in UNLIKE.items()}
    said = {
        tuple(sorted(UNLIKE[key].id for key in pair.split("+"))): kind
        for kind, pairs in ((False, split), (True, joined))
        for pair in filter(None, pairs.split(","))
    }
    events_ = grouped(*(UNLIKE[key] for key in here.split(",")), memory=FakeMemory(said)).events  # type: ignore[arg-type]
    assert {frozenset(name[one] for one in event.members) for event in events_} == {
        frozenset(group.split("+")) for group in found.split(",")
    }


def test_joined_events_keep_their_members_and_gain_reports() -> None:
    quakes = [item(f"Quake shakes {where} coast", QUAKE, url=f"https://{n}.example/1") for n, where in enumerate("ABC")]
    others = [UNLIKE["b"], UNLIKE["c"]]
    ids = sorted(one.id for one in (*quakes[:2], *others))
    memory = FakeMemory(dict.fromkeys(combinations(ids, 2), True))
    (event,) = grouped(*quakes, *others, memory=memory).events
    assert len(event.members) == 5
    assert sum(link.layer == "analyst" for link in event.why) == 3  # enough to tie four


def test_analyst_joins_across_a_gap_of_time() -> None:
    a, b = item("Quake shakes coast", QUAKE, hours=300), item("Villages rebuilt after quake", hours=30)
    pair = sorted((a.id, b.id))
    assert len(grouped(a, b, memory=FakeMemory({(pair[0], pair[1]): True})).events) == 1


def test_event_is_recognised_in_a_later_run() -> None:
    memory = FakeMemory()
    first_items = (item("Quake shakes northern coast", QUAKE, hours=200),)
    first = grouped(*first_items, memory=memory)
    memory.remember(events.fingerprints(first_items, first), NOW - timedelta(days=7))
    again = grouped(item("Quake shakes the northern coast", QUAKE, url="https://b.example/2", hours=2), memory=memory)
    assert again.events[0].id == first.events[0].id
    assert again.events[0].known_since == NOW - timedelta(days=7)
    assert [link.layer for link in again.events[0].why] == ["earlier run"]


def test_other_number_of_a_series_is_not_recognised() -> None:
    memory = FakeMemory()
    earlier = (item("EU adopts 12th sanctions package on Russia", hours=200),)
    memory.remember(events.fingerprints(earlier, grouped(*earlier)), NOW - timedelta(days=7))
    later = grouped(item("EU adopts 13th sanctions package on Russia", hours=2), memory=memory)
    assert later.events[0].known_since is None


OTHERS = {
    "who beats whom": ("Arsenal beat Chelsea in London derby", "Chelsea beat Arsenal in London derby"),
    "a denial": ("Google says it has been hacked by spies", "Google says it has not been hacked by spies"),
    "the other direction": ("Dow closes up after Fed decision", "Dow closes down after Fed decision"),
}


@pytest.mark.parametrize(("earlier", "later"), OTHERS.values(), ids=OTHERS)
def test_the_opposite_of_what_is_remembered_is_not_recognised(earlier: str, later: str) -> None:
    memory = FakeMemory()
    old = (item(earlier, hours=150),)
    memory.remember(events.fingerprints(old, grouped(*old)), NOW - timedelta(days=6))
    assert grouped(item(later, hours=2), memory=memory).events[0].known_since is None
    assert grouped(item(earlier, hours=2), memory=memory).events[0].known_since


def test_a_lead_that_names_nothing_recognises_nothing() -> None:
    memory, lead = FakeMemory(), "Here is what we know so far, and what is still unclear."
    earlier = (item("What we know about the Jakarta plane crash", lead, hours=200),)
    memory.remember(events.fingerprints(earlier, grouped(*earlier)), NOW - timedelta(days=7))
    later = grouped(item("What we know about the Berlin knife attack", lead, hours=2), memory=memory)
    assert later.events[0].known_since is None
    again = grouped(item("What we know about the Jakarta plane crash", lead, hours=2), memory=memory)
    assert again.events[0].known_since


def test_a_title_alone_is_recognised_for_some_days_only() -> None:
    column = (item("Morning briefing for readers of the Courier", hours=500),)
    for days, known in ((6, True), (20, False)):
        memory = FakeMemory()
        memory.remember(events.fingerprints(column, grouped(*column)), NOW - timedelta(days=days))
        again = grouped(item("Morning briefing for readers of the Courier", hours=2), memory=memory)
        assert (again.events[0].known_since is not None) == known


def test_damaged_memory_is_no_evidence() -> None:
    memory = FakeMemory()
    earlier = (item("Quake shakes northern coast", QUAKE, hours=200),)
    rows = [
        (event, keys, "{not json", title) for event, keys, _, title in events.fingerprints(earlier, grouped(*earlier))
    ]
    memory.remember(rows, NOW)
    assert grouped(item("Quake shakes northern coast", QUAKE), memory=memory).events[0].known_since is None


def test_corpus_given_or_not_is_the_same_and_rows_are_aligned() -> None:
    items = (item("Quake shakes coast", QUAKE), item("Bridge opens"), item("Quake shakes the coast", QUAKE))
    given = events.group(items, window=WINDOW, settings=settings(), now=NOW, corpus=corpus(items))
    own = events.group(items, window=WINDOW, settings=settings(), now=NOW)
    assert np.array_equal(given.event_of, own.event_of)
    for row, candidate in enumerate(items):
        assert candidate.id in own.events[own.event_of[row]].members


def test_order_of_the_pool_does_not_matter() -> None:
    items = [item(f"Quake shakes coast {n}", QUAKE, hours=20 + n) for n in range(5)] + [
        item("Bridge opens after delay")
    ]
    parts = {frozenset(event.members) for event in grouped(*items).events}
    assert parts == {frozenset(event.members) for event in grouped(*reversed(items)).events}


def test_what_an_outlet_repeats_for_days_is_joined_to_no_report() -> None:
    report = item("Strong earthquake shakes northern coast, damaging houses in mountain villages", hours=30)
    notices = [
        item(
            "Earthquake on northern coast: houses of mountain villages damaged",
            hours=hours,
            url=f"https://a.example/{n}",
        )
        for n, hours in enumerate((20, 50, 80, 110))
    ]
    once, again = grouped(report, notices[0]), grouped(report, *notices)
    assert len(once.events) == 1, "said once, it is a report like another"
    assert again.event_of.tolist() == [0, 1, 1, 1, 1]
