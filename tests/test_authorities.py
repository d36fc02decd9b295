"""Sources as they stand, and what an edit would do to a run, computed by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pipeline import known_in, known_source, known_sources, standings, used_under, without_evidence
from pipeline.authorities import authority_effect, todays_biases
from pipeline.settings import load_settings
from pipeline.store import open_store
from pipeline.store.authority import Evidence
from tests.pages import sample

NOW = datetime(2026, 11, 30, tzinfo=UTC)
SETTINGS = load_settings({})


@pytest.fixture
def kept(tmp_path):
    return open_store(tmp_path / "lately.db")


def test_the_run_s_sources_come_first_and_every_named_one_follows_once():
    found = known_sources(SETTINGS, sample.report())
    keys = [one.key for one in found]
    assert found[0].shown >= found[1].shown > 0
    assert keys.index("reuters.com") > keys.index("spam.example")
    assert len(keys) == len(set(keys))
    assert set(SETTINGS.authority.sources) <= set(keys)


@pytest.mark.parametrize(
    ("key", "class_", "prior", "says"),
    [
        ("whitehouse.gov", "official", 0.90, "named official"),
        ("new-site.example", "unlisted", 0.30, "class unlisted"),
        ("@someone", "social", 0.40, "class social"),
    ],
)
def test_a_source_by_its_key(key, class_, prior, says):
    one = known_source(key, SETTINGS)
    assert (one.class_, one.prior, one.prior_from) == (class_, prior, says)


def test_bias_and_evidence_give_the_posterior(kept):
    kept.authority.set("a.example", 0.5, "why", NOW)
    kept.authority.learn(
        [
            Evidence(key="a.example", candidate=str(n), kind=kind, at=NOW, run="r")
            for n, kind in enumerate(("adopted", "adopted", "dismissed"))
        ]
    )
    (one,) = standings((known_source("a.example", SETTINGS),), SETTINGS, kept.authority, NOW)
    assert (one.bias, one.known.prior, one.successes, one.failures) == (0.5, 0.3, 2.0, 1.0)
    assert one.mean == pytest.approx((0.5 * 20 + 2) / (20 + 2 + 1))
    assert one.estimate.mean == pytest.approx(one.mean)
    assert one.estimate.low < one.mean < one.estimate.high
    assert without_evidence(one, 2, 0) == pytest.approx((0.5 * 20) / (20 + 1))


def test_sources_that_only_the_analyst_knows_are_listed_too(kept):
    kept.authority.set("mine.example", 0.5, "why", NOW)
    assert [one.key for one in standings((), SETTINGS, kept.authority, NOW)] == ["mine.example"]


def test_a_lower_bias_lets_a_source_fall_and_says_what_is_no_longer_shown():
    report = sample.report()
    row = next(row for row, title in enumerate(report.table.titles) if title.startswith("Rumour"))
    key = report.table.authority_keys[row]
    found = authority_effect(report, {key: 0.0})
    (fell,) = [move for move in found.falls if move.row == row]
    weights = [0.30, 0.25, 0.20, 0.15, 0.05]
    lost = 100 * 0.20 / sum(weights) * (report.table.values[row, 2] - 0.0)
    assert fell.points - fell.points_after == pytest.approx(lost, abs=0.02)
    assert fell.place_after > fell.place
    assert found.risen == 0
    assert [report.table.titles[move.row] for move in found.gone] == [
        "Kestrel Labs hints at durable sessions for agents"
    ]
    assert found.n_gone == 1


def test_a_higher_bias_lets_rise_and_no_change_moves_nothing():
    report = sample.report()
    found = authority_effect(report, {"marasnotebook.example": 1.0})
    assert found.risen
    assert found.fallen == 0
    assert authority_effect(report, {"nobody.example": 1.0}) == authority_effect(report, {})
    assert report.table.total.tolist() == sample.report().table.total.tolist()


def test_today_s_biases_are_those_that_differ_from_the_run_s_own(kept):
    report = sample.report()
    used = report.authorities
    biased = replace(used["stacksignal.example"], prior_from="analyst's bias")
    ran = replace(report, authorities={**used, "stacksignal.example": biased})
    kept.authority.set("marasnotebook.example", 0.1, "why", NOW)
    kept.authority.set("northwind.example", used["northwind.example"].prior_mean, "as it was", NOW)
    kept.authority.set("elsewhere.example", 0.1, "not in the run", NOW)
    found = todays_biases(ran, SETTINGS, kept.authority)
    assert found == {"marasnotebook.example": 0.1, "stacksignal.example": 0.3}


def test_a_source_of_the_run_is_known_as_the_run_took_it_whatever_is_configured_now():
    report = sample.report()
    one = known_in(report, "northwind.example", SETTINGS)
    assert (one.class_, one.prior, one.prior_from) == ("outlet", 0.92, "class outlet")
    assert known_source("northwind.example", SETTINGS).prior == 0.30
    assert used_under(one, {}) == report.authorities["northwind.example"]
    assert used_under(one, {"northwind.example": 0.8}).mean == pytest.approx(0.8)
    assert authority_effect(report, {one.key: 0.8}).risen == 0
    assert used_under(known_in(report, "elsewhere.example", SETTINGS), {}) is None


@pytest.mark.parametrize(
    ("says", "class_", "prior"),
    [
        ("class wire", "wire", 0.7),
        ("named official", "official", 0.7),
        ("named source, on ai", "unlisted", 0.7),
        ("sources.yaml", "unlisted", 0.7),
        ("analyst's bias", "unlisted", 0.3),
    ],
)
def test_the_prior_a_run_used_and_the_class_it_names(says, class_, prior):
    report = sample.report()
    used = replace(report.authorities["northwind.example"], prior_from=says, prior_mean=0.7)
    one = known_in(replace(report, authorities={"northwind.example": used}), "northwind.example", SETTINGS)
    assert (one.class_, one.prior) == (class_, prior)


def test_the_demo_s_own_configuration_tells_what_a_bias_hides():
    report = replace(sample.report(demo=True), authorities={})
    endpoints = tuple("Northwind Wire" for _ in report.table.endpoints)
    report = replace(report, table=replace(report.table, endpoints=endpoints))
    one = known_in(report, "northwind.example", SETTINGS)
    assert (one.class_, one.prior_from) == ("wire", "class wire")
