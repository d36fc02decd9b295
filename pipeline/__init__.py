"""Lately's public names. Each is loaded when first used, so that `import pipeline` costs next to nothing.

from pipeline import retrieve_recent_now
report = retrieve_recent_now("AI agent frameworks released in the last 30 days", demo=True)
for item in report.items:
    print(item.total, item.title)
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_WHERE = {
    # a run
    "retrieve_recent": "flow",
    "retrieve_recent_now": "flow",
    "rank_again_now": "flow",
    "parse_query": "planning",
    "rescore": "scoring",
    "score_settings": "scoring",
    "restated": "scoring",
    "under": "scoring",
    "under_profile": "scoring",
    "as_profile": "scoring",
    "cautions": "scoring",
    "effective_weights": "scoring",
    "weightless": "scoring",
    "ran_with": "demo",
    "lift": "scoring",
    "steps": "scoring",
    "apart": "scoring",
    "moves": "scoring",
    "as_ran": "scoring",
    "changed": "scoring",
    # what a run says
    "report_json": "briefing.json",
    "coverage": "briefing",
    "compose": "briefing",
    "EXPORTS": "briefing",
    "DIMENSION_COLOURS": "briefing.charts",
    "export_brief": "briefing",
    "brief_file": "briefing",
    "brief_html": "briefing.html",
    "brief_json": "briefing.json",
    "csv_table": "briefing.csv",
    "compare": "comparison",
    # the X judge
    "judged_sources": "xlane.review",
    "review_run": "xlane.review",
    "review_file": "xlane.review",
    "silence": "xlane.said",
    "written": "xlane.marks",
    "Floors": "xlane.judge",
    "Label": "store.labels",
    "open_embedder": "embedding",
    # the sources
    "read_opml": "sources.opml",
    "known_sources": "authorities",
    "known_source": "authorities",
    "known_in": "authorities",
    "used_under": "authorities",
    "standings": "authorities",
    "without_evidence": "authorities",
    "authority_effect": "authorities",
    "todays_biases": "authorities",
    "authority_key": "store.biasfile",
    "source_key": "scoring",
    "read_biases": "authorities",
    "ChangedMeanwhile": "store.authority",
    "source_health": "health",
    "can_render": "health",
    "source_entry": "settings",
    "try_source_now": "diagnose",
    "CHECKUP": "checkup",
    "start_checkup": "checkup",
    "checkup_job": "checkup",
    "findings": "checkup",
    # labels
    "against_labels": "evaluation.labelled",
    # records and errors
    "Question": "types",
    "Report": "types",
    "Scored": "types",
    "Draft": "types",
    "Bucket": "types",
    "ScoreSettings": "types",
    "DIMENSION_NAMES": "types",
    "PENALTY_NAMES": "types",
    "FUNNEL_STEPS": "types",
    "LatelyError": "errors",
    "InputError": "errors",
    # settings and memory
    "load_settings": "settings",
    "home": "settings",
    "bundled": "settings",
    "open_store": "store",
    "source_names": "choices",
    "source_sets": "choices",
    "save_source_set": "choices",
}

__all__ = sorted(_WHERE)


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
