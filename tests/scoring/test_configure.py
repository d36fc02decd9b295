"""Configuration, profile and question put together; the known traps warn."""

import math
from dataclasses import replace

import pytest

from pipeline.errors import InputError
from pipeline.scoring import as_profile, cautions, rescore, restated, score_settings, under_biases, under_profile
from pipeline.settings import Profile
from pipeline.types import Report, ScoreSettings
from tests.scoring.made import SETTINGS, candidate, judged, plan, run


def test_the_question_wins_over_the_profile_and_that_over_the_configuration() -> None:
    assert score_settings(SETTINGS, plan()).threshold == 45
    assert score_settings(SETTINGS, plan(profile="monthly-review")).threshold == 40
    assert score_settings(SETTINGS, plan(profile="monthly-review", threshold=0.0)).threshold == 0
    assert score_settings(SETTINGS, plan(max_results=0)).max_results == 0


def test_profiles_that_the_spec_names() -> None:
    finance = score_settings(SETTINGS, plan(profile="finance"))
    assert (finance.weights[2], finance.decay) == (0.35, "exponential")
    assert SETTINGS.profiles["monthly-review"].days == 90
    assert SETTINGS.profiles["monthly-review"].decay_function == "linear"
    assert (SETTINGS.profiles["breaking"].days, SETTINGS.profiles["breaking"].decay_function) == (7, "exponential")
    assert "tech" in SETTINGS.profiles


def test_interests_of_store_and_configuration_are_joined_once() -> None:
    assert score_settings(SETTINGS, plan(), interests=["AI", "ai", "芯片", "晶片", " ", "ＡＩ"]).interests == (
        "AI", "芯片", "晶片",
    )  # fmt: skip


def test_an_unknown_profile_says_which_there_are() -> None:
    with pytest.raises(InputError, match="breaking"):
        score_settings(SETTINGS, plan(profile="nope"))


CAUTIONS = [
    ("the defaults", {}, 0),
    ("exponential over a quarter", {"decay": "exponential", "window_days": 90.0}, 1),
    ("exponential over a month", {"decay": "exponential"}, 0),
    ("authority above a quarter", {"weights": (0.2, 0.2, 0.4, 0.2, 0, 0)}, 1),
    ("timeliness above its limit", {"weights": (0.6, 0.2, 0.1, 0.1, 0, 0)}, 1),
]


@pytest.mark.parametrize(("name", "changed", "count"), CAUTIONS, ids=[row[0] for row in CAUTIONS])
def test_cautions(name: str, changed: dict, count: int) -> None:
    assert len(cautions(replace(score_settings(SETTINGS, plan()), **changed), SETTINGS)) == count


WEIGHED = [
    ("as given", (0.6, 0.2, 0.1, 0.1, 0, 0), "Timeliness weighs 0.60, above"),
    ("scaled", (0.4, 0.25, 0.15, 0.1, 0.05, 0), "Timeliness weighs 0.42 of all (0.40 was given; weights are scaled"),
]


@pytest.mark.parametrize(("weights", "says"), [row[1:] for row in WEIGHED], ids=[row[0] for row in WEIGHED])
def test_a_caution_tells_a_weight_as_given_from_what_it_counts(weights: tuple[float, ...], says: str) -> None:
    (caution,) = cautions(replace(score_settings(SETTINGS, plan()), weights=weights), SETTINGS)
    assert caution.startswith(says)


def test_a_profile_applies_to_a_finished_run_without_fetching() -> None:
    pool = [judged(candidate("a", title="OpenAI model release", domain="sec.gov", age=10))]
    report = run(pool)
    settings = under_profile(report, SETTINGS, "finance")
    ranking = rescore(report, settings)
    assert settings.window_days == report.settings.window_days, "its window applies to the next run"
    assert ranking.values[0, 2] == pytest.approx(0.95)
    assert ranking.values[0, 0] == pytest.approx(2.718281828 ** (-5.2598 * 10 / 30), abs=1e-3)


class Biased:
    """The analyst's bias of one source, and no feedback."""

    def biases(self) -> dict[str, float]:
        return {"sec.gov": 0.2}

    def evidence(self, as_of: object) -> dict[str, tuple[float, float]]:
        return {}


def test_what_the_analyst_set_wins_over_a_profile() -> None:
    report = run([judged(candidate("a", title="OpenAI model release", domain="sec.gov"))], authorities=Biased())
    found = under_profile(report, SETTINGS, "finance")
    assert "sec.gov" not in found.priors
    tried = replace(found, priors={"sec.gov": (0.9, "profile finance")}, authority_biases={"sec.gov": 0.4})
    assert authority(report, tried) == (pytest.approx(0.4), "analyst's bias")


def authority(report: Report, scores: ScoreSettings) -> tuple[float, str]:
    """(value, who says so) of the first item under these settings, as the array has it and the sentence tells it."""
    ranking = rescore(report, scores)
    part = restated(report, ranking, 0).parts[2]
    assert part.value == pytest.approx(float(ranking.values[0, 2]), abs=1e-6)
    return part.value, dict(part.facts)["prior_from"]


PROFILES = {
    "mine": Profile(label="mine", authority_bias={"reuters.com": 0.2, "small.example": 0.9}),
    "yours": Profile(label="yours", authority_bias={"small.example": 0.7}),
    "plain": Profile(label="plain"),
}
LEFT = [
    ("a profile without biases: what the source is", "small.example", "plain", (0.3, "class unlisted")),
    ("a named source: its entry again", "reuters.com", "plain", (0.92, "named wire")),
    ("a profile with its own bias", "small.example", "yours", (0.7, "profile yours")),
    ("one that biases another source only", "reuters.com", "yours", (0.92, "named wire")),
    ("the profile of the run", "small.example", "mine", (0.9, "profile mine")),
]


@pytest.mark.parametrize(("domain", "to", "expected"), [row[1:] for row in LEFT], ids=[row[0] for row in LEFT])
def test_another_profile_leaves_nothing_of_the_run_s_own(domain: str, to: str, expected: tuple[float, str]) -> None:
    settings = SETTINGS.model_copy(update={"profiles": PROFILES})
    pool = [judged(candidate("a", title="OpenAI model release", domain=domain))]
    report = run(pool, asked=plan(profile="mine"), settings=settings)
    assert report.authorities[domain].prior_from == "profile mine"
    value, origin = authority(report, under_profile(report, settings, to))
    assert (round(value, 4), origin) == expected


TODAY = [
    ("the bias it had", {"sec.gov": 0.2}, "", (0.2, "analyst's bias")),
    ("another bias", {"sec.gov": 0.6}, "", (0.6, "analyst's bias")),
    ("taken back: what the source is", {}, "", (0.9, "named official")),
    ("taken back: the run's profile", {}, "mine", (0.7, "profile mine")),
    ("taken back, under another profile", {}, "finance", (0.95, "profile finance")),
]


@pytest.mark.parametrize(("now", "profile", "expected"), [row[1:] for row in TODAY], ids=[row[0] for row in TODAY])
def test_a_run_under_todays_biases(now: dict[str, float], profile: str, expected: tuple[float, str]) -> None:
    mine = {"mine": Profile(label="mine", authority_bias={"sec.gov": 0.7})}
    settings = SETTINGS.model_copy(update={"profiles": {**SETTINGS.profiles, **mine}})
    pool = [judged(candidate("a", title="OpenAI model release", domain="sec.gov"))]
    report = run(
        pool, authorities=Biased(), asked=plan(profile="mine" if profile == "mine" else None), settings=settings
    )
    asked = under_profile(report, settings, profile) if profile else report.settings
    value, origin = authority(report, under_biases(report, settings, asked, now))
    assert (round(value, 4), origin) == expected


NONSENSE = [
    ("a bias above 1", {"authority_biases": {"a.org": 2.0}}, "the bias of a.org must be a number from 0 to 1, not 2"),
    ("a bias that is no number", {"authority_biases": {"a.org": math.nan}}, "the bias of a.org"),
    ("an infinite weight", {"weights": (math.inf, 1, 1, 1, 1, 1)}, "the weight of timeliness"),
    ("a weight beyond any use", {"weights": (1e308, 1e308, 1, 1, 1, 1)}, "from 0 to 100"),
    ("a negative weight", {"weights": (1, -1, 1, 1, 1, 1)}, "the weight of relevance"),
    ("too few weights", {"weights": (1, 1)}, "give 6 weights"),
    ("a threshold beyond 100", {"threshold": 101.0}, "the threshold must be a number from 0 to 100"),
    ("a decay over no time", {"window_days": 0.0}, "window of some days"),
]


@pytest.mark.parametrize(("changes", "says"), [row[1:] for row in NONSENSE], ids=[row[0] for row in NONSENSE])
def test_settings_that_leave_no_total_are_refused(changes: dict, says: str) -> None:
    with pytest.raises(InputError, match=says):
        replace(score_settings(SETTINGS, plan()), **changes)


def test_new_interest_words_are_looked_up_in_the_texts() -> None:
    pool = [judged(candidate("a", title="OpenAI model release", text="It runs on new chips."))]
    report = run(pool)
    ranking = rescore(report, replace(report.settings, interests=("chips",)))
    assert ranking.values[0, 5] == 1


def test_settings_saved_as_a_profile_read_back_the_same() -> None:
    report = run([judged(candidate())])
    now = replace(
        report.settings, weights=(0.1, 0.2, 0.3, 0.4, 0.0, 0.0), decay="linear", threshold=52.5,
        authority_biases={"a.org": 0.9},
    )  # fmt: skip
    saved = Profile(**as_profile(now, "careful"))
    found = under_profile(report, SETTINGS.model_copy(update={"profiles": {"careful": saved}}), "careful")
    priors = {"a.org": (0.9, "profile careful")}
    assert found == replace(now, profile="careful", authority_biases={}, priors=priors)
    assert as_profile(found, "careful") == as_profile(now, "careful")
    assert saved.days == 30
    assert saved.interests is None
