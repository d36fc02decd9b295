"""Re-scoring: other weights, decay, threshold, authority or profile on a finished run, by array arithmetic alone.

Nothing is fetched or embedded. Groups, originals and penalties are frozen per run; values that depend on the settings
(timeliness by decay, authority by bias, corroboration by who was dismissed since) are computed again, representatives
are picked again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.authority import by_source, mean
from pipeline.scoring.choose import choose
from pipeline.scoring.corroboration import independent, value_of
from pipeline.scoring.kept import Kept
from pipeline.scoring.preference import overlap
from pipeline.scoring.standing import best_first, standing
from pipeline.scoring.timeliness import timeliness
from pipeline.scoring.total import effective_weights, totals
from pipeline.types import DIMENSION_NAMES, AuthorityEstimate, Bucket, Ranking, Report, ScoreSettings, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.scoring.standing import Rows
    from pipeline.types import Floats, Ints

_TIME, _AUTHORITY, _CORROBORATION, _PREFERENCE = (
    DIMENSION_NAMES.index(name) for name in ("timeliness", "authority", "corroboration", "preference")
)


def rescore(report: Report, settings: ScoreSettings) -> Ranking:
    """Rank a run's items again under other settings. The report itself stays as it was; its arrays may be shared.

    Changed interest words are looked up in the stored texts, which is the one change that reads more than arrays.
    """
    table = report.table
    values = _values(report, settings)
    total = totals(values, effective_weights(settings), table.factors) * (table.fixed < 0)
    choice = choose(table, values, total, settings)
    return Ranking(
        settings=settings,
        values=values,
        total=total.astype(np.float32),
        bucket=choice.bucket,
        tier=choice.tier,
        order=choice.order.astype(np.int32),
        selected=in_time(table, choice.bucket),
        rank_change=rank_change(table, choice.order),
    )


def _values(report: Report, settings: ScoreSettings) -> Floats:
    """[N, 6] with the columns computed again that the settings touch; the table's own where they touch none."""
    table, ran = report.table, report.settings
    decayed = (settings.decay, settings.window_days) != (ran.decay, ran.window_days)
    interested = settings.interests != ran.interests
    gone = table.dismissed.any()
    biased = settings.prior_means
    if not (decayed or biased or gone or interested):
        return table.values
    values = table.values.copy()
    if decayed:
        values[:, _TIME] = _timeliness(table, settings)
    if biased:
        _rebias(values, table, report.authorities, biased)
    if gone:
        _corroborate(values, table)
    if interested:
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
    return found * (table.fixed < 0)


def _rebias(values: Floats, table: Table, run: Mapping[str, AuthorityEstimate], biases: Mapping[str, float]) -> None:
    """Replace the prior mean of the named sources, on every topic; their feedback stays."""
    rows_of = _sources.of((table.fixed, table.published), lambda: by_source(table.authority_keys, table.fixed < 0))
    for site, bias in biases.items():
        for key, rows in rows_of.get(site, {}).items():
            if key in run:
                values[rows, _AUTHORITY] = mean(run[key], bias)


_sources: Kept[Mapping[str, Mapping[str, Ints]]] = Kept()


def _corroborate(values: Floats, table: Table) -> None:
    """Count the voices again in the events that lost a member to a dismissal."""
    columns = (table.event, table.voice, table.original, table.fixed, table.dismissed)
    rows, corroboration = _counted.of(columns, lambda: _recount(table))
    values[rows, _CORROBORATION] = corroboration


_counted: Kept[tuple[Rows, Floats]] = Kept()


def _recount(table: Table) -> tuple[Rows, Floats]:
    """Rows of events with a dismissed member, and what corroboration is left to them."""
    scored = table.fixed < 0
    rows = np.flatnonzero(scored & np.isin(table.event, table.event[scored & table.dismissed]))
    voice = table.voice[table.original[rows]]
    owners = independent(table.event[rows], voice, np.arange(len(rows), dtype=np.int32), ~table.dismissed[rows])
    return rows, value_of(owners)


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


def rank_change(table: Table, order: Rows) -> Ints:
    """[N] places risen (positive) or fallen against the run's own order; 0 for rows that were not scored."""
    change = _own_places.of((table.total, table.fixed, table.engagement), lambda: _places(table)).copy()
    change[order] -= np.arange(len(order), dtype=np.int32)
    return change


_own_places: Kept[Ints] = Kept()


def _places(table: Table) -> Ints:
    """[N] place in the run's own order, 0 for rows that were not scored."""
    scored = standing(table)
    places = np.zeros(len(table), np.int32)
    places[scored.rows.take(best_first(table.total.take(scored.rows)))] = np.arange(len(scored.rows), dtype=np.int32)
    return places
