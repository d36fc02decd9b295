"""The verdict: in words, and the corpus as small squares, one a post, before and after the retry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages.parts import reader, words
from pages.parts.safe import cut, text
from pages.parts.xjudge_handles import sent

MOST = 400  # squares of one corpus; beyond, one stands for several posts
HOVER = 150  # columns of a post shown on hover
MODES = {"context": "read beside the rest of the corpus", "coverage": "share of the topic's words"}
WORDS = {"on": "on topic", "off": "off topic", "unjudged": "unjudged, no text"}


def draw(review: Any) -> None:
    """The sentence, what else the judge has to say, and the squares."""
    head, _, rest = review.headline.partition(":")
    state = "flood" if review.before.is_off_topic_flood else "fine"
    st.html(f'<p class="lt-verdict {state}" role="heading" aria-level="2"><b>{text(head)}:</b> {text(rest)}</p>')
    for warning in review.warnings:
        st.html(f'<p class="lt-warning">{text(warning)}</p>')
    beside = {line.note for line in review.queries}
    for note in (note for note in review.notes if note not in beside):
        st.html(f'<p class="lt-hint">{text(note)}</p>')
    if review.ids_before or review.ids_after:
        _columns(review)


def _columns(review: Any) -> None:
    """First search at the left, retry at the right; where there was none, the floors that decided."""
    posts = {post.id: post for post in review.posts}
    title = "First search" if review.source == "x" else "All posts"
    first = _corpus(title, review.before, review.ids_before, posts, review, used=review.used == "before")
    if review.after is None:
        second = _no_retry(review)
    else:
        second = _corpus("Retry", review.after, review.ids_after, posts, review, used=review.used == "after")
    st.html(f'<div class="lt-corpora">{first}{second}</div>')
    if said := summed(review):
        st.html(f'<p class="lt-quiet">{text(said)}</p>')
    if review.after is not None and not reader.presenting():
        with st.expander("Floors of the judge", type="compact"):
            st.html(_floors(review))


def summed(review: Any) -> str:
    """How the posts of both searches and of the accounts' lanes add up to those listed below."""
    if review.after is None:
        return ""
    before, after = dict(review.ids_before), dict(review.ids_after)
    judged = [post for post in review.posts if post.fate in ("on", "off", "unjudged")]
    lanes = [post for post in judged if post.id not in before and post.id not in after]
    parts = f"{len(before):,} of the first search + {len(after):,} of the retry"
    parts += f" + {len(lanes):,} of accounts asked alone" if lanes else ""
    twice = len(before) + len(after) + len(lanes) - len(judged)
    on = sum(post.fate == "on" for post in judged)
    each = [kind == "on" for corpus in (before, after) for kind in corpus.values()] + [p.fate == "on" for p in lanes]
    off = f"; over all of them {on:,} are on topic and {len(judged) - on:,} are not"
    both = f" − {twice:,} that came in both" if twice else ""
    again = sum(each) - on
    note = f" ({sum(each):,} counted by search, {again:,} of them in both)" if again > 0 else ""
    return f"{parts}{both} = {words.count(len(judged), 'post')}{off}{note}."


def _corpus(
    title: str, verdict: Any, ids: Sequence[tuple[str, str]], posts: Mapping[str, Any], review: Any, *, used: bool
) -> str:
    judged = verdict.on_topic + verdict.off_topic
    flag = '<span class="lt-tier fact">used</span>' if used and review.after is not None else ""
    aside = f", {verdict.unjudged:,} unjudged" if verdict.unjudged else ""
    return (
        f'<section class="lt-corpus"><h3>{text(title)} {flag}</h3><p class="lt-query">{sent(verdict.query)}</p>'
        f'<p class="lt-ratio"><b>{verdict.on_topic_ratio:.2f}</b> on topic, floor {review.floors.corpus:.2f}, '
        f"{verdict.on_topic:,} of {judged:,} posts{aside}</p>"
        f"{squares(ids, posts)}"
        f'<div><p class="lt-why">{text(_said(verdict))}</p>{_legend(len(ids))}</div></section>'
    )


def _said(verdict: Any) -> str:
    """Flood or not, and by which rule."""
    return f"{'A flood' if verdict.is_off_topic_flood else 'No flood'}: {verdict.rule}."


def squares(ids: Sequence[tuple[str, str]], posts: Mapping[str, Any]) -> str:
    """The on-topic posts first, so that the share can be seen; the text of a post on hover."""
    ordered = [pair for kind in WORDS for pair in ids if pair[1] == kind]
    each = -(-len(ordered) // MOST) or 1
    drawn = "".join(
        f'<i class="{text(kind)}" title="{text(_hover(posts.get(name)) if each == 1 else WORDS[kind])}"></i>'
        for name, kind in ordered[::each]
    )
    counts = ", ".join(f"{sum(kind == one for _, one in ids)} {words}" for kind, words in WORDS.items())
    wide = " many" if len(ordered) > 60 else ""
    return f'<div class="lt-squares{wide}" role="img" aria-label="{text(counts)}">{drawn}</div>'


def _hover(post: Any) -> str:
    return "" if post is None else f"@{post.handle or '?'}: {cut(post.text, HOVER)}"


def _legend(most: int) -> str:
    each = -(-most // MOST) or 1
    unit = "one square is one post" if each == 1 else f"one square is {each} posts"
    keys = "".join(f'<span><i class="lt-sq {kind}"></i>{text(words)}</span>' for kind, words in WORDS.items())
    return f'<p class="lt-legend">{keys}<span>{text(unit)}</span></p>'


def _no_retry(review: Any) -> str:
    """Why the right side is empty, and the floors that decided."""
    why = review.retry_note.removeprefix("mostly off topic; ")
    if review.source != "x":
        why = "a file has nothing to ask again" if review.source == "file" else "only X is searched again"
    head = "No retry was needed" if review.source == "x" and not why else "No retry"
    said = f'<p class="lt-faint">{text(why[:1].upper() + why[1:])}.</p>' if why else ""
    return f'<section class="lt-beside"><h3>{head}</h3>{said}<p class="lt-sub">Floors of the judge</p>{_floors(review)}</section>'


def _floors(review: Any) -> str:
    """Every number that a verdict hangs on, and what it is for."""
    floors, last = review.floors, review.after or review.before
    rows = (
        (f"{floors.corpus:.2f}", "share of posts on topic below which the corpus is a flood"),
        (f"{floors.near:.2f}", "share below which the leading accounts are looked at too"),
        (f"{floors.handle:.2f}", "share of its posts on topic that an account needs"),
        (f"{floors.min_hits}", "posts on topic that an account, or a corpus, needs at least"),
        (f"{last.floor:.2f}", f"score from which a post is on topic, {MODES[last.mode]}"),
    )
    lines = "".join(f"<tr><td>{figure}</td><td class='text'>{text(said)}</td></tr>" for figure, said in rows)
    return f'<table class="lt-table lt-floors">{lines}</table>'
