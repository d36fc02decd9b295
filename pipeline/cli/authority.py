"""`authority`: the analyst's priors, with when and why."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.common import (
    MOST_ID,
    AsJson,
    emit,
    examples,
    group,
    local,
    note,
    now,
    read_text,
    rows,
    say,
    settings,
    store,
)
from pipeline.errors import InputError
from pipeline.text.counts import many

authority = group("authority", "The analyst's priors in the database; they hold from the next run on.")

Source = Annotated[
    str, typer.Argument(metavar="DOMAIN", help="A domain or an address such as example.org, or a handle.")
]


PROBLEMS = 10
"""Entries of a file that are named when they can't be used; the others are counted."""


def who() -> str:
    """The person at the terminal, as the history names them."""
    try:
        return f"{getpass.getuser()}, command line"
    except (OSError, KeyError):  # a container may run under a number without a name
        return "command line"


def _key(typed: str) -> str:
    """The source that was named, by its key. Raises InputError for no source."""
    from pipeline.scoring import source_key
    from pipeline.store.biasfile import authority_key

    return authority_key(source_key(typed, settings()))


@authority.command("list", epilog=examples("lately authority list", "lately authority list --json"))
def list_(as_json: AsJson = False) -> None:
    """Biases that hold now, with the feedback their sources have earned."""
    earned = store().authority.evidence(now())
    held = [change for change in store().authority.current() if change.bias is not None]
    keys = sorted({change.key for change in held} | set(earned))
    biases = {change.key: change for change in held}
    if as_json:
        emit(
            [
                {
                    "source": key,
                    "bias": biases[key].bias if key in biases else None,
                    "reason": biases[key].reason if key in biases else "",
                    "since": biases[key].at if key in biases else None,
                    "successes": round(earned.get(key, (0.0, 0.0))[0], 3),
                    "failures": round(earned.get(key, (0.0, 0.0))[1], 3),
                }
                for key in keys
            ]
        )
        return
    lines = []
    for key in keys:
        change = biases.get(key)
        won, lost = earned.get(key, (0.0, 0.0))
        why = (
            (f"{change.bias:.2f}", local(change.at), change.reason)
            if change and change.bias is not None
            else ("", "", "")
        )
        lines.append((key, why[0], f"{won:.2f}", f"{lost:.2f}", why[1], why[2]))
    rows(
        "Authority",
        ("source", "#bias", "#for", "#against", "since", "reason"),
        lines,
        empty="No source has a bias or feedback yet; `lately authority set DOMAIN BIAS --reason WHY` sets one.",
    )


@authority.command("set", epilog=examples('lately authority set example.org 0.7 --reason "corrected two reports"'))
def set_(
    domain: Source,
    bias: Annotated[float, typer.Argument(metavar="BIAS", help="0 (never right) to 1; replaces the prior mean.")],
    reason: Annotated[str, typer.Option(help="Why; kept beside the change.")],
) -> None:
    """Replace a source's prior mean from now on."""
    key = _key(domain)
    store().authority.set(key, bias, reason, now(), who=who())
    note(f"{key}: bias {bias:g}; `lately rescore last --today` shows its effect on the latest run")


@authority.command(
    "preview",
    epilog=examples("lately authority preview example.org 0.4", "lately authority preview @name 0.7 --run last"),
)
def preview(
    domain: Source,
    bias: Annotated[float, typer.Argument(metavar="BIAS", min=0, max=1, help="0 to 1; nothing is saved.")],
    run: Annotated[str, typer.Option(metavar="RUN", help='Id of a run, its beginning, or "last".')] = "last",
    as_json: AsJson = False,
) -> None:
    """What a bias would do to a source's posterior and to a run: who rises, who falls, what would be shown."""
    from pipeline.authorities import authority_effect, known_in, standings, used_under, with_bias

    report, key = store().runs.load(run), _key(domain)
    (one,) = standings((known_in(report, key, settings()),), settings(), store().authority, now())[:1]
    then, used = with_bias(one, bias), one.known.used
    tried = used_under(one.known, {key: bias})
    effect = authority_effect(report, {key: bias})
    if as_json:
        run_ = {"before": used, "after": tried}
        emit({"before": one.estimate, "after": then.estimate, "in_run": run_, "effect": effect})
        return
    say(f"{key}: prior {one.known.prior:.2f} ({one.known.prior_from}), posterior {one.mean:.2f} -> {then.mean:.2f}")
    if used is not None and tried is not None:
        say(f"in the run {used.mean:.2f} ({used.prior_from}) -> {tried.mean:.2f}")
    else:
        note(f"run {report.run_id} scored nothing from {key}: there is no effect to see")
    counts = (effect.risen, effect.fallen, effect.displaced, effect.n_shown, effect.n_gone)
    say("{} rise, {} fall, {} only change places; {} would be shown, {} no longer".format(*counts))
    titles = report.table.titles
    for name, moves in (
        ("shown", effect.shown),
        ("gone", effect.gone),
        ("rises", effect.rises),
        ("falls", effect.falls),
    ):
        rows(
            name,
            ("#points", "#then", "#place", "#then", "item"),
            [(f"{m.points:.1f}", f"{m.points_after:.1f}", m.place, m.place_after, titles[m.row]) for m in moves],
            empty="",
        )


@authority.command("undo", epilog=examples("lately authority undo example.org", "lately authority undo --id 12"))
def undo(
    domain: Annotated[str | None, typer.Argument(metavar="[DOMAIN]", help="Its latest change.")] = None,
    number: Annotated[
        int | None, typer.Option("--id", min=1, max=MOST_ID, help="This change, as `history` numbers it.")
    ] = None,
) -> None:
    """Take a change back; what held before holds again."""
    if (domain is None) == (number is None):
        raise InputError("name a source, or a change with --id; `lately authority history` lists them")
    kept = store().authority
    change = kept.undo_change(number, now()) if number is not None else kept.undo(_key(domain or ""), now())
    note(f"{change.key}: the change of {local(change.at)} ({change.reason}) is undone")


@authority.command(
    "history", epilog=examples("lately authority history", "lately authority history example.org --json")
)
def history(
    domain: Annotated[str | None, typer.Argument(metavar="[DOMAIN]", help="Only this source.")] = None,
    as_json: AsJson = False,
) -> None:
    """All changes, undone ones too, newest first; for one source also its feedback."""
    kept, key = store().authority, _key(domain) if domain else None
    changes = kept.history(key)
    evidence = kept.log(key) if key else ()
    if as_json:
        emit({"changes": list(changes), "evidence": list(evidence)})
        return
    rows(
        "Changes",
        ("#id", "when", "who", "source", "#bias", "reason", "undone"),
        [
            (
                one.id,
                local(one.at),
                one.who,
                one.key,
                "removed" if one.bias is None else f"{one.bias:.2f}",
                one.reason,
                local(one.undone_at) if one.undone_at else "",
            )
            for one in changes
        ],
        empty="No change so far.",
    )
    if domain:
        rows(
            "Feedback",
            ("when", "kind", "#weight", "item"),
            [(local(one.at), one.kind, f"{one.weight:g}", one.title or one.candidate) for one in evidence],
            empty="No feedback on its items so far.",
        )


@authority.command("export", epilog=examples("lately authority export > authorities.yaml"))
def export() -> None:
    """The biases that hold, as YAML."""
    say(store().authority.export().rstrip("\n"))


@authority.command("import", epilog=examples("lately authority import authorities.yaml"))
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What export wrote; - reads standard input.")],
) -> None:
    """Add the biases of an export where they differ; an entry that can't be used is named and left out."""
    from pipeline.scoring import source_key

    found = store().authority.import_yaml(
        read_text(file), now(), who=who(), key=lambda written: source_key(written, settings())
    )
    note(f"{many(found.changed, 'bias', 'biases')} changed, {found.same} unchanged")
    for problem in found.problems[:PROBLEMS]:
        note(f"left out: {problem}")
    if len(found.problems) > PROBLEMS:
        note(f"left out: {many(len(found.problems), 'entry', 'entries')} in all; these are the first {PROBLEMS}")
