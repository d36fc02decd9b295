"""`source` and `diagnose`: what is asked, and how it answers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pipeline.cli.common import (
    AsJson,
    emit,
    examples,
    group,
    listed,
    local,
    note,
    now,
    rows,
    say,
    settings,
    single,
    store,
)
from pipeline.cli.story import one_line
from pipeline.errors import InputError
from pipeline.text.counts import many

if TYPE_CHECKING:
    from pipeline.diagnose import Diagnosis

source = group("source", "Add or test a source; health over runs.")
diagnose = single()

Kind = Annotated[
    Literal["rss", "search", "custom"], typer.Option(help="A feed, a search feed ({query} in its address), a page.")
]
Url = Annotated[str, typer.Argument(metavar="URL")]
Render = Annotated[bool, typer.Option("--render", help="A page that scripts draw: read it through a browser.")]
Selector = Annotated[str, typer.Option(help="CSS selector, for a page.")]


@diagnose.command(
    epilog=examples("lately diagnose", 'lately diagnose --query "chip exports" --sources rss,gdelt --json')
)
def diagnose_(
    query: Annotated[str, typer.Option(help="What to ask for.")] = "news",
    sources: Annotated[str | None, typer.Option(help="Ask only these, separated by commas.")] = None,
    as_json: AsJson = False,
) -> None:
    """Ask source by source: did it answer, what it holds, why items are not shown, what to do; exit 1 if none works."""
    from pipeline.diagnose import cut_off, works
    from pipeline.diagnose import diagnose as ask

    found = asyncio.run(ask(query, sources=listed(sources), settings=settings(), store=store()))
    if as_json:
        emit(found)
    else:
        at, zone = now(), settings().pipeline.timezone
        say(f"clock {at:%Y-%m-%d %H:%M} UTC, shown as {local(at)} (timezone: {zone})")
        away = cut_off(found)
        if away:
            say("No source could be reached: is there a network, and does it need a proxy (HTTPS_PROXY)? One by one:")
        for one in found:
            if away and one.requests:
                say(f"  {one.source}/{one.endpoint}: {one.status}. {one_line(one.detail)}")
            else:
                say()
                _diagnosis(one)
        if not found:
            say("No source is configured; see config/sources.yaml.")
    if not works(found):
        raise typer.Exit(1)


def _diagnosis(one: Diagnosis) -> None:
    """One endpoint: a line that says how it ended, then what is known of it."""
    score = "" if one.mean_score is None else f", mean score {one.mean_score:g}"
    say(f"{one.source}/{one.endpoint}: {one.status}, {many(one.requests, 'request')} in {one.elapsed_ms} ms")
    newest = f"newest {local(one.newest)}" if one.newest else ""
    usual = f"usually one every {one.interval_hours:g} hours" if one.interval_hours else ""
    facts = {
        "items": f"{one.items}, {one.dated} dated, {one.in_window} in the window{score}" if one.items else "",
        "published": ", ".join(filter(None, (newest, usual))),
        "a date": f"{one.raw_date!r} read as {one.converted}" if one.converted else "",
        "not shown": ", ".join(f"{n} {reason}" for reason, n in one.dropped.items()),
        "key": one.key,
        "in all": f"{one.budget}; counted for its host, over all runs, repeated attempts too" if one.budget else "",
        "detail": one.detail,
        "what to do": one.advice,
    }
    for name, said in facts.items():
        if said:
            say(f"  {name:<11} {one_line(said)}")


@source.command("health", epilog=examples("lately source health", "lately source health --json"))
def health(as_json: AsJson = False) -> None:
    """How each endpoint has answered in the latest 20 runs, and what of its budget is used."""
    found, used = store().health.endpoints(), store().budget.used()
    if as_json:
        emit({"endpoints": list(found), "requests": {key: {"minute": m, "day": d} for key, (m, d) in used.items()}})
        return
    rows(
        "Health",
        ("source", "endpoint", "#good", "#items", "#ms", "last", "status"),
        [
            (
                one.source,
                one.endpoint,
                f"{one.good}/{one.runs}",
                one.items,
                one.median_ms,
                local(one.last_at),
                f"{one.last_status} {one.last_detail}".strip(),
            )
            for one in found
        ],
        empty='No run has asked a source yet; `lately run "QUESTION"` does.',
    )
    rows("Requests", ("budget", "#last minute", "#last day"), [(k, m, d) for k, (m, d) in used.items()], empty="")


@source.command(
    "add",
    epilog=examples(
        'lately source add "Example Daily" https://example.org/feed.xml --class outlet',
        'lately source add "City Hall" https://city.example/news --kind custom --item li.news --title a --link a',
    ),
)
def add(
    name: Annotated[str, typer.Argument(metavar="NAME")],
    url: Url,
    kind: Kind = "rss",
    priority: Annotated[int, typer.Option(min=1, max=9, help="1 is highest.")] = 2,
    class_: Annotated[str, typer.Option("--class", help="official, outlet, blog ...")] = "",
    owner: Annotated[str, typer.Option(help="Ownership group; sister sites count once.")] = "",
    language: Annotated[str, typer.Option(help="Two letters.")] = "",
    tz: Annotated[str, typer.Option(help="Zone of dates that name none.")] = "UTC",
    item: Selector = "",
    title: Selector = "",
    link: Selector = "",
    date: Selector = "",
    text: Selector = "",
    render: Render = False,
    no_test: Annotated[bool, typer.Option("--no-test", help="Add it without asking it first.")] = False,
) -> None:
    """Add a feed, a search feed or a scraped page to the user's sources, after a live test."""
    entry: dict[str, Any] = {"name": name, "url": url, "priority": priority}
    optional = {"class": class_, "owner": owner, "language": language, "timezone": "" if tz == "UTC" else tz}
    entry |= {key: value for key, value in optional.items() if value}
    if kind == "custom":
        selectors = {"item": item, "title": title, "link": link, "date": date, "text": text}
        entry["selectors"] = {key: value for key, value in selectors.items() if value}
        entry |= {"render": True} if render else {}
    from pipeline.settings import source_entry

    source_entry(kind, entry)
    if not no_test:
        _report(_test(kind, entry))
    note(f"added to {store().files.add_source(kind, entry)}")


@source.command("remove", epilog=examples('lately source remove "Example Daily"'))
def remove(name: Annotated[str, typer.Argument(metavar="NAME")], kind: Kind = "rss") -> None:
    """Remove a source that was added."""
    store().files.remove_source(kind, name)
    note(f"removed: {name}")


@source.command("test", epilog=examples("lately source test https://example.org/feed.xml"))
def test(
    url: Url,
    kind: Kind = "rss",
    item: Selector = "",
    title: Selector = "",
    link: Selector = "",
    date: Selector = "",
    text: Selector = "",
    render: Render = False,
    as_json: AsJson = False,
) -> None:
    """Ask a feed or page once and show what would be read."""
    entry: dict[str, Any] = {"name": "test", "url": url}
    if kind == "custom":
        selectors = {"item": item, "title": title, "link": link, "date": date, "text": text}
        entry["selectors"] = {key: value for key, value in selectors.items() if value}
        entry |= {"render": True} if render else {}
    from pipeline.settings import source_entry

    source_entry(kind, entry)
    found = _test(kind, entry)
    if as_json:
        emit(found)
    else:
        _report(found)


def _test(kind: str, entry: dict[str, Any]) -> Any:
    from pipeline.diagnose import try_source

    return asyncio.run(try_source(kind, entry, settings=settings(), store=store()))


def _report(found: Any) -> None:
    outcome = found.outcome
    got = many(outcome.items, "item")
    note(f"asked once: {outcome.status}, {got} in {outcome.elapsed_ms} ms {outcome.detail}".rstrip())
    rows(
        "Items",
        ("published", "title", "link"),
        [(local(one.published_at), one.title, one.url) for one in found.candidates[:10]],
        empty="Nothing could be read; check the address and the selectors.",
    )
    if outcome.status not in ("ok", "empty"):
        raise InputError(
            f"the source does not work ({outcome.status}: {outcome.detail}); --no-test adds it all the same"
        )
