"""Which endpoints a run asks: what the analyst named, else what the configuration asks by default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pipeline.collect.opml import named_by
from pipeline.errors import InputError
from pipeline.net import Net
from pipeline.settings import Feed, Settings
from pipeline.types import Endpoint, Plan, Source

X = "x"
"""Named like a source, asked by a lane of its own."""
_CONFIGURED = ("custom", "file")
"""Sources that hold nothing but what the analyst put there: asked whenever something is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One endpoint to ask, and the source that knows how."""

    source: Source
    endpoint: Endpoint
    requested: bool
    """Counts for the strict exit code."""
    missing_key: str = ""
    """Environment variable that would have to be set."""


def choose(
    plan: Plan, sources: Sequence[Source], *, settings: Settings, net: Net, opml_feeds: Sequence[Feed] = ()
) -> tuple[Choice, ...]:
    """The endpoints of a run, in the order of the sources. Raises InputError for a source nobody knows."""
    known = {source.name: source for source in sources}
    if net.player is not None and net.player.endpoints:
        return tuple(
            Choice(source=known[endpoint.source], endpoint=endpoint, requested=False)
            for endpoint in net.player.endpoints
            if endpoint.source in known
        )
    named = _named(plan, known, settings)
    if opml_feeds and named is None:
        names: Sequence[str] = ["rss"]
    else:
        names = _default(plan, known, settings, net) if named is None else named
    themes = _themes(plan, settings)
    choices = []
    for name in names:
        from_opml = name == "rss" and bool(opml_feeds)
        config = tuple(opml_feeds) if from_opml else getattr(settings.sources, name, None)
        for endpoint in known[name].endpoints(config, plan):
            if from_opml and plan.question.opml:
                endpoint = replace(endpoint, named=named_by(plan.question.opml, endpoint.url))
            if from_opml or not themes or not endpoint.theme or endpoint.theme in themes:
                choices.append(_choice(known[name], endpoint, config, settings, net, bool(named) or from_opml))
    return tuple(choices)


def _choice(source: Source, endpoint: Endpoint, config: Any, settings: Settings, net: Net, requested: bool) -> Choice:
    key = endpoint.needs_key or source.needs_key
    marks: Mapping[str, Any] = {source.kind: True} if source.kind in ("page", "file") else {}
    endpoint = replace(
        endpoint,
        timeout_s=_timeout(source, endpoint, config, settings),
        options={**endpoint.options, **marks},
    )
    missing = key if key and net.player is None and not net.secret(key) else ""
    return Choice(source=source, endpoint=endpoint, requested=requested or bool(key), missing_key=missing)


def _timeout(source: Source, endpoint: Endpoint, config: Any, settings: Settings) -> float:
    """The section's own time-out, else that of the source's kind; the source's word only where there is no section."""
    limits = settings.pipeline.collect
    by_kind = {"feed": limits.feed_timeout_s, "api": limits.api_timeout_s, "page": limits.page_timeout_s}
    if own := getattr(config, "timeout_s", None):
        return float(own)
    if config is None and endpoint.timeout_s > 0:
        return endpoint.timeout_s
    return by_kind.get(source.kind, limits.feed_timeout_s)


def _named(plan: Plan, known: Mapping[str, Source], settings: Settings) -> list[str] | None:
    """The sources the analyst named, sets of sources written out; None when none was named."""
    if plan.question.sources is None:
        return None
    sets = settings.sources.sets
    names = [name for entry in plan.question.sources for name in sets.get(entry, (entry,))]
    for name in names:
        if name not in known and name != X:
            kinds = ", ".join([*known, X])
            more = f"; sets: {', '.join(sets)}" if sets else ""
            raise InputError(f"unknown source {name!r}; known: {kinds}{more}")
    return [name for name in dict.fromkeys(names) if name != X]


def _default(plan: Plan, known: Mapping[str, Source], settings: Settings, net: Net) -> list[str]:
    """The profile's sources, else the default ones, with those that have a key or entries of the analyst's."""
    profile = settings.profiles.get(plan.question.profile or "")
    if profile is not None and profile.sources is not None:
        return [name for name in profile.sources if name in known]
    asked = set(settings.sources.default)
    asked |= {name for name, source in known.items() if source.needs_key and net.secret(source.needs_key)}
    asked |= {name for name in _CONFIGURED if _entries(getattr(settings.sources, name))}
    return [name for name in known if name in asked]


def _entries(section: Any) -> bool:
    return bool(getattr(section, "paths", section))


def _themes(plan: Plan, settings: Settings) -> frozenset[str]:
    profile = settings.profiles.get(plan.question.profile or "")
    return frozenset(profile.themes or ()) if profile is not None else frozenset()
