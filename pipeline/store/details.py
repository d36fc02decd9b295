"""The explained record of every item of a kept run: what the item says once for all runs, the rest beside the run.

Compressed in chunks of items beside one another, read one chunk at a time.
"""

from __future__ import annotations

import dataclasses
import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from pipeline.errors import InputError
from pipeline.store import codec
from pipeline.store.database import Database
from pipeline.store.items import Items, decode, shape_id
from pipeline.types import Bucket, Candidate, Judged, Part, Penalty, Scored, Verdict

_CHUNK = 16  # details compressed together: a detail is read in 0.2 ms, a run takes half the space


@dataclass(frozen=True, slots=True, kw_only=True)
class _Detail:
    """A `Scored` without its candidate."""

    verdict: Verdict
    event_id: str
    parts: tuple[Part, ...]
    penalties: tuple[Penalty, ...]
    total: float
    tier: str
    bucket: int
    reason: str
    upstream: bool
    copies: tuple[str, ...]
    folded: tuple[str, ...]
    excerpt: str
    effective_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fate:
    """What a list of thousands reads of a detail: a third of the work. See `types.Fate`."""

    parts: tuple[Part, ...]
    penalties: tuple[Penalty, ...]
    total: float
    reason: str


_OWN = tuple(field.name for field in dataclasses.fields(_Detail) if field.name != "verdict")
_Stored = tuple[str, bytes]
"""Of one item: the shape and the fields of its candidate, or of its detail."""


class Details:
    def __init__(self, database: Database, items: Items) -> None:
        self._db = database
        self._items = items

    def save(self, run_id: str, scored: Sequence[Scored], chunks: Sequence[bytes]) -> None:
        """Store the items of a run and their `packed` details. Belongs into the caller's `write()`."""
        with self._db.write() as connection:
            items = self._items.save(one.judged.candidate for one in scored)
            connection.executemany(
                "INSERT INTO run_items VALUES (?, ?, ?)", [(run_id, row, item) for row, item in enumerate(items)]
            )
            shape = shape_id(connection, codec.shape(_Detail))
            connection.executemany(
                "INSERT INTO details VALUES (?, ?, ?, ?)", [(run_id, at, shape, body) for at, body in enumerate(chunks)]
            )

    def of(self, run_id: str) -> Kept:
        """Those of one run, read when asked for."""
        return Kept(run_id, _Chunks(self._candidates), _Chunks(self._chunk))

    def _candidates(self, run_id: str, at: int) -> list[_Stored]:
        """What is stored of the contents of the items beside one another in a chunk; nothing of a run that is gone."""
        with self._db.read() as connection:
            return connection.execute(
                "SELECT fields, body FROM run_items JOIN items ON items.id = item JOIN shapes ON shapes.id = shape "
                "WHERE run = ? AND row >= ? AND row < ? ORDER BY row",
                (run_id, at * _CHUNK, (at + 1) * _CHUNK),
            ).fetchall()

    def _chunk(self, run_id: str, at: int) -> list[_Stored]:
        """The same of their details."""
        with self._db.read() as connection:
            found = connection.execute(
                "SELECT fields, body FROM details JOIN shapes ON shapes.id = shape WHERE run = ? AND chunk = ?",
                (run_id, at),
            ).fetchone()
        return [] if found is None else [(found[0], line) for line in zlib.decompress(found[1]).split(b"\n")]


def packed(scored: Sequence[Scored]) -> list[bytes]:
    """What is stored of items beside what they say themselves, in chunks."""
    lines = [codec.encode(_split(one)) for one in scored]
    return [zlib.compress(b"\n".join(lines[at : at + _CHUNK]), 1) for at in range(0, len(lines), _CHUNK)]


class Kept:
    """The items of a stored run, with the chunks read last: most are asked for beside one another."""

    def __init__(self, run_id: str, candidates: _Chunks, details: _Chunks) -> None:
        self._run_id = run_id
        self._candidates, self._details = candidates, details

    def item(self, row: int) -> Scored:
        """The explained record of one item. Raises InputError where the run is gone."""
        shape, line = self._of(self._details, row)
        detail = codec.decoder(_Detail, shape)(json.loads(line))
        return _join(decode(*self._of(self._candidates, row)), detail)

    def fate(self, row: int) -> _Fate:
        """How it ended. Raises InputError where the run is gone."""
        shape, line = self._of(self._details, row)
        return cast(_Fate, codec.decoder(_Fate, shape, _Detail.__name__)(json.loads(line)))

    def _of(self, chunks: _Chunks, row: int) -> _Stored:
        chunk, place = divmod(row, _CHUNK)
        found = chunks.get(self._run_id, chunk)
        if place >= len(found):
            raise InputError(f"run {self._run_id} has no item {row}; it may have been deleted meanwhile")
        return found[place]


class _Chunks:
    """The chunk read last."""

    def __init__(self, read: Callable[[str, int], list[_Stored]]) -> None:
        self._read = read
        self._last: tuple[int, list[_Stored]] = (-1, [])

    def get(self, run_id: str, chunk: int) -> list[_Stored]:
        at, found = self._last
        if at != chunk:
            found = self._read(run_id, chunk)
            self._last = chunk, found
        return found


def _split(scored: Scored) -> _Detail:
    return _Detail(verdict=scored.judged.verdict, **{name: getattr(scored, name) for name in _OWN})


def _join(candidate: Candidate, detail: _Detail) -> Scored:
    own = {name: getattr(detail, name) for name in _OWN}
    own["bucket"] = Bucket(detail.bucket)
    return Scored(judged=Judged(candidate=candidate, verdict=detail.verdict), **own)
