"""scoring.yaml: the six dimensions, the penalties, the tiers."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from pipeline.settings.section import Section, Share
from pipeline.types import MOST_WEIGHT


class Weights(Section):
    timeliness: float = Field(ge=0, le=MOST_WEIGHT)
    relevance: float = Field(ge=0, le=MOST_WEIGHT)
    authority: float = Field(ge=0, le=MOST_WEIGHT)
    corroboration: float = Field(ge=0, le=MOST_WEIGHT)
    completeness: float = Field(ge=0, le=MOST_WEIGHT)
    preference: float = Field(ge=0, le=MOST_WEIGHT)


class Relevance(Section):
    floor: Share
    bm25_k1: float = Field(gt=0)
    bm25_b: Share
    bias: Mapping[str, float]
    lexical: Mapping[str, float]
    semantic: Mapping[str, float]
    missing: Mapping[str, float]
    asks: Mapping[str, float]
    bias_second: Mapping[str, float]
    second: Mapping[str, float]
    bias_alone: Mapping[str, float]
    lexical_alone: Mapping[str, float]


class AuthoritySettings(Section):
    strength: float = Field(gt=0)
    half_life_days: float = Field(gt=0)
    near_miss: Share
    classes: Mapping[str, Share]


class Penalties(Section):
    content_farm: Share
    bare_reprint: Share
    re_dated: Share
    clickbait: Share
    consistency_floor: Share
    clickbait_floor: Share
    re_dated_days: float = Field(gt=0)


class Clickbait(Section):
    en: Mapping[str, float]
    zh: Mapping[str, float]


class Tiers(Section):
    fact_total: float = Field(ge=0, le=100)
    fact_owners: int = Field(ge=1)
    fact_authority: Share
    fact_relevance: Share
    overlooked_low: float = Field(ge=0, le=100)
    overlooked_high: float = Field(ge=0, le=100)


class Warnings(Section):
    authority_weight: Share
    timeliness_weight: Share


class ScoringSettings(Section):
    weights: Weights
    upstream_timeliness: Share
    clock_skew_minutes: float = Field(ge=0)
    excerpt_min: int = Field(ge=1)
    excerpt_max: int = Field(ge=1)
    relevance: Relevance
    authority: AuthoritySettings
    penalties: Penalties
    clickbait: Clickbait
    tiers: Tiers
    warnings: Warnings
