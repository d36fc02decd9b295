"""The question as the widgets stand, whether they are drawn now or folded: what the next run is asked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import streamlit as st

import pipeline
from pages.parts import reader, server, words
from pipeline import Question


def question(**more: Any) -> Any:
    """The Question as the widgets stand; `more` overrides single fields."""
    state = st.session_state
    kinds = chosen()
    threshold = state.get("threshold")
    fields: dict[str, Any] = {
        "text": state.get("text") or "",
        "days": state.get("days"),
        "since": _midnight(state.get("since")),
        "until": _midnight(state.get("until"), 1),
        "as_of": there(state.get("as-of")),
        "route": "recent" if state.get("force") else None,
        "zone": reader.zone(),
        "depth": state.get("depth") or "default",
        "profile": state.get("profile") or None,
        "threshold": None if threshold is None else float(threshold),
        "max_results": state.get("max-results"),
        "sources": tuple(kinds) if kinds else None,
        "opml": list_of_feeds() or None,
        "x_handles": accounts("x-handles"),
        "x_related": accounts("x-related"),
        "queries": {name: sent for name in source_names() if (sent := state.get(f"query-{name}", "").strip())},
        "refresh": bool(state.get("refresh")),
        "hide_seen": bool(state.get("hide-seen")),
    }
    return Question(**(fields | more))


def source_names() -> tuple[str, ...]:
    """Names of sources as sources.yaml has them."""
    return pipeline.source_names(server.settings())


def asked_sources() -> tuple[str, ...]:
    """What the next run asks: chosen here, else the set of the sidebar, else a list of feeds, else the usual sources."""
    return tuple(chosen() or (("rss",) if list_of_feeds() else server.settings().sources.default))


def chosen() -> Sequence[str]:
    """Kinds of sources chosen here or by the set of the sidebar; none for the usual ones."""
    state = st.session_state
    name = state.get("source-set", "default")
    return state.get("sources") or (() if name == "default" else server.source_sets().get(name, ()))


def list_of_feeds() -> str:
    """The feed list of the next run: an address, else the file that was given; "" for none."""
    typed = (st.session_state.get("opml-address") or "").strip()
    if typed and not typed.lower().startswith(("http://", "https://")):
        typed = f"https://{typed}"
    return typed or str(st.session_state.get("opml-kept", {}).get("path", ""))


def accounts(key: str) -> tuple[str, ...]:
    """Names typed beside each other, each once."""
    return tuple(dict.fromkeys((st.session_state.get(key) or "").replace(",", " ").split()))


def there(chosen: datetime | None) -> datetime | None:
    """A time as the analyst's clock shows it, in UTC."""
    return None if chosen is None else chosen.replace(tzinfo=words.zone_of(reader.zone())).astimezone(UTC)


def _midnight(chosen: date | None, later: int = 0) -> datetime | None:
    if chosen is None:
        return None
    return there(datetime.combine(chosen + timedelta(days=later), time()))
