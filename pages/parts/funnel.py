"""Where everything went: the funnel of a run, per step and per source."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

import streamlit as st

from pages.parts.safe import text
from pipeline import FUNNEL_STEPS as STEPS

LABELS = {
    "asked": "sources asked",
    "fetched": "fetched",
    "dated": "dated",
    "in_window": "in window",
    "on_topic": "on topic",
    "unique": "unique",
    "above_threshold": "above {threshold:g}",
    "selected": "shown",
}


def summed(funnel: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """The steps over all sources."""
    return {step: sum(steps.get(step, 0) for steps in funnel.values()) for step in STEPS}


def draw(report: Any) -> None:
    """One row of counts that narrows, each step with its share of what was fetched."""
    totals = summed(report.funnel)
    whole = max(totals["fetched"], 1)
    cells = "".join(_cell(step, totals[step], whole, report.settings.threshold) for step in STEPS)
    st.html(f'<div class="lt-funnel" role="list" aria-label="Funnel of this run">{cells}</div>')


def by_source(report: Any) -> None:
    """The same, one row a source."""
    head = "".join(f"<th>{text(_label(step, report.settings.threshold))}</th>" for step in STEPS)
    rows = "".join(
        f"<tr><th>{text(source)}</th>{''.join(f'<td>{steps.get(step, 0):,}</td>' for step in STEPS)}</tr>"
        for source, steps in sorted(report.funnel.items(), key=lambda pair: -pair[1].get("fetched", 0))
    )
    st.html(
        f'<div class="lt-scroll"><table class="lt-table"><thead><tr><th>source</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _label(step: str, threshold: float) -> str:
    return LABELS[step].format(threshold=threshold)


def _cell(step: str, n: int, whole: int, threshold: float) -> str:
    share = 100 if step == "asked" else round(100 * sqrt(min(n / whole, 1)))
    kind = "lt-step-asked" if step == "asked" else ""
    return (
        f'<div class="lt-step {kind}" role="listitem"><b>{n:,}</b><span>{text(_label(step, threshold))}</span>'
        f'<i style="width:{share}%"></i></div>'
    )
