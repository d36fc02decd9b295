"""A run that the database did not take, kept elsewhere before the program ends and takes it along."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import StoreError

if TYPE_CHECKING:
    from pipeline.types import Report


def rescue(report: Report) -> str:
    """Store the run in a folder for temporary files; where it is, and how to go on with it, in words."""
    from pipeline.store import open_store

    folder = Path(tempfile.mkdtemp(prefix="lately-"))
    try:
        store = open_store(folder / "lately.db")
        store.runs.save(report, learned=False)
        store.close()
    except StoreError:
        shutil.rmtree(folder, ignore_errors=True)
        return "this run is only what was printed above"
    return f"this run is in {folder} instead: with LATELY_HOME set to it, `lately export last` and all else work"
