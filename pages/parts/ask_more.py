"""The last chip, for what is asked rarely: a list of feeds of one's own, another day's view, accounts on X."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

import pipeline
from pages.parts import reader, server, words
from pages.parts.ask_question import accounts, list_of_feeds, there
from pages.parts.hints import say
from pages.parts.safe import md


def said() -> str:
    """What of it is set, as Markdown."""
    as_of = st.session_state.get("as-of")
    found = [_feeds_said(st.session_state.get("opml-kept", {}))] if list_of_feeds() else []
    found += [f"as of {words.moment(there(as_of), reader.zone())}"] if as_of else []
    handles = {*accounts("x-handles"), *accounts("x-related")}
    found += [words.count(len(handles), "X account")] if handles else []
    return md(", ".join(found)) or "More"


def draw() -> None:
    _feeds(st.session_state.get("opml-kept", {}))
    st.datetime_input(f"As of, {reader.zone()}", value=None, key="as-of", persist_state="session", help=say("as_of"))
    st.text_input(
        "Own accounts on X", key="x-handles", placeholder="@name @other", persist_state="session",
        help="Accounts of whom the question is about: their posts count as first-party.",
    )  # fmt: skip
    st.text_input("Related accounts on X", key="x-related", placeholder="@name @other", persist_state="session")


# --------------------------------------------------------------------------- a list of feeds


def _feeds(kept: Mapping[str, Any]) -> None:
    """kept: the file that was given before, {} for none."""
    st.file_uploader(
        "Feed list (OPML)", ["opml", "xml"], key=f"opml-file-{st.session_state.get('opml-round', 0)}",
        max_upload_size=5, on_change=_keep_list, help=say("feed_list"),
    )  # fmt: skip
    if problem := st.session_state.get("opml-problem", ""):
        st.caption(f":red[{md(problem)}]")
    if kept:
        st.caption(md(f"Asked instead of the configured feeds: {kept['name']}, {_feeds_said(kept)}"))
        st.button("Remove the list", key="opml-remove", type="tertiary", on_click=_drop_list)
    st.text_input(
        "Or its address", key="opml-address", placeholder="https://example.org/feeds.opml", persist_state="session",
        disabled=bool(kept),
    )  # fmt: skip


def _feeds_said(kept: Mapping[str, Any]) -> str:
    return words.count(kept["feeds"], "feed") if kept else "feed list"


def _keep_list() -> None:
    """The file that was given, if it is a list of feeds: kept, so that it is asked from every page and again later."""
    now = st.session_state
    file = now.get(f"opml-file-{now.get('opml-round', 0)}")
    now["opml-problem"] = ""
    if file is None:
        return
    try:
        feeds = pipeline.read_opml(file.getvalue())
        path = server.store().files.keep_feed_list(file.getvalue())
    except pipeline.LatelyError as error:
        now["opml-problem"] = f"{file.name}: {error}"
        return
    now["opml-kept"] = {"path": str(path), "name": file.name, "feeds": len(feeds)}
    now["opml-address"] = ""
    now["opml-round"] = now.get("opml-round", 0) + 1


def _drop_list() -> None:
    st.session_state.pop("opml-kept", None)
