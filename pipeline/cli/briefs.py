"""`brief` and `export`: a run for other people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pipeline.cli.common import (
    AsJson,
    RunId,
    emit,
    examples,
    group,
    note,
    now,
    read_text,
    rows,
    single,
    store,
)
from pipeline.errors import InputError

if TYPE_CHECKING:
    from pipeline.types import Brief, Draft, Report

brief = group("brief", "What goes to stakeholders: facts and leads apart, numbered citations, coverage, method.")
export = single()

Form = Annotated[str, typer.Option("--format", help="md, html, docx, csv, or json (the brief and the whole run).")]
Out = Annotated[Path | None, typer.Option(help="File to write; standard output without it.")]
Item = Annotated[str, typer.Argument(metavar="ITEM", help="Id of an adopted item, or the beginning of one.")]
Words = Annotated[str, typer.Argument(metavar="TEXT", help='The text; "-" reads standard input, "" takes it away.')]


@brief.command(
    "show",
    epilog=examples("lately brief show last", "lately brief show last --json", "lately brief show last --format csv"),
)
def show(run: RunId, form: Form = "md", as_json: AsJson = False) -> None:
    """The brief of a run: of its adopted items, or of its own selection where nothing was adopted."""
    report, made = _compose(run)
    if as_json:
        from pipeline.briefing.json import brief_json

        emit(brief_json(made))
    else:
        _send(made, form, report, None)


@export.command(
    epilog=examples(
        "lately export last --format md --out brief.md",
        "lately export last --format html --out brief.html",
        "lately export last --format json > run.json",
    )
)
def export_(run: RunId, form: Form, out: Out = None) -> None:
    """Write a run's brief to a file: the same that the Briefs page saves."""
    report, made = _compose(run)
    _send(made, form, report, out)


def _compose(run: str) -> tuple[Report, Brief]:
    from pipeline.briefing import compose

    report = store().runs.load(run)
    return report, compose(report, store().briefs.draft(report), now=now())


def _send(made: Brief, form: str, report: Report, out: Path | None) -> None:
    from pipeline.briefing import export_brief

    data = export_brief(made, form, report)
    if out is None:
        typer.get_binary_stream("stdout").write(data)
        return
    try:
        out.write_bytes(data)
    except OSError as error:
        raise InputError(f"{out} can't be written ({error.strerror}); choose another place") from error
    note(f"written: {out}")


# --------------------------------------------------------------------------- the analyst's work on it


@brief.command("list", epilog=examples("lately brief list last", "lately brief list last --json"))
def list_(run: RunId, as_json: AsJson = False) -> None:
    """The adopted items in the order of the brief, with headline and note."""
    report = store().runs.load(run)
    draft = store().briefs.draft(report)
    items = list(_items(report, draft))
    if as_json:
        emit({"title": draft.title, "introduction": draft.introduction, "items": items})
        return
    rows(
        "Brief",
        ("#", "section", "item", "headline", "note"),
        [tuple(item.values()) for item in items],
        empty=f"Nothing is adopted; `lately brief adopt {report.run_id}` adopts all facts.",
    )


def _items(report: Report, draft: Draft) -> Iterator[dict[str, object]]:
    row_of = {id_: row for row, id_ in enumerate(report.table.ids)}
    for at, id_ in enumerate(draft.items, 1):
        row = row_of[id_]
        yield {
            "number": at,
            "section": "fact" if report.table.tier[row] == 2 else "lead",
            "item": id_,
            "headline": draft.headlines.get(id_) or report.table.titles[row],
            "note": draft.notes.get(id_, ""),
        }


@brief.command("adopt", epilog=examples("lately brief adopt last"))
def adopt(run: RunId) -> None:
    """Adopt every fact the run shows; `feedback adopt RUN ITEM` adopts one item, `feedback restore` takes it back."""
    report = store().runs.load(run)
    said = store().feedback.states()
    facts = [row for row in report.selected_rows if report.table.tier[row] == 2 and report.table.ids[row] not in said]
    with store().write():
        for row in facts:
            store().feedback.give("adopt", report, row, now())
    note(f"adopted: {len(facts)}")


@brief.command("title", epilog=examples('lately brief title last "Agent frameworks, November"'))
def title(run: RunId, text: Words) -> None:
    """Title of the brief; "" goes back to the run's topic."""
    _write(run, "title", text)


@brief.command(
    "intro",
    epilog=examples('lately brief intro last "What changed in November."', "lately brief intro last - < intro.txt"),
)
def intro(run: RunId, text: Words) -> None:
    """Introduction of the brief; an empty line parts paragraphs."""
    _write(run, "introduction", text)


@brief.command("note", epilog=examples('lately brief note last rss:4f2a "Ask the vendor."'))
def note_(run: RunId, item: Item, text: Words) -> None:
    """Your own words on an item; they stand beside the source's, never in them."""
    _write(run, "note", text, item)


@brief.command("headline", epilog=examples('lately brief headline last rss:4f2a "A maker opens its framework"'))
def headline(run: RunId, item: Item, text: Words) -> None:
    """A headline of your own for an item; the source's stays in the citation."""
    _write(run, "headline", text, item)


@brief.command("move", epilog=examples("lately brief move last rss:4f2a first", "lately brief move last rss:4f2a 3"))
def move(
    run: RunId,
    item: Item,
    to: Annotated[str, typer.Argument(metavar="PLACE", help="up, down, first, last, or its new number in the list.")],
) -> None:
    """Move an item; facts and leads stay apart whatever the order."""
    report = store().runs.load(run)
    with store().write():
        order = store().briefs.draft(report).items
        found = _adopted(report, item, order)
        rest = [one for one in order if one != found]
        at = _place(to, order.index(found), len(rest))
        if rest:
            spot = {"before": rest[at]} if at < len(rest) else {"after": rest[-1]}
            store().briefs.place(report, found, now(), **spot)
    note(f"moved to {at + 1} of {len(order)}")


def _place(to: str, at: int, last: int) -> int:
    """Where to put an item that stands at `at`, counted from 0. Raises InputError."""
    places = {"up": at - 1, "down": at + 1, "first": 0, "last": last}
    if to in places:
        return min(max(places[to], 0), last)
    if not to.isdecimal() or not 1 <= int(to) <= last + 1:
        raise InputError(f"{to!r} is no place; write up, down, first, last, or a number from 1 to {last + 1}")
    return int(to) - 1


def _write(run: str, field: Literal["title", "introduction", "note", "headline"], text: str, item: str = "") -> None:
    """Write a text; what stood there before is told, so that nothing is overwritten unseen."""
    from pipeline.store.briefs import said

    report = store().runs.load(run)
    text = read_text(Path(text)) if text == "-" else text
    with store().write():
        draft = store().briefs.draft(report)
        id_ = _adopted(report, item, draft.items) if item else ""
        before = said(draft, field, id_)
        store().briefs.write(report, field, text, now(), item=id_)
    note(f"{field} written" + (f"; it was: {before}" if before else ""))


def _adopted(report: Report, item: str, adopted: tuple[str, ...]) -> str:
    """The id of an adopted item, given it or its only beginning. Raises InputError."""
    from pipeline.cli.decide import find_row

    matching = [one for one in adopted if item and one.startswith(item)]
    found = item if item in adopted else matching[0] if len(matching) == 1 else report.table.ids[find_row(report, item)]
    if found not in adopted:
        raise InputError(f"{found} is not adopted; `lately feedback adopt {report.run_id} {found}` adopts it")
    return found
