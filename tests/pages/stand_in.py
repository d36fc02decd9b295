"""The app on a store that holds the sample runs: `streamlit run tests/pages/stand_in.py`, for pictures and journeys."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import pipeline  # noqa: E402
from tests.pages import sample, x_sample  # noqa: E402

STORE = pipeline.open_store(pipeline.home() / "lately.db")
KEPT = {run.id for run in STORE.runs.recent(limit=500)}
for made in (
    sample.empty_report(),
    sample.evergreen_report(),
    sample.report(run_id="demo", demo=True),
    *x_sample.every(),
    sample.report(),
):
    if made.run_id not in KEPT:
        STORE.runs.save(made, learned=False)

runpy.run_path(str(ROOT / "app.py"), run_name="__main__")
