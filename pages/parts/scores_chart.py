"""One item's score as a waterfall: from 0, dimension by dimension, over its penalties to the total."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from pages.parts import theme
from pages.parts.safe import clean, cut, plot

BAR, HEAD, FOOT = 28, 22, 46  # pixels of a bar, above them, of the axis with the headline
NAMES = 96  # pixels for the names of the bars, the same in every chart, so that two can be compared
TITLE = 40  # columns of the headline below the axis
HOVER = 60  # characters of a line of evidence


def figure(item: Any, steps: Sequence[Any], threshold: float, upto: float) -> Any:
    """steps: those of the item. upto: right end of the axis in points, so that two items share one."""
    from plotly import graph_objects as go

    off = {part.name for part in item.parts if not part.weight}
    steps = [step for step in steps if step.name not in off]
    names = [step.name.replace("_", " ") for step in steps] + ["total"]
    return go.Figure(
        data=[_bars(item, steps, names), _joints(steps, names)], layout=_layout(item, names, threshold, upto)
    )


def _bars(item: Any, steps: Sequence[Any], names: Sequence[str]) -> dict[str, Any]:
    return {
        "type": "bar",
        "orientation": "h",
        "y": list(names),
        "base": [step.start for step in steps] + [0],
        "x": [step.points for step in steps] + [item.total],
        "marker": {
            "color": [theme.faint() if s.penalty else theme.DIMENSIONS[s.name] for s in steps]
            + [theme.tier(item.tier)],
            "pattern": {"shape": ["/" if step.penalty else "" for step in steps] + [""], "size": 6, "solidity": 0.45},
            "line": {"width": 0},
        },
        "text": [_points(step, item) for step in steps] + [f"<b>{item.total:.1f}</b>"],
        "textposition": "outside",
        "textfont": {"color": theme.ink(), "size": 12, "shadow": theme.halo()},
        "cliponaxis": False,
        "hovertext": ["<br>".join(map(plot, wrap(clean(s.says), HOVER))) for s in steps] + ["points of 100"],
        "hoverinfo": "text",
        "width": 0.72,
    }


def _points(step: Any, item: Any) -> str:
    """A penalty says its factor, too."""
    if not step.penalty:
        return f"+{step.points:.1f}"
    factor = next(struck.factor for struck in item.penalties if struck.name == step.name)
    return f"× {factor:.2f} = −{-step.points:.1f}" if factor < 1 else "no points"


def _joints(steps: Sequence[Any], names: Sequence[str]) -> dict[str, Any]:
    """A thin line from the end of each bar to the beginning of the next."""
    x: list[float | None] = []
    y: list[str | None] = []
    for at, step in enumerate(steps):
        x += [step.end, step.end, None]
        y += [names[at], names[at + 1], None]
    line = {"color": theme.faint(), "width": 1}
    return {"type": "scatter", "x": x, "y": y, "mode": "lines", "line": line, "hoverinfo": "skip"}


def _layout(item: Any, names: Sequence[str], threshold: float, upto: float) -> dict[str, Any]:
    return theme.layout(
        template="none",
        height=BAR * len(names) + HEAD + FOOT,
        margin={"l": NAMES, "r": 8, "t": HEAD, "b": FOOT},
        title={
            "text": f"points of 100: {plot(cut(item.title or item.excerpt, TITLE))}",
            "font": {"color": theme.faint(), "size": 11, "family": theme.SANS, "weight": 400},
            "x": 0, "xref": "container", "y": 0, "yref": "container", "yanchor": "bottom", "pad": {"b": 4, "l": 4},
        },
        xaxis={
            "range": [0, upto],
            "gridcolor": theme.grid(),
            "zerolinecolor": theme.grid(),
            "tickfont": {"color": theme.faint(), "size": 11},
            "fixedrange": True,
            "nticks": 6,
        },
        yaxis={
            "categoryorder": "array",
            "categoryarray": list(reversed(names)),
            "fixedrange": True,
            "showgrid": False,
            "tickfont": {"color": theme.ink(), "size": 12},
            "ticksuffix": "  ",
        },
        shapes=[
            {"type": "line", "x0": threshold, "x1": threshold, "y0": 0, "y1": 1, "yref": "paper", "layer": "below",
             "line": {"color": theme.faint(), "width": 1, "dash": "dot"}},
        ],
        annotations=[
            {"x": threshold, "y": 1, "yref": "paper", "yanchor": "bottom", "text": f"threshold {threshold:g}",
             "showarrow": False, "font": {"size": 11, "color": theme.faint()}},
        ],
    )  # fmt: skip
