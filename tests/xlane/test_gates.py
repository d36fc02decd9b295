"""Which accounts earn a lane."""

from __future__ import annotations

import pytest
from xlane_corpora import CORPUS_A, TOPIC, mappings

from pipeline.xlane import judge_x_corpus, promotable_handles
from pipeline.xlane.gates import by_merit, table
from pipeline.xlane.judge import HandleCount, default_floors

ROWS = [
    ("1 of 1 fails the hits gate", [("ana", "Rome")], False),
    ("1 of 4 fails", [("ana", "Rome")] + [("ana", "cake")] * 3, False),
    ("2 of 5 fails the share gate", [("ana", "Rome")] * 2 + [("ana", "cake")] * 3, False),
    ("2 of 4 passes at the floor", [("ana", "Rome")] * 2 + [("ana", "cake")] * 2, True),
    ("3 of 3 passes", [("ana", "Rome")] * 3, True),
    ("frequent and off topic never passes", [("ana", "cake")] * 20, False),
]


@pytest.mark.parametrize(("rows", "passes"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_extracted_handles_must_earn_it(rows: list[tuple[str, str]], passes: bool) -> None:
    explicit, extracted = promotable_handles(mappings(tuple(rows)), "Rome", ["@Ana"])
    assert explicit == []
    assert extracted == (["ana"] if passes else [])


def test_explicit_handles_always_pass_even_without_a_post() -> None:
    assert promotable_handles([], "Rome", [], explicit_handles=["@Rome_Desk", "rome_desk", ""]) == (["rome_desk"], [])


def test_no_handle_twice_and_explicit_wins() -> None:
    corpus = mappings(CORPUS_A)
    found = promotable_handles(
        corpus, TOPIC, ["rome_desk", "@Rome_Desk", "bait_account_1"], explicit_handles=["ROME_DESK"]
    )
    assert found == (["rome_desk"], [])


def test_corpus_a_promotes_the_account_with_three_and_no_bait() -> None:
    corpus = mappings(CORPUS_A)
    everyone = [row["author"] for row in corpus]
    assert promotable_handles(corpus, TOPIC, everyone) == ([], ["rome_desk"])


def test_lanes_are_ordered_by_share_then_hits_never_by_frequency() -> None:
    stats = {"often": HandleCount(6, 12), "pure": HandleCount(2, 2), "purer": HandleCount(4, 4)}
    assert by_merit(stats, stats) == ["purer", "pure", "often"]


def test_the_table_names_the_gate_of_every_account() -> None:
    judged = judge_x_corpus(mappings(CORPUS_A), TOPIC)
    rows = {row.handle: row for row in table(judged.handle_stats, ["newsroom"], default_floors())}
    assert rows["newsroom"].promotable == "explicit"
    assert rows["rome_desk"].promotable == "extracted"
    assert rows["giulia_writes"].gate == "hits: 1 on topic, 2 needed"
    assert rows["bait_account_0"].promotable == "no"
