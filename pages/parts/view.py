"""What of a report is on the screen: the run's own outcome, or that of another threshold, minus what was dismissed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

import pipeline
from pipeline import Bucket

TIER_NAMES = ("none", "lead", "fact")
NEAREST = 3
KEPT_ITEMS = 200  # of a view, some 7 KB each: what is on the screen is drawn again and again


@dataclass(frozen=True)
class View:
    """A report as the analyst looks at it. Rows are indices into the report's table.

    `ranking` replaces totals, tiers and buckets when the analyst moved the threshold; `marks` is the
    latest word on an item (adopt, dismiss, restore), by candidate id.
    """

    report: Any
    ranking: Any = None
    marks: Mapping[str, str] = field(default_factory=dict)
    rescored: Any = None
    """What `ranking` was made of: the report with what was dismissed since; None when that is the report itself."""

    _items: dict[int, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def base(self) -> Any:
        """The report to rank anew under still other settings."""
        return self.rescored or self.report

    @property
    def seen(self) -> Any:
        """The report with the outcome that is on the screen."""
        if self.ranking is None:
            return self.report
        return replace(self.report, table=pipeline.under(self.base.table, self.ranking), settings=self.settings)

    @property
    def settings(self) -> Any:
        """The scoring settings on the screen."""
        return (self.ranking or self.report).settings

    @property
    def threshold(self) -> float:
        return float((self.ranking or self.report).settings.threshold)

    @cached_property
    def outcome(self) -> Any:
        """Where totals, tiers and buckets are read: the table, or the re-scored arrays."""
        return self.ranking or self.report.table

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Candidate id -> row."""
        return _row_of(self.report.table.ids)

    @cached_property
    def selected(self) -> tuple[int, ...]:
        """Rows shown, in time order, without what was dismissed."""
        rows = self.report.selected_rows if self.ranking is None else [int(row) for row in self.ranking.selected]
        return tuple(row for row in rows if self.mark(row) != "dismiss")

    @cached_property
    def ends(self) -> Any:
        """[N] code of the bucket in which each row ended, what was dismissed since among them."""
        codes = self.outcome.bucket.copy()
        for name, kind in self.marks.items():
            if kind == "dismiss" and name in self.row_of:
                codes[self.row_of[name]] = Bucket.DISMISSED
        return codes

    @cached_property
    def tally(self) -> Mapping[tuple[int, str], int]:
        """(bucket, source) -> items that ended there; counted once, for every look at a large run needs it."""
        return Counter(zip(self.ends.tolist(), self.report.table.sources, strict=True))

    @cached_property
    def buckets(self) -> dict[Bucket, tuple[int, ...]]:
        """Every bucket that is not shown and its rows, best first, the fullest bucket first."""
        falling = (-self.outcome.total).argsort(kind="stable")
        codes = self.ends[falling]
        found = [(bucket, falling[codes == bucket].tolist()) for bucket in Bucket if bucket != Bucket.SELECTED]
        found.sort(key=lambda pair: -len(pair[1]))
        return {bucket: tuple(rows) for bucket, rows in found if rows}

    def mark(self, row: int) -> str:
        return self.marks.get(self.report.table.ids[row], "")

    def voice(self, row: int) -> str:
        """Who says it: an account, else a site."""
        table = self.report.table
        return f"@{table.authors[row]}" if table.social[row] and table.authors[row] else table.domains[row]

    def total(self, row: int) -> float:
        return float(self.outcome.total[row])

    def tier(self, row: int) -> str:
        return TIER_NAMES[int(self.outcome.tier[row])]

    def item(self, row: int) -> Any:
        """The explained record, with the total, tier and bucket of what is on the screen; the latest ones are kept."""
        if (kept := self._items.get(row)) is not None:
            return kept
        if len(self._items) >= KEPT_ITEMS:
            self._items.clear()
        found = self.report.item(row) if self.ranking is None else pipeline.restated(self.report, self.ranking, row)
        self._items[row] = found
        return found

    def event_of(self, row: int) -> Any:
        """The event of a row, None when it never was grouped."""
        at = int(self.report.table.event[row])
        return self.report.events[at] if at >= 0 else None

    def sites(self, event: Any) -> int:
        """How many sites or accounts carry an event, copies included."""
        keys = self.report.table.authority_keys
        return len({keys[self.row_of[member]] for member in event.members if member in self.row_of})

    def nearest(self, bucket: Bucket, n: int = NEAREST) -> tuple[int, ...]:
        """The rows of a bucket that missed by least."""
        return self.buckets.get(bucket, ())[:n]

    def story(
        self,
        *,
        order: str = "time",
        sources: Collection[str] = (),
        tiers: Collection[str] = (),
        words: str = "",
        events: Collection[str] | None = None,
    ) -> tuple[int, ...]:
        """The shown rows after the analyst's filters; upstream items head the story."""
        rows = [row for row in self.selected if self._passes(row, sources, tiers, words.casefold(), events)]
        if order == "score":
            rows.sort(key=lambda row: -self.total(row))
        else:
            rows.sort(key=lambda row: not bool(self.report.table.upstream[row]))
        return tuple(rows)

    def _passes(
        self, row: int, sources: Collection[str], tiers: Collection[str], words: str, events: Collection[str] | None
    ) -> bool:
        table = self.report.table
        event = self.event_of(row)
        return (
            (not sources or table.sources[row] in sources)
            and (not tiers or self.tier(row) in tiers)
            and (not words or words in f"{table.titles[row]} {table.domains[row]} {table.authors[row]}".casefold())
            and (events is None or (event is not None and event.id in events))
        )

    def shown_sources(self) -> tuple[str, ...]:
        return tuple(sorted({self.report.table.sources[row] for row in self.selected}))


@lru_cache(maxsize=8)
def _row_of(ids: tuple[str, ...]) -> dict[str, int]:
    """Kept beside the views: each move of a slider makes a view of the same run."""
    return {name: row for row, name in enumerate(ids)}
