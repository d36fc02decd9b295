"""The analyst's work on a run's brief: title, introduction, order, and a note and headline an item.

What is in the brief is what is adopted (store.feedback). Two sessions at once: a text is written only over the text
that its writer had seen, a move applies to the order as it is now.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from pipeline.errors import InputError
from pipeline.store.database import Database
from pipeline.store.feedback import Feedback
from pipeline.store.items import clean
from pipeline.types import Draft, Report

Field = Literal["title", "introduction", "note", "headline"]
LIMITS: Mapping[Field, int] = {"title": 300, "introduction": 20_000, "note": 5_000, "headline": 300}
_OF_BRIEF: tuple[Field, ...] = ("title", "introduction")


class Briefs:
    def __init__(self, database: Database, feedback: Feedback) -> None:
        self._db = database
        self._feedback = feedback

    def draft(self, report: Report) -> Draft:
        """The brief of a stored run as it stands. Items are in the analyst's order, those never moved in time order."""
        with self._db.read() as connection:
            words = connection.execute(
                "SELECT title, introduction FROM briefs WHERE run = ?", (report.run_id,)
            ).fetchone() or ("", "")
            rows = connection.execute(
                "SELECT candidate, position, headline, note FROM brief_items WHERE run = ?", (report.run_id,)
            ).fetchall()
        states = self._feedback.states()
        given = {one.scored.id: one.note for one in self._feedback.adopted(report.run_id) if one.note}
        notes = given | {item: note for item, _, _, note in rows if note is not None}
        return Draft(
            items=_ordered(report, states, {item: at for item, at, _, _ in rows if at is not None}),
            title=words[0],
            introduction=words[1],
            notes={item: note for item, note in notes.items() if note},
            headlines={item: headline for item, _, headline, _ in rows if headline},
            dismissed=frozenset(item for item, kind in states.items() if kind == "dismiss"),
        )

    def write(
        self, report: Report, field: Field, text: str, at: datetime, *, item: str = "", seen: str | None = None
    ) -> bool:
        """Write a text of the brief, or of one item of it; "" takes it away.

        seen: the text that the writer had before them. False, and nothing is changed, when it is another one by now;
        without `seen` the text is replaced. Raises InputError for a text that is too long.
        """
        text = tidy(text)
        if len(text) > LIMITS[field]:
            raise InputError(f"the {field} of a brief has at most {LIMITS[field]:,} characters, this has {len(text):,}")
        with self._db.write() as connection:
            if seen is not None and tidy(seen) != said(self.draft(report), field, item):
                return False
            if field in _OF_BRIEF:
                connection.execute("INSERT OR IGNORE INTO briefs VALUES (?, '', '', 0)", (report.run_id,))
                connection.execute(
                    f"UPDATE briefs SET {field} = ?, at = ? WHERE run = ?", (text, at.timestamp(), report.run_id)
                )
            else:
                connection.execute(
                    f"INSERT INTO brief_items(run, candidate, {field}, at) VALUES (?, ?, ?, ?) "
                    f"ON CONFLICT DO UPDATE SET {field} = excluded.{field}, at = excluded.at",
                    (report.run_id, item, text, at.timestamp()),
                )
        return True

    def place(self, report: Report, item: str, at: datetime, *, before: str = "", after: str = "") -> tuple[str, ...]:
        """Move an item right before or right after another one; the order that results.

        Raises InputError when either is not in the brief (any more).
        """
        with self._db.write() as connection:
            order = list(self.draft(report).items)
            if missing := [one for one in (item, before or after) if one not in order]:
                raise InputError(f"{missing[0]} is not in the brief; adopt it first")
            order.remove(item)
            order.insert(order.index(before) if before else order.index(after) + 1, item)
            connection.executemany(
                "INSERT INTO brief_items(run, candidate, position, at) VALUES (?, ?, ?, ?) "
                "ON CONFLICT DO UPDATE SET position = excluded.position, at = excluded.at",
                [(report.run_id, one, position, at.timestamp()) for position, one in enumerate(order)],
            )
        return tuple(order)


def tidy(text: str) -> str:
    """A text as it is kept: lines end alike, no space around it."""
    return clean(text).replace("\r\n", "\n").replace("\r", "\n").strip()


def said(draft: Draft, field: Field, item: str = "") -> str:
    """A text of a draft; "" where nothing was written."""
    if field in _OF_BRIEF:
        return str(getattr(draft, field))
    return (draft.notes if field == "note" else draft.headlines).get(item, "")


def _ordered(report: Report, states: Mapping[str, str], positions: Mapping[str, int]) -> tuple[str, ...]:
    """Adopted ids: the placed ones as they were placed, the others after them in time order, undated ones last."""

    def key(row: int) -> tuple[bool, float, bool, float, int]:
        place, at = positions.get(report.table.ids[row]), float(report.table.published[row])
        undated = math.isnan(at)
        return (place is None, place or 0, undated, 0.0 if undated else at, row)

    rows = [row for row, one in enumerate(report.table.ids) if states.get(one) == "adopt"]
    return tuple(report.table.ids[row] for row in sorted(rows, key=key))
