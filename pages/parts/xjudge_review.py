"""What the judge did, of a run or of a file, and what the analyst labelled of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import streamlit as st

import pipeline
from pages.parts import loaded, server


def judged_sources(run: Any) -> tuple[str, ...]:
    """Sources of a run that a corpus judge looked at, X first."""
    return _judged_sources(run.run_id, run)


def of_run(run: Any, source: str) -> Any:
    """What the judge did with one source of a run, None where it judged nothing of it."""
    return _of_run(run.run_id, source, run)


def of_file(data: bytes, topic: str, **asked: Any) -> tuple[Any, Any]:
    """(verdict on a file of posts, entries that could not be read). Raises InputError."""
    return _of_file(data, topic, tuple(sorted(asked.items())))


def floors() -> Any:
    return pipeline.Floors.of(server.settings().pipeline.x)


@st.cache_resource(max_entries=loaded.KEPT_RUNS, show_spinner=False)
def _judged_sources(name: str, _run: Any) -> tuple[str, ...]:
    return tuple(pipeline.judged_sources(_run))


@st.cache_resource(max_entries=2 * loaded.KEPT_RUNS, show_spinner=False)
def _of_run(name: str, source: str, _run: Any) -> Any:
    return pipeline.review_run(_run, source, floors=floors())


@st.cache_resource(max_entries=loaded.KEPT_RUNS, show_spinner=False)
def _of_file(data: bytes, topic: str, asked: tuple[tuple[str, Any], ...]) -> tuple[Any, Any]:
    wanted = dict(asked)
    vectors = server.store().vectors
    embedder, _ = pipeline.open_embedder(server.settings(), vectors) if wanted["mode"] == "context" else (None, ())
    return pipeline.review_file(data, topic, floors=floors(), embedder=embedder, **wanted)


# --------------------------------------------------------------------------- labels


def labelled(topic: str) -> dict[str, str]:
    """Item id -> id of the label that says it is on topic, of those the analyst gave for this topic."""
    found = server.store().labels.find(task="topic", query=topic)
    return {label.item: label.id for label in found if label.label == "on" and label.labeller == "analyst"}


def label_on_topic(topic: str, item: str, words: str, note: str) -> None:
    label = pipeline.Label(
        task="topic", query=topic, item=item, label="on", at=datetime.now(UTC), labeller="analyst", text=words, note=note
    )  # fmt: skip
    server.store().labels.add([label])


def unlabel(label_id: str) -> None:
    server.store().labels.remove(label_id)
