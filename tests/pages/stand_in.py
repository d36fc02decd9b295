"""A home that holds the sample runs, for pictures and journeys."""

from __future__ import annotations

from pathlib import Path

import pipeline
from tests.pages import sample, x_sample


def fill(home: Path) -> Path:
    store = pipeline.open_store(home / "lately.db")
    for made in (
        sample.empty_report(),
        sample.evergreen_report(),
        sample.report(run_id="demo", demo=True),
        *x_sample.every(),
        sample.report(),
    ):
        store.runs.save(made, learned=False)
    store.close()
    return home
