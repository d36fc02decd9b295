"""Sources as the analyst edits them: how far each is believed and why, and what an edit would do to a run.

known_sources(settings, report)            who there is: the run's sources first, as the run took them, then every other
                                           named one
standings(known, settings, authorities)    with the analyst's biases and the evidence of today
effect(report, {"example.org": 0.4}, ...)  who rises, who falls, who would be shown, who no longer
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from pipeline.demo import ran_with
from pipeline.scoring import rescore, source_key
from pipeline.scoring.authority import Given, Prior, configured, named, posterior, prior, rebiased
from pipeline.scoring.classes import class_of
from pipeline.store import biasfile
from pipeline.types import Authorities, AuthorityEstimate, Bucket, Report, ScoreSettings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.settings import Settings
    from pipeline.store.biasfile import Entry
    from pipeline.types import Floats, Ints

BIAS = "analyst's bias"
LISTED = 8  # items named of those that rise, fall, are shown, are no longer shown
_LEAST = 0.005  # points: what rounds to no change is none


# --------------------------------------------------------------------------- who there is


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """One source without the analyst's word on it."""

    key: str
    class_: str
    prior: float
    """Mean of the prior by profile, sources.yaml, authority.yaml or class, in this order; of a source of the run the one
    that the run used.
    """
    prior_from: str
    items: int = 0
    """Items it has in the run."""
    shown: int = 0
    topics: tuple[tuple[str, float], ...] = ()
    """(theme, mean) where authority.yaml gives it a prior of its own on a theme."""
    used: AuthorityEstimate | None = None
    """What the run used for most of its items; None: it is not in the run."""


def known_sources(settings: Settings, report: Report | None = None) -> tuple[Known, ...]:
    """The run's sources, those with most shown items first, then every other source of authority.yaml, by name."""
    found = {} if report is None else _of_run(settings, report)
    others = sorted(key for key in settings.authority.sources if key not in found)
    return (*found.values(), *(known_source(key, settings) for key in others))


def known_source(key: str, settings: Settings, *, given: Given | None = None, profile: str = "") -> Known:
    """A source by its key, whether or not a run has it."""
    given, entry = given or Given(), named(key, settings)
    before = prior(key, settings, given=given, biases={}, profile=profile)
    class_ = (entry.class_ if entry else "") or given.class_ or class_of(key)
    topics = tuple(sorted(entry.topics.items())) if entry else ()
    return Known(key=key, class_=class_, prior=before.mean, prior_from=before.origin, topics=topics)


def known_in(report: Report, key: str, settings: Settings) -> Known:
    """A source as the run took it; one that the run does not have, by its key."""
    return _of_run(settings, report).get(key) or known_source(key, settings, profile=report.settings.profile)


def used_under(source: Known, biases: Mapping[str, float]) -> AuthorityEstimate | None:
    """What the run's scores use for a source when it is looked at under other biases (ScoreSettings)."""
    if source.used is None:
        return None
    bias = biases.get(source.used.key, biases.get(source.key))
    return source.used if bias is None else rebiased(source.used, bias)


def _of_run(settings: Settings, report: Report) -> dict[str, Known]:
    table, ran = report.table, ran_with(report, settings)
    sites = [key.split("#")[0] for key in table.authority_keys]
    items = Counter(sites)
    shown = Counter(sites[row] for row in report.selected_rows)
    endpoint = dict(zip(sites, table.endpoints, strict=True))
    main = {key.split("#")[0]: key for key, _ in reversed(Counter(table.authority_keys).most_common())}
    givens = configured(ran, {})
    keys = sorted((key for key in items if key), key=lambda key: (-shown[key], -items[key], key))
    profile = report.settings.profile
    found = {}
    for key in keys:
        own = known_source(key, ran, given=givens.get(endpoint[key], Given()), profile=profile)
        own = _as_used(own, report.authorities.get(main[key]))
        found[key] = replace(own, items=items[key], shown=shown[key])
    return found


def _as_used(own: Known, used: AuthorityEstimate | None) -> Known:
    """What the run used wins over what the configuration says now. Under a bias the run did not note the prior."""
    if used is None:
        return own
    if used.prior_from == BIAS:
        return replace(own, used=used)
    how, _, name = used.prior_from.partition(" ")
    class_ = name if how in ("class", "named") and name and not name.startswith("source") else own.class_
    return replace(own, class_=class_, prior=used.prior_mean, prior_from=used.prior_from, used=used)


def read_biases(text: str, settings: Settings) -> tuple[list[Entry], list[str]]:
    """Biases of a file by the keys of their sources, however these are written there; see `store.biasfile`."""
    return biasfile.read_biases(text, lambda written: source_key(written, settings))


# --------------------------------------------------------------------------- how far each is believed


@dataclass(frozen=True)
class Standing:
    """One source today: prior, the analyst's bias, the evidence, and the posterior they give."""

    known: Known
    bias: float | None
    successes: float
    failures: float
    strength: float
    """Pseudo-count of the prior."""

    @property
    def key(self) -> str:
        return self.known.key

    @property
    def prior_mean(self) -> float:
        """The prior's mean that counts: the bias, where there is one."""
        return self.known.prior if self.bias is None else self.bias

    @property
    def mean(self) -> float:
        """Of the posterior: (prior mean x strength + successes) / (strength + successes + failures)."""
        return (self.prior_mean * self.strength + self.successes) / (self.strength + self.successes + self.failures)

    @cached_property
    def estimate(self) -> AuthorityEstimate:
        """With the 90% interval, which costs more: asked for the rows that are drawn."""
        origin = self.known.prior_from if self.bias is None else BIAS
        return posterior(self.key, Prior(self.prior_mean, origin), self.strength, self.successes, self.failures)


def standings(
    sources: Sequence[Known], settings: Settings, authorities: Authorities, as_of: datetime
) -> tuple[Standing, ...]:
    """Each source with bias and evidence at `as_of`; sources that only these know come last."""
    biases, found = authorities.biases(), authorities.evidence(as_of)
    strength = settings.scoring.authority.strength
    listed = {source.key for source in sources}
    more = sorted({key.split("#")[0] for key in (*biases, *found)} - listed)
    every = (*sources, *(known_source(key, settings) for key in more))
    nothing = (0.0, 0.0)
    return tuple(Standing(a, biases.get(a.key), *found.get(a.key, nothing), strength) for a in every)


def with_bias(standing: Standing, bias: float | None) -> Standing:
    """The source as it would be with another bias."""
    return replace(standing, bias=bias)


def without_evidence(standing: Standing, successes: float, failures: float) -> float:
    """The posterior mean as it would be without this much evidence."""
    return replace(
        standing, successes=max(0.0, standing.successes - successes), failures=max(0.0, standing.failures - failures)
    ).mean


def todays_biases(report: Report, settings: Settings, authorities: Authorities) -> dict[str, float]:
    """What to rank a run under, to see it with today's biases: source -> prior mean, where that differs from the run's.

    A bias that was removed since gives the source its own prior back. Empty when nothing differs.
    """
    biases, found = authorities.biases(), {}
    lifted = any(one.prior_from == BIAS and key.split("#")[0] not in biases for key, one in report.authorities.items())
    own = _of_run(settings, report) if lifted else {}  # reads every item of the run, for each look at the page
    for key, used in report.authorities.items():
        site = key.split("#")[0]
        if site in biases:
            found[site] = biases[site]
        elif used.prior_from == BIAS and site in own:
            found[site] = own[site].prior
        if found.get(site) == used.prior_mean:
            del found[site]
    return found


# --------------------------------------------------------------------------- what an edit would do


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One item under the edit; places count from 1 among the scored items."""

    row: int
    points: float
    """Before."""
    points_after: float
    place: int
    place_after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What other biases would do to a run; lists hold the largest changes first, counts all of them."""

    scored: int
    """Scored items of the edited sources."""
    risen: int
    fallen: int
    displaced: int
    """Items that keep their points and only change places."""
    rises: tuple[Move, ...]
    falls: tuple[Move, ...]
    shown: tuple[Move, ...]
    """Would be shown and are not now."""
    gone: tuple[Move, ...]
    """Are shown now and would not be."""
    n_shown: int
    n_gone: int


def authority_effect(
    report: Report,
    biases: Mapping[str, float],
    *,
    settings: ScoreSettings | None = None,
) -> Effect:
    """What these biases would do to a run: array arithmetic, nothing is fetched or stored.

    biases: source -> prior mean; to preview the removal of a bias give the source's own prior (`Known.prior`).
    settings: what the run is looked at under; None: its own.
    """
    import numpy as np

    looked_at = settings or report.settings
    now = rescore(report, looked_at)
    then = rescore(report, replace(looked_at, authority_biases={**looked_at.authority_biases, **biases}))
    gain = then.total - now.total
    place, place_after = (_places(len(report.table), ranking.order) for ranking in (now, then))
    was, will = now.bucket == Bucket.SELECTED, then.bucket == Bucket.SELECTED
    up, down = np.flatnonzero(gain >= _LEAST), np.flatnonzero(gain <= -_LEAST)
    up, down = up[np.argsort(-gain[up], kind="stable")], down[np.argsort(gain[down], kind="stable")]
    shown, gone = np.flatnonzero(will & ~was), np.flatnonzero(was & ~will)

    def moves(rows: Ints | NDArray[np.intp]) -> tuple[Move, ...]:
        return tuple(
            Move(
                row=row,
                points=float(now.total[row]),
                points_after=float(then.total[row]),
                place=int(place[row]),
                place_after=int(place_after[row]),
            )
            for row in rows[:LISTED].tolist()
        )

    return Effect(
        scored=_scored(report, biases),
        risen=len(up),
        fallen=len(down),
        displaced=int(np.count_nonzero((place != place_after) & (np.abs(gain) < _LEAST))),
        rises=moves(up),
        falls=moves(down),
        shown=moves(shown[np.argsort(place_after[shown], kind="stable")]),
        gone=moves(gone[np.argsort(place[gone], kind="stable")]),
        n_shown=len(shown),
        n_gone=len(gone),
    )


def _places(n: int, order: Ints) -> Floats:
    """[n] place of each row, from 1; 0 where it was not scored."""
    import numpy as np

    found = np.zeros(n, np.float32)
    found[order] = np.arange(1, len(order) + 1)
    return found


def _scored(report: Report, biases: Iterable[str]) -> int:
    wanted = set(biases)
    flags = (report.table.fixed < 0).tolist()
    return sum(
        flag and key.split("#")[0] in wanted for key, flag in zip(report.table.authority_keys, flags, strict=True)
    )
