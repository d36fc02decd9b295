"""`source` and `diagnose`: what is asked, and how it answers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pipeline.cli.common import AsJson, emit, examples, group, listed, local, note, rows, settings, single, store
from pipeline.errors import InputError

if TYPE_CHECKING:
    from pipeline.settings import CustomPage, Feed

source = group("source", "Add or test a source; health over runs.")
diagnose = single()

Kind = Annotated[
    Literal["rss", "search", "custom"], typer.Option(help="A feed, a search feed ({query} in its address), a page.")
]
Url = Annotated[str, typer.Argument(metavar="URL")]
Selector = Annotated[str, typer.Option(help="CSS selector, for a page.")]


@diagnose.command(
    epilog=examples("lately diagnose", 'lately diagnose --query "chip exports" --sources rss,gdelt --json')
)
def diagnose_(
    query: Annotated[str, typer.Option(help="What to ask for.")] = "news",
    sources: Annotated[str | None, typer.Option(help="Ask only these, separated by commas.")] = None,
    as_json: AsJson = False,
) -> None:
    """Ask source by source: did it answer, how fast, how many items, how many dated, what to do about a failure."""
    from pipeline.diagnose import diagnose as ask

    found = asyncio.run(ask(query, sources=listed(sources), settings=settings(), store=store()))
    if as_json:
        emit(found)
        return
    rows(
        "Sources",
        ("source", "endpoint", "status", "#items", "#dated", "#ms", "what to do"),
        [(r.source, r.endpoint, r.status, r.items, r.dated, r.elapsed_ms, r.advice or r.detail) for r in found],
        empty="No source is configured; see config/sources.yaml.",
    )


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
    no_test: Annotated[bool, typer.Option("--no-test", help="Add it without asking it first.")] = False,
) -> None:
    """Add a feed, a search feed or a scraped page to the user's sources, after a live test."""
    entry: dict[str, Any] = {"name": name, "url": url, "priority": priority}
    optional = {"class": class_, "owner": owner, "language": language, "timezone": "" if tz == "UTC" else tz}
    entry |= {key: value for key, value in optional.items() if value}
    if kind == "custom":
        selectors = {"item": item, "title": title, "link": link, "date": date, "text": text}
        entry["selectors"] = {key: value for key, value in selectors.items() if value}
    checked(kind, entry)
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
    as_json: AsJson = False,
) -> None:
    """Ask a feed or page once and show what would be read."""
    entry: dict[str, Any] = {"name": "test", "url": url}
    if kind == "custom":
        selectors = {"item": item, "title": title, "link": link, "date": date, "text": text}
        entry["selectors"] = {key: value for key, value in selectors.items() if value}
    checked(kind, entry)
    found = _test(kind, entry)
    if as_json:
        emit(found)
    else:
        _report(found)


def checked(kind: str, entry: dict[str, Any]) -> Feed | CustomPage:
    """The entry as settings would read it. Raises InputError."""
    from pydantic import ValidationError

    from pipeline.settings import CustomPage, Feed, SearchFeed

    models: dict[str, type[Feed] | type[CustomPage]] = {"rss": Feed, "search": SearchFeed, "custom": CustomPage}
    if not str(entry["url"]).startswith(("http://", "https://")):
        raise InputError(f"{entry['url']!r} is no address; it must begin with http:// or https://")
    if kind == "search" and "{query}" not in entry["url"]:
        raise InputError("the address of a search feed holds {query} where the search words go")
    try:
        return models[kind].model_validate(entry)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InputError(f"{'.'.join(map(str, first['loc']))}: {first['msg'].lower()}") from error


def _test(kind: str, entry: dict[str, Any]) -> Any:
    from pipeline.diagnose import try_source

    return asyncio.run(try_source(kind, entry, settings=settings(), store=store()))


def _report(found: Any) -> None:
    outcome = found.outcome
    note(f"{outcome.status}: {outcome.items} items in {outcome.elapsed_ms} ms {outcome.detail}".rstrip())
    rows(
        "Items",
        ("published", "title", "link"),
        [(local(one.published_at), one.title, one.url) for one in found.candidates[:10]],
        empty="Nothing could be read; check the address and the selectors.",
    )
    if outcome.status not in ("ok", "empty"):
        raise InputError(f"the source does not work: {outcome.status}; --no-test adds it all the same")
