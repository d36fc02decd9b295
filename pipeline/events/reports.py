"""Which independent reports tell of one event: the second kind of sameness, on top of the copies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pipeline.events import candidates as look
from pipeline.events.cluster import Edge, Joined, join
from pipeline.events.contrast import Contrast, contrast
from pipeline.events.copies import apart_link
from pipeline.events.likeness import bags, lexical
from pipeline.events.neighbours import by_meaning, by_words
from pipeline.events.pool import Pool
from pipeline.settings import Settings
from pipeline.types import Link

if TYPE_CHECKING:
    from pipeline.types import Floats, Ints

CROSS_SHARE = 0.5  # share of the words in the likeness of two reports that are both embedded; the rest is meaning


def find(
    pool: Pool,
    rows: Ints,
    vectors: Floats | None,
    settings: Settings,
    together: Sequence[tuple[int, int]],
    apart: Sequence[tuple[int, int]],
) -> tuple[Joined, list[Link], list[Link]]:
    """Group `rows` (one a copy group); pairs of the analyst are positions in it.

    Returns groups by position, the links they were joined along, and the vetoes.
    """
    words = bags(pool.corpus, rows)
    a, b = by_words(words)
    meaning = vectors[rows] if vectors is not None else None
    if meaning is not None:
        c, d = by_meaning(meaning, settings.pipeline.events.embedding_floor)
        a, b = look.unique(
            np.concatenate((a, c)).astype(np.int64), np.concatenate((b, d)).astype(np.int64), max(len(rows), 1)
        )
    used = np.unique(np.concatenate((a, b, np.array([p for pair in (*together, *apart) for p in pair], np.int32))))
    place = {int(position): i for i, position in enumerate(used)}
    side = _side_by_side(lexical(words, used), None if meaning is None else meaning[used])
    left, right = np.searchsorted(used, a), np.searchsorted(used, b)
    alike = np.einsum("ij,ij->i", side[left], side[right]) if len(a) else np.empty(0, np.float32)
    floor = settings.pipeline.events.report_floor
    edges = [Edge(int(left[i]), int(right[i]), float(alike[i])) for i in np.flatnonzero(alike >= floor)]

    def veto(x: int, y: int) -> Contrast | None:
        return contrast(pool.facts(int(rows[used[x]])), pool.facts(int(rows[used[y]])))

    found = join(side, edges, floor, veto, _placed(together, place), _placed(apart, place))
    links = [
        _link(pool, int(rows[used[e.a]]), int(rows[used[e.b]]), e.likeness, meaning is not None) for e in found.joins
    ]
    vetoes = [
        apart_link(pool, int(rows[used[e.a]]), int(rows[used[e.b]]), why, round(1 - e.likeness, 3))
        for e, why in found.refused
        if isinstance(why, Contrast)
    ]
    group = list(range(len(rows)))
    for i, root in enumerate(found.group):
        group[int(used[i])] = int(used[root])
    return Joined(group, found.joins, found.refused), links, vetoes


def _placed(pairs: Sequence[tuple[int, int]], place: Mapping[int, int]) -> list[tuple[int, int]]:
    return [(place[x], place[y]) for x, y in pairs]


def _side_by_side(words: Floats, meaning: Floats | None) -> Floats:
    """Unit vectors of words and meaning in one; a report that was not embedded is compared by its words alone."""
    if meaning is None:
        return words
    both = np.concatenate((words * np.sqrt(CROSS_SHARE), meaning * np.sqrt(1 - CROSS_SHARE)), axis=1)
    return both.astype(np.float32)


def _link(pool: Pool, a: int, b: int, likeness: float, embedded: bool) -> Link:
    shared = sorted(pool.facts(a).names & pool.facts(b).names) or list(pool.shared(a, b))
    layer = "embedding" if embedded else "shared words"
    says = f"alike by {likeness:.2f}" + (f", both name {', '.join(shared[:4])}" if shared else "")
    return Link(
        a=pool.items[a].id,
        b=pool.items[b].id,
        relation="same event",
        layer=layer,
        distance=round(1 - likeness, 3),
        shared=tuple(shared[:6]),
        reason=says,
    )
