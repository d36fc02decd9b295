"""One item as a card: score, tier, six segments, headline, source and time, event size, excerpt, why it is here."""

from __future__ import annotations

import re
from math import prod
from typing import Any

import streamlit as st

from pages.parts import evidence, feedback, frame, reader, theme, words
from pages.parts.safe import anchor, cut, marked, text
from pages.parts.view import View

_WORD = re.compile(r"[^\W_]{3,}|[\u3400-\u9fff]{2,}")
_HAN = re.compile(r"[\u3400-\u9fff]+")
GROWN = 4  # characters by which a Chinese word is followed in the topic
TITLE_MAX = 240  # columns of a headline shown; the rest is under "more"
UNTITLED = 110  # columns of the text that stands for a headline


def draw(view: View, row: int) -> None:
    """The card and what can be done with it."""
    item = view.item(row)
    with st.container(key=f"card-{row}", gap="small"):
        st.html(html(view, row, item))
        if not reader.presenting():
            actions(view, row, item)


def html(view: View, row: int, item: Any) -> str:
    """The card as safe HTML; everything from outside goes through `safe`."""
    matched = matched_words(view.report.plan, item)
    title = headline(item)
    why = item.reason
    return (
        f'<article class="lt-card" aria-label="{text(title)}">'
        f'<div class="lt-score"><b>{item.total:.1f}</b>{tier(item, view.settings)}</div><div>'
        f'<h3 dir="auto">{anchor(item.url, marked(title, ()))}</h3>'
        f'<p class="lt-meta">{meta(view, row, item)}</p>'
        f"{bar(item, view.threshold)}"
        f'<p class="lt-excerpt" dir="auto">{marked(item.excerpt, matched)}</p>'
        + (f'<p class="lt-why">Why: {text(why)}</p>' if why else "")
        + "</div></article>"
    )


def headline(item: Any) -> str:
    """The title; for a post without one, how its text begins."""
    return cut(item.title, TITLE_MAX) or cut(item.judged.candidate.text, UNTITLED) or "(no title)"


def tier(item: Any, scores: Any) -> str:
    """Fact or lead, on hover what makes it one; for what is not shown, where it ended."""
    if item.tier == "none":
        return f'<span class="lt-tier none">{text(item.bucket.label)}</span>'
    why = evidence.meaning(item.tier, scores)
    return f'<span class="lt-tier {text(item.tier)}" title="{text(why)}">{text(theme.TIERS[item.tier])}</span>'


def bar(item: Any, threshold: float) -> str:
    """Six segments, each as long as the points it brings; the mark stands at the threshold."""
    factor = prod(penalty.factor for penalty in item.penalties)
    segments = "".join(_segment(part, factor) for part in item.parts if part.weight * part.value > 0)
    said = ", ".join(f"{part.name} {part.value:.2f}" for part in item.parts)
    return (
        f'<div class="lt-bar" role="img" aria-label="{text(said)}">{segments}'
        f'<u style="left:{threshold:.1f}%" title="threshold {threshold:g}"></u></div>'
    )


def _segment(part: Any, factor: float) -> str:
    value, most, points = evidence.product(part)
    said = f"{part.name} {value} × {most} = {points} points"
    width, colour = 100 * part.weight * part.value * factor, theme.DIMENSIONS[part.name]
    return f'<i style="width:{width:.2f}%;background:{colour}" title="{text(said)}"></i>'


def meta(view: View, row: int, item: Any) -> str:
    """Source, time, size of the event, penalties, the analyst's mark."""
    candidate = item.judged.candidate
    parts = [f"<b>{text(view.voice(row))}</b>", words.time_html(candidate.published_at, reader.zone())]
    if item.upstream:
        parts.append('<span class="lt-flag">upstream: before the window, its event is inside</span>')
    if (event := view.event_of(row)) is not None and len(event.members) > 1:
        parts.append(text(evidence.size(view, event)))
    if candidate.engagement:
        parts.append(text(", ".join(f"{n:,} {name}" for name, n in candidate.engagement[:2])))
    parts += [f'<span class="lt-flag">{text(penalty.name.replace("_", " "))}</span>' for penalty in item.penalties]
    if view.mark(row) == "adopt":
        parts.append("<b>adopted</b>" if feedback.given_here(view, row) else "<b>adopted in another run</b>")
    return " · ".join(parts)


def matched_words(plan: Any, item: Any) -> tuple[str, ...]:
    """What to mark in the text: the words the judge or the relevance matched, else those of the topic."""
    facts = [value for part in item.parts if part.name == "relevance" for name, value in part.facts if "match" in name]
    found = item.judged.verdict.matched or tuple(_WORD.findall(" ".join(facts)))
    return _longer(plan.raw_topic, tuple(found)) or tuple(_WORD.findall(plan.raw_topic))


def _longer(topic: str, found: tuple[str, ...]) -> tuple[str, ...]:
    """Chinese words also as the topic goes on after them: of 智能体框架 not 智能 alone is marked, but 智能体."""
    on = {
        topic[at.start() : at.end() + more]
        for word in found
        if _HAN.fullmatch(word)
        for at in re.finditer(re.escape(word), topic)
        for more in range(1, GROWN + 1)
        if _HAN.fullmatch(topic[at.start() : at.end() + more])
    }
    return (*found, *sorted(on))


def actions(view: View, row: int, item: Any) -> None:
    """Adopt, dismiss, more; the headline opens the report itself."""
    adopted = view.mark(row) == "adopt"
    opened = st.session_state.get(f"more-{row}", False)
    with st.container(horizontal=True, vertical_alignment="center", key=f"acts-{row}", gap="xsmall"):
        _action("Take back" if adopted else "Adopt", "adopt", view, row, "restore" if adopted else "adopt")
        _action("Dismiss", "dismiss", view, row, "dismiss")
        st.button("Less" if opened else "More", key=f"toggle-{row}", type="tertiary", on_click=_toggle, args=(row,))
    if opened:
        with st.container(key=f"evidence-{row}"):
            evidence.draw(view, row, item)
            if item.parts:
                link = {"run": view.report.run_id, "item": item.id}
                st.page_link(frame.page("Scores"), label="Take this score apart", query_params=link)


def _toggle(row: int) -> None:
    st.session_state[f"more-{row}"] = not st.session_state.get(f"more-{row}", False)


def _action(label: str, key: str, view: View, row: int, kind: str) -> None:
    """Under one key whatever its label, so that the keyboard stays on it."""
    if st.button(label, key=f"{key}-{row}", type="tertiary"):
        feedback.mark(view.report, row, kind)
        st.rerun()
