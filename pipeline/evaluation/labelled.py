"""How well a run's order agrees with what was labelled: NDCG@10 over the labelled items, before and after a change.

Only labelled items are ranked against one another (a condensed list: Sakai 2007), for a run's other items are unjudged,
not wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Protocol

from pipeline.evaluation.metrics import ndcg
from pipeline.scoring import as_ran

if TYPE_CHECKING:
    from pipeline.types import Ints, Ranking, Report

DEPTH = 10  # places that count
_TOPIC = {"on": 1.0, "off": 0.0}


class Judged(Protocol):
    """What a label says of an item (store.labels.Label)."""

    @property
    def task(self) -> str: ...
    @property
    def query(self) -> str: ...
    @property
    def item(self) -> str: ...
    @property
    def label(self) -> str: ...


def gains_of(report: Report, labels: Iterable[Judged]) -> dict[int, float]:
    """Row -> gain (relevance 0 to 3, on topic 1, off topic 0) of the run's items labelled for its question.

    A later label of an item replaces an earlier one; relevance outweighs topic.
    """
    asked = [one for one in labels if one.query == report.plan.text and one.task in ("relevance", "topic")]
    rows = {name: row for row, name in enumerate(report.table.ids)} if asked else {}
    found: dict[int, tuple[bool, float]] = {}
    for label in asked:
        if label.item not in rows:
            continue
        graded = label.task == "relevance"
        if graded or not found.get(rows[label.item], (False, 0.0))[0]:
            found[rows[label.item]] = graded, float(label.label) if graded else _TOPIC[label.label]
    return {row: gain for row, (_, gain) in found.items()}


def agreement(order: Ints, gains: Mapping[int, float]) -> float | None:
    """NDCG@10 of the labelled rows as `order` ranks them (rows that were not scored come last), 0 to 1.

    None where no order could be better than another: fewer than two labelled items, or all of one gain.
    """
    if len(set(gains.values())) < 2:
        return None
    place = {int(row): at for at, row in enumerate(order.tolist())}
    ranked = sorted(gains, key=lambda row: (place.get(row, len(place)), row))
    return ndcg([gains[row] for row in ranked], DEPTH)


def against_labels(report: Report, ranking: Ranking, labels: Iterable[Judged]) -> str:
    """One sentence: how the order agrees with the labels, and how the run's own did; "" where they can't tell."""
    gains = gains_of(report, labels)
    now, before = agreement(ranking.order, gains), agreement(as_ran(report).order, gains) if gains else None
    if now is None or before is None:
        return ""
    return f"Against {len(gains):,} labelled items: NDCG@{DEPTH} {now:.3f}, as the run was {before:.3f}."
