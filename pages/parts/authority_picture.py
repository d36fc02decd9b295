"""A posterior as a small picture: the prior's tick, the bias's tick, the 90% interval and the mean, from 0 to 1."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from pages.parts import theme

WIDTH, HEIGHT, EDGE = 120, 24, 8  # a table draws it some 27 pixels high: its column is wider by as much
_COLOURS = {
    "light": {"rule": "#DDD9CF", "prior": "#6B675F", "bias": "#C07A00", "mean": "#009E73"},
    "dark": {"rule": "#4A4F56", "prior": "#A5A199", "bias": "#F0B33E", "mean": "#2FC39A"},
}


def svg(estimate: Any, prior: float, bias: float | None, mode: str) -> str:
    """The picture of one source; `prior` is the mean it has without the analyst's bias."""
    colours = _COLOURS[mode]
    low, high, mean = _x(estimate.low), _x(estimate.high), _x(estimate.mean)
    marks = [
        f'<path d="M{EDGE} 12H{WIDTH - EDGE}" stroke="{colours["rule"]}" stroke-width="1"/>',
        *(f'<path d="M{_x(at):.1f} 9V15" stroke="{colours["rule"]}"/>' for at in (0, 0.5, 1)),
        f'<rect x="{low:.1f}" y="9" width="{max(1.0, high - low):.1f}" height="6" rx="3" '
        f'fill="{colours["mean"]}" fill-opacity="0.38"/>',
        f'<path d="M{_x(prior):.1f} 4V20" stroke="{colours["prior"]}" stroke-width="2"/>',
    ]
    if bias is not None:
        marks.append(f'<path d="M{_x(bias):.1f} 2V22" stroke="{colours["bias"]}" stroke-width="3"/>')
    marks.append(f'<circle cx="{mean:.1f}" cy="12" r="4.5" fill="{colours["mean"]}"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}">{"".join(marks)}</svg>'
    )


def uri(estimate: Any, prior: float, bias: float | None) -> str:
    """The picture for a table's cell, in the colours of the page."""
    return "data:image/svg+xml;utf8," + quote(svg(estimate, prior, bias, theme.mode()), safe="/:= ")


def image(estimate: Any, prior: float, bias: float | None) -> str:
    """The picture as HTML, with its numbers as the text beside it."""
    said = f"posterior {estimate.mean:.2f}, 90% between {estimate.low:.2f} and {estimate.high:.2f}"
    return f'<img width="{WIDTH}" height="{HEIGHT}" alt="{said}" title="{said}" src="{uri(estimate, prior, bias)}">'


def legend() -> str:
    """What the marks mean, as HTML."""
    keys = (
        ("prior", "prior, by profile, sources.yaml, authority.yaml or class"),
        ("bias", "your bias, which replaces the prior"),
        ("interval", "90% interval"),
        ("mean", "posterior mean: what the next run uses"),
    )
    marks = "".join(f'<span><i class="lt-post {css}"></i>{said}</span>' for css, said in keys)
    return f'<p class="lt-legend">{marks}<span>scale 0 to 1</span></p>'


def _x(share: float) -> float:
    return EDGE + share * (WIDTH - 2 * EDGE)
