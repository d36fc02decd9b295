"""The scores page's body: sliders above, the ranking at the left, the chosen item at the right, a second one beside it.

What is chosen lives in the address (?item=, ?beside=), so that a place on this page can be linked to and survives a
reload. All of it is one fragment: a slider draws this part anew and nothing else of the page.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

import pipeline
from pages.parts import failures, reader, scores_item, scores_table
from pages.parts import scores_whatif as whatif
from pages.parts.hints import say
from pages.parts.safe import text
from pages.parts.view import View


def draw(view: View) -> None:
    if not (view.report.table.fixed < 0).any():
        st.html(f'<div class="lt-empty"><p>{text(say("unscored"))}</p><p>{text(say("nothing_try"))}</p></div>')
        return
    _body(view)


@st.fragment
@failures.told()
def _body(view: View) -> None:
    settings = whatif.settings(view) if reader.presenting() else whatif.draw(view)
    ranking = _ranking(view, settings)
    whatif.answer(view, ranking)
    chosen, beside = _chosen(view, "item"), _chosen(view, "beside")
    chosen = int(ranking.order[0]) if chosen is None else chosen
    st.query_params["item"] = view.report.table.ids[chosen]
    if beside in (None, chosen):
        _one(view, ranking, chosen, waiting=beside is not None)
    else:
        _two(view, ranking, chosen, beside)


def _ranking(view: View, settings: Any) -> Any:
    """What is on the screen already, as long as no slider was moved."""
    if settings == view.settings:
        return view.ranking or pipeline.as_ran(view.report)
    return pipeline.rescore(view.base, settings)


def _chosen(view: View, name: str) -> int | None:
    """The row that the address names."""
    return view.row_of.get(st.query_params.get(name, ""))


def _one(view: View, ranking: Any, row: int, *, waiting: bool) -> None:
    left, right = st.columns([1.75, 1], gap="medium")
    with left:
        scores_table.draw(view, ranking, row, tall=True)
    with right:
        item = pipeline.restated(view.base, ranking, row)
        scores_item.draw(view, ranking, row, item, scores_item.reach(ranking, item), "one", waiting=waiting)


def _two(view: View, ranking: Any, row: int, beside: int) -> None:
    """Both on one scale, and below them what sets them apart."""
    scores_table.draw(view, ranking, row, tall=False)
    one, other = (pipeline.restated(view.base, ranking, at) for at in (row, beside))
    upto = scores_item.reach(ranking, one, other)
    scores_item.apart(one, other)
    left, right = st.columns(2, gap="large")
    with left:
        scores_item.draw(view, ranking, row, one, upto, "one", beside=True)
    with right:
        scores_item.draw(view, ranking, beside, other, upto, "two", beside=True)
