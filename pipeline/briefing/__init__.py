"""Report -> Brief -> files. An export is one module with `name`, `label`, `suffix`, `media_type`, `export(brief)`."""

from __future__ import annotations

import re
from types import ModuleType

from pipeline.briefing import csv, docx, html, json, markdown
from pipeline.briefing.compose import compose
from pipeline.briefing.method import coverage, method
from pipeline.briefing.words import day
from pipeline.errors import InputError
from pipeline.types import Brief, Report

EXPORTS: tuple[ModuleType, ...] = (markdown, html, docx, csv, json)

__all__ = ["EXPORTS", "brief_file", "compose", "coverage", "export_brief", "method"]


def export_brief(brief: Brief, form: str, report: Report | None = None) -> bytes:
    """The brief in one of the EXPORTS, by its name; with the report, JSON holds the whole run beside it.

    Raises InputError for another format.
    """
    found = {one.name: one for one in EXPORTS}.get({"markdown": "md"}.get(form, form))
    if found is None:
        raise InputError(f"there is no format {form!r}; known: {', '.join(one.name for one in EXPORTS)}")
    data: bytes = json.export(brief, report) if found is json else found.export(brief)
    return data


def brief_file(brief: Brief, form: str) -> str:
    """Such as "AI-agent-frameworks-30-Nov-2026.md": no character that a file system or a shell minds."""
    words = re.findall(r"\w+", f"{'demo ' if brief.demo else ''}{brief.title}"[:80])
    suffix = next(one.suffix for one in EXPORTS if one.name == form)
    return "-".join([*words, day(brief.created_at, brief.zone).replace(" ", "-")]) + f".{suffix}"
