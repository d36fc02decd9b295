"""Edits that are not saved yet: what each does to its source, what all do to the current run, and saving with a reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

import pipeline
from pages.parts import authority_picture, current, failures, reader, server, words
from pages.parts import authority_state as state
from pages.parts.safe import cut, text
from pages.parts.view import View

LISTED = 10  # edits told one by one
SAME = 0.0005  # what rounds to no change is none


def edited(one: Any, edits: Mapping[str, Any]) -> Any:
    """A source as an edit would leave it."""
    return replace(one, bias=edits[one.key].bias) if one.key in edits else one


def said() -> None:
    """What came of the last click, once."""
    if problem := st.session_state.pop("authority-problem", ""):
        st.html(f'<p class="lt-warning">{text(problem)}</p>')
    if st.session_state.pop("authority-saved", False):
        st.toast("Saved. Later runs use it; this run keeps the values it used.")


def today(view: View | None) -> None:
    """The run keeps the biases it used; looking at it with today's is a choice, on every page, without fetching."""
    if view is None:
        return
    name, moved = view.report.run_id, dict(current.moved(view.report.run_id))
    now = pipeline.todays_biases(view.report, server.settings(), server.store().authority)
    if moved.get("authority_biases") and st.button(
        "Back to the run's own biases", key="authority-own", type="tertiary",
        help="You see this run with today's biases, here and on the other pages.",
    ):  # fmt: skip
        current.move(name, authority_biases=None)
        st.rerun()
    if now and moved.get("authority_biases") != now and st.button(
        "See this run with today's biases", key="authority-today", type="tertiary",
        help=f"{words.count(len(now), 'source')} changed since it ran. Nothing is fetched; the run is kept as it was.",
    ):  # fmt: skip
        current.move(name, authority_biases=now)
        st.rerun()


def draw(view: View | None, found: Mapping[str, Any]) -> None:
    """Nothing while there is no edit."""
    edits = {key: one for key, one in state.edits().items() if key in found}
    if not edits:
        return
    with st.container(key="authority-edit"):
        st.html(f'<h3 class="lt-source-head">{words.count(len(edits), "edit")}, not saved</h3>')
        st.html(
            f'<div class="lt-lines lt-edits">{"".join(_line(view, found[key], edits) for key in list(edits)[:LISTED])}</div>'
        )
        if len(edits) > LISTED:
            st.html(f'<p class="lt-faint">and {words.count(len(edits) - LISTED, "more edit")}</p>')
        _effect(view, found, edits)
        _meanwhile(edits)
        _save(edits)


def _line(view: View | None, one: Any, edits: Mapping[str, Any]) -> str:
    then = edited(one, edits)
    drawn = authority_picture.image(then.estimate, then.known.prior, then.bias)
    was, will = (
        f"{two.bias:.2f}" if two.bias is not None else f"none (prior {two.known.prior:.2f})" for two in (one, then)
    )
    return (
        f"<span><b>{text(cut(one.key, 60))}</b></span><span>{drawn}</span>"
        f'<span class="said">bias {was} → {will}; posterior mean {one.mean:.2f} → {then.mean:.2f}'
        f"{_in_run(view, one, then)}</span>"
    )


def _in_run(view: View | None, one: Any, then: Any) -> str:
    """From the value the run used, which a later bias or feedback may have left behind."""
    used = state.used(view, one)
    if used is None:
        return ""
    to = pipeline.used_under(one.known, {one.key: then.prior_mean}).mean
    way = "falls" if to < used.mean - SAME else "rises" if to > used.mean + SAME else "stays"
    return f"; in this run {used.mean:.2f} → {to:.2f}, {way}"


# --------------------------------------------------------------------------- what they would do to the run


def _effect(view: View | None, found: Mapping[str, Any], edits: Mapping[str, Any]) -> None:
    if view is None:
        st.html('<p class="lt-hint">There is no current run to try this on; it holds from the next run on.</p>')
        return
    biases = {key: found[key].known.prior if one.bias is None else one.bias for key, one in edits.items()}
    effect = pipeline.authority_effect(view.base, biases, settings=view.settings)
    st.html(f'<p class="lt-source-said">{text(_sentence(effect))}</p>')
    lists = (
        ("Would be shown", effect.n_shown, effect.shown),
        ("No longer shown", effect.n_gone, effect.gone),
        ("Rises", effect.risen, effect.rises),
        ("Falls", effect.fallen, effect.falls),
    )
    told = [one for one in lists if one[2]]
    if told:
        columns = st.columns(min(2, len(told)), gap="large")
        for at, one in enumerate(told):
            with columns[at % 2]:
                _list(view, *one)


def _sentence(effect: Any) -> str:
    if not effect.scored:
        return "The current run has no scored item of these sources: nothing in it would change."
    if not (effect.risen or effect.fallen):
        return "In the current run nothing would change."
    parts = [
        f"{words.count(effect.risen, 'item')} would rise" if effect.risen else "",
        f"{words.count(effect.fallen, 'item')} would fall" if effect.fallen else "",
        f"{effect.displaced:,} would only change places" if effect.displaced else "",
    ]
    shown = [
        f"{words.count(effect.n_shown, 'item')} would newly be shown" if effect.n_shown else "",
        f"{words.count(effect.n_gone, 'item')} would no longer be shown" if effect.n_gone else "",
    ]
    said = words.listed([part for part in parts if part])
    then = words.listed([part for part in shown if part]) or "what is shown stays the same"
    return f"In the current run {said}; {then}."


def _list(view: View, title: str, n: int, moves: Sequence[Any]) -> None:
    if not moves:
        return
    more = f", the first {len(moves)}" if n > len(moves) else ""
    rows = "".join(_move(view, move) for move in moves)
    st.html(f'<p class="lt-sub">{text(title)}: {words.count(n, "item")}{more}</p><ul class="lt-list">{rows}</ul>')


def _move(view: View, move: Any) -> str:
    table = view.report.table
    title = text(cut(table.titles[move.row] or "(no title)", 110))
    site = text(table.authority_keys[move.row] or table.domains[move.row])
    return (
        f'<li dir="auto"><span class="lt-move">{move.points:.1f} → {move.points_after:.1f}</span> {title} '
        f'<span class="lt-faint">{site}, place {move.place} → {move.place_after}</span></li>'
    )


# --------------------------------------------------------------------------- saving


def _meanwhile(edits: Mapping[str, Any]) -> None:
    """Somebody else changed a source that is being edited: both values, and the choice between them."""
    others = {key: change for key, change in state.meanwhile().items() if key in edits}
    if not others:
        return
    for key, change in others.items():
        st.html(
            f'<p class="lt-warning"><b>Changed meanwhile.</b> {_other(key, change)} Yours: {_value(edits[key].bias)}.</p>'
        )
    with st.container(horizontal=True, key="authority-meanwhile"):
        st.button("Keep theirs", key="authority-theirs", on_click=state.discard, args=tuple(others))
        st.button("Use mine, I have read it", key="authority-mine", on_click=state.accept)


def _other(key: str, change: Any) -> str:
    if change is None:
        return f"The bias of {text(key)} was undone by somebody."
    when = words.time_html(change.at, reader.zone())
    return (
        f"{text(change.who or 'Somebody')} set {text(key)} to {_value(change.bias)}, {when}: “{text(change.reason)}”."
    )


def _value(bias: float | None) -> str:
    return "no bias" if bias is None else f"{bias:.2f}"


def _save(edits: Mapping[str, Any]) -> None:
    imported = all(one.reason for one in edits.values())
    with st.container(horizontal=True, vertical_alignment="bottom", key="authority-save"):
        st.text_input(
            "Reason, empty to keep those of the file" if imported else "Reason, required",
            key="authority-reason", max_chars=1000, placeholder="Such as: retracted two reports this month",
        )  # fmt: skip
        st.text_input("Your name", key="authority-who", placeholder="analyst", width=170, persist_state="session")
        st.button(
            "Save with reason", key="authority-save-now", type="primary", on_click=_save_now,
            disabled=bool(state.meanwhile()),
        )  # fmt: skip
        st.button("Discard", key="authority-discard", on_click=state.discard)
    if refused := st.session_state.pop("authority-refused", ""):  # below the button, which stays where it is
        st.html(f'<p class="lt-warning">{text(refused)}</p>')


@failures.careful
def _save_now() -> None:
    now = st.session_state
    problem = state.save(now.get("authority-reason", ""), now.get("authority-who", "").strip() or "analyst")
    now["authority-refused"] = problem
    if not problem:
        now["authority-reason"] = ""
        now["authority-saved"] = True
