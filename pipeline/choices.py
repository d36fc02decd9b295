"""Which sources a run asks, by name: kinds of sources, the sets of sources.yaml, and sets the analyst saved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from pipeline.errors import InputError

if TYPE_CHECKING:
    from pipeline.settings import Settings
    from pipeline.store import Store
    from pipeline.types import Question

USUAL = "default"
"""The name of what is asked when nothing is chosen."""


def source_names(settings: Settings) -> tuple[str, ...]:
    """Every kind of source, named as in sources.yaml, and "x"."""
    sections = type(settings.sources).model_fields
    return (*(name for name in sections if name not in (USUAL, "sets")), "x")


def source_sets(settings: Settings, store: Store) -> dict[str, tuple[str, ...]]:
    """Set -> sources: those of sources.yaml, then the saved ones. Where both have a name, sources.yaml wins."""
    configured: Mapping[str, tuple[str, ...]] = settings.sources.sets
    saved = {name: sources for name, sources in store.prefs.source_sets().items() if name not in configured}
    return {**configured, **saved}


def save_source_set(settings: Settings, store: Store, name: str, sources: Iterable[str], at: datetime) -> str:
    """Save a choice of sources under a name; the name as it was kept. Raises InputError that says what to change."""
    name, wanted, known = " ".join(name.split()), tuple(dict.fromkeys(sources)), source_names(settings)
    if "," in name or name.startswith("-") or not name.isprintable():
        raise InputError(
            f"{name[:80]!r} is no name for a set, since --sources could not name it; leave out commas, control "
            "characters and a - at its beginning"
        )
    if name in (USUAL, *known) or name in settings.sources.sets:
        raise InputError(f"“{name}” is taken by sources.yaml; choose another name for the set")
    if not wanted:
        raise InputError("choose at least one source before saving a set")
    if unknown := [one for one in wanted if one not in known]:
        raise InputError(f"unknown source {unknown[0]!r}; known: {', '.join(known)}")
    store.prefs.save_source_set(name, wanted, at)
    return name


def spelled_out(question: Question, settings: Settings, store: Store) -> Question:
    """The question with every set it names written out as the sources in it, so that the run says what it asked."""
    if question.sources is None:
        return question
    sets = source_sets(settings, store)
    names = (one for name in question.sources for one in sets.get(name, (name,)))
    return replace(question, sources=tuple(dict.fromkeys(names)))
