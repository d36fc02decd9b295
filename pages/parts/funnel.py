"""Where everything went: the funnel of what is on the screen, per step and per source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from pages.parts import words
from pages.parts.safe import text
from pages.parts.view import View
from pipeline import FUNNEL_STEPS as STEPS
from pipeline import Bucket


def summed(funnel: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """The steps over all sources."""
    return {step: sum(steps.get(step, 0) for steps in funnel.values()) for step in STEPS}


GATES = {
    "fetched": Bucket.MALFORMED - 1,
    "readable": Bucket.MALFORMED,
    "not excluded": Bucket.EXCLUDED,
    "not muted": Bucket.MUTED,
    "not seen before": Bucket.SEEN_BEFORE,
    "dated": Bucket.UNDATED,
    "in window": Bucket.OUT_OF_WINDOW,
    "on topic": Bucket.OFF_TOPIC,
    "not dismissed": Bucket.DISMISSED,
    "unique": Bucket.COPY,
    "above {threshold:g}": Bucket.BELOW_THRESHOLD,
    "account cap": Bucket.AUTHOR_CAP,
    "events": Bucket.FOLDED,
    "shown": Bucket.OVER_LIMIT,
}
"""Step -> the last bucket before it: what passed a step ended beyond."""
USUAL = ("fetched", "dated", "in window", "on topic", "unique", "above {threshold:g}", "shown")
"""Steps drawn in any case; the others only where they took something, or seen items were to be hidden."""


@dataclass(frozen=True)
class Step:
    """What passed a step, by source, and what it took, by the label of the bucket."""

    label: str
    passed: Mapping[str, int]
    took: tuple[str, ...]

    @property
    def total(self) -> int:
        return sum(self.passed.values())


def steps(view: View) -> tuple[Step, ...]:
    """Every step of what is on the screen, in order: each is the one before less what it took."""
    lost = Counter[int]()
    for (bucket, _), n in view.tally.items():
        lost[bucket] += n
    found, last = [], -1
    for name, gate in GATES.items():
        hides = gate == Bucket.SEEN_BEFORE and view.report.plan.question.hide_seen
        if name not in USUAL and not hides and not lost[gate]:
            continue
        passed: Counter[str] = Counter()
        for (bucket, source), n in view.tally.items():
            passed[source] += n * (bucket > gate)
        took = tuple(words.bucketed(Bucket(at), lost[at]) for at in range(last + 1, gate + 1) if lost[at])
        found.append(Step(name.format(threshold=view.threshold), passed, took))
        last = gate
    return tuple(found)


def draw(view: View) -> None:
    """One row of counts that narrows, each step with its share of what was fetched, and what it took."""
    drawn = steps(view)
    asked = len(view.report.outcomes)
    answers = sum(outcome.items for outcome in view.report.outcomes)
    twice = answers - drawn[0].total
    whole = max(drawn[0].total, 1)
    cells = _cell("source" if asked == 1 else "sources", asked, 100, (), "lt-step-asked")
    for at, step in enumerate(drawn):
        took = (f"{twice:,} of {answers:,} came twice",) if not at and twice > 0 else tuple(f"− {n}" for n in step.took)
        cells += _cell(step.label, step.total, round(100 * step.total / whole), took)
    st.html(
        f'<div class="lt-funnel" style="--lt-steps:{len(drawn) + 1}" role="list" '
        f'aria-label="Funnel of this run: items that passed each step">{cells}</div>'
        '<p class="lt-quiet">How many items passed each step; beneath, with −, how many it took out and why. Bars: share of what was fetched.</p>'
    )


def by_source(view: View) -> None:
    """The same, one row a source, with what it answered before what came twice was taken out."""
    drawn = steps(view)
    answered: Counter[str] = Counter()
    for outcome in view.report.outcomes:
        answered[outcome.source] += outcome.items
    head = "".join(f"<th>{text(label)}</th>" for label in ("answered", *(step.label for step in drawn)))
    names = sorted({*answered, *drawn[0].passed}, key=lambda name: -drawn[0].passed[name])
    rows = "".join(
        f"<tr><th>{text(source)}</th><td>{answered[source]:,}</td>"
        f"{''.join(f'<td>{step.passed[source]:,}</td>' for step in drawn)}</tr>"
        for source in names
    )
    st.html(
        f'<div class="lt-scroll"><table class="lt-table"><thead><tr><th>items of</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _cell(label: str, n: int, share: int, took: Sequence[str], kind: str = "") -> str:
    lost = "".join(f"<em>{text(one)}</em>" for one in took)
    return (
        f'<div class="lt-step {kind}" role="listitem"><b>{n:,}</b><span>{text(label)}</span>'
        f'<i style="width:{share}%"></i>{lost}</div>'
    )
