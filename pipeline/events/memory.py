"""Events across runs: what is remembered of one, and how it is recognised.

Remembered are the two fingerprints and the figures of the item an event began with, under keys by which similar items
find it: pairs of the title's four 16-bit blocks (titles within two bits share a pair) and bands of the lead's MinHash.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from pipeline.events.contrast import changed_figures, opposed
from pipeline.events.copies import LEAD, SAME_TITLE_LEAD, TITLE_WORDS
from pipeline.events.entities import Facts
from pipeline.events.fingerprint import MIN_LEAD, PERMUTATIONS
from pipeline.events.pool import Pool
from pipeline.settings import Settings
from pipeline.text import without_outlet
from pipeline.types import Candidate, EventMemory, Grouping

SAME_TEXT = (
    0.8  # lead similarity, beside titles alike, of a text told unchanged; edits of one text keep about half of it
)
TITLE_ALONE = timedelta(days=10)  # so long a title names one event though leads differ; later it is a column's
LEAD_KEYS = 8  # bands of 3 that are kept: leads with half their shingles in common are found two times of three
Remembered = tuple[str, Sequence[str], str, str]
"""(event id, band keys, serialised fingerprint, title)"""


@dataclass(frozen=True, slots=True)
class Known:
    """An event of an earlier run that one of today's was recognised as."""

    id: str
    since: datetime
    title: str
    layer: str
    distance: float


class _Alike(NamedTuple):
    """How a remembered fingerprint is one of today's; the closest sorts first."""

    far: float
    layer: str
    distance: float
    same_text: bool
    since: float | None
    """When that text was first seen (epoch seconds), where this is earlier than its event was last seen."""


def new_id(candidate_id: str) -> str:
    """The id of an event that began with this candidate."""
    return "ev-" + hashlib.blake2b(candidate_id.encode("utf-8", "replace"), digest_size=6).hexdigest()


def keys(pool: Pool, row: int) -> list[str]:
    """The keys under which an item is remembered and looked for; none for an item that says too little."""
    found = []
    if pool.prints.title_words[row] >= TITLE_WORDS:
        code = int(pool.prints.title[row])
        blocks = [(code >> shift) & 0xFFFF for shift in (0, 16, 32, 48)]
        found += [f"t{i}{j}:{blocks[i]:04x}{blocks[j]:04x}" for i, j in combinations(range(4), 2)]
    if _has_lead(pool, row):
        lead = pool.prints.lead[row]
        found += [f"l{n}:{lead[3 * n : 3 * n + 3].tobytes().hex()}" for n in range(LEAD_KEYS)]
    return found


def serialise(pool: Pool, row: int, since: datetime | None) -> str:
    """An item's fingerprint as text. `since`: when its text was first seen, if not now."""
    return json.dumps(
        {
            "title": f"{int(pool.prints.title[row]):016x}",
            "words": int(pool.prints.title_words[row]),
            "lead": _packed(pool, row),
            "figures": sorted(pool.figures(row))[:20],
            "title_figures": sorted(pool.facts(row).numbers),
            "since": since and since.timestamp(),
        },
        ensure_ascii=False,
    )


def _has_lead(pool: Pool, row: int) -> bool:
    """Whether its lead can tell it again."""
    return bool(pool.prints.lead_size[row] >= MIN_LEAD) and pool.tells(row)


def _packed(pool: Pool, row: int) -> str:
    if not _has_lead(pool, row):
        return ""
    from datasketch import LeanMinHash

    sketch = LeanMinHash(seed=1, hashvalues=pool.prints.lead[row].astype(np.uint64), scheme="legacy")
    buffer = bytearray(sketch.bytesize())
    sketch.serialize(buffer)
    return base64.b85encode(bytes(buffer)).decode("ascii")


def recognise(
    pool: Pool, rows: Sequence[int], memory: EventMemory, settings: Settings
) -> tuple[Mapping[int, Known], Mapping[int, datetime]]:
    """Of rows, the first items of events: row -> the earlier event it continues, each given to one row only; and
    row -> when a run first saw its very text, whosever it was.
    """
    wanted = {row: keys(pool, row) for row in rows}
    rows_of: dict[str, list[int]] = {}
    for row, names in wanted.items():
        for name in names:
            rows_of.setdefault(name, []).append(row)
    recalled = memory.recall(list(rows_of))
    best: dict[tuple[int, str], tuple[_Alike, datetime, str]] = {}
    texts: dict[int, datetime] = {}
    for name, earlier in recalled.items():
        for event, print_, seen, title in earlier:
            for row in rows_of.get(name, ()):
                if (row, event) not in best and (found := _continues(pool, row, print_, seen, title, settings)):
                    best[row, event] = found, seen, title
                    if found.same_text:
                        told = seen if found.since is None else datetime.fromtimestamp(found.since, UTC)
                        texts[row] = min(told, texts.get(row, told))
    return _assign(best, memory), texts


def _assign(best: Mapping[tuple[int, str], tuple[_Alike, datetime, str]], memory: EventMemory) -> Mapping[int, Known]:
    taken: dict[int, Known] = {}
    used: set[str] = set()
    since = memory.first_seen(sorted({event for _, event in best}))
    for (row, event), (alike, seen, title) in sorted(best.items(), key=lambda pair: pair[1][0].far):
        if row not in taken and event not in used:
            taken[row] = Known(event, since.get(event, seen), title, alike.layer, alike.distance)
            used.add(event)
    return taken


def _continues(pool: Pool, row: int, stored: str, seen: datetime, title: str, settings: Settings) -> _Alike | None:
    """`_compare`, unless the titles contrast, or alone are alike after a long time."""
    found, item = _compare(pool, row, stored, settings), pool.items[row]
    if not found:
        return None
    late = found.layer != LEAD and item.published_at and item.published_at - seen > TITLE_ALONE
    mine, theirs = (Facts(without_outlet(said, item.domain, item.publisher), "") for said in (event_title(item), title))
    return None if late or opposed(mine, theirs) else found


def event_title(item: Candidate) -> str:
    """What an event that began with this item is called."""
    return item.title or item.text[:120]


def _compare(pool: Pool, row: int, stored: str, settings: Settings) -> _Alike | None:
    """How the remembered fingerprint is this item's, None where it is not."""
    try:
        print_: dict[str, Any] = json.loads(stored)
        code, lead = int(print_["title"], 16), _unpacked(print_["lead"])
        figures, title_figures = frozenset(print_["figures"]), frozenset(print_["title_figures"])
        words, since = int(print_["words"]), print_.get("since") and float(print_["since"])
    except (ValueError, KeyError, TypeError):
        return None  # a damaged or foreign row is no evidence
    mine = pool.facts(row).numbers
    if changed_figures(pool.figures(row), figures) or (mine - title_figures and title_figures - mine):
        return None
    bits = (int(pool.prints.title[row]) ^ code).bit_count()
    has_lead = lead is not None and _has_lead(pool, row)
    common = float((pool.prints.lead[row] == lead).mean()) if has_lead else 0.0
    titled = bits <= settings.pipeline.simhash_distance
    if has_lead and common >= settings.pipeline.events.lead_jaccard:
        same = titled and common >= SAME_TEXT
        return _Alike(1 - common, LEAD, round(1 - common, 3), same, since)
    enough = min(words, int(pool.prints.title_words[row])) >= TITLE_WORDS
    if enough and titled and (not has_lead or common >= SAME_TITLE_LEAD):
        return _Alike(1 + bits, "title fingerprint", float(bits), False, since)
    return None


def _unpacked(packed: str) -> np.ndarray[Any, np.dtype[np.uint32]] | None:
    if not packed:
        return None
    from datasketch import LeanMinHash

    values = LeanMinHash.deserialize(base64.b85decode(packed)).hashvalues
    return values.astype(np.uint32) if len(values) == PERMUTATIONS else None


def remembered(pool: Pool, grouping: Grouping) -> Iterable[Remembered]:
    """What the store keeps of a run's events."""
    row_of = {item.id: row for row, item in enumerate(pool.items)}
    for event in grouping.events:
        row = row_of[event.originator]
        if names := keys(pool, row):
            yield event.id, names, serialise(pool, row, event.told_since), event.title
