"""How each source answered: one dot and a count while it happens, one line each, then folded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts import words
from pages.parts.safe import md, text

KINDS = {
    "rss": "feeds of news sites and blogs",
    "search": "search feeds, such as Google News",
    "custom": "pages without a feed",
    "hackernews": "Hacker News",
    "gdelt": "GDELT, the world's press",
    "newsapi": "NewsAPI, needs a key",
    "guardian": "The Guardian, needs a key",
    "bluesky": "posts on Bluesky",
    "file": "files of yours",
    "x": "posts on X, needs a key",
}
FAILED = ("timeout", "rate limited", "unauthorised", "bad response", "blocked by robots", "error")
SAID = {
    "ok": "answered",
    "empty": "answered, nothing matched",
    "timeout": "no answer in time",
    "rate limited": "asked us to slow down",
    "unauthorised": "refused the key",
    "not configured": "no key set",
    "bad response": "answered something unreadable",
    "blocked by robots": "does not want to be read by programs",
    "cancelled": "stopped, enough was found",
    "error": "failed",
}


def kind(name: str) -> str:
    """A kind of source with what it is, such as "custom: pages without a feed"."""
    return f"{name}: {KINDS[name]}" if name in KINDS else name


def line(outcomes: Sequence[Any]) -> None:
    """The run's sources in one folded line; unfolded, one line an endpoint."""
    if not outcomes:
        return
    failed = [outcome for outcome in outcomes if outcome.status in FAILED]
    items = sum(outcome.items for outcome in outcomes)
    answered = sum(outcome.status in ("ok", "empty") for outcome in outcomes)
    label = f"{answered} of {words.count(len(outcomes), 'source')} answered · {words.count(items, 'item')}"
    label += "".join(f" · {md(outcome.endpoint)} {md(SAID[outcome.status])}" for outcome in failed[:2])
    if len(failed) > 2:
        label += f" · {len(failed) - 2} more failed"
    with st.expander(label, type="compact"):
        lines(outcomes)


def lines(outcomes: Sequence[Any]) -> None:
    """One line an endpoint: dot, name, items, time, how it ended."""
    ordered = sorted(outcomes, key=lambda outcome: (outcome.status not in FAILED, -outcome.items))
    st.html(f'<div class="lt-lines">{"".join(_line(outcome) for outcome in ordered)}</div>')


def _line(outcome: Any) -> str:
    said = SAID[outcome.status]
    if outcome.retry_after_s:
        said += f", again in {outcome.retry_after_s:.0f} s"
    if outcome.cached_age_s:
        said += f", from the cache, {outcome.cached_age_s / 60:.0f} min old"
    if outcome.detail:
        said += f": {outcome.detail}"
    return row_html(dot(outcome.status), outcome.endpoint, outcome.items, outcome.elapsed_ms, said)


def dot(status: str) -> str:
    return "failed" if status in FAILED else "" if status == "ok" else "empty"


def row_html(kind: str, name: str, items: int, elapsed_ms: int, said: str) -> str:
    took = words.seconds(elapsed_ms) if elapsed_ms else ""
    return (
        f'<span><span class="lt-dot {kind}"></span>{text(name)}</span><span class="n">{items:,}</span>'
        f'<span class="n">{took}</span><span class="said">{text(said)}</span>'
    )
