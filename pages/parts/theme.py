"""Colours and type of data: the same on every page and in every chart. The interface's own are in config.toml.

Dimensions are the colours of Okabe and Ito (2008), which stay apart for colour-blind readers; completeness is
a purple-grey of our own.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

import pipeline

DIMENSIONS = pipeline.DIMENSION_COLOURS
TIERS = {"fact": "Fact", "lead": "Lead"}
_INK = {"light": "#1D1C1A", "dark": "#E9E6DF"}
_FAINT = {"light": "#6B675F", "dark": "#A5A199"}
_GRID = {"light": "#E6E2D9", "dark": "#2B2F34"}
_PAPER = {"light": "#FCFBF8", "dark": "#15171A"}
_TIER = {
    "light": {"fact": "#14606B", "lead": "#C07A00", "none": "#8F897D"},
    "dark": {"fact": "#5FB8C2", "lead": "#F0B33E", "none": "#70747C"},
}
SANS = (
    "-apple-system, 'Segoe UI', Ubuntu, Cantarell, 'Noto Sans', 'Liberation Sans', system-ui, "
    "'PingFang SC', 'Noto Sans CJK SC', 'Microsoft YaHei', sans-serif"
)


SERIF = (
    "Charter, 'Bitstream Charter', 'Iowan Old Style', Georgia, 'Liberation Serif', "
    "'Songti SC', 'Noto Serif CJK SC', SimSun, serif"
)


def mode() -> str:
    """Such as "light" or "dark", as the analyst's browser shows the page."""
    return "dark" if st.context.theme.type == "dark" else "light"


def ink() -> str:
    return _INK[mode()]


def faint() -> str:
    return _FAINT[mode()]


def grid() -> str:
    return _GRID[mode()]


def halo() -> str:
    """Paper around the letters of a chart, so that no line runs through them."""
    return ", ".join([f"0 0 2px {paper()}"] * 6)


def paper() -> str:
    return _PAPER[mode()]


def tier(name: str) -> str:
    return _TIER[mode()][name]


def layout(**more: Any) -> dict[str, Any]:
    """Plotly's layout in the page's own type and colours."""
    base: dict[str, Any] = {
        "font": {"family": SANS, "size": 13, "color": ink()},
        "paper_bgcolor": paper(),
        "plot_bgcolor": "rgba(0,0,0,0)",
        "margin": {"l": 0, "r": 0, "t": 8, "b": 0},
        "hoverlabel": {
            "bgcolor": paper(),
            "bordercolor": grid(),
            "font": {"family": SANS, "color": ink()},
            "align": "left",
        },
        "showlegend": False,
        "dragmode": "pan",
    }
    return base | more
