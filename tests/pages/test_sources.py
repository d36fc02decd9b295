"""The Sources page."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.pages.conftest import Open, html

PAGE = "pages/5_Sources.py"


def grid(app: Any) -> Any:
    (table,) = app.data_editor
    return table


def test_the_run_s_sources_come_first_with_prior_bias_evidence_and_posterior(opened: Open, kept: Any) -> None:
    kept.authority.set("northwind.example", 0.4, "retracted", datetime.now(UTC))
    table = grid(opened("sample", PAGE)).value
    assert len(table) == 20
    row = table[table.source == "northwind.example"].iloc[0]
    assert (row["class"], row.prior, row.bias, row["mean"]) == ("unlisted", 0.3, 0.4, pytest.approx(0.4))
    assert row.picture.startswith("data:image/svg+xml")
    assert row.interval == "0.23 – 0.58"
