"""`feedback`, `events`, `leads`: what the analyst decides about items and events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from datetime import timedelta
from itertools import combinations
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.common import (
    MOST_DAYS,
    MOST_ID,
    AsJson,
    RunId,
    emit,
    examples,
    group,
    local,
    note,
    now,
    rows,
    say,
    settings,
    single,
    store,
)
from pipeline.errors import InputError

if TYPE_CHECKING:
    from pipeline.types import Event, Report

feedback = group("feedback", "Adopt, dismiss or restore an item; each moves its source's posterior and is listed.")
events = group(
    "events",
    "Why events are one; split and join them: the decision is remembered and wins in later runs, until undone.",
)
leads = single()

Item = Annotated[str, typer.Argument(metavar="ITEM", help="Id of an item, or the beginning of one.")]
Note = Annotated[str, typer.Option("--note", help="Why.")]


@feedback.command("adopt", epilog=examples("lately feedback adopt last rss:4f2a"))
def adopt(run: RunId, item: Item, text: Note = "") -> None:
    """Take an item into the brief."""
    _give("adopt", run, item, text)


@feedback.command("dismiss", epilog=examples("lately feedback dismiss last rss:4f2a --note rumour"))
def dismiss(run: RunId, item: Item, text: Note = "") -> None:
    """Put an item aside, here and in later runs."""
    _give("dismiss", run, item, text)


@feedback.command("restore", epilog=examples("lately feedback restore last x:18231"))
def restore(run: RunId, item: Item, text: Note = "") -> None:
    """Take an adoption or dismissal back, or bring back what the judge threw out (then it is a label, too)."""
    _give("restore", run, item, text)


@feedback.command("list", epilog=examples("lately feedback list", "lately feedback list --json"))
def list_(as_json: AsJson = False) -> None:
    """What was said so far, newest first."""
    given = store().feedback.log()
    if as_json:
        emit(list(given))
        return
    rows(
        "Feedback",
        ("#id", "when", "kind", "item", "source", "run", "note"),
        [
            (
                one.id,
                local(one.at),
                f"{one.kind}, undone" if one.undone_at else one.kind,
                one.title or one.candidate,
                one.source,
                one.run,
                one.note,
            )
            for one in given
        ],
        empty="No feedback yet; `lately feedback adopt RUN ITEM` adopts an item.",
    )


@feedback.command("undo", epilog=examples("lately feedback undo 12"))
def undo(
    number: Annotated[int, typer.Argument(metavar="ID", min=1, max=MOST_ID, help="As `list` numbers it.")],
) -> None:
    """Take the latest word on an item back, with what it did to the source; the word before it holds again."""
    store().feedback.undo(number, now())
    note(f"undone: {number}")


def _give(kind: str, run: str, item: str, text: str) -> None:
    report = store().runs.load(run)
    row = find_row(report, item)
    store().feedback.give(kind, report, row, now(), note=text)  # type: ignore[arg-type]
    note(f"{kind}: {report.table.titles[row] or report.table.ids[row]}")


def find_row(report: Report, item: str, listing: str = "") -> int:
    """The row of an item's id, or of the only id that begins like that. Raises InputError.

    `listing`: the command that lists the ids to choose from, if not all of the run.
    """
    ids = report.table.ids
    found = [row for row, each in enumerate(ids) if each == item] or [
        row for row, each in enumerate(ids) if item and each.startswith(item)
    ]
    if len(found) != 1:
        problem = "no item" if not found else f"{len(found)} items"
        listing = listing or f"lately runs show {report.run_id} --all"
        raise InputError(f"run {report.run_id} has {problem} {item!r}; `{listing}` lists ids")
    return found[0]


# --------------------------------------------------------------------------- events


@events.command("split", epilog=examples("lately events split last EVENT ITEM"))
def split(
    run: RunId,
    event: Annotated[str, typer.Argument(metavar="EVENT", help="Id of an event.")],
    items: Annotated[list[str], typer.Argument(metavar="ITEM...", help="Members that are not about it.")],
) -> None:
    """Say that some members are not about this event; holds from the next run on."""
    report = store().runs.load(run)
    members = _event(report, event).members
    listing = f"lately events why {report.run_id} {event}"
    out = [report.table.ids[find_row(report, item, listing)] for item in items]
    if strange := [one for one in out if one not in members]:
        raise InputError(f"{strange[0]} is no member of event {event}; `{listing}` lists its members")
    rest = [member for member in members if member not in out]
    pairs = [(a, b) for a in out for b in rest]
    if not pairs:
        raise InputError("nothing would be left of the event; name the members that do not belong")
    store().memory.decide(pairs, joined=False, at=now())
    note(f"{len(out)} split from {len(rest)}; remembered from the next run on")


@events.command("join", epilog=examples("lately events join last EVENT EVENT"))
def join(
    run: RunId,
    found: Annotated[list[str], typer.Argument(metavar="EVENT EVENT...", help="Events that are one.")],
) -> None:
    """Say that events are one; holds from the next run on."""
    if len(set(found)) < 2:
        raise InputError("name at least two events to join")
    report = store().runs.load(run)
    joined = [_event(report, one) for one in dict.fromkeys(found)]
    members = list(dict.fromkeys(member for event in joined for member in event.members))
    store().memory.decide(combinations(members, 2), joined=True, at=now())
    note(f"{len(joined)} events with {len(members)} members joined; remembered from the next run on")


@events.command("undo", epilog=examples("lately events undo last EVENT"))
def undo_decisions(
    run: RunId,
    event: Annotated[str, typer.Argument(metavar="EVENT", help="Id of an event.")],
) -> None:
    """Take back every split and join that was said of an event's members; holds from the next run on."""
    members = set(_event(store().runs.load(run), event).members)
    memory = store().memory
    said = [pair for pair in memory.decisions() if not members.isdisjoint(pair)]
    if not said:
        raise InputError(f"nothing was decided about the members of event {event}")
    memory.undecide(said)
    note("what was said of its members is taken back; the next run groups without it")


@events.command("list", epilog=examples("lately events list last", "lately events list last --json"))
def list_events(run: RunId, as_json: AsJson = False) -> None:
    """The events of a run with more than one member."""
    report = store().runs.load(run)
    several = [event for event in report.events if len(event.members) > 1]
    if as_json:
        from pipeline.briefing.json import event_json

        emit([event_json(event) for event in several])
        return
    rows(
        f"Events of run {report.run_id}",
        ("id", "#members", "#independent", "first seen", "title"),
        [(e.id, len(e.members), e.independent, local(e.first_seen), e.title) for e in several],
        empty="No event has more than one member.",
    )


@events.command("why", epilog=examples("lately events why last EVENT", "lately events why last EVENT --json"))
def why(
    run: RunId,
    event: Annotated[str, typer.Argument(metavar="EVENT", help="Id of an event.")],
    as_json: AsJson = False,
) -> None:
    """An event's members, why they are one event, and what looked like one of them and was kept apart."""
    report = store().runs.load(run)
    found = _event(report, event)
    members = frozenset(found.members)
    links = [*found.why, *(link for link in report.apart if not members.isdisjoint((link.a, link.b)))]
    if as_json:
        emit(links)
        return
    rows(
        f"Members of event {event}",
        ("id", "published", "outlet", "title"),
        [_member(report, one) for one in found.members],
        empty="",
    )
    say()
    named = _named(report, {end for link in links for end in (link.a, link.b)})
    rows(
        "Why they are one event, and what is none of them",
        ("relation", "layer", "reason", "one", "other"),
        [(one.relation, one.layer, one.reason, named[one.a], named[one.b]) for one in links],
        empty="It is one report, and nothing looked like it.",
    )


def _member(report: Report, name: str) -> tuple[str, str, str, str]:
    """What a member is told by: id, time, outlet, title."""
    from pipeline.briefing.words import outlet

    row = report.table.ids.index(name)
    return name, local(report.item(row).published_at), outlet(report, row), report.table.titles[row]


def _named(report: Report, ids: Collection[str]) -> dict[str, str]:
    """Id -> title, with the id beside it where several have that title; the id alone where there is none."""
    titles = dict(zip(report.table.ids, report.table.titles, strict=True))
    often = Counter(titles.get(one) for one in ids)
    return {
        one: one if not (title := titles.get(one)) else f"{title} ({one})" if often[title] > 1 else title for one in ids
    }


def _event(report: Report, event_id: str) -> Event:
    found = report.event(event_id)
    if found is None:
        raise InputError(
            f"run {report.run_id} has no event {event_id!r}; `lately events list {report.run_id}` lists them"
        )
    return found


# --------------------------------------------------------------------------- overlooked leads


@leads.command(epilog=examples("lately leads", "lately leads --days 14 --json"))
def leads_(
    days: Annotated[int, typer.Option(min=1, max=MOST_DAYS, help="Runs of how many days are looked at.")] = 7,
    as_json: AsJson = False,
) -> None:
    """Items that scored well and that nobody adopted: the week's overlooked leads."""
    tiers = settings().scoring.tiers
    found = store().runs.overlooked(
        since=now() - timedelta(days=days), low=tiers.overlooked_low, high=tiers.overlooked_high
    )
    if as_json:
        emit(list(found))
        return
    rows(
        f"Overlooked in {days} days ({tiers.overlooked_low:g} to {tiers.overlooked_high:g} points)",
        ("#total", "published", "title", "source", "run", "item"),
        [(f"{one.total:.2f}", local(one.published_at), one.title, one.source, one.run, one.candidate) for one in found],
        empty="Nothing was overlooked.",
    )
