"""`rescore`: a stored run under other settings; nothing is fetched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pipeline.cli.common import MOST_DAYS, AsJson, RunId, emit, examples, local, note, rows, settings, single, store
from pipeline.cli.story import one_line
from pipeline.errors import InputError
from pipeline.text.counts import many

if TYPE_CHECKING:
    from pipeline.types import Decay, Ranking, Report, ScoreSettings

rescore = single()


@rescore.command(
    epilog=examples(
        "lately rescore last --weights timeliness=0.4,authority=0.1",
        "lately rescore 20261130 --decay linear --threshold 40 --json",
        "lately rescore last --profile finance --today",
        "lately rescore last --weights authority=0.1 --bias example.org=0.7 --save-profile careful",
        "lately rescore last --item 3 --threshold 60",
    )
)
def rescore_(
    run: RunId,
    weights: Annotated[str | None, typer.Option(help="dimension=weight, separated by commas.")] = None,
    decay: Annotated[Literal["half_life", "linear", "exponential"] | None, typer.Option(help="Decay of time.")] = None,
    window: Annotated[int | None, typer.Option(min=1, max=MOST_DAYS, help="Days over which time decays.")] = None,
    bias: Annotated[list[str] | None, typer.Option(help="source=prior authority, 0 to 1; may be repeated.")] = None,
    threshold: Annotated[float | None, typer.Option(help="Points below which an item is not shown.")] = None,
    max_results: Annotated[int | None, typer.Option(help="Events shown at most.")] = None,
    profile: Annotated[str | None, typer.Option(help="Weights, decay, threshold and biases of a profile.")] = None,
    item: Annotated[str | None, typer.Option(help="Id or new rank of an item: its score step by step.")] = None,
    save_profile: Annotated[str | None, typer.Option(help="Keep these settings as a profile of this name.")] = None,
    today: Annotated[bool, typer.Option("--today", help="With the analyst's biases as they are now.")] = False,
    as_json: AsJson = False,
) -> None:
    """Rank a stored run anew and show what rose and what fell."""
    from pipeline import rescore as rank
    from pipeline.evaluation.labelled import against_labels
    from pipeline.scoring import as_profile, cautions, moves

    report = store().runs.load(run)
    asked = _settings(report, weights, decay, threshold, max_results, profile, today)
    asked = _sources(report, replace(asked, window_days=asked.window_days if window is None else float(window)), bias)
    ranking: Ranking = rank(report, asked)
    for caution in cautions(asked, settings()):
        note(f"warning: {caution}")
    if save_profile is not None:
        note(f"saved as {store().files.save_profile(save_profile, as_profile(asked, save_profile))}")
    if item is not None:
        _steps(report, ranking, item, as_json)
        return
    if as_json:
        emit(_json(report, ranking))
        return
    rows(
        f"{report.plan.text} (run {report.run_id}, re-scored)",
        ("#rank", "#moved", "#total", "published", "title", "source"),
        [
            (
                place,
                f"{int(ranking.rank_change[row]):+d}" if ranking.rank_change[row] else "",
                f"{float(ranking.total[row]):.2f}",
                local(report.item(row).published_at),
                report.table.titles[row],
                report.table.sources[row],
            )
            for place, row in _shown(ranking)
        ],
        empty="Nothing reaches the threshold; try a lower one with --threshold.",
    )
    note(f"Ranks count {many(len(ranking.order), 'scored item')}; those left out here are not shown (--json has all).")
    note(moves(report.table.bucket, ranking).sentence)
    if said := against_labels(report, ranking, store().labels.find(query=report.plan.text)):
        note(said)


def _settings(
    report: Report,
    weights: str | None,
    decay: Decay | None,
    threshold: float | None,
    max_results: int | None,
    profile: str | None,
    today: bool,
) -> ScoreSettings:
    from pipeline.demo import ran_with
    from pipeline.scoring import under_biases, under_profile

    configured = ran_with(report, settings())
    found = under_profile(report, configured, profile) if profile else report.settings
    if today:
        found = under_biases(report, configured, found, store().authority.biases())
    if weights is not None:
        found = replace(found, weights=_weights(weights, found.weights, interests=found.interests))
    if threshold is not None and not 0 <= threshold <= 100:
        raise InputError(f"--threshold lies between 0 and 100, not at {threshold:g}")
    if max_results is not None and max_results < 1:
        raise InputError(f"--max-results is at least 1, not {max_results}")
    changes: dict[str, Any] = {"decay": decay, "threshold": threshold, "max_results": max_results}
    return replace(found, **{name: value for name, value in changes.items() if value is not None})


def _weights(text: str, before: tuple[float, ...], *, interests: Sequence[str]) -> tuple[float, ...]:
    """dimension=weight, ... over those of before. Raises InputError, also when no dimension that is on has a weight."""
    from pipeline.types import DIMENSION_NAMES, MOST_WEIGHT

    found = dict(zip(DIMENSION_NAMES, before, strict=True))
    for part in text.split(","):
        name, _, value = (piece.strip() for piece in part.partition("="))
        try:
            found[name], known = float(value), name in found
        except ValueError:
            known = False
        if not known or not 0 <= found[name] <= MOST_WEIGHT:
            raise InputError(
                f"{part.strip()!r} is no weight; write one of {', '.join(DIMENSION_NAMES)} = a number from 0 to "
                f"{MOST_WEIGHT:g}"
            )
    if not any(weight for name, weight in found.items() if interests or name != "preference"):
        off = "" if interests else " (preference is off: there are no interest words)"
        raise InputError(f"all weights are 0{off}; give at least one dimension a weight")
    return tuple(found.values())


def _sources(report: Report, before: ScoreSettings, given: Sequence[str] | None) -> ScoreSettings:
    """With the biases given as source=number; one of a source that the run does not have is named."""
    from pipeline.scoring import source_key

    found, known = dict(before.authority_biases), {key.split("#")[0] for key in report.authorities}
    for text in given or ():
        name, _, value = text.rpartition("=")
        key = source_key(name, settings())
        try:
            found[key] = float(value)
        except ValueError:
            found[key] = -1
        if not key or not 0 <= found[key] <= 1:
            raise InputError(f"{text!r} is no bias; write source=number from 0 to 1")
        if key not in known:
            near = "".join(f"; did you mean {one}?" for one in get_close_matches(key, known, 1))
            note(f"warning: this run has no source {key}{near}")
    return replace(before, authority_biases=found)


def _steps(report: Report, ranking: Ranking, asked: str, as_json: bool) -> None:
    """One item from 0 to its total, and what would lift it over the line."""
    from pipeline.scoring import lift, restated, steps, under

    row = _row(report, ranking, asked)
    item, table = restated(report, ranking, row), under(report.table, ranking)
    found = lift(table, row, ranking.settings) if item.parts else None
    if as_json:
        emit({"id": item.id, "total": item.total, "bucket": item.bucket.label, "steps": steps(item), "lift": found})
        return
    rows(
        f"{one_line(item.title)}: {item.total:.2f} ({item.bucket.label})",
        ("step", "#points", "#reached", "evidence"),
        [(step.name.replace("_", " "), f"{step.points:+.2f}", f"{step.end:.2f}", step.says) for step in steps(item)],
        empty=item.reason,
    )
    if found is not None:
        note(found.sentence)


def _row(report: Report, ranking: Ranking, asked: str) -> int:
    if asked in report.table.ids:
        return report.table.ids.index(asked)
    if asked.isdecimal() and 1 <= int(asked) <= len(ranking.order):
        return int(ranking.order[int(asked) - 1])
    raise InputError(f"run {report.run_id} has no item {asked!r}; give an id, or a rank from 1 to {len(ranking.order)}")


def _shown(ranking: Ranking) -> list[tuple[int, int]]:
    """(rank, row) of the selected rows, best first."""
    chosen = {int(row) for row in ranking.selected}
    return [(place, int(row)) for place, row in enumerate(ranking.order, 1) if int(row) in chosen]


def _json(report: Report, ranking: Ranking) -> dict[str, Any]:
    from pipeline.types import DIMENSION_NAMES, Bucket

    table = report.table
    return {
        "run_id": report.run_id,
        "settings": ranking.settings,
        "ranking": [
            {
                "rank": place,
                "rank_change": int(ranking.rank_change[row]),
                "id": table.ids[row],
                "title": table.titles[row],
                "url": table.urls[row],
                "total": round(float(ranking.total[row]), 2),
                "bucket": Bucket(int(ranking.bucket[row])).label,
                "tier": ("none", "lead", "fact")[int(ranking.tier[row])],
                "values": {
                    name: round(float(value), 4)
                    for name, value in zip(DIMENSION_NAMES, ranking.values[row], strict=True)
                },
            }
            for place, row in enumerate(map(int, ranking.order), 1)
        ],
        "selected": [table.ids[int(row)] for row in ranking.selected],
    }
