"""Report -> Brief -> files. An export is one module with `name`, `media_type` and `export(brief) -> bytes`."""

from __future__ import annotations

from types import ModuleType

from pipeline.briefing import csv, docx, html, markdown
from pipeline.briefing.compose import compose, coverage, method

EXPORTS: tuple[ModuleType, ...] = (markdown, html, docx, csv)

__all__ = ["EXPORTS", "compose", "coverage", "method"]
