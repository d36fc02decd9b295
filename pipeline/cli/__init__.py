"""The commands. One module a theme, loaded when one of its commands is used: help stays quick.

Data goes to standard output, progress and errors to standard error. Exit codes: 0 done (also when nothing was found),
1 no source answered or the command could not do its work, 2 wrong arguments, 3 a requested source failed (--strict),
130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from pipeline.errors import InputError, LatelyError

GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Ask": {
        "run": ("run:run", "One run: gather, judge, group, score, store; prints the story."),
        "parse": ("plan:parse", "How a question is understood: window, route, subject, queries."),
        "replay": ("run:replay", "Play a recording again, without the network."),
        "rescore": ("scores:rescore", "Rank a stored run anew with other weights; nothing is fetched."),
        "judge-x": ("xjudge:judge_x", "Judge a file of posts against a topic."),
    },
    "Read and decide": {
        "runs": ("runs:runs", "Kept runs: list, show, delete, diff."),
        "compare": ("runs:compare", "Two runs: new, gone, moved; sources and settings that differ."),
        "brief": ("briefs:brief", "The brief of a run."),
        "export": ("briefs:export", "Write a run to a file in another format."),
        "feedback": ("decide:feedback", "Adopt, dismiss or restore an item."),
        "events": ("decide:events", "Split and join events; remembered across runs."),
        "leads": ("decide:leads", "Overlooked: facts and leads of middling score that nobody adopted."),
    },
    "Sources": {
        "diagnose": ("sources:diagnose", "Ask source by source and say what came back."),
        "source": ("sources:source", "Add or test a source; health over runs."),
        "authority": ("authority:authority", "The analyst's priors: list, set, undo, history, export, import."),
    },
    "Preferences": {
        "interests": ("prefs:interests", "Words that raise an item's preference."),
        "mute": ("prefs:mute", "Domains and words that are never shown."),
        "sets": ("prefs:sets", "Named choices of sources."),
        "profile": ("prefs:profile", "Bundles of weights, decay, window and threshold."),
    },
    "Quality and upkeep": {
        "evaluate": ("evaluate:evaluate", "Measure a task on a labelled folder; check the quality floors."),
        "labels": ("labels:labels", "Labels: add, import, export."),
        "store": ("upkeep:store", "The database: backup, restore, check."),
    },
}
_WHERE = {name: where for group in GROUPS.values() for name, (where, _) in group.items()}


class Commands(TyperGroup):
    """Knows all commands by name and help line, and imports the module of the one that is used."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(_WHERE)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in _WHERE:
            return None
        module, name = _WHERE[cmd_name].split(":")
        command = typer.main.get_command(getattr(import_module(f"pipeline.cli.{module}"), name))
        command.name = cmd_name
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, line) for name, (_, line) in group.items()])


app = typer.Typer(
    cls=Commands, rich_markup_mode=None, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False
)


@app.callback(
    epilog='Examples: lately run "AI agent frameworks released in the last 30 days" --demo | '
    'lately parse "国内大模型最近两周有什么新发布" | lately runs list | lately COMMAND --help'
)
def root() -> None:
    """What happened lately: a question in, a scored story in time out, with the reason for every number."""


def run_command(arguments: Sequence[str]) -> int:
    """Run one command; the exit code. Expected errors become one line on standard error."""
    # The base of all errors about arguments; which package defines it depends on the version of typer.
    wrong_arguments: Any = typer.BadParameter.__bases__[0]
    try:
        _refuse_bytes(arguments)
        code = app(list(arguments), prog_name="lately", standalone_mode=False)
        if code == 130:  # what typer makes of an interrupt, without a word
            raise KeyboardInterrupt
        sys.stdout.flush()
    except InputError as error:
        return _fail(str(error), 2)
    except LatelyError as error:
        return _fail(str(error), 1)
    except wrong_arguments as error:
        return _usage(error)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("stopped", 130)
    except BrokenPipeError:
        _abandon_output()  # the reader of our output has gone, as `| head` does
        return 0
    except OverflowError as error:  # a number, or a date, that no calendar, array or database has
        return _fail(f"a number is too large ({error}); give a smaller one", 2)
    except OSError as error:  # a full or vanished disk under our output; the store and the network speak for themselves
        where = error.filename or "the output"
        if error.filename is None:
            _abandon_output()
        return _fail(f"{where}: {error.strerror or error}; check the disk, the path and its permissions", 1)
    return code if isinstance(code, int) else 0


def _refuse_bytes(arguments: Sequence[str]) -> None:
    """Bytes that are no UTF-8 arrive as lone surrogates, which nothing after this could store or send."""
    for argument in arguments:
        if any("\ud800" <= char <= "\udfff" for char in argument):
            raise InputError(f"{ascii(argument)[:60]} is not UTF-8 text; set the terminal's encoding to UTF-8")


def _abandon_output() -> None:
    """Keep the interpreter from complaining at exit about output that nobody can take."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _usage(error: Any) -> int:
    message = error.format_message()
    context = getattr(error, "ctx", None)
    if not message:  # no arguments at all: the help, which typer has printed
        return 2
    where = f"; see `{context.command_path} --help`" if context is not None else ""
    return _fail(message.rstrip(".") + where, 2)


def _fail(message: str, code: int) -> int:
    from pipeline.cli.common import clean

    print("error: " + " ".join(clean(message).split()), file=sys.stderr)
    return code
