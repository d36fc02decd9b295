"""The records that travel through the flow, and the protocols by which one stage uses another.

    Question -> Plan -> Candidate -> Judged -> Event -> Scored -> Report -> Brief

Every record is frozen; every sequence is a tuple; every datetime is aware and in UTC. A record wraps the
previous one and never gains fields later. Large runs keep their numbers in arrays (`Table`), one row an item,
and build the explained record (`Scored`) of a row only when somebody looks at it (`Report.item`).

This module imports nothing of ours but errors, and numpy for type checkers only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, Protocol

from pipeline.errors import InputError, Status

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Ints = NDArray[np.int32]
    Flags = NDArray[np.bool_]

Route = Literal["recent", "evergreen", "unsure"]
Stability = Literal["fast", "slow", "never", "unsure"]
Depth = Literal["quick", "default", "deep"]
Tier = Literal["fact", "lead", "none"]
Decay = Literal["half_life", "linear", "exponential"]
DIMENSION_NAMES = ("timeliness", "relevance", "authority", "corroboration", "completeness", "preference")
PENALTY_NAMES = ("content_farm", "bare_reprint", "re_dated", "clickbait")
MOST_WEIGHT = 100.0
"""Weights are shared out to 1: only their proportions count, and a hundredfold one leaves the others nothing."""


class Bucket(IntEnum):
    """Where a candidate ended: the first gate that failed, in this order, else SELECTED."""

    MALFORMED = 0
    EXCLUDED = 1
    MUTED = 2
    SEEN_BEFORE = 3
    UNDATED = 4
    FUTURE_DATED = 5
    OUT_OF_WINDOW = 6
    NOT_EXAMINED = 7
    OFF_TOPIC = 8
    DISMISSED = 9
    COPY = 10
    BELOW_THRESHOLD = 11
    AUTHOR_CAP = 12
    FOLDED = 13
    OVER_LIMIT = 14
    SELECTED = 15

    @property
    def label(self) -> str:
        """The words an analyst reads, also the value in JSON."""
        return _BUCKET_LABELS[self]


_BUCKET_LABELS = (
    "malformed",
    "excluded by the query",
    "muted",
    "seen before",
    "undated",
    "future-dated",
    "out of window",
    "not examined",
    "off topic",
    "dismissed",
    "copy",
    "below threshold",
    "per-author cap",
    "folded into an event",
    "over limit",
    "selected",
)


# --------------------------------------------------------------------------- question and plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the analyst asked for, with every override; None means "the text or the settings decide"."""

    text: str
    days: int | None = None
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    route: Literal["recent"] | None = None
    zone: str | None = None
    depth: Depth = "default"
    profile: str | None = None
    threshold: float | None = None
    max_results: int | None = None
    sources: tuple[str, ...] | None = None
    opml: str | None = None
    x_handles: tuple[str, ...] = ()
    x_related: tuple[str, ...] = ()
    x_import: str | None = None
    queries: Mapping[str, str] = field(default_factory=dict)
    """Queries the analyst edited before the run: source name -> text that is sent instead."""
    demo: bool = False
    refresh: bool = False
    hide_seen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """[since, until) in UTC. `how` says who decided; `evidence` quotes the words or names the setting."""

    since: datetime
    until: datetime
    how: Literal["text", "argument", "fast subject", "default"]
    evidence: str
    ends_now: bool
    """True when the window ends at the run's "now": such a window admits one hour of clock skew."""

    @property
    def days(self) -> float:
        return (self.until - self.since).total_seconds() / 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One thing the rules saw in the question, with its place in the text (code points)."""

    kind: str
    text: str
    start: int
    end: int
    says: str
    """What it argues for, in words: "recent", "slow subject", "fast subject", "window" ..."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subquery:
    """One search. `raw_topic` is a span of what was typed; `ranking_query` is for judging only."""

    label: str
    raw_topic: str
    search_query: str
    ranking_query: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How the question was understood, and why."""

    question: Question
    text: str
    now: datetime
    """The run's clock: `as_of` when given, else the time of asking."""
    language: str
    zone: str
    window: Window
    route: Route
    stability: Stability
    reasons: tuple[str, ...]
    signals: tuple[Signal, ...]
    raw_topic: str
    core_subject: str
    ranking_query: str
    subqueries: tuple[Subquery, ...]
    handles: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


# --------------------------------------------------------------------------- candidates


DateKind = Literal["feed", "json-ld", "meta", "time", "url", "text", "api", "post id", "first seen", "given"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DateClaim:
    """One piece of evidence for a date. `reliability` is 0..1; `zone` says what was assumed."""

    kind: DateKind
    at: datetime
    reliability: float
    raw: str
    zone: str = "stated"
    """"stated", or "assumed <zone>" when the text gave none (the flag `tz-assumed`)."""
    precision: Literal["second", "minute", "day", "month"] = "second"
    ambiguous: bool = False
    """Day, month or year could as well be meant in another order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DateLedger:
    """All evidence for an item's dates. Undated is a state: `chosen` is None, never "now"."""

    claims: tuple[DateClaim, ...] = ()
    chosen: int | None = None
    """Index of the claim that was believed."""
    event_at: datetime | None = None
    """When the thing happened, where the text says so; kept apart from publication."""
    notes: tuple[str, ...] = ()

    @property
    def published_at(self) -> datetime | None:
        return None if self.chosen is None else self.claims[self.chosen].at


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A paragraph of an article or a comment of a thread."""

    id: str
    text: str
    at: datetime | None = None
    author: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One thing a source brought. `text` is the lead or summary as plain text, `title` may be empty (posts)."""

    id: str
    """Stable across runs: made from the source, the entry's own id and link (fragment included)."""
    source: str
    endpoint: str
    """Which endpoint of the source brought it (a feed's name, an API's name)."""
    url: str
    domain: str
    """Host of the url, lower case, without "www."; owners and authority derive the registrable domain."""
    title: str
    text: str
    author: str = ""
    publisher: str = ""
    """Host or name of the true publisher where the link is a platform's (RSS <source url>, an account)."""
    lang: str = ""
    kind: Literal["article", "post", "thread", "release", "paper"] = "article"
    dates: DateLedger = DateLedger()
    passages: tuple[Passage, ...] = ()
    engagement: tuple[tuple[str, int], ...] = ()
    """(name, count) pairs such as ("points", 120); shown and used to break ties."""
    theme: str = ""

    @property
    def published_at(self) -> datetime | None:
        return self.dates.published_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the gates before scoring decided about a candidate."""

    keep: bool
    bucket: Bucket | None = None
    """Where it ends when not kept."""
    reason: str = ""
    """One sentence an analyst would say."""
    score: float | None = None
    floor: float | None = None
    matched: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    decided_by: str = "collect"
    first_party: bool = False
    """Posts of handles given as --x-handle: exempt from relevance floors, from nothing else."""
    lane: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A candidate with its verdict: everything fetched becomes one of these, kept or not."""

    candidate: Candidate
    verdict: Verdict


# --------------------------------------------------------------------------- network and sources


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a source wants sent. Sources are pure: they make these and read `Response`s."""

    url: str
    method: Literal["GET", "POST"] = "GET"
    params: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    json: Mapping[str, Any] | None = None
    query: str = ""
    """The search text in it, for the report and the recording's match; "" for a listing."""
    secret_header: tuple[str, str] | None = field(default=None, repr=False)
    """(header name, value): sent to this host only, never logged, stored, recorded or redirected."""


INCOMPLETE = "lately-incomplete"
"""Header added to an answer whose connection closed early; a recording keeps it like any other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What came back, decoded from transfer encodings, capped in size."""

    url: str
    """After redirects."""
    status: int
    headers: Mapping[str, str]
    """Lower-case names."""
    body: bytes
    elapsed_ms: int = 0
    from_cache_s: float | None = None
    """Age in seconds when it came from the request cache."""

    @property
    def incomplete(self) -> bool:
        """The connection closed before the answer was complete: what had arrived is still worth reading."""
        return INCOMPLETE in self.headers


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One thing that is asked: a feed, an API. Deadline, outcome, budget and health belong to it."""

    source: str
    name: str
    url: str
    timeout_s: float
    priority: int = 2
    """1 is highest; early stop waits for the priority-1 endpoints."""
    searches: bool = False
    """True: it is sent the query. False: it lists what it has."""
    needs_key: str = ""
    """Environment variable of the key; "" when none is needed."""
    max_per_minute: int | None = None
    max_per_day: int | None = None
    class_: str = ""
    """Authority class of what it brings, where the configuration says so ("official", "outlet", "blog" ...)."""
    owner: str = ""
    theme: str = ""
    language: str = ""
    timezone: str = "UTC"
    authority_bias: float | None = None
    named: bool = False
    """The analyst named it (argument or configuration): its host may be private, strict exit counts it."""
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Malformed:
    """An entry that could not be read; its neighbours were."""

    id: str
    title: str
    url: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What one response held. `more` are further requests (a next page, an item's page)."""

    candidates: tuple[Candidate, ...] = ()
    malformed: tuple[Malformed, ...] = ()
    more: tuple[Request, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How asking one endpoint ended."""

    source: str
    endpoint: str
    status: Status
    items: int = 0
    elapsed_ms: int = 0
    bytes: int = 0
    cached_age_s: float | None = None
    retry_after_s: float | None = None
    detail: str = ""
    queries: tuple[str, ...] = ()
    requests: int = 0
    requested: bool = True
    """Counts for --strict: named in --sources, given by --opml, or configured with a key."""


class Source(Protocol):
    """A source: declared facts and two pure halves. One file and one line in SOURCES."""

    name: str
    label: str
    kind: Literal["feed", "api", "page", "file"]
    searches: bool
    noisy: bool
    """Its answers pass the corpus judge (the X judge's floors for noisy searches)."""
    social: bool
    """Items are people's posts: the handle carries authority, the per-author cap applies."""
    needs_key: str

    def endpoints(self, config: Any, plan: Plan) -> Sequence[Endpoint]:
        """The endpoints to ask under this configuration section; may be empty."""
        ...

    def requests(self, endpoint: Endpoint, subquery: Subquery, plan: Plan, limit: int) -> Sequence[Request]:
        """Requests for one subquery; a listing endpoint is asked for the first subquery only."""
        ...

    def parse(self, response: Response, endpoint: Endpoint, plan: Plan) -> Parsed:
        """Read one response. Raises FetchError when the response as a whole is unusable."""
        ...


class Fetcher(Protocol):
    """The network as stages see it (pipeline.net implements it; tests replace it)."""

    async def fetch(self, request: Request, *, endpoint: Endpoint, deadline: float) -> Response:
        """Send one request; `deadline` is absolute (event-loop clock). Raises FetchError."""
        ...


class Clock(Protocol):
    def __call__(self) -> datetime: ...


class Progress(Protocol):
    """Told what happens while a run is under way; must not block."""

    def __call__(self, kind: str, **facts: Any) -> None: ...


# --------------------------------------------------------------------------- X


@dataclass(frozen=True, slots=True, kw_only=True)
class HandleStats:
    handle: str
    on_topic: int
    total: int
    promotable: Literal["explicit", "extracted", "no"]
    gate: str
    """Which gate it passed or failed, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class XVerdict:
    """The judge's verdict on one corpus of posts."""

    query: str
    on_topic_ratio: float
    is_off_topic_flood: bool
    rule: str
    """The clause that decided, in words."""
    on_topic: int
    off_topic: int
    unjudged: int
    floor: float
    mode: Literal["coverage", "context"]


@dataclass(frozen=True, slots=True, kw_only=True)
class XQuery:
    query: str
    variant: str
    """"wide", "popular", "quoted", "links", "no replies", "retry", "lane @handle" ..."""
    found: int = 0
    kept: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class XReport:
    """Everything the X stream did. Pruned posts themselves are in the pool, with their verdicts."""

    backend: str
    topic: str
    queries: tuple[XQuery, ...]
    before: XVerdict
    after: XVerdict | None
    """None when there was no retry."""
    retry_note: str
    used: Literal["before", "after"]
    handles: tuple[HandleStats, ...]
    post_ids_before: tuple[tuple[str, str], ...] = ()
    """(candidate id, "on" / "off" / "unjudged") of the first corpus, in order."""
    post_ids_after: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What collect hands on: every candidate with a verdict, every endpoint with an outcome."""

    judged: tuple[Judged, ...]
    outcomes: tuple[Outcome, ...]
    x: XReport | None = None
    warnings: tuple[str, ...] = ()
    note: StageNote | None = None
    pages: StageNote | None = None
    """Pages of undated items that were looked up: n_in asked, n_out dated, dropped by reason."""


# --------------------------------------------------------------------------- events


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Why two items were joined, or kept apart although they look alike."""

    a: str
    b: str
    relation: Literal["copy", "same event", "apart"]
    layer: str
    """"title fingerprint", "lead fingerprint", "embedding", "analyst", "earlier run", "veto: numbers" ..."""
    distance: float
    shared: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Independent reports of one happening, copies folded beneath their originals."""

    id: str
    """Stable across runs where the fingerprint is recognised."""
    title: str
    members: tuple[str, ...]
    """Candidate ids, copies included, in time order."""
    copies: tuple[tuple[str, str], ...]
    """(copy, original) pairs of candidate ids."""
    owners: tuple[tuple[str, tuple[str, ...]], ...]
    """(independent voice, its member ids): the corroboration tree."""
    originator: str
    first_seen: datetime | None
    last_seen: datetime | None
    upstream: tuple[str, ...] = ()
    event_at: datetime | None = None
    why: tuple[Link, ...] = ()
    known_since: datetime | None = None
    """When an earlier run first saw this event; None when it is new."""
    told_since: datetime | None = None
    """When an earlier run first saw the very text of its originator; None when that is new."""

    @property
    def independent(self) -> int:
        """Number of independent owners: the n of corroboration."""
        return len(self.owners)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """The events of a pool, index-aligned with the candidates that were grouped (N rows)."""

    events: tuple[Event, ...]
    event_of: Ints
    """[N] index into events. Every grouped item has one (most events have one member)."""
    original_of: Ints
    """[N] row of the copy group's original; its own row when it is no copy."""
    voice_of: Ints
    """[N] independent owner within its event, numbered from 0 inside each event."""
    adds_nothing: Flags
    """[N] a copy whose text adds nothing to its original (a bare reprint)."""
    upstream: Flags
    """[N] older than the window, admitted because its event is in the window."""
    apart: tuple[Link, ...] = ()
    """Vetoes: pairs that looked alike and were kept apart, with the reason."""


# --------------------------------------------------------------------------- scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One dimension of one item. value 0..1; weight normalised over the dimensions that are on."""

    name: str
    value: float
    weight: float
    evidence: str
    """A sentence with the figures from which the value can be computed by hand."""
    facts: tuple[tuple[str, str], ...] = ()
    """The same as (name, figure) pairs, for tables and the recomputation test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """A penalty that struck. factor multiplies the total (1.0 when its effect is elsewhere)."""

    name: str
    factor: float
    effect: str
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One item fully explained: what a card, a table row or the JSON shows."""

    judged: Judged
    event_id: str
    parts: tuple[Part, ...]
    penalties: tuple[Penalty, ...]
    total: float
    """round(100 x sum(weight x value) x product(penalty factors), 2)"""
    tier: Tier
    bucket: Bucket
    reason: str
    upstream: bool = False
    copies: tuple[str, ...] = ()
    """Candidate ids folded beneath this one as copies."""
    folded: tuple[str, ...] = ()
    """Candidate ids of other reports of the event folded beneath this one."""
    excerpt: str = ""
    effective_at: datetime | None = None
    """Publication time after re-dating: what timeliness used."""

    @property
    def id(self) -> str:
        return self.judged.candidate.id

    @property
    def title(self) -> str:
        return self.judged.candidate.title

    @property
    def url(self) -> str:
        return self.judged.candidate.url

    @property
    def source(self) -> str:
        return self.judged.candidate.source

    @property
    def published_at(self) -> datetime | None:
        return self.judged.candidate.published_at

    @property
    def evidence(self) -> Mapping[str, str]:
        return {part.name: part.evidence for part in self.parts}


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """All items of a run as columns: N rows, one per candidate fetched, in the order of the pool.

    This is what stays in memory, what re-scoring works on, and what the store keeps as arrays.
    Rows that never reached scoring have `fixed` >= 0 and zeros in `values`.
    """

    ids: tuple[str, ...]
    titles: tuple[str, ...]
    urls: tuple[str, ...]
    sources: tuple[str, ...]
    endpoints: tuple[str, ...]
    domains: tuple[str, ...]
    authors: tuple[str, ...]
    authority_keys: tuple[str, ...]
    """Registrable domain, or handle for social posts: the key of the authority posterior."""
    published: NDArray[np.float64]
    """[N] chosen publication time, epoch seconds; NaN when undated."""
    age_days: Floats
    """[N] effective age before the earlier of as_of and the window's end (re-dating applied); NaN undated."""
    values: Floats
    """[N, 6] in the order of DIMENSION_NAMES, after the effects of re-dating and clickbait."""
    factors: Floats
    """[N, 4] penalty factors in the order of PENALTY_NAMES; 1.0 where none struck."""
    struck: Flags
    """[N, 4] which penalties struck (re-dated and clickbait act on values, their factor is 1.0)."""
    engagement: Floats
    """[N] one figure for breaking ties."""
    event: Ints
    """[N] index into Report.events; -1 when it never was grouped."""
    original: Ints
    """[N] row of the copy group's original, itself when no copy."""
    voice: Ints
    """[N] independent owner inside the event; -1 when not grouped."""
    fixed: NDArray[np.int8]
    """[N] Bucket of the gate before scoring that stopped it (MALFORMED .. DISMISSED), -1 when scored."""
    first_party: Flags
    social: Flags
    upstream: Flags
    dismissed: Flags
    adopted: Flags
    # the outcome under the run's own settings
    total: Floats
    """[N] 0..100; 0 for rows with fixed >= 0 that never were scored."""
    bucket: NDArray[np.int8]
    tier: NDArray[np.int8]
    """[N] 0 none, 1 lead, 2 fact."""

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSettings:
    """What re-scoring may change. Weights are normalised over the dimensions that are on.

    Raises InputError for figures that would leave no total: no number, beyond any use, or of the wrong count.
    """

    weights: tuple[float, ...]
    """In the order of DIMENSION_NAMES, as configured."""
    decay: Decay
    window_days: float
    threshold: float
    max_results: int
    per_author: int
    relevance_floor: float
    interests: tuple[str, ...] = ()
    profile: str = ""
    authority_biases: Mapping[str, float] = field(default_factory=dict)
    """Authority key -> the analyst's bias, which replaces the prior mean that the run used."""
    priors: Mapping[str, tuple[float, str]] = field(default_factory=dict)
    """Authority key -> (prior mean, who says so) under another profile than the run's; the analyst's biases win."""
    upstream_timeliness: float = 0.05
    """Timeliness of older items admitted because their event is in the window."""
    fact_total: float = 60.0
    """Points from which an item can be a fact, and with one of the next:"""
    fact_owners: int = 2
    fact_authority: float = 0.80
    fact_relevance: float = 0.60

    @property
    def prior_means(self) -> dict[str, float]:
        """Authority key -> prior mean in place of the run's."""
        return {**{key: mean for key, (mean, _) in self.priors.items()}, **self.authority_biases}

    def __post_init__(self) -> None:
        if len(self.weights) != len(DIMENSION_NAMES):
            raise InputError(f"give {len(DIMENSION_NAMES)} weights: of {', '.join(DIMENSION_NAMES)}")
        for name, weight in zip(DIMENSION_NAMES, self.weights, strict=True):
            _between(weight, MOST_WEIGHT, f"the weight of {name}")
        for key, bias in self.authority_biases.items():
            _between(bias, 1.0, f"the bias of {key}")
        _between(self.threshold, 100.0, "the threshold")
        if not (isfinite(self.window_days) and self.window_days > 0):
            raise InputError(f"the decay needs a window of some days, not of {self.window_days:g}")


def _between(value: float, most: float, name: str) -> None:
    if not 0 <= value <= most:  # NaN is not, either
        raise InputError(f"{name} must be a number from 0 to {most:g}, not {value:g}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorityEstimate:
    """The Beta posterior of one source. mean = (prior_mean x strength + successes) / (strength + n)."""

    key: str
    prior_mean: float
    prior_from: str
    """"class official", "named outlet", "analyst's bias", "profile finance", "sources.yaml" ..."""
    strength: float
    successes: float
    failures: float
    mean: float
    low: float
    high: float
    """low..high: the central 90% interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The result of re-scoring: arrays aligned with the table, and the order of what is shown."""

    settings: ScoreSettings
    values: Floats
    total: Floats
    bucket: NDArray[np.int8]
    tier: NDArray[np.int8]
    order: Ints
    """Rows that reached scoring, best first."""
    selected: Ints
    """Rows shown, in time order."""
    rank_change: Ints
    """[N] places risen (positive) or fallen since the run's own order; 0 for rows without a rank."""


# --------------------------------------------------------------------------- report


@dataclass(frozen=True, slots=True, kw_only=True)
class StageNote:
    """What one stage did: counts in and out, drops by reason, seconds."""

    name: str
    n_in: int
    n_out: int
    dropped: Mapping[str, int]
    seconds: float


FUNNEL_STEPS = (
    "asked",
    "fetched",
    "dated",
    "in_window",
    "on_topic",
    "unique",
    "above_threshold",
    "selected",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The whole run. Fresh or loaded from the store, it answers the same questions.

    `table` holds every candidate as columns; `item(row)` gives the explained record of one of them, from memory
    for a fresh run and from SQLite for a stored one.
    """

    run_id: str
    plan: Plan
    settings: ScoreSettings
    table: Table
    events: tuple[Event, ...]
    details: Details
    outcomes: tuple[Outcome, ...]
    funnel: Mapping[str, Mapping[str, int]]
    """source -> step of FUNNEL_STEPS -> count."""
    stages: tuple[StageNote, ...]
    authorities: Mapping[str, AuthorityEstimate]
    """Authority key -> the estimate this run used."""
    apart: tuple[Link, ...] = ()
    """Pairs that looked alike and were kept apart."""
    x: XReport | None = None
    warnings: tuple[str, ...] = ()
    demo: bool = False
    created_at: datetime
    fates: Callable[[int], Fate] | None = None
    """How an item ended, where that costs less than its whole record."""

    @property
    def items(self) -> tuple[Scored, ...]:
        """What is shown, in time order: a story."""
        return tuple(self.item(row) for row in self.selected_rows)

    @property
    def selected_rows(self) -> tuple[int, ...]:
        rows = [int(r) for r in (self.table.bucket == Bucket.SELECTED).nonzero()[0]]
        return tuple(sorted(rows, key=lambda r: (float(self.table.published[r]), r)))

    def item(self, row: int) -> Scored:
        return self.details(row)

    def fate(self, row: int) -> Fate:
        """How an item ended and why, without its content; what else a list of thousands shows is in the table."""
        return (self.fates or self.details)(row)

    def dropped(self) -> Iterator[Scored]:
        """Every candidate that is not shown, each with its bucket and reason."""
        for row in range(len(self.table)):
            if self.table.bucket[row] != Bucket.SELECTED:
                yield self.item(row)

    def event(self, event_id: str) -> Event | None:
        return next((event for event in self.events if event.id == event_id), None)

    def context(self, max_chars: int = 8_000) -> str:
        """What is shown as quoted data for a prompt: facts and leads apart, best first, whole entries only.

        At most max_chars. Where not all fits, a third is kept for leads, and the last line counts what is left out.
        """
        items = sorted(self.items, key=lambda item: -item.total)
        facts, leads = ([_quoted(item) for item in items if item.tier == tier] for tier in ("fact", "lead"))
        said, told = _block(_FACTS, facts, max_chars)
        more, led = _block(_LEADS, leads, max_chars - len(said))
        if (told, led) == (len(facts), len(leads)):
            return said + more
        room = max_chars - len(_left_out(len(facts), len(leads)))
        kept = len(_block(_LEADS, leads, room // 3)[0])
        said, told = _block(_FACTS, facts, room - kept)
        if not told:  # one long fact goes before any lead
            said, told = _block(_FACTS, facts, room)
        more, led = _block(_LEADS, leads, room - len(said))
        return (said + more + _left_out(len(facts) - told, len(leads) - led))[: max(max_chars, 0)]


_FACTS, _LEADS = "Facts", "Leads (unconfirmed)"


def _quoted(item: Scored) -> str:
    """An item as quoted data, with the line break before it."""
    at = item.published_at.isoformat() if item.published_at else "undated"
    entry = f"\n- {item.title or item.excerpt}\n  {item.judged.candidate.domain or item.source}, {at}, {item.url}"
    return f"{entry}\n  > {item.excerpt}" if item.title and item.excerpt else entry


def _block(title: str, entries: Sequence[str], room: int) -> tuple[str, int]:
    """Title and as many of the first entries as the room holds, and how many; ("", 0) where it holds none."""
    text, count = title, 0
    for entry in entries:
        if len(text) + len(entry) + 1 > room:
            break
        text, count = text + entry, count + 1
    return (f"{text}\n", count) if count else ("", 0)


def _left_out(facts: int, leads: int) -> str:
    """The last line of a context that does not hold everything."""
    return f"Did not fit, raise max_chars to have them: facts {facts}, leads {leads}\n"


Details = Callable[[int], Scored]
"""Row -> explained record."""


class Fate(Protocol):
    """The part of `Scored` that the run decided, and not the source."""

    @property
    def parts(self) -> tuple[Part, ...]: ...
    @property
    def penalties(self) -> tuple[Penalty, ...]: ...
    @property
    def total(self) -> float: ...
    @property
    def reason(self) -> str: ...


# --------------------------------------------------------------------------- brief


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What the analyst made of a run: the adopted items in their order, and words of the analyst's own."""

    items: tuple[str, ...] = ()
    """Adopted candidate ids, in the order of the brief; facts and leads are parted later."""
    title: str = ""
    """"" means the run's topic."""
    introduction: str = ""
    """Paragraphs are parted by an empty line."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Candidate id -> a note that stands beside the source's text, never in it."""
    headlines: Mapping[str, str] = field(default_factory=dict)
    """Candidate id -> a headline in the analyst's words; the source's own stays in the citation."""
    dismissed: frozenset[str] = frozenset()
    """Ids that don't belong into a brief of the run's own selection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A numbered pointer to one item and its time."""

    number: int
    item_id: str
    title: str
    outlet: str
    url: str
    published_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing a brief says: an event's headline and excerpt, verbatim, with the numbers of its citations."""

    item_id: str
    event_id: str
    headline: str
    text: str
    note: str
    """The analyst's own words, kept apart from what a source said."""
    tier: Tier
    total: float
    at: datetime | None
    independent: int
    citations: tuple[int, ...]
    reworded: bool = False
    """The headline is the analyst's; the source's own is that of the first citation."""
    standing: str = ""
    """What a reader has to know about its place: upstream, or not shown by the run. "" for most."""
    points: tuple[tuple[str, float], ...] = ()
    """Dimension -> points it brings after penalties; together the total."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """What goes to stakeholders: facts and leads apart, cited, with what was not looked at and how it was made."""

    run_id: str
    title: str
    question: str
    created_at: datetime
    since: datetime
    until: datetime
    zone: str
    facts: tuple[Statement, ...]
    leads: tuple[Statement, ...]
    citations: tuple[Citation, ...]
    coverage: tuple[str, ...]
    method: tuple[tuple[str, str], ...]
    adopted: bool
    """False: nothing was adopted, so the brief holds the run's own selection."""
    demo: bool
    introduction: str = ""
    """The analyst's own words above everything."""
    threshold: float = 0.0
    """The line of the run, in points of 100."""


# --------------------------------------------------------------------------- models and memory, as stages see them


class Embedder(Protocol):
    """Texts to unit vectors. `name` identifies model and preparation, for caches and calibration."""

    name: str
    dims: int

    def encode(self, texts: Sequence[str], langs: Sequence[str]) -> Floats:
        """[N, dims] float32, L2-normalised, centred per language. Raises ModelError when it can't load."""
        ...


class VectorCache(Protocol):
    """Vectors kept across runs under a content hash; what the bytes mean is the embedder's affair."""

    def get_many(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        """Key -> stored vector, for those that are stored."""
        ...

    def put_many(self, vectors: Mapping[str, bytes]) -> None: ...


class RequestBudget(Protocol):
    """Requests counted per host or source, over all sessions and restarts."""

    def take(self, key: str, *, max_per_minute: int | None, max_per_day: int | None) -> float:
        """0 when a request may go now (and is counted), else the seconds to wait."""
        ...


class ResponseCache(Protocol):
    """Answers kept for a short time, with validators for conditional requests."""

    def get(self, key: str) -> tuple[Response, float] | None:
        """The stored response and its age in seconds."""
        ...

    def put(self, key: str, response: Response) -> None: ...


class EventMemory(Protocol):
    """Fingerprints of events and the analyst's split/join decisions, across runs."""

    def recall(self, keys: Sequence[str]) -> Mapping[str, Sequence[tuple[str, str, datetime, str]]]:
        """Band key -> (event id, serialised fingerprint, last seen, title)."""
        ...

    def first_seen(self, event_ids: Sequence[str]) -> Mapping[str, datetime]:
        """Event id -> when a run first saw it, for those that are remembered."""
        ...

    def decisions(self) -> Mapping[tuple[str, str], bool]:
        """(candidate id, candidate id) sorted -> True joined, False split."""
        ...


class Authorities(Protocol):
    """The analyst's biases and the feedback log, as estimates need them."""

    def biases(self) -> Mapping[str, float]: ...

    def evidence(self, as_of: datetime) -> Mapping[str, tuple[float, float]]:
        """Authority key -> (successes, failures), faded to `as_of`."""
        ...
