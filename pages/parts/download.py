"""Tables as CSV and charts as files: made when the button is pressed, so that drawing the page costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import streamlit as st

import pipeline


def table(
    label: str, file: str, columns: Sequence[str], rows: Callable[[], Iterable[Sequence[object]]], *, key: str
) -> None:
    """A button that saves `rows()` as `file`.csv; cells that a spreadsheet would run are neutralised."""
    st.download_button(
        label, lambda: pipeline.csv_table(columns, rows()), f"{file}.csv", "text/csv",
        key=key, on_click="ignore", type="tertiary",
    )  # fmt: skip


def chart(figure: Any, file: str, *, key: str) -> None:
    """A button that saves a figure as one HTML file that works offline; PNG is in the chart's own corner, `config`."""
    st.download_button(
        "Chart (HTML)", lambda: figure.to_html(include_plotlyjs=True, full_html=True), f"{file}.html", "text/html",
        key=key, on_click="ignore", type="tertiary",
    )  # fmt: skip


def config(file: str) -> dict[str, Any]:
    """For st.plotly_chart: the only button over a chart, shown on hover, saves it as PNG in the browser."""
    return {
        "displaylogo": False,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": "png", "filename": file, "scale": 2},
    }
