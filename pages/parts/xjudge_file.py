"""A file of posts that the analyst has, judged against a topic: needs no key and no network."""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

from pages.parts import words, xjudge_handles, xjudge_posts, xjudge_review, xjudge_verdict
from pages.parts.hints import say
from pages.parts.safe import text
from pipeline import InputError

KINDS = ("csv", "tsv", "json", "jsonl", "ndjson", "txt")
LARGEST = 64  # megabytes
MODES = {"coverage": "Words of the topic", "context": "The corpus' own words too"}
LISTED = 20  # entries that could not be read, listed


def draw() -> None:
    """The file, the topic, the mode; then the same verdict, accounts and posts as for a run."""
    file, asked = _ask()
    if file is None:
        st.html(f'<div class="lt-empty"><p>{text(say("x_file"))}</p><p>{text(say("x_file_try"))}</p></div>')
        return
    if not asked["topic"]:
        st.html(f'<div class="lt-empty"><p>{text(say("x_topic"))}</p></div>')
        return
    try:
        with st.spinner("Judging…"):
            review, bad = xjudge_review.of_file(file.getvalue(), name=file.name, **asked)
    except InputError as error:
        st.html(f'<p class="lt-error" role="alert">{text(error)}</p>')
        return
    xjudge_verdict.draw(review)
    _left_out(bad)
    xjudge_handles.accounts(review)
    xjudge_posts.draw(review, xjudge_posts.FileRestores(review.topic, xjudge_review.labelled(review.topic)))


def _ask() -> tuple[Any, dict[str, Any]]:
    with st.container(key="x-file"):
        file = st.file_uploader(
            "File of posts", KINDS, key="x-upload", max_upload_size=LARGEST,
            help="CSV, JSON or JSONL with columns such as id, author, text, created_at; X's own answers too.",
        )  # fmt: skip
        with st.container(horizontal=True, vertical_alignment="top"):
            topic = st.text_input(
                "Topic", key="x-topic", placeholder="What the posts should be about", persist_state="session"
            )
            mode = st.segmented_control(
                "Judged by", list(MODES), default="coverage", required=True, format_func=MODES.__getitem__,
                key="x-mode", persist_state="session",
                help="The corpus' own words also finds posts that say it differently; about 4 s for 1,000 posts.",
            )  # fmt: skip
        with st.expander("Judge against other words, name accounts", type="compact"):
            ranking = st.text_input(
                "Judge against", key="x-ranking", placeholder="instead of the topic", persist_state="session"
            )
            handles = st.text_input(
                "First-party accounts", key="x-first-party", placeholder="@account, @account", persist_state="session"
            )
    asked = {"topic": topic.strip(), "mode": mode, "ranking_query": ranking.strip(), "handles": _handles(handles)}
    return file, asked


def _handles(typed: str) -> tuple[str, ...]:
    return tuple(name for name in re.split(r"[\s,;，、]+", typed) if name)


def _left_out(bad: Any) -> None:
    """Entries that could not be read, counted; their neighbours were."""
    if not bad:
        return
    with st.expander(f"{words.count(len(bad), 'entry', 'entries')} left out, could not be read", type="compact"):
        rows = "".join(
            f"<li>{text(one.reason)} <span class='lt-faint'>{text(one.title)}</span></li>" for one in bad[:LISTED]
        )
        more = f"<li>and {len(bad) - LISTED:,} more</li>" if len(bad) > LISTED else ""
        st.html(f'<ul class="lt-list">{rows}{more}</ul>')
