"""What of a run is on the screen."""

from collections import Counter

from pages.parts import hints
from pages.parts.view import View
from pipeline import Bucket, rescore
from tests.pages import sample

REPORT = sample.report()


def lowered(threshold: float) -> View:
    from dataclasses import replace

    return View(REPORT, rescore(REPORT, replace(REPORT.settings, threshold=threshold)))


def test_every_item_is_shown_or_in_one_bucket() -> None:
    view = View(REPORT)
    counted = len(view.selected) + sum(map(len, view.buckets.values()))
    assert counted == len(REPORT.table)
    assert Counter(REPORT.table.bucket.tolist())[Bucket.OFF_TOPIC] == len(view.buckets[Bucket.OFF_TOPIC])


def test_the_story_is_in_time_with_upstream_first_or_by_score() -> None:
    view = View(REPORT)
    rows = view.story()
    assert bool(REPORT.table.upstream[rows[0]])
    times = [float(REPORT.table.published[row]) for row in rows[1:]]
    assert times == sorted(times)
    totals = [view.total(row) for row in view.story(order="score")]
    assert totals == sorted(totals, reverse=True)


def test_filters_narrow() -> None:
    view = View(REPORT)
    assert {view.tier(row) for row in view.story(tiers=["fact"])} == {"fact"}
    assert [REPORT.table.sources[row] for row in view.story(sources=["x"])] == ["x"]
    assert len(view.story(words="晨星")) == 1
    assert view.story(words="no such word") == ()
    assert all(view.event_of(row).id == "event-1" for row in view.story(events={"event-1"}))


def test_a_dismissed_item_leaves_the_story_and_is_listed() -> None:
    row = View(REPORT).selected[2]
    view = View(REPORT, marks={REPORT.table.ids[row]: "dismiss"})
    assert row not in view.selected
    assert view.buckets[Bucket.DISMISSED] == (row,)


class Counted(View):
    """A view that counts how often it looks at a single row."""

    looks = 0

    def mark(self, row: int) -> str:
        Counted.looks += 1
        return super().mark(row)

    def total(self, row: int) -> float:
        Counted.looks += 1
        return super().total(row)


def test_what_is_not_shown_is_sorted_on_arrays_not_row_by_row() -> None:
    view = Counted(REPORT, marks={REPORT.table.ids[0]: "adopt"})
    assert sum(map(len, view.buckets.values())) > len(view.selected)
    assert Counted.looks <= len(REPORT.selected_rows)
    for rows in view.buckets.values():
        totals = [View.total(view, row) for row in rows]
        assert totals == sorted(totals, reverse=True)


def test_two_views_of_a_run_share_where_its_items_are() -> None:
    assert View(REPORT).row_of is lowered(40).row_of


def test_a_lower_threshold_shows_the_nearest_miss() -> None:
    near = View(REPORT).nearest(Bucket.BELOW_THRESHOLD, 1)[0]
    view = lowered(float(int(View(REPORT).total(near))))
    assert near in view.selected
    assert view.item(near).bucket == Bucket.SELECTED
    assert view.threshold == 42


def test_sites_count_copies_and_accounts() -> None:
    view = View(REPORT)
    assert view.sites(REPORT.events[0]) == 7
    assert REPORT.events[0].independent == 5


def test_symptoms_name_what_went_wrong(monkeypatch) -> None:
    monkeypatch.setattr(hints.reader, "hint_language", lambda: "en")
    assert any("max_per_minute" in said for said in hints.symptoms(View(REPORT)))
    monkeypatch.setattr(hints.reader, "hint_language", lambda: "zh")
    assert any("配额" in said for said in hints.symptoms(View(REPORT)))
