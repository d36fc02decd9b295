"""What other settings change, in words and rows."""

from dataclasses import replace

import pytest

from pipeline.scoring import as_ran, changed, moves, rescore, select
from tests.scoring.test_select import SCORES, ran, table

POOL = table(3, values=[[0.9, 0.5, 0.5, 0, 1, 0], [0.2, 0.8, 0.5, 0, 1, 0], [0.1, 0.5, 0.2, 0, 0, 0]])


def test_nothing_moves_under_the_runs_own_settings() -> None:
    report = ran(select(POOL, SCORES), SCORES)
    assert moves(report.table.bucket, rescore(report, SCORES)).sentence == "No item moves."


def test_the_run_as_it_was_is_a_ranking_in_which_nothing_moves() -> None:
    report = ran(select(POOL, SCORES), SCORES)
    found, again = as_ran(report), rescore(report, SCORES)
    for name in ("values", "total", "bucket", "tier", "order", "selected", "rank_change"):
        assert getattr(found, name).tolist() == getattr(again, name).tolist(), name


def test_who_moved_who_is_shown_who_is_gone() -> None:
    report = ran(select(POOL, SCORES), SCORES)
    turned = rescore(report, replace(SCORES, weights=(0.0, 1.0, 0.0, 0.0, 0.0, 0.0), threshold=60.0))
    found = moves(report.table.bucket, turned)
    assert (found.moved, found.shown.tolist(), found.gone.tolist()) == (2, [1], [0])
    assert found.sentence == "2 items moved; 1 would now be shown, 1 no longer."


def test_a_lower_threshold_shows_more_without_moving_anybody() -> None:
    report = ran(select(POOL, SCORES), SCORES)
    found = moves(report.table.bucket, rescore(report, replace(SCORES, threshold=10.0)))
    assert found.sentence == "0 items moved; 2 would now be shown, 0 no longer."


CHANGES = [
    ("a weight", {"weights": (0.30, 0.40, 0.20, 0.15, 0.05, 0.05)}, ("relevance weighs 0.40 instead of 0.25",)),
    ("decay", {"decay": "linear"}, ("decay is linear instead of half-life",)),
    ("window", {"window_days": 14.0}, ("decay runs over 14 days instead of 30",)),
    ("threshold", {"threshold": 42.5}, ("threshold is 42.5 instead of 45",)),
    ("authority", {"authority_biases": {"a.org": 0.9}}, ("authority of a.org starts from 0.90",)),
    ("nothing", {}, ()),
]


@pytest.mark.parametrize(("changes", "said"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
def test_changes_are_said_in_words(changes: dict, said: tuple[str, ...]) -> None:
    assert changed(SCORES, replace(SCORES, **changes)) == said
