"""Runs that the database could not take: they live in this process until it can."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from pipeline.errors import StoreError
from pipeline.types import Report

_MOST = 3  # runs in memory at once, one of 20,000 items takes 150 MB; the oldest goes first


@dataclass(frozen=True, slots=True)
class _Run:
    report: Report
    learned: bool
    why: str


class Held:
    def __init__(self) -> None:
        self._runs: dict[str, _Run] = {}

    def __contains__(self, run_id: str) -> bool:
        return run_id in self._runs

    def add(self, report: Report, learned: bool, why: str) -> None:
        self._runs[report.run_id] = _Run(report, learned, why)
        for oldest in list(self._runs)[:-_MOST]:
            self.drop(oldest)

    def get(self, run_id: str) -> tuple[Report, bool]:
        """The run, with the warning that it is not stored, and whether it taught. Raises KeyError."""
        held = self._runs[run_id]
        said = f"this run is not stored, it is gone when this program ends: {held.why}"
        return replace(held.report, warnings=(*held.report.warnings, said)), held.learned

    def why(self, run_id: str) -> str:
        """What the database said; "" for a run that is not held."""
        return self._runs[run_id].why if run_id in self._runs else ""

    def drop(self, run_id: str) -> None:
        self._runs.pop(run_id, None)

    def retry(self, save: Callable[[Report, bool], None]) -> None:
        """Store those that fit now."""
        for run_id, held in list(self._runs.items()):
            with suppress(StoreError):
                save(held.report, held.learned)
                self.drop(run_id)
