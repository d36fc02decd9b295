"""`brief` and `export`: a run for other people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.common import AsJson, RunId, emit, examples, group, note, now, say, single, store
from pipeline.errors import InputError

if TYPE_CHECKING:
    from pipeline.types import Brief

brief = group("brief", "What goes to stakeholders: facts and leads apart, numbered citations, coverage, method.")
export = single()


@brief.command("show", epilog=examples("lately brief show last", "lately brief show last --json"))
def show(run: RunId, as_json: AsJson = False) -> None:
    """The brief of a run as Markdown: of its adopted items, or of its own selection where nothing was adopted."""
    made = _compose(run)
    if as_json:
        emit(made)
    else:
        say(_write(made, "md").decode().rstrip("\n"))


@export.command(
    epilog=examples(
        "lately export last --format md --out brief.md",
        "lately export last --format html --out brief.html",
        "lately export last --format json > run.json",
    )
)
def export_(
    run: RunId,
    form: Annotated[str, typer.Option("--format", help="md, html, docx, csv, or json (the whole run).")],
    out: Annotated[Path | None, typer.Option(help="File to write; standard output without it.")] = None,
) -> None:
    """Write a run's brief, or as JSON the whole run, to a file."""
    if form == "json":
        from pipeline.briefing.json import report_json

        data = json.dumps(report_json(store().runs.load(run)), ensure_ascii=False, indent=2).encode() + b"\n"
    else:
        data = _write(_compose(run), form)
    if out is None:
        typer.get_binary_stream("stdout").write(data)
        return
    try:
        out.write_bytes(data)
    except OSError as error:
        raise InputError(f"{out} can't be written ({error.strerror}); choose another place") from error
    note(f"written: {out}")


def _compose(run: str) -> Brief:
    from pipeline.briefing import compose

    report = store().runs.load(run)
    adopted = store().feedback.adopted(report.run_id)
    notes = {one.scored.id: one.note for one in adopted if one.note}
    return compose(report, adopted=[one.scored.id for one in adopted], notes=notes, now=now())


def _write(made: Brief, form: str) -> bytes:
    from pipeline.briefing import EXPORTS

    forms = {one.name: one for one in EXPORTS}
    found = forms.get({"md": "markdown"}.get(form, form)) or forms.get(form)
    if found is None:
        raise InputError(f"there is no format {form!r}; known: json, {', '.join(sorted(forms))}")
    data: bytes = found.export(made)
    return data
