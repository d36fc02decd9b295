"""Which independent reports tell of one event: the second kind of sameness, on top of the copies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pipeline.events import candidates as look
from pipeline.events.cluster import Edge, Joined, join
from pipeline.events.contrast import Contrast, apart_in_two_scripts, contrast, retold
from pipeline.events.copies import Shared, apart_link, of_one_site, one_text
from pipeline.events.likeness import Bags, Said, Side, bags, figures, products, sets, side, words
from pipeline.events.neighbours import by_meaning, by_meaning_across, by_words
from pipeline.events.pool import Pool
from pipeline.events.read_names import read_names
from pipeline.settings import Settings
from pipeline.types import Candidate, Link

if TYPE_CHECKING:
    from pipeline.types import Flags, Floats, Ints

FEW_WORDS = 0.11  # likeness of words below which only a near meaning makes one event thinkable
NEAR_MEANING = 0.50  # cosine of such a meaning
NAMED_MEANING = 0.40  # the same of two reports that hold one name in two scripts


@dataclass(frozen=True, slots=True)
class Times:
    """When n reports were first and last out, in seconds; NaN where no time parts a report from another."""

    first: NDArray[np.float64]
    last: NDArray[np.float64]
    standing: Flags
    """[n] what one outlet has out again and again, longer than the gap: its notice or advertisement, no report."""
    gap_s: float

    def near(self, a: Ints, b: Ints) -> Flags:
        """Which pairs can be one event: no gap between them that only reports in between could bridge."""
        apart = np.maximum(self.first[a], self.first[b]) - np.minimum(self.last[a], self.last[b])
        found: Flags = ~(apart > self.gap_s) & ~self.standing[a] & ~self.standing[b]
        return found


def find(
    pool: Pool,
    rows: Ints,
    vectors: Floats | None,
    settings: Settings,
    together: Sequence[tuple[int, int]],
    apart: Sequence[tuple[int, int]],
    boilerplate: Mapping[int, Shared],
    times: Times,
) -> tuple[Joined, list[Link], list[Link]]:
    """Group `rows` (one a copy group); pairs of the analyst are positions in it.

    `boilerplate` is row -> the lead it shares with unrelated items. Returns groups by position, the links
    they were joined along, and the vetoes. `times` are those of the copy groups.
    """
    bag = bags(pool.corpus, rows)
    meaning = vectors[rows] if vectors is not None else None
    han = pool.han[rows]
    a, b = _proposed(bag, meaning, han, settings.pipeline.events.embedding_floor)
    near = times.near(a, b)
    a, b = a[near], b[near]
    told = np.array([position for pair in (*together, *apart) for position in pair], np.int32)
    seen = np.unique(np.concatenate((a, b, told)))
    named = _one_name(pool, rows[a], rows[b])
    said = words(bag, seen)
    worth = _worth(said, meaning, seen, a, b, named)
    a, b = a[worth], b[worth]
    used = np.unique(np.concatenate((a, b, told)))
    place = {int(position): i for i, position in enumerate(used)}
    compared = _compared(pool, rows, used, bag, said[np.searchsorted(seen, used)], meaning, settings)
    edges = _edges(compared, np.searchsorted(used, a).astype(np.int32), np.searchsorted(used, b).astype(np.int32))

    def thinkable(edge: Edge) -> bool:
        x, y = int(rows[used[edge.a]]), int(rows[used[edge.b]])
        near = meaning is not None and float(meaning[used[edge.a]] @ meaning[used[edge.b]]) >= NEAR_MEANING
        return not of_one_site(boilerplate, x, y) and (near or not _only_a_figure(pool, x, y))

    def veto(x: int, y: int) -> Contrast | None:
        return _veto(pool, int(rows[used[x]]), int(rows[used[y]]), settings)

    found = join(compared, list(filter(thinkable, edges)), 1.0, veto, _placed(together, place), _placed(apart, place))
    links = [
        _link(pool, int(rows[used[e.a]]), int(rows[used[e.b]]), e.likeness, meaning is not None) for e in found.joins
    ]
    vetoes = [
        apart_link(pool, int(rows[used[e.a]]), int(rows[used[e.b]]), why, round(1 / e.likeness, 3))
        for e, why in found.refused
        if isinstance(why, Contrast)
    ]
    group = list(range(len(rows)))
    for i, root in enumerate(found.group):
        group[int(used[i])] = int(used[root])
    return Joined(group, found.joins, found.refused), links, vetoes


def _veto(pool: Pool, a: int, b: int, settings: Settings) -> Contrast | None:
    """What separates two reports; two of one text also by what that text tells otherwise."""
    mine, theirs = pool.facts(a), pool.facts(b)
    found = contrast(mine, theirs) or apart_in_two_scripts(mine, theirs, pool.read.shared(a, b))
    return found or (retold(mine, theirs) if one_text(pool, a, b, settings) else None)


def _only_a_figure(pool: Pool, a: int, b: int) -> bool:
    """Whether all that two titles share is a figure: a 12th release and a 12th package are two things."""
    both = pool.headings[a] & pool.headings[b]
    return bool(both) and all(pool.corpus.numeric[word] for word in both) and not pool.people(a) & pool.people(b)


def outlets(items: Sequence[Candidate]) -> Ints:
    """[n] a number for the outlet of each item: the site within its source, or the account; unknown ones differ."""
    keys = [
        (item.endpoint, item.domain, item.publisher, item.author if item.kind == "post" else "") if item.domain else at
        for at, item in enumerate(items)
    ]
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int32)


def _placed(pairs: Sequence[tuple[int, int]], place: Mapping[int, int]) -> list[tuple[int, int]]:
    return [(place[x], place[y]) for x, y in pairs]


def _one_name(pool: Pool, a: Ints, b: Ints) -> Flags:
    """Which pairs hold one name, in two scripts."""
    across: Flags = pool.han[a] != pool.han[b]
    if across.any():
        pool.read = read_names(pool, np.unique(np.concatenate((a[across], b[across]))).tolist())
        across[across] = list(map(bool, map(pool.read.shared, a[across].tolist(), b[across].tolist())))
    return across


def _worth(said: Floats, meaning: Floats | None, seen: Ints, a: Ints, b: Ints, named: Flags) -> Flags:
    """Which pairs' words or meaning make one event thinkable; only these are read for names and figures."""
    worth = products(said, np.searchsorted(seen, a), np.searchsorted(seen, b)) >= FEW_WORDS
    if meaning is not None:
        worth |= products(meaning, a, b) >= np.where(named, NAMED_MEANING, NEAR_MEANING)
    found: Flags = worth
    return found


def _compared(
    pool: Pool, rows: Ints, used: Ints, bag: Bags, said: Floats, meaning: Floats | None, settings: Settings
) -> Side:
    people = [pool.people(int(row)) for row in rows[used]]
    limits = settings.pipeline.events
    return side(
        said,
        sets(people),
        figures(bag, pool.corpus, used),
        None if meaning is None else meaning[used],
        Said(
            words=bag.sizes[used],
            names=np.array([len(names) for names in people], np.int64),
            han=pool.han[rows[used]],
            outlet=outlets([pool.items[int(row)] for row in rows[used]]),
        ),
        limits.report_floor,
        limits.report_floor_short,
    )


def _edges(compared: Side, left: Ints, right: Ints) -> list[Edge]:
    """Pairs at or above their floor."""
    if not len(left):
        return []
    alike = compared.alike(left, right)
    return [Edge(int(left[i]), int(right[i]), float(alike[i])) for i in np.flatnonzero(alike >= 1.0)]


def _proposed(bag: Bags, meaning: Floats | None, han: Flags, floor: float) -> look.Pairs:
    a, b = by_words(bag)
    if meaning is None:
        return a, b
    near, across = by_meaning(meaning, floor), by_meaning_across(meaning, han, floor)
    return look.unique(
        np.concatenate((a, near[0], across[0])).astype(np.int64),
        np.concatenate((b, near[1], across[1])).astype(np.int64),
        max(bag.count, 1),
    )


def _link(pool: Pool, a: int, b: int, likeness: float, embedded: bool) -> Link:
    mine, theirs = pool.facts(a), pool.facts(b)
    names = mine.names & theirs.names
    shared = mine.written(names or pool.shared(a, b))
    if names and mine.han != theirs.han:
        shared += f" ({theirs.written(names)})"
    says = f"{likeness:.2f} times as alike as reports of one event must be"
    return Link(
        a=pool.items[a].id,
        b=pool.items[b].id,
        relation="same event",
        layer="embedding" if embedded else "shared words",
        distance=round(1 / likeness, 3),
        shared=tuple(sorted(names)[:6]) or pool.shared(a, b),
        reason=says
        + (f", both {'name' if names else 'say'} {shared}" if names or pool.shared(a, b) else "")
        + pool.read.told(a, b),
    )
