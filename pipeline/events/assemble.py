"""The grouping of a pool, step by step: what `events.group` runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pipeline.events import copies, expand, reports
from pipeline.events.cluster import split_by_time
from pipeline.events.copies import Match, Shared
from pipeline.events.forest import Forest
from pipeline.events.memory import Known, event_title, new_id, recognise
from pipeline.events.originator import first, times
from pipeline.events.owners import Owners, voices
from pipeline.events.pool import Pool, open_pool
from pipeline.events.reports import Times, outlets
from pipeline.settings import Settings
from pipeline.text import Corpus
from pipeline.types import Candidate, Event, EventMemory, Grouping, Link, Window

if TYPE_CHECKING:
    from pipeline.types import Floats

HOUR_S = 3600.0
KEPT_VETOES = 2000  # vetoes kept for the report, most alike first; nobody reads more
STANDING = 3  # times that one outlet has a text out, over longer than the gap, to be a notice of its own
Decisions = Mapping[tuple[int, int], bool]
"""(row, row) -> True joined, False split"""


def assemble(
    items: Sequence[Candidate],
    window: Window,
    settings: Settings,
    vectors: Floats | None,
    memory: EventMemory | None,
    now: datetime,
    corpus: Corpus | None,
) -> Grouping:
    """See `events.group`."""
    pool, at = open_pool(items, corpus), times(items)
    old = expand.older(at, window)
    decided = _decisions(items, memory)
    gap_s = settings.pipeline.events.time_gap_hours * HOUR_S

    same = copies.find(pool, settings)
    vague = old | np.array([_first_seen(item) for item in items], bool)
    texts = split_by_time(_copy_groups(len(items), same.matches, decided), at, gap_s, vague)
    firsts = {first(items, rows, settings): rows for rows in texts}
    original = np.arange(len(items), dtype=np.int32)
    for head, rows in firsts.items():
        original[rows] = head

    heads = np.array(sorted(firsts), np.int32)
    copied = np.bincount(original, minlength=len(items))[original] > 1
    timeless = old | (vague & copied) | _joined(decided, len(items))
    spans = _spans(items, heads, firsts, original, np.where(timeless, np.nan, at), gap_s)
    groups, links, vetoes = _event_groups(pool, heads, original, vectors, settings, decided, same.boilerplate, spans)
    whole = {root: [row for head in members for row in firsts[head]] for root, members in groups.items()}
    parts = split_by_time(whole, at, gap_s, timeless)
    _keep_originals_inside(items, parts, original, settings)

    why = _why(items, parts, [match.link(pool) for match in same.matches], links, decided)
    begun = [first(items, rows, settings) for rows in parts]
    known, told = recognise(pool, begun, memory, settings) if memory else ({}, {})
    return _grouping(
        pool, parts, begun, original, why, known, told, at, expand.admitted(parts, old), settings, same.apart + vetoes
    )


def _keep_originals_inside(
    items: Sequence[Candidate], parts: Sequence[Sequence[int]], original: NDArray[np.int32], settings: Settings
) -> None:
    """Where time parted copies from their original, the first of them is the original of the others."""
    for rows in parts:
        inside = set(rows)
        left: dict[int, list[int]] = defaultdict(list)
        for row in rows:
            if int(original[row]) not in inside:
                left[int(original[row])].append(row)
        for copied in left.values():
            original[copied] = first(items, copied, settings)


def _spans(
    items: Sequence[Candidate],
    heads: NDArray[np.int32],
    firsts: Mapping[int, Sequence[int]],
    original: NDArray[np.int32],
    at: NDArray[np.float64],
    gap_s: float,
) -> Times:
    """When each text was first and last out; NaN where one of its rows has no time."""
    begun, ended = np.full(len(at), np.inf), np.full(len(at), -np.inf)
    with np.errstate(invalid="ignore"):
        np.minimum.at(begun, original, at)
        np.maximum.at(ended, original, at)
        long = ended[heads] - begun[heads] > gap_s
    for i in np.flatnonzero(long):
        rows = firsts[int(heads[i])]
        long[i] = len(rows) >= STANDING and len(set(outlets([items[row] for row in rows]).tolist())) == 1
    return Times(begun[heads], ended[heads], long, gap_s)


def _first_seen(item: Candidate) -> bool:
    """Its date says when somebody saw it, not when it came out: no gap parts it from the text it repeats."""
    chosen = item.dates.chosen
    return chosen is not None and item.dates.claims[chosen].kind == "first seen"


def _decisions(items: Sequence[Candidate], memory: EventMemory | None) -> Decisions:
    """The analyst's word on these items: the first of those joined with each of them, and with each other such first
    that must stay apart. Items missing here tie others as if they were here; where both was said, they are joined.
    """
    said = memory.decisions() if memory else {}
    number = {name: at for at, name in enumerate(dict.fromkeys(name for pair in said for name in pair))}
    circles, heads, found = Forest(len(number)), dict[int, int](), dict[tuple[int, int], bool]()
    for (a, b), joined in said.items():
        if joined:
            circles.join(number[a], number[b])
    for row, item in enumerate(items):
        if item.id in number and (head := heads.setdefault(circles.find(number[item.id]), row)) != row:
            found[head, row] = True
    for (a, b), joined in said.items():
        ends = heads.get(circles.find(number[a])), heads.get(circles.find(number[b]))
        if not joined and ends[0] is not None and ends[1] is not None and ends[0] != ends[1]:
            found[ends[0], ends[1]] = False
    return found


def _joined(decided: Decisions, count: int) -> NDArray[np.bool_]:
    """[N] rows the analyst joined to another: no gap of time parts them."""
    found = np.zeros(count, bool)
    found[[row for pair, joined in decided.items() if joined for row in pair]] = True
    return found


def _copy_groups(count: int, matches: Sequence[Match], decided: Decisions) -> dict[int, list[int]]:
    """Connected copies, closest first; what the analyst split never ends in one group, nor in groups to be joined."""
    split = [pair for pair, joined in decided.items() if not joined]
    forest, told = Forest(count), Forest(count)
    for pair, joined in decided.items():
        if joined:
            told.join(*pair)
    for match in (
        sorted(matches, key=lambda m: (m.layer != "lead fingerprint", m.distance, m.a, m.b)) if split else matches
    ):
        ends = {told.find(match.a), told.find(match.b)}
        if not any({told.find(a), told.find(b)} == ends for a, b in split):
            forest.join(match.a, match.b)
            told.join(match.a, match.b)
    return forest.groups()


def _event_groups(
    pool: Pool,
    heads: NDArray[np.int32],
    original: NDArray[np.int32],
    vectors: Floats | None,
    settings: Settings,
    decided: Decisions,
    boilerplate: Mapping[int, Shared],
    times: Times,
) -> tuple[dict[int, list[int]], list[Link], list[Link]]:
    position = {int(head): i for i, head in enumerate(heads)}
    pairs: dict[bool, list[tuple[int, int]]] = {True: [], False: []}
    for (a, b), joined in decided.items():
        left, right = position[int(original[a])], position[int(original[b])]
        if left != right:
            pairs[joined].append((left, right))
    found, links, vetoes = reports.find(pool, heads, vectors, settings, pairs[True], pairs[False], boilerplate, times)
    groups: dict[int, list[int]] = defaultdict(list)
    for i, root in enumerate(found.group):
        groups[root].append(int(heads[i]))
    return groups, links, vetoes


def _why(
    items: Sequence[Candidate],
    parts: Sequence[Sequence[int]],
    copy_links: Sequence[Link],
    links: Sequence[Link],
    decided: Decisions,
) -> Mapping[int, tuple[Link, ...]]:
    """Part number -> the links inside it."""
    part_of = {items[row].id: number for number, rows in enumerate(parts) for row in rows}
    said = [
        Link(
            a=items[a].id,
            b=items[b].id,
            relation="same event",
            layer="analyst",
            distance=0.0,
            reason="the analyst joined them",
        )
        for (a, b), joined in decided.items()
        if joined
    ]
    found: dict[int, list[Link]] = defaultdict(list)
    for link in (*said, *copy_links, *links):
        if part_of[link.a] == part_of[link.b]:
            found[part_of[link.a]].append(link)
    return {number: tuple(inside) for number, inside in found.items()}


def _grouping(
    pool: Pool,
    parts: Sequence[Sequence[int]],
    begun: Sequence[int],
    original: NDArray[np.int32],
    why: Mapping[int, tuple[Link, ...]],
    known: Mapping[int, Known],
    told: Mapping[int, datetime],
    at: NDArray[np.float64],
    upstream: NDArray[np.bool_],
    settings: Settings,
    apart: Sequence[Link],
) -> Grouping:
    owners, original_list = Owners(settings, pool.items), original.tolist()
    original_of = dict(enumerate(original_list))
    event_of, voice_of = np.empty(len(original), np.int32), np.empty(len(original), np.int32)
    order, events = np.argsort(np.lexsort((at, np.isnan(at)))).tolist(), []
    for number, (rows, head) in enumerate(zip(parts, begun, strict=True)):
        ordered = sorted(rows, key=order.__getitem__) if len(rows) > 1 else rows
        voice, tree = voices(pool.items, ordered, original_of, owners)
        for row in rows:
            event_of[row], voice_of[row] = number, voice[row]
        event = _event(pool, ordered, head, original_list, tree, why.get(number, ()), known.get(head), upstream)
        events.append(replace(event, told_since=told[head]) if head in told else event)
    return Grouping(
        events=tuple(events),
        event_of=event_of,
        original_of=original,
        voice_of=voice_of,
        adds_nothing=copies.adds_nothing(pool, original),
        upstream=upstream,
        apart=tuple(sorted(apart, key=lambda link: link.distance)[:KEPT_VETOES]),
    )


def _event(
    pool: Pool,
    rows: Sequence[int],
    head: int,
    original: Sequence[int],
    tree: tuple[tuple[str, tuple[str, ...]], ...],
    why: tuple[Link, ...],
    known: Known | None,
    upstream: NDArray[np.bool_],
) -> Event:
    items = pool.items
    dated = [moment for row in rows if (moment := items[row].published_at)]
    if known:
        again = f"recognised from an earlier run: {known.title}"
        why = (*why, Link(a=items[head].id, b=known.id, relation="same event", layer="earlier run",
                          distance=known.distance, reason=again))  # fmt: skip
    return Event(
        id=known.id if known else new_id(items[head].id),
        title=event_title(items[head]),
        members=tuple(items[row].id for row in rows),
        copies=tuple((items[row].id, items[original[row]].id) for row in rows if original[row] != row),
        owners=tree,
        originator=items[head].id,
        first_seen=min(dated, default=None),
        last_seen=max(dated, default=None),
        upstream=tuple(items[row].id for row in rows if upstream[row]),
        event_at=items[head].dates.event_at,
        why=why,
        known_since=known.since if known else None,
    )
