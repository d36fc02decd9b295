"""What all sessions of this server share: the settings and the store, each opened once."""

from __future__ import annotations

from typing import Any

import streamlit as st

import pipeline


@st.cache_resource(show_spinner=False)
def settings() -> Any:
    return pipeline.load_settings()


@st.cache_resource(show_spinner=False)
def store() -> Any:
    return pipeline.open_store(pipeline.home() / "lately.db")


def save_profile(name: str, scores: Any) -> None:
    """Keep settings as a profile; every session can choose it from its next rerun on. Raises pipeline.InputError."""
    store().files.save_profile(name, pipeline.as_profile(scores, name))
    settings.clear()


def delete_profile(name: str) -> None:
    """Forget a saved profile. Raises pipeline.InputError."""
    store().files.delete_profile(name)
    settings.clear()


def source_sets() -> dict[str, tuple[str, ...]]:
    """Set -> sources: those of sources.yaml and the saved ones."""
    return pipeline.source_sets(settings(), store())
