"""Context mode (placeholder until the corpus reader lands)."""

from __future__ import annotations

from typing import Any


def vectors_for(posts: Any, query: str, embedder: Any, notes: list[str]) -> Any:
    return None


def judge_in_context(read: Any, query: str, *, vectors: Any, floors: Any) -> Any:
    from pipeline.xlane.judge import _covered

    from pipeline.xlane.query import terms

    return [_covered(p, terms(query, floors.acronyms), floors.relevance) for p in read]
