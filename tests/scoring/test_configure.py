"""Configuration, profile and question put together; the known traps warn."""

from dataclasses import replace

import pytest

from pipeline.errors import InputError
from pipeline.scoring import as_profile, cautions, rescore, score_settings, under_profile
from pipeline.settings import Profile
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
    assert score_settings(SETTINGS, plan(), interests=["ai", "ai", "芯片"]).interests == ("ai", "芯片")


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


def test_a_profile_applies_to_a_finished_run_without_fetching() -> None:
    pool = [judged(candidate("a", title="OpenAI model release", domain="sec.gov", age=10))]
    report = run(pool)
    settings = under_profile(report, SETTINGS, "finance")
    ranking = rescore(report, settings)
    assert settings.window_days == report.settings.window_days, "its window applies to the next run"
    assert ranking.values[0, 2] == pytest.approx(0.95)
    assert ranking.values[0, 0] == pytest.approx(2.718281828 ** (-5.2598 * 10 / 30), abs=1e-3)


def test_what_the_analyst_set_wins_over_a_profile() -> None:
    class Log:
        def biases(self):
            return {"sec.gov": 0.2}

        def evidence(self, as_of):
            return {}

    report = run([judged(candidate("a", title="OpenAI model release", domain="sec.gov"))], authorities=Log())
    assert "sec.gov" not in under_profile(report, SETTINGS, "finance").authority_biases


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
    assert found == replace(now, profile="careful")
    assert saved.days == 30
    assert saved.interests is None
