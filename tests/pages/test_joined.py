"""Why reports are one event, and what a card says of its event."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from pages.parts import card, evidence, joined
from pages.parts.view import View
from pipeline.types import Link
from tests.pages import sample

REPORT = sample.report()
KESTREL = 0
"""Number of the event whose reports are: item-0 of marasnotebook.example, items 1.. of six other sites."""


def link(a: str, b: str, distance: float = 0.0, layer: str = "title fingerprint", relation: str = "copy") -> Any:
    return Link(a=a, b=b, relation=relation, layer=layer, distance=distance, reason="so it is")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("links", "lines"),
    [
        ([link("a", "b"), link("b", "c"), link("a", "c")], ["abc"]),
        ([link("a", "b"), link("c", "d"), link("b", "c")], ["abcd"]),
        ([link("a", "b"), link("c", "d")], ["ab", "cd"]),
        ([link("a", "b"), link("b", "c", layer="lead fingerprint")], ["ab", "bc"]),
        ([link("a", "b", 2), link("b", "c", 2)], ["ab", "bc"]),
        ([link("a", "b", 0, "analyst", "same event"), link("b", "c", 0, "analyst", "same event")], ["ab", "bc"]),
    ],
    ids=(
        "equal texts are one line",
        "two lines become one by a third pair",
        "other texts have a line of their own",
        "another layer is another reason",
        "near texts are not near to all",
        "reports of one event are no copies",
    ),
)
def test_what_is_alike_is_folded(links: list[Any], lines: list[str]) -> None:
    assert ["".join(members) for members, _ in joined.folded(links)] == lines


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (link("item-1", "item-2", 0.431, "embedding", "same event"), "embedding, distance 0.43; 1 is the limit"),
        (link("item-1", "item-2", 0.9, "shared words", "same event"), "shared words, distance 0.90; 1 is the limit"),
        (link("item-1", "item-2", 2, "title fingerprint"), "title fingerprint, distance 2 of 64 bits"),
        (link("item-1", "item-2", 0.2, "lead fingerprint"), "distance 0.20; 0 is the same text, 1 another"),
    ],
    ids=("by meaning", "by words", "by title", "by lead"),
)
def test_a_distance_says_what_it_is_measured_by(one: Any, said: str) -> None:
    assert f"({said})" in told(one) or f", {said})" in told(one)


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (link("item-1", "item-2"), "blog.kestrel-labs.example and northwind.example: so it is"),
        (link("item-1", "ev-0", 3, "earlier run", "same event"), "blog.kestrel-labs.example: so it is"),
        (link("item-1", "item-2", 0, "analyst", "same event"), "northwind.example: so it is"),
    ],
    ids=("both sites", "an event of an earlier run has none", "a person measures nothing"),
)
def test_the_reports_of_a_pair_are_named(one: Any, said: str) -> None:
    assert said in told(one)
    assert ("distance" in told(one)) == (one.layer == "title fingerprint")


def test_reports_of_one_site_are_told_apart_by_their_titles() -> None:
    rows = tuple(replace(row, domain="northwind.example") if at == 1 else row for at, row in enumerate(sample.ROWS))
    shown = told(link("item-1", "item-2"), sample.report(rows=rows))
    first, second = re.findall(r"northwind.example “([^”]+)”", shown)
    assert first != second
    assert sample.ROWS[1].title.startswith(first.removesuffix("…"))


def told(one: Any, report: Any = REPORT) -> str:
    event = replace(report.events[KESTREL], why=(one,))
    return re.sub("</?(b|span)[^>]*>", "", joined.html(View(report), event))


def test_a_card_counts_the_copies_that_its_event_lists() -> None:
    event = replace(REPORT.events[KESTREL], copies=(("item-3", "item-2"), ("item-4", "item-2"), ("item-6", "item-1")))
    view = View(replace(REPORT, events=(event, *REPORT.events[1:])))
    listed = evidence._tree(view, event)
    assert listed.count(">copy</span>") == 3
    for at in map(view.row_of.__getitem__, ("item-1", "item-2", "item-3")):
        assert "independent, 3 copies" in card.meta(view, at, view.item(at))
    assert "independent, 3 copies" in listed


@pytest.mark.parametrize("row", [at for at, made in enumerate(sample.ROWS) if made.event >= 0])
def test_points_can_be_recomputed_by_hand(row: int) -> None:
    item = REPORT.item(row)
    sums = re.findall(r'class="n">([\d.]+)</span><span class="n">× ([\d.]+) = ([\d.]+)<', evidence._parts(item))
    assert [points for *_, points in sums] == [f"{100 * part.value * part.weight:.1f}" for part in item.parts]
    sums += re.findall(r"([\d.]+) × ([\d.]+) = ([\d.]+) points", card.bar(item, 45))
    assert len(sums) > len(item.parts)
    assert all(f"{float(value) * float(most):.1f}" == points for value, most, points in sums)


@pytest.mark.parametrize(
    ("value", "weight", "said"),
    [(0.9943, 0.3157895, ("0.994", "31.58", "31.4")), (0.99995, 0.1, ("1.000", "10.00", "10.0")),
     (0.66666, 0.3157895, ("0.667", "31.58", "21.1")), (0.95187, 0.2631579, ("0.95187", "26.3158", "25.0"))],
    ids=("three places do", "nothing to add", "two thirds", "where three would end in another sum"),
)  # fmt: skip
def test_a_product_has_the_places_it_needs(value: float, weight: float, said: tuple[str, str, str]) -> None:
    part = replace(REPORT.item(1).parts[0], value=value, weight=weight)
    assert evidence.product(part) == said


@pytest.mark.parametrize(
    ("hour", "said"), [(0, ">24 Nov</time>"), (14, ">24 Nov 14:00</time>")], ids=("a day", "a time of day")
)
def test_an_event_s_time_is_as_exact_as_the_text(hour: int, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence.reader, "zone", lambda: "UTC")
    item = REPORT.item(1)
    dates = replace(item.judged.candidate.dates, event_at=sample.NOW.replace(day=24, hour=hour, minute=0, second=0))
    candidate = replace(item.judged.candidate, dates=dates)
    shown = evidence._dates(replace(item, judged=replace(item.judged, candidate=candidate)))
    assert said in shown.partition("event time, from the text: ")[2]
