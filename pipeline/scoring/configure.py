"""What the scoring of a run is set to: configuration, profile and question put together, and what to warn about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pipeline.errors import InputError
from pipeline.scoring.authority import PROFILE, priors_under, priors_without
from pipeline.scoring.total import effective_weights, weightless
from pipeline.settings import Profile, Settings
from pipeline.text import normalise
from pipeline.types import DIMENSION_NAMES, Plan, Report, ScoreSettings

LONG_EXPONENTIAL_DAYS = 30  # beyond it exponential decay leaves nothing of the older half


def score_settings(settings: Settings, plan: Plan, *, interests: Sequence[str] = ()) -> ScoreSettings:
    """Settings of a run. The question's own values win over the profile's, those over the configuration's.

    interests: words kept in the store, on top of the configured ones. Raises InputError for a profile that isn't there.
    """
    question = plan.question
    profile = _profile(settings, question.profile)
    weights = profile.weights or settings.scoring.weights
    words = (*settings.pipeline.interests, *(profile.interests or ()), *interests)
    tiers = settings.scoring.tiers
    return ScoreSettings(
        weights=tuple(float(getattr(weights, name)) for name in DIMENSION_NAMES),
        decay=profile.decay_function or settings.pipeline.time_window.decay_function,
        window_days=plan.window.days,
        threshold=_first(question.threshold, profile.threshold, settings.pipeline.threshold),
        max_results=settings.pipeline.max_results if question.max_results is None else question.max_results,
        per_author=settings.pipeline.per_author,
        relevance_floor=settings.scoring.relevance.floor,
        interests=_distinct(words),
        profile=question.profile or "",
        upstream_timeliness=settings.scoring.upstream_timeliness,
        fact_total=tiers.fact_total,
        fact_owners=tiers.fact_owners,
        fact_authority=tiers.fact_authority,
        fact_relevance=tiers.fact_relevance,
    )


def under_profile(report: Report, settings: Settings, name: str) -> ScoreSettings:
    """The run's settings with a profile's weights, decay, threshold, interests and authority biases in place of those of
    the profile it ran under.

    Its window and sources apply to the next run. What the analyst set for a source wins over the profile.
    """
    profile, ran = _profile(settings, name), report.settings
    weights = profile.weights or settings.scoring.weights
    return replace(
        ran,
        weights=tuple(float(getattr(weights, dimension)) for dimension in DIMENSION_NAMES),
        decay=profile.decay_function or ran.decay,
        threshold=_first(profile.threshold, ran.threshold),
        interests=_distinct((*ran.interests, *(profile.interests or ()))),
        profile=name,
        priors=priors_under(report, settings, name),
    )


def under_biases(
    report: Report, settings: Settings, scores: ScoreSettings, biases: Mapping[str, float]
) -> ScoreSettings:
    """The settings with the analyst's biases as they are now: a source whose bias was taken back since the run has what
    profile and configuration say of it.
    """
    priors = priors_without(report, settings, scores.profile, biases)
    return replace(scores, authority_biases=dict(biases), priors={**scores.priors, **priors})


def as_profile(scores: ScoreSettings, label: str) -> dict[str, Any]:
    """These settings as the content of a profile's file (the keys of settings.Profile), for store.files.save_profile.

    Interest words stay out: they are the analyst's, for every profile.
    """
    found: dict[str, Any] = {
        "label": label,
        "days": max(1, round(scores.window_days)),
        "decay_function": scores.decay,
        "threshold": float(scores.threshold),
        "weights": dict(zip(DIMENSION_NAMES, map(float, scores.weights), strict=True)),
    }
    biases = {key: mean for key, (mean, origin) in scores.priors.items() if origin.startswith(PROFILE)}
    biases |= scores.authority_biases
    if biases:
        found["authority_bias"] = {key: float(bias) for key, bias in sorted(biases.items())}
    return found


def cautions(scores: ScoreSettings, settings: Settings) -> tuple[str, ...]:
    """What is known to go wrong under such settings, each with what to do."""
    limits = settings.scoring.warnings
    weights = dict(zip(DIMENSION_NAMES, effective_weights(scores), strict=True))
    found = []
    if weightless(scores):
        found.append("All weights are 0: raise one. Until then every dimension that is on counts the same.")
    if scores.decay == "exponential" and scores.window_days > LONG_EXPONENTIAL_DAYS:
        found.append(
            f"Exponential decay over {scores.window_days:.0f} days leaves almost nothing of the older half; "
            "use half_life or linear, or a shorter window."
        )
    if weights["authority"] > limits.authority_weight:
        found.append(
            f"Authority weighs {_share(scores, weights, 'authority')}, above {limits.authority_weight:.2f}: "
            "filler of big media rises."
        )
    if weights["timeliness"] > limits.timeliness_weight:
        found.append(
            f"Timeliness weighs {_share(scores, weights, 'timeliness')}, above {limits.timeliness_weight:.2f}: "
            "fresh rumours rise."
        )
    return tuple(found)


def _share(scores: ScoreSettings, weights: Mapping[str, float], name: str) -> str:
    """A weight as it counts; beside it what was given, where the two differ: weights are scaled to sum to 1."""
    share, given = f"{weights[name]:.2f}", f"{scores.weights[DIMENSION_NAMES.index(name)]:.2f}"
    return share if share == given else f"{share} of all ({given} was given; weights are scaled to sum to 1)"


def _distinct(words: Iterable[str]) -> tuple[str, ...]:
    """Each interest once, however it is written: two spellings must not make each word worth less."""
    found: dict[str, str] = {}
    for word in words:
        if folded := normalise(word).strip():
            found.setdefault(folded, word)
    return tuple(found.values())


def _profile(settings: Settings, name: str | None) -> Profile:
    if not name:
        return Profile(label="")
    if name not in settings.profiles:
        raise InputError(f"no profile named “{name}”; known: {', '.join(sorted(settings.profiles)) or 'none'}")
    return settings.profiles[name]


def _first(*values: float | None) -> float:
    return next(float(value) for value in values if value is not None)
