"""What commands share: settings, store, times, output."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from pipeline.settings import Settings
    from pipeline.store import Store
    from pipeline.types import Report

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
MANY = 1_000_000
"""Most that an option may count: beyond any pool, below what overflows."""
MOST_ID = 2**63 - 1
"""Largest number of a row that a database has."""
MOST_DAYS = 36_500
"""Longest time that an option may look back; a longer one is a slip of the keyboard."""
RunId = Annotated[str, typer.Argument(metavar="RUN", help='Id of a run, its beginning, or "last".')]


def group(name: str, text: str) -> typer.Typer:
    """A command with sub-commands."""
    made = typer.Typer(name=name, help=text, no_args_is_help=True, rich_markup_mode="rich", add_completion=False)
    made.callback()(lambda: None)
    return made


def single() -> typer.Typer:
    """The holder of one command."""
    return typer.Typer(rich_markup_mode="rich", add_completion=False)


def examples(*lines: str) -> str:
    """The foot of a help text."""
    return "Examples:\n\n" + "\n\n".join(f"  {line}" for line in lines)


# --------------------------------------------------------------------------- what commands stand on


@cache
def settings() -> Settings:
    from pipeline.settings import load_settings

    return load_settings()


@cache
def store() -> Store:
    from pipeline.settings import home
    from pipeline.store import open_store

    return open_store(
        home() / "lately.db",
        busy_timeout_s=settings().pipeline.store.busy_timeout_s,
        half_life_days=settings().scoring.authority.half_life_days,
    )


def now() -> datetime:
    return datetime.now(UTC)


def moment(text: str | None, zone: str | None, *, end: bool = False) -> datetime | None:
    """An option's time in UTC: ISO 8601; a bare day begins (with `end`: ends) at midnight in the analyst's zone.

    Raises InputError.
    """
    if text is None:
        return None
    try:
        if len(text) == 10:
            day = date.fromisoformat(text) + timedelta(days=end)
            found = datetime.combine(day, time.min)
        else:
            found = datetime.fromisoformat(text)
        return (found if found.tzinfo else found.replace(tzinfo=_zone(zone))).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise InputError(f"{text!r} is no time; write 2026-11-30 or 2026-11-30T18:00Z") from error


def _zone(name: str | None) -> tzinfo:
    from pipeline.planning.zone import resolve_zone

    return resolve_zone(name or settings().pipeline.timezone, now())[0]


def listed(text: str | None) -> tuple[str, ...] | None:
    """a,b,c -> ("a", "b", "c"); None stays None. Raises InputError for a list of nothing."""
    if text is None:
        return None
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    if not found:
        raise InputError("the list is empty; name at least one, separated by commas, or leave the option out")
    return found


def read_text(path: Path) -> str:
    """A file given by the analyst, or standard input for "-". Raises InputError."""
    try:  # the bytes: under another locale the interpreter would take them for something else, without a word
        return (sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} can't be read as UTF-8 text ({error})") from error


# --------------------------------------------------------------------------- output


def emit(value: Any) -> None:
    """JSON on standard output."""
    text = json.dumps(value, ensure_ascii=False, indent=2, default=_jsonable)
    sys.stdout.write(_escaped(text) + "\n")


def emit_run(report: Report) -> None:
    """A whole run as JSON on standard output, one item a line."""
    from pipeline.briefing.json import lines, report_json

    sys.stdout.writelines(map(_escaped, lines(report_json(report))))


def _jsonable(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, Path):
        return str(value)
    return value.item()  # a number that came out of an array


_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters a terminal obeys instead of showing them: controls but line breaks and tabs, changes of direction."""


def clean(text: str) -> str:
    """Words from outside or from the store as a terminal may have them: what it would obey is a space."""
    return _OBEYED.sub(" ", text)


def _escaped(text: str) -> str:
    """JSON that means the same, without what a terminal would obey: JSON itself escapes no more than it must."""
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def say(text: str = "") -> None:
    """A line of text on standard output: no markup or control character in it has any effect."""
    sys.stdout.write(clean(text) + "\n")


def note(text: str) -> None:
    """A line for the person at the terminal, on standard error."""
    sys.stderr.write(clean(text) + "\n")


def rows(title: str, heads: Sequence[str], lines: Iterable[Sequence[Any]], *, empty: str) -> None:
    """A table on standard output, or the sentence that says why there is none; nothing where that is ""."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=_cell(title), title_justify="left", box=None, header_style="bold", pad_edge=False)
    for head in heads:
        number = head.startswith("#")
        table.add_column(head.lstrip("#"), justify="right" if number else "left", overflow="fold", no_wrap=number)
    for line in lines:
        table.add_row(*(Text("" if cell is None else _cell(str(cell))) for cell in line))
    if table.row_count:
        console().print(table)
    elif empty:
        say(empty)


def _cell(text: str) -> str:
    """One line: a line break in a name would pass for another row."""
    return " ".join(clean(text).splitlines())


@cache
def console() -> Console:
    from rich.console import Console

    # A pipe has no width: long lines must not be cut there.
    return Console(width=None if sys.stdout.isatty() else 200, highlight=False, markup=False)


def local(at: datetime | None) -> str:
    """A time in the analyst's zone, for people."""
    return "undated" if at is None else f"{at.astimezone(_zone(None)):%Y-%m-%d %H:%M}"


def size(count: float) -> str:
    for unit in ("B", "KB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"
