"""Where everything went: the funnel of a run, per step and per source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import sqrt
from typing import Any

import streamlit as st

from pages.parts.safe import text
from pipeline import FUNNEL_STEPS as STEPS
from pipeline import Bucket

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


GATES = {
    Bucket.MALFORMED: "readable",
    Bucket.EXCLUDED: "not excluded",
    Bucket.MUTED: "not muted",
    Bucket.SEEN_BEFORE: "not seen before",
}
"""Gates between fetched and dated: a step of its own where one took something, or seen items were to be hidden."""


def steps(report: Any) -> tuple[tuple[str, dict[str, int]], ...]:
    """(label, source -> count) of every step, in order."""
    threshold = report.settings.threshold
    lost = _lost(report)
    left = {source: counts.get("fetched", 0) for source, counts in report.funnel.items()}
    found = []
    for step in STEPS:
        found.append((LABELS[step].format(threshold=threshold), {s: c.get(step, 0) for s, c in report.funnel.items()}))
        if step != "fetched":
            continue
        for gate, label in GATES.items():
            left = {source: n - lost[gate, source] for source, n in left.items()}
            hides = gate == Bucket.SEEN_BEFORE and report.plan.question.hide_seen
            if hides or any(lost[gate, source] for source in left):
                found.append((label, left))
    return tuple(found)


def _lost(report: Any) -> Counter[tuple[Bucket, str]]:
    """(gate, source) -> items that ended there."""
    table = report.table
    rows = (table.bucket <= Bucket.SEEN_BEFORE).nonzero()[0].tolist()
    return Counter((Bucket(int(table.bucket[row])), table.sources[row]) for row in rows)


def draw(report: Any) -> None:
    """One row of counts that narrows, each step with its share of what was fetched."""
    drawn = [(label, sum(counts.values())) for label, counts in steps(report)]
    whole = max(drawn[1][1], 1)
    cells = "".join(_cell(label, n, whole, at == 0) for at, (label, n) in enumerate(drawn))
    st.html(
        f'<div class="lt-funnel" style="--lt-steps:{len(drawn)}" role="list" aria-label="Funnel of this run">'
        f"{cells}</div>"
    )


def by_source(report: Any) -> None:
    """The same, one row a source."""
    drawn = steps(report)
    head = "".join(f"<th>{text(label)}</th>" for label, _ in drawn)
    fetched = drawn[1][1]
    rows = "".join(
        f"<tr><th>{text(source)}</th>{''.join(f'<td>{counts[source]:,}</td>' for _, counts in drawn)}</tr>"
        for source in sorted(fetched, key=lambda name: -fetched[name])
    )
    st.html(
        f'<div class="lt-scroll"><table class="lt-table"><thead><tr><th>source</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _cell(label: str, n: int, whole: int, asked: bool) -> str:
    share = 100 if asked else round(100 * sqrt(min(n / whole, 1)))
    kind = "lt-step-asked" if asked else ""
    return (
        f'<div class="lt-step {kind}" role="listitem"><b>{n:,}</b><span>{text(label)}</span>'
        f'<i style="width:{share}%"></i></div>'
    )
