"""What the analyst prefers, on every page and for the next run: remembered choices, words, sets of sources."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import streamlit as st

import pipeline
from pages.parts import current, failures, reader, server, words
from pages.parts.safe import md

USUAL = {"zone": "", "hints": "auto", "profile": "", "source-set": "default"}
"""Choices that a reload and a restart leave as they were, and what they are at first."""
HINTS = {"auto": "Browser's language", "en": "English", "zh": "中文"}
LISTS = {
    "interests": ("Interest words", "Items that hold them rise: full marks from three on."),
    "muted domains": ("Muted sites", "From the next run on never shown, listed as muted."),
    "muted words": ("Muted words", "From the next run on never shown, listed as muted."),
}


# --------------------------------------------------------------------------- remembered choices


def recall() -> None:
    """The choices as they were left, read once a session; one that is gone meanwhile gives way to the usual."""
    for key, usual in USUAL.items():
        if key not in st.session_state:
            st.session_state[key] = server.store().prefs.choice(f"app:{key}", usual)
        if st.session_state[key] != usual and st.session_state[key] not in options(key):
            st.session_state[key] = usual


def options(key: str) -> tuple[str, ...]:
    """What can be chosen."""
    if key == "zone":
        return ("", *reader.zones())
    if key == "profile":
        return ("", *server.settings().profiles)
    return tuple(HINTS) if key == "hints" else ("default", *server.source_sets())


@failures.careful
def remember(key: str) -> None:
    """Keep a choice for the next visit."""
    server.store().prefs.choose(f"app:{key}", st.session_state[key], datetime.now(UTC))


def choice(label: str, key: str, **more: Any) -> None:
    """A select box whose choice is remembered."""
    st.selectbox(
        label, options(key), key=key, persist_state="session", on_change=remember, args=(key,), **more
    )  # fmt: skip


# --------------------------------------------------------------------------- words


def lists() -> None:
    """Interest words and mutes, each edited in place; they hold from the next run on."""
    configured = server.settings().pipeline
    for name, (label, help_) in LISTS.items():
        key = f"words-{name}"
        held = list(server.store().prefs.words(name))
        st.session_state[key] = held
        st.multiselect(
            label, held, key=key, accept_new_options=True, placeholder="type one, press Enter", help=help_,
            on_change=_edit, args=(name,),
        )  # fmt: skip
        if fixed := getattr(configured, name.replace(" ", "_")):
            st.caption(md(f"From pipeline.yaml: {', '.join(fixed)}"))
    st.caption("Mutes hold from the next run on: the run on the screen stays as it is.")
    _rerank()


@failures.careful
def _edit(name: str) -> None:
    """Only what changed here is written, so that another session's words stay."""
    prefs, wanted = server.store().prefs, st.session_state[f"words-{name}"]
    held = prefs.words(name)
    try:
        prefs.add_words(name, [word for word in wanted if word not in held], datetime.now(UTC))
    except pipeline.InputError as error:
        st.toast(md(error))
        return
    if gone := [word for word in held if word not in wanted]:
        prefs.remove_words(name, gone)


def _interests(report: Any) -> tuple[str, ...]:
    """The interest words a run would use now: the configuration's, its profile's, those of the sidebar."""
    held = server.store().prefs.words("interests")
    try:
        return pipeline.score_settings(server.settings(), report.plan, interests=held).interests
    except pipeline.InputError:  # its profile is gone
        return held


def _rerank() -> None:
    """The run on the screen under the words of now; nothing is fetched."""
    report = current.report()
    if report is None or not len(report.table):
        return
    now, held = _interests(report), dict(current.moved(report.run_id)).get("interests")
    if now != (report.settings.interests if held is None else held):
        own = now == report.settings.interests
        st.button(
            "Re-rank this run by interests", key="rerank", width="stretch",
            help="By the interest words above; mutes change nothing here, and nothing is fetched.",
            on_click=current.move, args=(report.run_id,), kwargs={"interests": None if own else now},
        )  # fmt: skip
    elif held is not None:
        st.button(
            "Back to the run's own words", key="unrank", width="stretch",
            on_click=current.move, args=(report.run_id,), kwargs={"interests": None},
        )  # fmt: skip


# --------------------------------------------------------------------------- sets of sources


def source_set() -> None:
    """Which sources the next run asks; what is in a chosen set, and the way to delete a saved one."""
    choice(
        "Source set", "source-set", format_func=lambda name: "Usual sources" if name == "default" else name,
        help="Which sources the next run asks. Choose sources on Query and save them as a set.",
    )  # fmt: skip
    chosen = st.session_state["source-set"]
    if chosen == "default":
        return
    st.caption(md(", ".join(server.source_sets()[chosen])))
    if chosen in server.store().prefs.source_sets():
        st.button("Delete this set", key="delete-set", type="tertiary", on_click=_forget_set, args=(chosen,))


@failures.careful
def _forget_set(name: str) -> None:
    server.store().prefs.save_source_set(name, (), datetime.now(UTC))
    _choose_set("default")


def _choose_set(name: str) -> None:
    st.session_state["source-set"] = name
    remember("source-set")


def save_set(chosen: tuple[str, ...]) -> None:
    """Name the sources chosen here and keep them as a set."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="save-set"):
        st.text_input(
            "Save this choice as", key="set-name", placeholder="name of a set", max_chars=60, disabled=not chosen
        )
        st.button("Save", key="set-save", disabled=not chosen, on_click=_save_set, args=(chosen,))
    if st.session_state.pop("set-saved", False):
        st.rerun()  # the sidebar, which is no part of the box, shows the set
    if problem := st.session_state.pop("set-problem", ""):
        st.caption(f":red[{md(problem)}]")


@failures.careful
def _save_set(chosen: tuple[str, ...]) -> None:
    """From now on the set is what is asked, so the choice itself is cleared."""
    typed = st.session_state["set-name"]
    try:
        kept = pipeline.save_source_set(server.settings(), server.store(), typed, chosen, datetime.now(UTC))
    except pipeline.InputError as error:
        st.session_state["set-problem"] = str(error)
        return
    _choose_set(kept)
    st.session_state["sources"], st.session_state["set-name"], st.session_state["set-saved"] = [], "", True
    st.toast(f"Saved as “{md(kept)}”, {words.count(len(chosen), 'source kind')}")
