"""What the authority editor remembers: edits that are not saved yet, and which version of a source each has seen.

The store keeps what is saved; here, per session, is the rest. An edit remembers the version its author was shown, so
that saving can be refused when somebody else changed the same source in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import streamlit as st

import pipeline
from pages.parts import server

_EDITS, _DRAWN, _ADDED, _ROUND = "authority-edits", "authority-drawn", "authority-added", "authority-round"


@dataclass(frozen=True)
class Edit:
    bias: float | None
    """None removes the bias."""
    seen: int
    """Id of the change that held when the source was shown; 0 for none."""
    reason: str = ""
    """Of an imported entry."""


# --------------------------------------------------------------------------- the sources


def standings(view: Any) -> tuple[Any, ...]:
    """Every source with the bias and evidence of now: added ones, the run's, then all others."""
    run, report = (view.report.run_id, view.report) if view is not None else ("", None)
    known = _known(run, id(server.settings()), report)
    keys = {one.key for one in known}
    more = tuple(pipeline.known_source(key, server.settings()) for key in added() if key not in keys)
    return _standings((*more, *known))


def standings_of(keys: Iterable[str], report: Any) -> dict[str, Any]:
    """Single sources by their keys, as the run took them where it has them."""
    known = {one.key: one for one in _known(report.run_id if report else "", id(server.settings()), report)}
    wanted = [known.get(key) or pipeline.known_source(key, server.settings()) for key in sorted(set(keys))]
    return {one.key: one for one in _standings(wanted)}


def _standings(known: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(pipeline.standings(known, server.settings(), server.store().authority, datetime.now(UTC)))


@st.cache_resource(max_entries=12, show_spinner=False)
def _known(run: str, configured: int, _report: Any) -> tuple[Any, ...]:
    """Without the analyst's word, which changes; `configured` parts settings that were loaded anew."""
    return tuple(pipeline.known_sources(server.settings(), _report))


def added() -> tuple[str, ...]:
    return tuple(st.session_state.get(_ADDED, ()))


def add(typed: str) -> str:
    """Put a source in the table; what is wrong with it, or ""."""
    try:
        key = pipeline.authority_key(pipeline.source_key(typed, server.settings()))
    except pipeline.InputError as error:
        return str(error)
    st.session_state[_ADDED] = tuple(dict.fromkeys((key, *added())))
    st.session_state["authority-filter"] = key
    return ""


def used(view: Any, one: Any) -> Any:
    """The estimate that Scores shows for a source in the current run, None where the run does not have it."""
    return None if view is None else pipeline.used_under(one.known, view.settings.authority_biases)


# --------------------------------------------------------------------------- edits


def edits() -> dict[str, Edit]:
    return dict(st.session_state.get(_EDITS, {}))


def round_() -> int:
    """Counts up when edits are thrown away or saved: the grid then starts from the store again."""
    return int(st.session_state.get(_ROUND, 0))


def drawn(versions: dict[str, int]) -> None:
    """Remember which version of each source the analyst is being shown."""
    st.session_state[_DRAWN] = {**st.session_state.get(_DRAWN, {}), **versions}


def edit(key: str, bias: float | None, reason: str = "") -> None:
    """Note an edit; one that is back at what holds is none."""
    _note([(key, bias, reason)])


def _note(changes: Iterable[tuple[str, float | None, str]]) -> None:
    """The edits of a whole file cost one look at what holds."""
    now, held, shown = edits(), server.store().authority.biases(), st.session_state.get(_DRAWN, {})
    for key, bias, reason in changes:
        earlier = now.pop(key, None)
        if bias != held.get(key):
            now[key] = Edit(bias, earlier.seen if earlier else shown.get(key, 0), reason)
    st.session_state[_EDITS] = now


def discard(*keys: str) -> None:
    """Throw edits away: those of the sources named, or all."""
    gone = set(keys or edits())
    st.session_state[_EDITS] = {key: one for key, one in edits().items() if key not in gone}
    st.session_state[_ROUND] = round_() + 1
    st.session_state[_DRAWN] = {}


def meanwhile() -> dict[str, Any]:
    """Source -> the change of somebody else that its edit has not seen (None: an undoing)."""
    held = {change.key: change for change in server.store().authority.current()}
    return {key: held.get(key) for key, one in edits().items() if (held[key].id if key in held else 0) != one.seen}


def accept() -> None:
    """The analyst has read what others changed and wants the edits all the same."""
    held, now = server.store().authority.versions(), edits()
    st.session_state[_EDITS] = {key: Edit(one.bias, held.get(key, 0), one.reason) for key, one in now.items()}


def save(reason: str, who: str) -> str:
    """Save all edits, each with the reason; what is in the way, or ""."""
    now = edits()
    changes = [(key, one.bias, reason.strip() or one.reason) for key, one in now.items()]
    seen = {key: one.seen for key, one in now.items()}
    try:
        server.store().authority.set_many(changes, datetime.now(UTC), who=who, seen=seen)
    except pipeline.LatelyError as error:
        return str(error)
    discard()
    return ""


def undo(number: int) -> str:
    try:
        server.store().authority.undo_change(number, datetime.now(UTC))
    except pipeline.LatelyError as error:
        return str(error)
    st.session_state[_ROUND] = round_() + 1
    return ""


def take_in(text: str) -> tuple[int, list[str]]:
    """Entries of a file become edits to look at before saving: (how many differ, problems). Raises InputError."""
    entries, problems = pipeline.read_biases(text, server.settings())
    drawn(dict.fromkeys((key for key, _, _ in entries), 0) | dict(server.store().authority.versions()))
    before = edits()
    _note(entries)
    st.session_state[_ROUND] = round_() + 1
    after = edits()
    return sum(after.get(key) != before.get(key) for key, _, _ in entries), problems
