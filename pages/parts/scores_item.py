"""The chosen item: where it stands, its waterfall, what would lift it, the evidence behind each bar."""

from __future__ import annotations

from typing import Any

import streamlit as st

import pipeline
from pages.parts import card, download, evidence, reader, scores_chart, words
from pages.parts.safe import anchor, text
from pages.parts.scores_table import arrow
from pages.parts.view import View

AIR = 1.16  # of the axis beyond the longest bar, for the figures at its end
APART = 4  # steps named in the comparison


def reach(ranking: Any, *items: Any) -> float:
    """Right end of an axis on which all these items and the threshold find room."""
    ends = [step.end for item in items for step in pipeline.steps(item)]
    return AIR * max(10.0, ranking.settings.threshold, *ends)


def draw(
    view: View, ranking: Any, row: int, item: Any, upto: float, key: str, *, beside: bool = False, waiting: bool = False
) -> None:
    """key: "one" or "two". beside: another is drawn beside it. waiting: a second item is to be chosen."""
    if waiting:
        st.html('<p class="lt-hint">Choose the second item in the table.</p>')
    with st.container(key=f"scores-item-{key}", gap="small"):
        st.html(_head(view, ranking, row, item))
        if not item.parts:
            st.html(f'<p class="lt-why">It was not scored: {text(item.reason or item.bucket.label)}</p>')
            return
        steps = pipeline.steps(item)
        figure = scores_chart.figure(item, steps, ranking.settings.threshold, upto)
        st.plotly_chart(
            figure, key=f"waterfall-{key}", theme=None, config=download.config("score"), alt=_alt(item, steps),
        )  # fmt: skip
        st.html(f'<p class="lt-lift">{text(_lift(view, ranking, row, item))}</p>')
        if not reader.presenting():
            with st.container(horizontal=True, key=f"scores-acts-{key}", gap="small"):
                if key == "one" and not beside:
                    _compare(view, row, waiting=waiting)
                download.chart(figure, "score", key=f"waterfall-file-{key}")
        evidence.breakdown(item)


def _head(view: View, ranking: Any, row: int, item: Any) -> str:
    title = card.headline(item)
    return (
        f'<article class="lt-scored" aria-label="{text(title)}"><p class="lt-place">{text(_place(ranking, row))} '
        f'{card.tier(item, ranking.settings)}</p><h3 dir="auto">{anchor(item.url, text(title))}</h3>'
        f'<p class="lt-meta">{card.meta(view, row, item)}</p></article>'
    )


def _place(ranking: Any, row: int) -> str:
    """Such as "Rank 3 of 22, ▲ 2"."""
    at = (ranking.order == row).nonzero()[0]
    if not len(at):
        return "Not ranked"
    moved = arrow(int(ranking.rank_change[row]))
    return f"Rank {int(at[0]) + 1:,} of {len(ranking.order):,}" + (f", {moved}" if moved else "")


def _lift(view: View, ranking: Any, row: int, item: Any) -> str:
    """What would show it; for what is over the line and still not shown, why."""
    found = pipeline.lift(pipeline.under(view.base.table, ranking), row, ranking.settings)
    if found.gap > 0 or item.bucket == pipeline.Bucket.SELECTED:
        return found.sentence
    return f"{found.sentence} It is not shown: {item.bucket.label}. {item.reason}"


def _alt(item: Any, steps: Any) -> str:
    said = "; ".join(f"{step.name.replace('_', ' ')} {step.points:+.1f}" for step in steps)
    return f"From 0 to {item.total:.1f} points: {said}"


# --------------------------------------------------------------------------- two items


def _compare(view: View, row: int, *, waiting: bool) -> None:
    """Keep this item on the page while a second one is chosen."""
    if waiting:
        st.button("Don't compare", key="scores-alone", on_click=_alone, type="tertiary")
        return
    name = view.report.table.ids[row]
    st.button("Compare with another", key="scores-compare", on_click=_keep, args=(name,), type="tertiary")


def _keep(name: str) -> None:
    st.query_params["beside"] = name


def _alone() -> None:
    st.query_params.pop("beside", None)


def apart(one: Any, other: Any) -> None:
    """What sets two items apart, in points, the largest difference first."""
    gap = one.total - other.total
    steps = [
        f"{name.replace('_', ' ')} {'+' if points > 0 else '−'}{abs(points):.1f}"
        for name, points in pipeline.apart(one, other).items()
        if abs(points) >= 0.05
    ][:APART]
    said = f"The first is {abs(gap):.1f} points {'ahead' if gap >= 0 else 'behind'}" + (":" if steps else ".")
    with st.container(horizontal=True, vertical_alignment="center", key="scores-apart"):
        st.html(
            f'<p class="lt-moves"><b>{text(said)}</b> <span class="lt-faint">{text(words.listed(steps))}</span></p>'
        )
        if not reader.presenting():
            st.button("Don't compare", key="scores-alone", on_click=_alone, type="tertiary")
