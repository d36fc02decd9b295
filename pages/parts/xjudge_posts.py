"""The judged posts: filtered by what became of them, with the matched words marked, the reason, and the way back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import streamlit as st

import pipeline
from pages.parts import background, download, feedback, reader, words, xjudge_review
from pages.parts.hints import say
from pages.parts.paging import paged
from pages.parts.safe import anchor, clean, link, marked, text
from pages.parts.view import View

POSTS = 20  # posts on one page
LONGEST = 1_200  # characters of a post shown
FATES = {"off": "Pruned", "on": "On topic", "unjudged": "Unjudged", "refused": "Refused"}
SAID = {
    "off": "Off topic, best score first. Restore what was thrown out wrongly: it becomes a label.",
    "on": "On topic, best score first.",
    "unjudged": "Posts without text can't be judged: they stay outside the ratio.",
    "restored": "Restored by you. Each is a label “on topic”; take it back and the verdict holds again.",
    "refused": "Could not be true, could not be read, or outside the window; the judge never saw them.",
}
COLUMNS = ("verdict", "restored", "account", "published_at", "text", "score", "floor", "matched", "missing", "reason",
           "lane", "outcome", "url", "id")  # fmt: skip


class Restores(Protocol):
    """Where the analyst's word on pruned posts is kept."""

    def has(self, post: Any) -> bool: ...
    def give(self, post: Any) -> None: ...
    def take_back(self, post: Any) -> None: ...
    def after(self, restored: tuple[Any, ...]) -> None: ...


@dataclass(frozen=True)
class RunRestores:
    """In a run: feedback that is also a label."""

    view: View

    def has(self, post: Any) -> bool:
        return self.view.mark(post.row) == "restore"

    def give(self, post: Any) -> None:
        feedback.mark(self.view.report, post.row, "restore")

    def take_back(self, post: Any) -> None:
        feedback.take_back(self.view.report, post.row)

    def after(self, restored: tuple[Any, ...]) -> None:
        """A run of the same items with what was restored since; later runs keep it anyway."""
        n = sum(self.view.report.table.fixed[post.row] == pipeline.Bucket.OFF_TOPIC for post in restored)
        if n and st.button(f"Rank again with {words.count(n, 'restored post')}", key="x-rank", help=say("x_rank")):
            background.rank_again(self.view.report)
            st.rerun()


@dataclass(frozen=True)
class FileRestores:
    """In a file: a label for the topic."""

    topic: str
    labels: Mapping[str, str]

    def has(self, post: Any) -> bool:
        return post.id in self.labels

    def give(self, post: Any) -> None:
        xjudge_review.label_on_topic(self.topic, post.id, post.text, f"restored; it was pruned as: {post.reason}")

    def take_back(self, post: Any) -> None:
        xjudge_review.unlabel(self.labels[post.id])

    def after(self, restored: tuple[Any, ...]) -> None:
        """A file has no ranking."""


def draw(review: Any, restores: Restores) -> None:
    """Filter, a page of posts, downloads; presenting shows the first page alone."""
    groups: dict[str, tuple[Any, ...]] = {kind: review.those(kind) for kind in FATES}
    restored = tuple(post for post in groups["off"] if restores.has(post))
    groups["restored"] = restored
    if not review.posts:
        return
    chosen, typed = _filter(groups)
    posts = groups[chosen]
    if reader.presenting():
        st.html(f'<p class="lt-sub">{FATES[chosen]}: {words.count(len(posts), "post")}</p>')
        _list(review, posts[:POSTS], restores)
        return
    if typed:
        posts = tuple(post for post in posts if typed in f"@{post.handle} {post.text}".casefold())
    st.html(f'<p class="lt-faint lt-small">{text(SAID[chosen])}</p>')
    with st.container():  # there in any case: what comes and goes above a button takes the keyboard off it
        restores.after(restored)
    if not posts:
        st.html(f'<div class="lt-empty"><p>{text(say("filtered"))}</p></div>')
    shown = st.container(gap=None)
    page = posts[paged(len(posts), POSTS, f"x-{chosen}")]
    with shown:
        _list(review, page, restores)
    _downloads(review, restores)


def _filter(groups: Mapping[str, tuple[Any, ...]]) -> tuple[str, str]:
    """What became of the posts: one of the kinds there are; pruned ones first, for they need a second look."""
    kinds = [kind for kind, posts in groups.items() if posts] or ["on"]
    if reader.presenting():
        return kinds[0], ""
    names = {**FATES, "restored": "Restored"}
    st.html('<h3 class="lt-part">Posts</h3>')
    with st.container(horizontal=True, vertical_alignment="center", key="x-filters"):
        chosen = st.pills(
            "Posts", kinds, default=kinds[0], required=True, format_func=lambda kind: f"{names[kind]} {len(groups[kind])}",
            key="x-fate", label_visibility="collapsed",
        )  # fmt: skip
        typed = st.text_input(
            "Filter", key="x-words", live=True, placeholder="Filter by word or account", label_visibility="collapsed",
            type="search", width=260,
        )  # fmt: skip
    return chosen if chosen in kinds else kinds[0], clean(typed or "").casefold()


# --------------------------------------------------------------------------- one post


def _list(review: Any, posts: tuple[Any, ...], restores: Restores) -> None:
    acronyms = review.floors.acronyms
    with st.container(key="x-posts", gap=None):
        for post in posts:
            forms = pipeline.written(post.text[:LONGEST], post.matched, review.topic, acronyms)
            _post(post, forms, restores)


def _post(post: Any, forms: tuple[str, ...], restores: Restores) -> None:
    back = post.fate == "off" and restores.has(post)
    with st.container(horizontal=True, vertical_alignment="center", key=f"post-{post.row}"):
        st.html(html(post, forms, restored=back))
        if post.fate == "off" and not reader.presenting():
            _button("Take back" if back else "Restore", post, restores.take_back if back else restores.give)


def _button(label: str, post: Any, act: Callable[[Any], None]) -> None:
    """Under one key whatever its label, so that the keyboard stays on it."""
    if st.button(label, key=f"restore-{post.row}", type="tertiary", help="Kept as a label; can be undone"):
        act(post)
        st.rerun()


def html(post: Any, forms: tuple[str, ...], *, restored: bool) -> str:
    """One post as safe HTML."""
    shown = clean(post.text)
    shown = shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"
    body = marked(shown, forms) if shown else '<span class="lt-faint">(no text)</span>'
    return (
        f'<article class="lt-post {text(post.fate)}"><p class="lt-meta">{_meta(post, restored)}</p>'
        f'<p class="lt-excerpt" dir="auto">{body}</p><p class="lt-why">{_why(post)}</p></article>'
    )


def _meta(post: Any, restored: bool) -> str:
    account = f"@{text(post.handle)}" if post.handle else "unknown account"
    parts = [f"<b>{anchor(post.url, account)}</b>", words.time_html(post.at, reader.zone())]
    if post.lane:
        parts.append(f"lane: {text(post.lane)}")
    if post.first_party:
        parts.append("first party")
    if restored:
        parts.append('<span class="lt-tier fact">restored by you</span>')
    return " · ".join(parts)


def _why(post: Any) -> str:
    score = "" if post.score is None else f"{post.score:.2f}, floor {post.floor:.2f}: "
    missing = f". Missing: {text(', '.join(post.missing))}" if post.missing and post.matched else ""
    outcome = f". In the run: {text(post.outcome)}" if post.outcome else ""
    return f'<span class="n">{score}</span>{text(post.reason.rstrip("."))}{missing}{outcome}'


# --------------------------------------------------------------------------- downloads


def _downloads(review: Any, restores: Restores) -> None:
    name = "posts-of-file" if review.source == "file" else f"judged-{review.source}"
    with st.container(horizontal=True, key="x-downloads"):
        download.table(
            "Judged posts (CSV)", name, COLUMNS, lambda: (_cells(p, restores) for p in review.posts), key="x-csv"
        )
        st.download_button(
            "Judged posts (JSON)", lambda: _json(review, restores), f"{name}.json", "application/json", key="x-json",
            on_click="ignore", type="tertiary",
        )  # fmt: skip


def _cells(post: Any, restores: Restores) -> tuple[object, ...]:
    return (
        {"off": "off topic", "on": "on topic"}.get(post.fate, post.fate), "yes" if restores.has(post) else "",
        post.handle, post.at.isoformat() if post.at else "", post.text, "" if post.score is None else round(post.score, 4),
        "" if post.floor is None else post.floor, " ".join(post.matched), " ".join(post.missing), post.reason, post.lane,
        post.outcome, link(post.url), post.id,
    )  # fmt: skip


def _json(review: Any, restores: Restores) -> str:
    posts = [dict(zip(COLUMNS, _cells(post, restores), strict=True)) for post in review.posts]
    said = {"verdict": review.headline, "topic": review.topic, "rule": review.before.rule, "posts": posts}
    return json.dumps(said, ensure_ascii=False, indent=1)
