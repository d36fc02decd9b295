"""What was asked, and which accounts earned a lane of their own: both gates with the numbers behind them."""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

from pages.parts import words
from pages.parts.paging import paged
from pages.parts.safe import text

ROWS = 10  # accounts on one page
VARIANTS = {
    "wide": "widest",
    "popular": "with 5 likes or more",
    "quoted": "as an exact phrase",
    "links": "with a link",
    "no replies": "without replies",
    "retry": "retry",
    "file": "file",
}


def queries(review: Any) -> None:
    """Every query as it was sent, how many posts came, and how many were new and not refused."""
    if not review.queries:
        return
    st.html('<h3 class="lt-part">Queries sent</h3>')
    rows = "".join(_query(line) for line in review.queries)
    st.html(
        '<div class="lt-scroll"><table class="lt-table lt-left"><thead><tr><th>search</th><th class="text">query</th>'
        '<th>posts</th><th>new and not refused</th><th class="text">note</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _query(line: Any) -> str:
    return (
        f'<tr><th scope="row">{text(VARIANTS.get(line.variant, line.variant))}</th>'
        f'<td class="text"><code>{sent(line.query)}</code></td><td>{line.found:,}</td><td>{line.kept:,}</td>'
        f'<td class="text lt-faint">{text(line.note)}</td></tr>'
    )


def sent(query: str) -> str:
    """A query as safe HTML whose operators, such as since:2026-10-31, are never broken over two lines."""
    return " ".join(
        f'<span class="lt-op">{text(word)}</span>' if _OPERATOR.match(word) else text(word) for word in query.split()
    )


_OPERATOR = re.compile(r"-?[a-z_]+:\S+$")


def accounts(review: Any) -> None:
    """A page of accounts, those that earned most first."""
    if not review.handles:
        return
    floors = review.floors
    st.html(
        f'<h3 class="lt-part">{words.count(len(review.handles), "account")}</h3><p class="lt-faint lt-small">An account '
        f"passes with at least {floors.min_hits} posts on topic, and at least {floors.handle:.2f} of its posts.</p>"
    )
    table = st.container()
    shown = review.handles[paged(len(review.handles), ROWS, "x-accounts")]
    lanes = {line.variant.removeprefix("lane @"): line for line in review.queries if line.variant.startswith("lane @")}
    lane = '<th class="text">lane of its own</th>' if review.source == "x" else ""
    rows = "".join(_account(one, floors, lanes, review.source == "x") for one in shown)
    table.html(
        '<div class="lt-scroll"><table class="lt-table lt-left lt-gates"><thead><tr><th>account</th><th>posts</th>'
        f'<th class="text">posts on topic</th><th class="text">share on topic</th>{lane}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _account(one: Any, floors: Any, lanes: dict[str, Any], with_lane: bool) -> str:
    share = one.on_topic / one.total if one.total else 0.0
    lane = f'<td class="text">{text(_lane(one, lanes))}</td>' if with_lane else ""
    if one.promotable == "explicit":
        said = f"{one.on_topic:,} on topic; passes without gates: named by the analyst"
        gates = f'<td class="text lt-faint" colspan="2">{said}</td>'
    else:
        gates = _gate(one.on_topic >= floors.min_hits, f"{one.on_topic}, {floors.min_hits} needed") + _gate(
            share >= floors.handle, f"{share:.2f}, {floors.handle:.2f} needed"
        )
    return f'<tr><th scope="row">@{text(one.handle)}</th><td>{one.total:,}</td>{gates}{lane}</tr>'


def _gate(passed: bool, figures: str) -> str:
    mark, word = ("✓", "passed") if passed else ("✗", "failed")
    return f'<td class="text"><b class="{word}">{mark} {word}</b> <span class="lt-faint">{text(figures)}</span></td>'


def _lane(one: Any, lanes: dict[str, Any]) -> str:
    if one.handle in lanes:
        return f"searched, {words.count(lanes[one.handle].found, 'post')}"
    return {"explicit": "named by the analyst", "extracted": "earned, not searched"}.get(one.promotable, "not earned")
