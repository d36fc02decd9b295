"""How endpoints stand before anything is asked: answers so far, budget left, keys."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pipeline.checkup import checkup_job, findings, start_checkup
from pipeline.diagnose import Diagnosis
from pipeline.health import source_health
from pipeline.jobs import background
from pipeline.settings import Feed, load_settings
from pipeline.store import open_store
from pipeline.types import Outcome
from tests.store.helpers import NOW

SETTINGS = load_settings({})


@pytest.fixture
def kept(tmp_path):
    return open_store(tmp_path / "lately.db", seconds=NOW.timestamp)


def health(store, **environ):
    found = source_health(SETTINGS, store, environ=environ, now=NOW)
    return {(one.source, one.endpoint): one for one in found}


def answered(store, *statuses, endpoint="gdelt", source="gdelt"):
    for hours, status in enumerate(statuses):
        outcome = Outcome(source=source, endpoint=endpoint, status=status, items=3, elapsed_ms=100, detail="why")
        store.health.record(f"run {hours}", [outcome], NOW + timedelta(hours=hours))


def test_every_configured_endpoint_is_there_before_any_run(kept):
    found = health(kept)
    assert len(found) > 50
    assert all(one.answers is None for one in found.values())


def test_the_last_runs_and_the_last_error_in_words(kept):
    answered(kept, "ok", "timeout", "ok")
    answers = health(kept)["gdelt", "gdelt"].answers
    assert [one.good for one in answers.answers] == [True, False, True]
    assert (answers.good, answers.runs, answers.failing) == (2, 3, 0)
    assert (answers.last_error, answers.last_error_at) == ("timeout: why", NOW + timedelta(hours=1))


def test_a_source_that_is_configured_no_more_keeps_its_row(kept):
    answered(kept, "error", endpoint="Gone Daily", source="rss")
    assert health(kept)["rss", "Gone Daily"].answers.failing == 1


@pytest.mark.parametrize("url", ["https://[::1/feed", "https://a.example:port/", "nothing", ""])
def test_an_entry_that_is_no_address_costs_no_other_its_row(kept, url):
    bad = Feed(name="Broken", url=url)
    sources = SETTINGS.sources.model_copy(update={"rss": (bad, *SETTINGS.sources.rss)})
    found = source_health(SETTINGS.model_copy(update={"sources": sources}), kept, environ={}, now=NOW)
    assert {(one.source, one.endpoint) for one in found} == {*health(kept), ("rss", "Broken")}


def test_what_is_left_of_a_budget(kept):
    for _ in range(4):
        kept.budget.take("source:gdelt@api.gdeltproject.org", max_per_minute=10, max_per_day=None)
    one = health(kept)["gdelt", "gdelt"]
    assert one.budget == "6 of 10 left this minute"


@pytest.mark.parametrize(
    ("environ", "said", "ready"),
    [({}, "GUARDIAN_API_KEY is not set", False), ({"GUARDIAN_API_KEY": "hush"}, "GUARDIAN_API_KEY is set", True)],
)
def test_a_key_is_named_and_never_shown(kept, environ, said, ready):
    one = health(kept, **environ)["guardian", "guardian"]
    assert (one.key, one.ready) == (said, ready)
    assert "hush" not in repr(one)


def test_a_check_in_the_background_is_kept_and_replaces_its_own_kind_only(kept, monkeypatch):
    from pipeline import checkup

    async def diagnose(query, *, progress, sources, **_):
        progress("endpoint", source="rss", endpoint="Daily", status="ok", items=3)
        kinds = sources or ("rss", "gdelt")
        return tuple(Diagnosis(source=kind, endpoint="Daily", status="ok", newest=NOW, items=3) for kind in kinds)

    monkeypatch.setattr(checkup, "diagnose", diagnose)
    assert checkup_job(kept) is None
    assert background(kept).wait(start_checkup(kept)).state == "done"
    assert checkup_job(kept).progress["endpoints"][0]["endpoint"] == "Daily"
    first = findings(kept)
    background(kept).wait(start_checkup(kept, sources=["gdelt"]))
    then = findings(kept)
    assert set(first) == set(then) == {("rss", "Daily"), ("gdelt", "Daily")}
    assert then["rss", "Daily"] == first["rss", "Daily"]
    assert then["gdelt", "Daily"].at > first["gdelt", "Daily"].at
    assert then["gdelt", "Daily"].diagnosis.newest == NOW
