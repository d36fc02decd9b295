"""From columns back to one explained item: parts with their evidence, penalties, bucket and reason, what lies beneath
it.

Nothing is worded before somebody looks: a run of 20,000 items keeps arrays, and a card asks for its row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import isnan
from typing import TYPE_CHECKING, cast

import numpy as np

from pipeline.scoring import authority, corroboration, preference, timeliness
from pipeline.scoring.authority import Authority
from pipeline.scoring.frame import Column, Pool, Strikes
from pipeline.scoring.reasons import reason
from pipeline.scoring.tiers import NAMES
from pipeline.scoring.total import effective_weights
from pipeline.text import excerpt
from pipeline.types import (
    DIMENSION_NAMES,
    PENALTY_NAMES,
    AuthorityEstimate,
    Bucket,
    Judged,
    Part,
    Penalty,
    Ranking,
    Report,
    Scored,
    Table,
)

if TYPE_CHECKING:
    from pipeline.types import Ints

_AUTHORITY, _PREFERENCE = DIMENSION_NAMES.index("authority"), DIMENSION_NAMES.index("preference")
_COMPLETENESS, _CORROBORATION = DIMENSION_NAMES.index("completeness"), DIMENSION_NAMES.index("corroboration")
_CLICKBAIT = PENALTY_NAMES.index("clickbait")


@dataclass(frozen=True, slots=True)
class Explain:
    """Evidence of the rows of a run. Call `details` with the table that select filled in."""

    pool: tuple[Judged, ...]
    examined: Pool
    at: Ints
    """[N] pool row -> index among the examined, -1 elsewhere."""
    columns: tuple[Column, ...]
    strikes: tuple[Strikes, ...]

    @property
    def authorities(self) -> Mapping[str, AuthorityEstimate]:
        """The estimate the run used, by key."""
        return cast(Authority, self.columns[_AUTHORITY]).estimates

    def details(self, table: Table) -> Explained:
        return Explained(self, table)


@dataclass(frozen=True, slots=True)
class Explained:
    """types.Details: row -> Scored, from memory."""

    source: Explain
    table: Table

    def __call__(self, row: int) -> Scored:
        source, table = self.source, self.table
        judged = source.pool[row]
        scored = bool(table.fixed[row] < 0)
        settings = source.examined.settings.scoring
        event = int(table.event[row])
        return Scored(
            judged=judged,
            event_id=source.examined.grouping.events[event].id if event >= 0 else "",
            parts=self._parts(row) if scored else (),
            penalties=self._penalties(row) if scored else (),
            total=round(float(table.total[row]), 2),
            tier=NAMES[int(table.tier[row])],
            bucket=Bucket(int(table.bucket[row])),
            reason=reason(table, row, judged.verdict, source.examined.scores),
            upstream=bool(table.upstream[row]),
            copies=beneath(table, row, Bucket.COPY),
            folded=beneath(table, row, Bucket.FOLDED),
            excerpt=excerpt(judged.candidate.text, settings.excerpt_min, settings.excerpt_max),
            effective_at=_effective(source.examined, int(source.at[row]), judged),
        )

    def _parts(self, row: int) -> tuple[Part, ...]:
        weights = effective_weights(self.source.examined.scores)
        place = int(self.source.at[row])
        return tuple(
            self._part(name, column, place, row, k, weights[k])
            for k, (name, column) in enumerate(zip(DIMENSION_NAMES, self.source.columns, strict=True))
        )

    def _part(self, name: str, column: Column, place: int, row: int, k: int, weight: float) -> Part:
        says, facts = column.explain(place)
        if k == _COMPLETENESS and self.table.struck[row, _CLICKBAIT]:
            says, facts = f"{says}; set to 0 by clickbait", (*facts, ("clickbait", "yes"))
        return Part(name=name, value=float(self.table.values[row, k]), weight=weight, evidence=says, facts=facts)

    def _penalties(self, row: int) -> tuple[Penalty, ...]:
        place = int(self.source.at[row])
        return tuple(
            Penalty(
                name=name,
                factor=round(float(self.table.factors[row, k]), 6),
                effect=strike.effect,
                evidence=strike.explain(place),
            )
            for k, (name, strike) in enumerate(zip(PENALTY_NAMES, self.source.strikes, strict=True))
            if self.table.struck[row, k]
        )


def _effective(pool: Pool, place: int, judged: Judged) -> datetime | None:
    if place < 0:
        return judged.candidate.published_at
    at = float(pool.effective[place])
    return None if isnan(at) else datetime.fromtimestamp(at, UTC)


def beneath(table: Table, row: int, where: Bucket) -> tuple[str, ...]:
    """Ids of what lies under an item: copies under the best of their group, other reports under the event's best."""
    group = table.original if where == Bucket.COPY else table.event
    if table.fixed[row] >= 0 or table.bucket[row] == where or group[row] < 0:
        return ()
    same = (group == group[row]) & (table.bucket == where)
    if where == Bucket.COPY:
        same &= table.upstream == table.upstream[row]
    elif not _carries(table, row):
        return ()
    return tuple(table.ids[other] for other in np.flatnonzero(same).tolist() if other != row)


def _carries(table: Table, row: int) -> bool:
    """Whether an event's other reports fold beneath this row: its best one, or the upstream item standing alone."""
    shown = (Bucket.SELECTED, Bucket.OVER_LIMIT)
    if table.bucket[row] not in shown:
        return False
    if not table.upstream[row]:
        return True
    rivals = (table.event == table.event[row]) & ~table.upstream & np.isin(table.bucket, shown)
    return not rivals.any()


# --------------------------------------------------------------------------- under other settings


def restated(report: Report, ranking: Ranking, row: int) -> Scored:
    """An item of a finished run as a re-scoring sees it: values, weights, total, bucket, and evidence that still
    adds up.
    """
    scored, table, settings = report.item(row), under(report.table, ranking), ranking.settings
    if table.fixed[row] >= 0:
        return scored
    weights = effective_weights(settings)
    parts = tuple(
        replace(part, value=float(ranking.values[row, k]), weight=weights[k]) for k, part in enumerate(scored.parts)
    )
    return replace(
        scored,
        parts=_reworded(report, ranking, row, parts, scored.judged),
        total=round(float(ranking.total[row]), 2),
        tier=NAMES[int(ranking.tier[row])],
        bucket=Bucket(int(ranking.bucket[row])),
        reason=reason(table, row, scored.judged.verdict, settings),
        copies=beneath(table, row, Bucket.COPY),
        folded=beneath(table, row, Bucket.FOLDED),
    )


def under(table: Table, ranking: Ranking) -> Table:
    """The table with the outcome of a re-scoring."""
    return replace(table, values=ranking.values, total=ranking.total, bucket=ranking.bucket, tier=ranking.tier)


def _reworded(report: Report, ranking: Ranking, row: int, parts: Sequence[Part], judged: Judged) -> tuple[Part, ...]:
    """Timeliness, preference, authority and corroboration, whose evidence depends on the settings or on what was
    dismissed since, told again where these changed.
    """
    ran, now = report.settings, ranking.settings
    told = list(parts)
    if (ran.decay, ran.window_days) != (now.decay, now.window_days):
        says = timeliness.explain(
            age=float(report.table.age_days[row]),
            value=parts[0].value,
            window_days=now.window_days,
            kind=now.decay,
            upstream=bool(report.table.upstream[row]),
            redated=bool(report.table.struck[row, PENALTY_NAMES.index("re_dated")]),
        )
        told[0] = replace(parts[0], evidence=says.sentence, facts=says.facts)
    if ran.interests != now.interests:
        said = preference.explain(now.interests, f"{judged.candidate.title} {judged.candidate.text}")
        told[_PREFERENCE] = replace(parts[_PREFERENCE], evidence=said.sentence, facts=said.facts)
    used = report.authorities.get(report.table.authority_keys[row])
    if used is not None and (found := authority.estimate_under(used, now)) is not used:
        again = authority.explain(found)
        told[_AUTHORITY] = replace(parts[_AUTHORITY], evidence=again.sentence, facts=again.facts)
    counted = dict(told[_CORROBORATION].facts)
    if "reports" in counted and (left := corroboration.voices(report.table, row)) != int(counted["independent"]):
        again = corroboration.explain(left, members=int(counted["reports"]), value=told[_CORROBORATION].value)
        told[_CORROBORATION] = replace(told[_CORROBORATION], evidence=again.sentence, facts=again.facts)
    return tuple(told)


def overlooked(table: Table, low: float, high: float) -> Ints:
    """Rows for the weekly list: scored low..high points, reached the threshold, and nobody adopted or dismissed
    them.
    """
    left = (table.tier > 0) & (table.total >= low) & (table.total < high) & ~table.adopted & ~table.dismissed
    left &= table.bucket != Bucket.COPY
    return np.flatnonzero(left).astype(np.int32)
