"""Two runs side by side: what is new, gone or moved, which sources ended otherwise, which settings differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import streamlit as st

import pipeline
from pages.parts import current, download, reader, server, sources, words
from pages.parts.safe import anchor, text
from pages.parts.view import View

OFFERED = 30  # kept runs that can be laid beside the one on the screen
LISTED = 30  # items of a section drawn; the download has all
COLUMNS = (
    "change", "points_before", "points_now", "place_before", "place_now", "ended_before", "ended_now", "title", "site",
    "source", "url", "told_by", "told_before",
)  # fmt: skip


def choose(report: Any) -> None:
    """The popover in the head of a run: with which other one to compare it."""
    if server.store().runs.count() < 2:
        return
    with st.popover("Compare with…", type="tertiary", key="compare", on_change="rerun") as folded:
        if folded.open:
            _others(report)


def _others(report: Any) -> None:
    """The other kept runs, those of the same question first."""
    others = [run for run in server.store().runs.recent(limit=OFFERED) if run.id != report.run_id]
    others.sort(key=lambda run: run.query != report.plan.text)
    labels = {run.id: words.run_label(run, reader.zone()) for run in others}
    st.selectbox(
        "Another run", list(labels), index=None, format_func=labels.__getitem__, key="compare-choice",
        placeholder="choose a run", on_change=_chosen,
    )  # fmt: skip


def _chosen() -> None:
    current.compare_with(st.session_state["compare-choice"] or "")


def draw(view: View, other: Any) -> None:
    """The comparison, from the earlier run to the later one."""
    earlier, later = sorted((current.seen(other), view), key=lambda one: one.report.created_at)
    found = _found(current.seen_under(earlier), current.seen_under(later), earlier, later)
    with st.container(horizontal=True, vertical_alignment="center", key="compared"):
        st.button("Back to the story", key="uncompare", on_click=current.compare_with, args=("",))
        download.table("Comparison (CSV)", f"compare-{found.now.id}", COLUMNS, lambda: rows(found), key="csv-compare")
    st.html(f'<div class="lt-sides">{_side("Before", found.before)}{_side("Now", found.now)}</div>')
    st.html(f'<p class="lt-verdict">{text(_sentence(found))}</p>')
    _items("New", found.new)
    _items("Gone", found.gone)
    _items("Told by another report", found.retold)
    _items("Moved", found.moved)
    _outcomes(found.outcomes)
    _settings(found.settings)


@st.cache_resource(max_entries=12, show_spinner=False)
def _found(earlier: tuple[Any, ...], later: tuple[Any, ...], _earlier: View, _later: View) -> Any:
    return pipeline.compare(_earlier.seen, _later.seen)


def _sentence(found: Any) -> str:
    if not (found.new or found.gone or found.retold or found.moved):
        return f"Both show the same {words.count(found.same, 'item')}."
    return f"{found.counts}."


def _side(label: str, side: Any) -> str:
    when = words.time_html(side.created_at, reader.zone())
    return (
        f'<div><p class="lt-sub">{text(label)}: {when}</p><p dir="auto">{text(side.query)}</p>'
        f'<p class="lt-faint">{side.shown:,} shown of {words.count(side.items, "item")}</p></div>'
    )


# --------------------------------------------------------------------------- items


def _items(title: str, changes: Sequence[Any]) -> None:
    if not changes:
        return
    body = "".join(_row(change) for change in changes[:LISTED])
    more = f'<p class="lt-quiet">{len(changes) - LISTED:,} more are in the download.</p>' if changes[LISTED:] else ""
    st.html(
        f'<h2 class="lt-h2">{text(title)} <span class="lt-faint">{len(changes):,}</span></h2>'
        f'<div class="lt-changes" role="list">{body}</div>{more}'
    )


def _row(change: Any) -> str:
    """Points and place in both runs, the headline, and where it stood when it was not shown."""
    where = [text(change.domain)]
    if change.told_before:
        where.append(f"before: “{text(change.told_before)}”")
    elif change.before is None or change.before.rank is None:
        where.append(f"before: {_stood(change.before)}")
    if change.now is None or change.now.rank is None:
        where.append(f"now: {_stood(change.now)}")
    if change.told_by:
        where.append(f"its event is told by “{text(change.told_by)}”")
    title = anchor(change.url, text(change.title or "(no title)"))
    return (
        f'<div role="listitem"><span class="n">{_points(change)}</span><span class="n lt-faint">{_places(change)}</span>'
        f'<div dir="auto">{title} <span class="lt-faint">{" · ".join(where)}</span></div></div>'
    )


def _stood(place: Any) -> str:
    return "not fetched" if place is None else text(place.ended)


def _points(change: Any) -> str:
    """Such as "61.2 → 58.0"; one figure where the other run has none."""
    return " → ".join(f"{place.total:.1f}" if place and place.total else "–" for place in (change.before, change.now))


def _places(change: Any) -> str:
    """Such as "no. 3 → 1" among those shown."""
    old, new = (place.rank if place else None for place in (change.before, change.now))
    if old and new:
        return f"no. {old} → {new}" if old != new else f"no. {new}"
    return f"no. {old or new}"


def _kinds(found: Any) -> tuple[tuple[str, Sequence[Any]], ...]:
    return (
        ("new", found.new), ("gone", found.gone), ("told by another report", found.retold), ("moved", found.moved),
    )  # fmt: skip


def rows(found: Any) -> Iterator[tuple[object, ...]]:
    """The download: one row an item that is new, gone, told by another report or moved."""
    for kind, changes in _kinds(found):
        for change in changes:
            places = change.before, change.now
            yield (
                kind,
                *(place.total if place else "" for place in places),
                *((place.rank or "") if place else "" for place in places),
                *(place.ended if place else "not fetched" for place in places),
                change.title, change.domain, change.source, change.url, change.told_by,
                change.told_before,
            )  # fmt: skip


# --------------------------------------------------------------------------- sources and settings


def _outcomes(changes: Sequence[Any]) -> None:
    _table(
        "Sources that ended otherwise",
        "source",
        ((one.endpoint, _ended(one.before, one.items_before), _ended(one.now, one.items_now)) for one in changes),
    )


def _ended(status: str | None, items: int) -> str:
    if status is None:
        return "not asked"
    return words.count(items, "item") if status == "ok" else sources.SAID[status]


def _settings(changes: Sequence[Any]) -> None:
    _table("Settings that differ", "setting", ((one.name, one.before, one.now) for one in changes))


def _table(title: str, first: str, lines: Iterable[Sequence[str]]) -> None:
    body = "".join(
        f"<tr><th>{text(name)}</th><td class='text'>{text(old)}</td><td class='text'>{text(new)}</td></tr>"
        for name, old, new in lines
    )
    if body:
        st.html(
            f'<h2 class="lt-h2">{text(title)}</h2><div class="lt-scroll"><table class="lt-table lt-pairs"><thead><tr>'
            f"<th>{text(first)}</th><th>before</th><th>now</th></tr></thead><tbody>{body}</tbody></table></div>"
        )
