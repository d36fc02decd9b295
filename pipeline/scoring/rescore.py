"""Re-scoring: other weights, decay, threshold, authority or profile on a finished run, by array arithmetic alone.

Nothing is fetched or embedded. Groups, originals and penalties are frozen per run; values that depend on the settings
(timeliness by decay, authority by bias, corroboration by who was dismissed since) are computed again, representatives
are picked again.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.authority import rebiased, rows_of
from pipeline.scoring.choose import best_first, choose
from pipeline.scoring.corroboration import independent, value_of
from pipeline.scoring.preference import overlap
from pipeline.scoring.timeliness import timeliness
from pipeline.scoring.total import effective_weights, totals
from pipeline.types import DIMENSION_NAMES, AuthorityEstimate, Bucket, Ranking, Report, ScoreSettings, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.types import Floats, Ints

_TIME, _AUTHORITY, _CORROBORATION, _PREFERENCE = (
    DIMENSION_NAMES.index(name) for name in ("timeliness", "authority", "corroboration", "preference")
)


def rescore(report: Report, settings: ScoreSettings) -> Ranking:
    """Rank a run's items again under other settings. The report itself stays as it was.

    Changed interest words are looked up in the stored texts, which is the one change that reads more than arrays.
    """
    table = report.table
    values = _values(report, settings)
    total = np.where(table.fixed < 0, totals(values, effective_weights(settings), table.factors), 0.0)
    choice = choose(table, values, total, settings)
    return Ranking(
        settings=settings,
        values=values,
        total=total.astype(np.float32),
        bucket=choice.bucket,
        tier=choice.tier,
        order=choice.order,
        selected=in_time(table, choice.bucket),
        rank_change=rank_change(table, choice.order),
    )


def _values(report: Report, settings: ScoreSettings) -> Floats:
    """[N, 6] with the columns computed again that the settings touch."""
    table, ran = report.table, report.settings
    values = table.values.copy()
    if (settings.decay, settings.window_days) != (ran.decay, ran.window_days):
        values[:, _TIME] = _timeliness(table, settings)
    if settings.authority_biases:
        _rebias(values, table, report.authorities, settings.authority_biases)
    if table.dismissed.any():
        _corroborate(values, table)
    if settings.interests != ran.interests:
        values[:, _PREFERENCE] = _preference(report, settings)
    return values


def _timeliness(table: Table, settings: ScoreSettings) -> Floats:
    found = timeliness(
        table.age_days,
        table.upstream,
        window_days=settings.window_days,
        kind=settings.decay,
        fixed=settings.upstream_timeliness,
    )
    return np.where(table.fixed < 0, found, np.float32(0))


def _rebias(values: Floats, table: Table, run: Mapping[str, AuthorityEstimate], biases: Mapping[str, float]) -> None:
    """Replace the prior mean of the named sources, on every topic; their feedback stays."""
    means = {
        key: rebiased(run[key], bias).mean
        for site, bias in biases.items()
        for key in ((site,) if site in run else ()) + tuple(key for key in run if key.startswith(f"{site}#"))
    }
    rows = rows_of(table.authority_keys, means)
    rows = rows[table.fixed[rows] < 0]
    values[rows, _AUTHORITY] = [means[table.authority_keys[row]] for row in rows.tolist()]


def _corroborate(values: Floats, table: Table) -> None:
    """Count the voices again in the events that lost a member to a dismissal."""
    scored = table.fixed < 0
    touched = np.zeros(int(table.event.max(initial=-1)) + 1, bool)
    touched[table.event[table.dismissed & scored]] = True
    rows = np.flatnonzero(scored & (table.event >= 0))
    rows = rows[touched[table.event[rows]]]
    voice = table.voice[table.original[rows]]
    owners = independent(table.event[rows], voice, np.arange(len(rows), dtype=np.int32), ~table.dismissed[rows])
    values[rows, _CORROBORATION] = value_of(owners)


def _preference(report: Report, settings: ScoreSettings) -> Floats:
    column = np.zeros(len(report.table), np.float32)
    if settings.interests:
        for row in np.flatnonzero(report.table.fixed < 0).tolist():
            candidate = report.item(row).judged.candidate
            column[row] = overlap(settings.interests, f"{candidate.title} {candidate.text}")
    return column


def in_time(table: Table, bucket: NDArray[np.int8]) -> Ints:
    """Selected rows as a story: by publication time, undated ones last, then pool order."""
    rows = np.flatnonzero(bucket == Bucket.SELECTED).astype(np.int32)
    return rows[np.argsort(table.published[rows], kind="stable")]


def rank_change(table: Table, order: Ints) -> Ints:
    """[N] places risen (positive) or fallen against the run's own order; 0 for rows that were not scored."""
    before = _own_order(table)
    change = np.zeros(len(table), np.int32)
    places = np.arange(len(order), dtype=np.int32)
    change[before] = places
    change[order] -= places
    return change


_last: tuple[weakref.ref[NDArray[np.float32]], NDArray[np.int64]] | None = None


def _own_order(table: Table) -> NDArray[np.int64]:
    """The run's own order, kept for the table last asked for: a slider asks for the same one at every move."""
    global _last
    kept = _last
    if kept is not None and kept[0]() is table.total:
        return kept[1]
    order = best_first(table.total.astype(np.float64), table.engagement, table.fixed < 0)
    _last = weakref.ref(table.total), order
    return order
