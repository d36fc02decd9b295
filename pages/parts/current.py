"""The current run: which one it is (?run=ID in the address), and how the analyst looks at it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import streamlit as st

import pipeline
from pages.parts import loaded, server
from pages.parts.failures import careful
from pages.parts.view import View


def run_id() -> str:
    return st.query_params.get("run") or st.session_state.get("current-run", "")


def choose(name: str) -> None:
    """Make a run the current one; "" clears it. A comparison under way ends."""
    if name != run_id():
        compare_with("")
    st.session_state["current-run"] = name
    if name:
        st.query_params["run"] = name
    else:
        st.query_params.pop("run", None)


def keep_address() -> None:
    """Moving between pages drops ?run= from the address: write it back."""
    choose(run_id())


def report() -> Any:
    """The current run, None when there is none or it is gone."""
    name = run_id()
    return loaded.run(name) if name else None


@careful
def delete(name: str) -> None:
    """Delete a run; adopted items, feedback and labels stay."""
    with suppress(pipeline.InputError):  # another session was faster
        server.store().runs.delete(name)
    loaded.forget(name)
    if name == run_id():
        choose("")


# --------------------------------------------------------------------------- how it is looked at


def view() -> View | None:
    """The current run as the analyst looks at it: under moved settings, without what was dismissed."""
    ran = report()
    return None if ran is None else seen(ran)


def seen(ran: Any) -> View:
    """A run as the analyst looks at it."""
    here = loaded.view(ran.run_id).row_of
    said = tuple(sorted(pair for pair in server.store().feedback.states().items() if pair[0] in here))
    return loaded.view(ran.run_id, moved(ran.run_id), said)


def seen_under(view: View) -> tuple[Any, ...]:
    """What a view is known by: its run, what was moved, what was dismissed since."""
    gone = sorted(name for name, kind in view.marks.items() if kind == "dismiss")
    return view.report.run_id, moved(view.report.run_id), tuple(gone)


def moved(name: str) -> loaded.Moves:
    """What the analyst looks at a run under, beside its own: (field of ScoreSettings, value) pairs, by field."""
    return tuple(sorted(st.session_state.get("moved", {}).get(name, {}).items()))


def move(name: str, **changes: Any) -> None:
    """Look at a run under other scoring settings, nothing is fetched; None goes back to the run's own.

    changes: fields of ScoreSettings, hashable.
    """
    runs = dict(st.session_state.get("moved", {}))
    now = {**runs.get(name, {}), **changes}
    runs[name] = {field: value for field, value in now.items() if value is not None}
    st.session_state["moved"] = runs


# --------------------------------------------------------------------------- the run beside it


def compared() -> Any:
    """The run beside the current one (&with=ID in the address), None when nothing is compared."""
    name = st.query_params.get("with", "")
    return loaded.run(name) if name and name != run_id() else None


def compare_with(name: str) -> None:
    """Lay a run beside the current one; "" ends it."""
    if name:
        st.query_params["with"] = name
    else:
        st.query_params.pop("with", None)
