"""authority.yaml, owners.yaml and profiles/*.yaml: named sources, who owns whom, bundles of choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from pipeline.settings.scoring import Weights
from pipeline.settings.section import Section, Share


class NamedSource(Section):
    mean: Share
    class_: str = Field(default="", alias="class")
    topics: Mapping[str, Share] = {}


class AuthorityTable(Section):
    sources: Mapping[str, NamedSource]


class OwnersTable(Section):
    groups: Mapping[str, tuple[str, ...]]
    platforms: tuple[str, ...]
    wires: Mapping[str, tuple[str, ...]]


class Profile(Section):
    label: str
    description: str = ""
    weights: Weights | None = None
    decay_function: Literal["half_life", "linear", "exponential"] | None = None
    days: int | None = Field(default=None, ge=1, le=36_500)
    threshold: float | None = Field(default=None, ge=0, le=100)
    sources: tuple[str, ...] | None = None
    themes: tuple[str, ...] | None = None
    authority_bias: Mapping[str, Share] = {}
    interests: tuple[str, ...] | None = None
