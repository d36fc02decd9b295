"""Authority: how far a source can be believed, as the mean of a Beta posterior.

    value = (prior mean x strength + successes) / (strength + successes + failures)

The prior mean comes from the first of these that knows the source: the analyst's bias (SQLite), the profile, an entry
of sources.yaml, authority.yaml, the class of the source. Its strength is a pseudo-count. Feedback (adopted, cited;
dismissed, pruned, penalised, near miss) moves it and fades; the store keeps and fades it. Unknown sources are neutral
to low (0.30), never zero.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipeline.scoring.beta import beta_quantile
from pipeline.scoring.classes import SOCIAL, class_of
from pipeline.scoring.frame import Dimension, Evidence, Pool, figure, is_social
from pipeline.settings import NamedSource, Settings
from pipeline.text import host_of, registrable
from pipeline.types import Authorities, AuthorityEstimate, Candidate, Endpoint

if TYPE_CHECKING:
    from pipeline.types import Flags, Floats, Ints, Report, ScoreSettings

INTERVAL = (0.05, 0.95)  # the central 90%
ANALYST = "analyst's bias"
PROFILE = "profile "


class Prior(NamedTuple):
    mean: float
    origin: str
    """Who says so, in words: "analyst's bias", "named outlet", "class official" ..."""


@dataclass(frozen=True, slots=True)
class Given:
    """What an endpoint's configuration says about whatever it brings."""

    class_: str = ""
    bias: float | None = None


# --------------------------------------------------------------------------- who the source is


def key_of(candidate: Candidate, settings: Settings) -> str:
    """The key of the posterior: the handle of a post, the publisher or account on a platform, else the domain."""
    if is_social(candidate) and candidate.author:
        return "@" + candidate.author.lstrip("@").lower()
    if not candidate.domain and candidate.source:
        return candidate.source.lower()
    domain = registrable(candidate.domain)
    if candidate.domain in settings.owners.platforms or domain in settings.owners.platforms:
        return _on_platform(candidate, domain, settings.owners.account(candidate.url))
    return domain


def _on_platform(candidate: Candidate, domain: str, account: str) -> str:
    """Google News, WeChat and the like publish nothing themselves: the account that the address names, the publisher,
    the author, else the platform. What links to a post is its account's, as the post itself is.
    """
    if account and domain in SOCIAL:
        return f"@{account}"
    name = account or candidate.publisher or candidate.author
    if "." in name and " " not in name:
        return registrable(host_of(name) or name.lower().removeprefix("www."))
    return f"{domain}/{name.lower()}" if name else domain


def source_key(typed: str, settings: Settings) -> str:
    """The key of the source that a person names: by an address ("https://www.Site.org/a" -> "site.org"), a host, an
    account ("foo.substack.com" -> "substack.com/foo", "x.com/Foo" -> "@foo") or a handle. Any other name stays, in lower
    case.
    """
    text = typed.strip().lower()
    if text.startswith(("@", "＠")):
        return f"@{text[1:]}"
    address = re.sub(r"^(?:\w+:)?//|^", "https://", text, count=1)
    host = host_of(address)
    if "." not in host or " " in host:
        return text
    domain = registrable(host)
    if domain not in {registrable(platform) for platform in settings.owners.platforms}:
        return domain
    account = settings.owners.account(address) or settings.owners.account(address, home=True)
    if account and domain in SOCIAL:
        return f"@{account}"
    account = account or ("" if "//" in text else text.partition("/")[2])  # a key of ours, which needs no pattern
    return f"{domain}/{account}" if account else domain


# --------------------------------------------------------------------------- the prior


def named(key: str, settings: Settings) -> NamedSource | None:
    """The entry of authority.yaml for a domain or any host above it, or for a handle; where anyone can open an account,
    the entry of the site says nothing of its accounts.
    """
    sources = settings.authority.sources
    if "/" in key and class_of(key) in ("blog", "forum", "social"):
        return None
    labels = key.split("/")[0].split(".")
    hosts = (".".join(labels[start:]) for start in range(max(1, len(labels) - 1)))
    return next((sources[host] for host in hosts if host in sources), None)


def prior(
    key: str,
    settings: Settings,
    *,
    given: Given = Given(),
    biases: Mapping[str, float],
    profile: str = "",
    theme: str = "",
) -> Prior:
    """The first of analyst, profile, sources.yaml, authority.yaml and class that knows the source."""
    if key in biases:
        return Prior(biases[key], ANALYST)
    chosen = settings.profiles.get(profile)
    if chosen is not None and key in chosen.authority_bias:
        return Prior(chosen.authority_bias[key], f"{PROFILE}{profile}")
    if given.bias is not None:
        return Prior(given.bias, "sources.yaml")
    if (entry := named(key, settings)) is not None:
        if theme in entry.topics:
            return Prior(entry.topics[theme], f"named source, on {theme}")
        known = entry.class_ not in ("", "unlisted")
        return Prior(entry.mean, f"named {entry.class_ if known else 'source'}")
    classes = settings.scoring.authority.classes
    class_ = given.class_ if given.class_ in classes and given.class_ != "unlisted" else class_of(key)
    return Prior(classes.get(class_, classes["unlisted"]), f"class {class_}")


def estimate(
    key: str,
    settings: Settings,
    *,
    authorities: Authorities | None = None,
    as_of: datetime | None = None,
    given: Given = Given(),
    profile: str = "",
    theme: str = "",
) -> AuthorityEstimate:
    """One source's posterior at `as_of` (needed when there are `authorities`)."""
    biases = authorities.biases() if authorities else {}
    found = authorities.evidence(as_of) if authorities and as_of else {}
    before = prior(key, settings, given=given, biases=biases, profile=profile, theme=theme)
    return posterior(key, before, settings.scoring.authority.strength, *found.get(key, (0.0, 0.0)))


def posterior(key: str, before: Prior, strength: float, successes: float, failures: float) -> AuthorityEstimate:
    """Beta(mean x strength + successes, (1 - mean) x strength + failures): its mean and central 90% interval."""
    a, b = before.mean * strength + successes, (1 - before.mean) * strength + failures
    low, high = (_quantile(share, a, b) for share in INTERVAL)
    return AuthorityEstimate(
        key=key,
        prior_mean=before.mean,
        prior_from=before.origin,
        strength=strength,
        successes=successes,
        failures=failures,
        mean=a / (a + b),
        low=low,
        high=high,
    )


def _quantile(share: float, a: float, b: float) -> float:
    """A bias of 0 or 1, or all but that, without evidence against it leaves no spread."""
    a, b = round(a, 3), round(b, 3)
    if a <= 0:
        return 0.0
    if b <= 0:
        return 1.0
    return beta_quantile(share, a, b)


def mean(estimate: AuthorityEstimate, bias: float) -> float:
    """The posterior mean alone, with another prior mean."""
    seen = estimate.successes + estimate.failures
    return (bias * estimate.strength + estimate.successes) / (estimate.strength + seen)


def rebiased(estimate: AuthorityEstimate, bias: float, origin: str = ANALYST) -> AuthorityEstimate:
    """The same source with another prior mean; the evidence stays."""
    before = Prior(bias, origin)
    return posterior(estimate.key, before, estimate.strength, estimate.successes, estimate.failures)


def estimate_under(estimate: AuthorityEstimate, scores: ScoreSettings) -> AuthorityEstimate:
    """What re-scoring uses for a source of the run: the analyst's bias, the other profile's prior, else the run's own."""
    for key in (estimate.key, _site(estimate.key)):
        if key in scores.authority_biases:
            return rebiased(estimate, scores.authority_biases[key])
    for key in (estimate.key, _site(estimate.key)):
        if key in scores.priors:
            return rebiased(estimate, *scores.priors[key])
    return estimate


def priors_under(report: Report, settings: Settings, profile: str) -> dict[str, Prior]:
    """ScoreSettings.priors: every bias of a profile, and what the configuration says of the sources of the run that the
    run's own profile had biased. settings: those the run was made with, now.
    """
    biased = settings.profiles[profile].authority_bias
    found = {key: Prior(bias, f"{PROFILE}{profile}") for key, bias in biased.items()}
    ran = [key for key, used in report.authorities.items() if used.prior_from.startswith(PROFILE)]
    found |= _configured(report, settings, profile, [key for key in ran if _site(key) not in biased])
    own = {_site(key) for key, used in report.authorities.items() if used.prior_from == ANALYST}
    return {key: one for key, one in found.items() if key not in own}


def priors_without(report: Report, settings: Settings, profile: str, biases: Collection[str]) -> dict[str, Prior]:
    """ScoreSettings.priors of the sources of the run whose bias the analyst took back: what profile and configuration
    say of them. biases: the sources that have one now.
    """
    ran = [key for key, used in report.authorities.items() if used.prior_from == ANALYST]
    return _configured(report, settings, profile, [key for key in ran if _site(key) not in biases])


def _configured(report: Report, settings: Settings, profile: str, keys: Sequence[str]) -> dict[str, Prior]:
    """Key -> its prior with no bias of the analyst."""
    givens = configured(settings, {})
    endpoint = dict(zip(report.table.authority_keys, report.table.endpoints, strict=True))
    return {
        key: prior(
            _site(key),
            settings,
            given=givens.get(endpoint.get(key, ""), Given()),
            biases={},
            profile=profile,
            theme=key.partition("#")[2],
        )
        for key in keys
    }


def _site(key: str) -> str:
    """The source of a key, whatever the topic."""
    return key.split("#")[0]


# --------------------------------------------------------------------------- the dimension


@dataclass(frozen=True, slots=True)
class Authority:
    values: Floats
    keys: tuple[str, ...]
    """[n]"""
    estimates: Mapping[str, AuthorityEstimate]

    def explain(self, row: int) -> Evidence:
        return explain(self.estimates[self.keys[row]])


def explain(found: AuthorityEstimate) -> Evidence:
    says = f"{found.key}: prior {found.prior_mean:.2f} ({found.prior_from}) worth {found.strength:g} observations"
    if found.successes or found.failures:
        says += f", feedback {_count(found.successes)} for it, {_count(found.failures)} against"
    says += f"; posterior {found.mean:.2f}, 90% between {found.low:.2f} and {found.high:.2f}"
    facts = (
        ("key", found.key),
        ("prior_mean", figure(found.prior_mean)),
        ("prior_from", found.prior_from),
        ("strength", figure(found.strength)),
        ("successes", figure(found.successes)),
        ("failures", figure(found.failures)),
        ("low", figure(found.low)),
        ("high", figure(found.high)),
    )
    return Evidence(says, facts)


def _count(observations: float) -> str:
    """Faded feedback is no whole number: 1,234, 0.1."""
    return f"{observations:,.2f}".rstrip("0").rstrip(".")


def measure(pool: Pool) -> Authority:
    settings, profile = pool.settings, pool.scores.profile
    biases = pool.authorities.biases() if pool.authorities else {}
    found = pool.authorities.evidence(pool.as_of) if pool.authorities else {}
    givens = configured(settings, pool.endpoints)
    strength = settings.scoring.authority.strength
    keys: list[str] = []
    estimates: dict[str, AuthorityEstimate] = {}
    for candidate in pool.candidates:
        key, theme = _topical(key_of(candidate, settings), candidate.theme, settings)
        keys.append(key)
        if key not in estimates:
            given = givens.get(candidate.endpoint, Given())
            before = prior(_site(key), settings, given=given, biases=biases, profile=profile, theme=theme)
            estimates[key] = posterior(key, before, strength, *found.get(key, (0.0, 0.0)))
    means = np.fromiter((estimates[key].mean for key in keys), np.float32, len(keys))
    return Authority(means, tuple(keys), estimates)


def _topical(key: str, theme: str, settings: Settings) -> tuple[str, str]:
    """A source with a mean of its own for a theme has a posterior of its own there: "domain#theme"."""
    entry = named(key, settings) if theme else None
    return (f"{key}#{theme}", theme) if entry is not None and theme in entry.topics else (key, "")


def configured(settings: Settings, endpoints: Mapping[str, Endpoint]) -> dict[str, Given]:
    """Endpoint name -> what its configuration says of its items. Search feeds bring everybody's: they say nothing."""
    feeds: Sequence[object] = (*settings.sources.rss, *settings.sources.custom)
    found = {feed.name: Given(feed.class_, feed.authority_bias) for feed in feeds}  # type: ignore[attr-defined]
    for name, endpoint in endpoints.items():
        if not endpoint.searches:
            found.setdefault(name, Given(endpoint.class_, endpoint.authority_bias))
    return found


def by_source(keys: Sequence[str], counted: Flags) -> Mapping[str, Mapping[str, Ints]]:
    """Source -> each key it has, its own and those on a topic ("domain#theme") -> rows, ascending. A key finds itself
    too. keys, counted: [n].
    """
    places: dict[str, list[int]] = {}
    for row in np.flatnonzero(counted).tolist():
        places.setdefault(keys[row], []).append(row)
    found: dict[str, dict[str, Ints]] = {}
    for key, rows in places.items():
        array = np.asarray(rows, np.int32)
        for source in {key, _site(key)}:
            found.setdefault(source, {})[key] = array
    return found


DIMENSION = Dimension("authority", measure)
