from dataclasses import replace

import numpy as np
import pytest

from pipeline.scoring import rescore, restated
from pipeline.scoring.corroboration import independent, value_of
from tests.scoring.made import candidate, grouping, judged, run


@pytest.mark.parametrize(("owners", "value"), [(0, 0), (1, 0), (2, 0.5), (3, 0.75), (4, 0.875)])
def test_each_further_owner_halves_the_doubt(owners: int, value: float) -> None:
    assert value_of(np.array([owners], np.int32))[0] == value


def test_sites_of_one_owner_count_once() -> None:
    event, voice = np.array([0, 0, 0, 1]), np.array([0, 0, 1, 0])
    assert independent(event, voice, np.arange(4), np.ones(4, bool)).tolist() == [2, 2, 2, 1]


def test_a_copy_speaks_with_the_voice_of_its_original() -> None:
    event, voice = np.zeros(10, int), np.arange(10)
    original = np.zeros(10, int)  # nine reprints of one agency's text on nine sites
    assert set(independent(event, voice, original, np.ones(10, bool)).tolist()) == {1}


def test_a_dismissed_report_has_no_voice() -> None:
    pool = [judged(candidate(name, title="OpenAI model release")) for name in "ab"]
    groups = grouping(["a", "b"], [0, 0])
    assert run(pool, groups).table.values[0, 3] == 0.5
    assert run(pool, groups, dismissed=["b"]).table.values[0, 3] == 0


def test_many_events_with_one_giant_do_not_need_a_grid() -> None:
    n = 200_000
    event, voice = np.arange(n), np.zeros(n, int)
    event[:5000] = 0
    voice[:5000] = np.arange(5000)
    assert independent(event, voice, np.arange(n), np.ones(n, bool))[[0, n - 1]].tolist() == [5000, 1]


def test_after_a_later_dismissal_the_words_tell_what_counts() -> None:
    report = run([judged(candidate("a")), judged(candidate("b"))], grouping(["a", "b"], [0, 0]))
    since = replace(report, table=replace(report.table, dismissed=np.array([False, True])))
    part = restated(since, rescore(since, since.settings), 0).parts[3]
    assert (part.value, dict(part.facts)["independent"]) == (0, "1")
    assert "2 reports of this event, n = 1 independent" in part.evidence


def test_a_copy_speaks_with_the_voice_of_its_original_in_the_reason_too() -> None:
    pool = [judged(candidate(id, title="OpenAI model release", domain="sec.gov")) for id in "abc"]
    report = run(pool, grouping(list("abc"), [0, 0, 0], originals={1: 0}, voices=[0, 1, 2]))
    assert dict(report.item(0).parts[3].facts)["independent"] == "2"
    assert "2 independent sources" in report.item(int(report.table.total.argmax())).reason
