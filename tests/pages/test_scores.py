"""The Scores page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import pipeline
from pages.parts import scores_table
from pages.parts.view import View
from pipeline.types import Bucket
from tests.pages import sample
from tests.pages.conftest import Open, html

PAGE = "pages/3_Scores.py"
Scores = Callable[..., Any]


@pytest.fixture
def scores(opened: Open) -> Scores:
    return lambda run="sample", **query: opened(run, PAGE, **query)


def slider(app: Any, name: str) -> Any:
    return next(found for found in app.slider if found.key.startswith("wi-sample-" + name))


def figures(app: Any) -> list[Any]:
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


def bars(app: Any) -> tuple[list[str], list[float], list[float]]:
    """Names, starts and lengths of the waterfall."""
    trace = figures(app)[0]["data"][0]
    return trace["y"], trace["base"], trace["x"]


# --------------------------------------------------------------------------- states


def test_without_a_run_it_says_what_to_do(opened: Open) -> None:
    assert "There is no run to show yet" in html(opened(page=PAGE))


def test_a_run_in_which_nothing_was_scored_says_so(scores: Scores, kept: Any) -> None:
    eaten = tuple(row for row in sample.ROWS if row.bucket < Bucket.DISMISSED)
    kept.runs.save(sample.report(rows=eaten, run_id="eaten"), learned=False)
    assert "Nothing of this run was scored" in html(scores("eaten"))


def test_presenting_hides_every_control(scores: Scores) -> None:
    app = scores(present="1")
    assert [button.key for button in app.button] == ["leave-present"]
    assert not app.slider
    assert len(app.dataframe[0].value) == 10
    assert figures(app)


# --------------------------------------------------------------------------- the table


def test_every_scored_item_is_a_row_and_the_rest_is_not(scores: Scores) -> None:
    table = scores().dataframe[0].value
    assert len(table) == 22
    assert table["rank"].tolist() == list(range(1, 23))
    assert table["total"].is_monotonic_decreasing
    assert {"selected", "copy", "folded into an event", "below threshold"} == {*table["bucket"]}
    assert not any(table["moved"])


def test_titles_have_the_room_of_what_moved_until_something_does(scores: Scores) -> None:
    app = scores()
    assert json.loads(app.dataframe[0].proto.columns)["moved"] == {"hidden": True}
    slider(app, "timeliness").set_value(1.0).run()
    assert "hidden" not in json.loads(app.dataframe[0].proto.columns)["moved"]


def test_titles_are_text_whatever_they_hold(scores: Scores) -> None:
    titles = scores().dataframe[0].value["title"].tolist()
    assert any(title.startswith("<script>document.title") for title in titles)
    assert "红隼实验室发布智能体框架 2.0，支持持久会话" in titles
    assert all(len(title.encode()) <= scores_table.TITLE[0] + 3 for title in titles)


@pytest.mark.parametrize(("words", "found"), [("KESTREL", 7), ("智能体", 4), ("@nobody", 0), ("stacksignal", 2)])
def test_the_filter_looks_in_titles_sites_and_accounts(scores: Scores, words: str, found: int) -> None:
    app = scores()
    app.text_input(key="scores-filter").set_value(words).run()
    assert sum(len(table.value) for table in app.dataframe) == found
    assert ("No item passes these filters" in html(app)) == (found == 0)


def test_a_segment_is_as_long_as_its_points_after_penalties() -> None:
    report = sample.report()
    view = View(report)
    ranking = pipeline.as_ran(report)
    for picture, row in zip(scores_table.bars(view, ranking, ranking.order), ranking.order, strict=True):
        ends = [int(end) for end in re.findall(r"(\d+)px[,)]", picture.split("0 9px")[0])]
        assert ends == sorted(ends)
        assert ends[-1] == pytest.approx(float(report.table.total[row]), abs=0.51)


def test_the_file_holds_every_row_and_runs_nothing() -> None:
    report = sample.report()
    ranking = pipeline.as_ran(report)
    records = list(scores_table._records(View(report), ranking, (ranking.order >= 0).nonzero()[0]))
    assert len(records) == 22
    assert all(len(record) == len(scores_table.COLUMNS) for record in records)
    assert "'@kestrel_dev" in pipeline.csv_table(scores_table.COLUMNS, records).decode("utf-8-sig")


def test_a_long_run_is_paged_and_the_address_opens_the_page_of_its_item(scores: Scores, kept: Any) -> None:
    large = sample.large_report(700)
    kept.runs.save(large, learned=False)
    last = large.table.ids[int(pipeline.as_ran(large).order[-1])]
    app = scores("large", item=last)
    assert app.number_input(key="page-scores").value == 4
    assert len(app.dataframe[0].value) == 50
    app.selectbox(key="scores-size").set_value(500).run()
    assert not app.exception
    assert len(app.dataframe[0].value) == 350


# --------------------------------------------------------------------------- the item


@pytest.mark.parametrize("row", [row for row, made in enumerate(sample.ROWS) if made.event >= 0])
def test_the_bars_lead_from_zero_to_the_total(row: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from pages.parts import scores_chart, theme

    monkeypatch.setattr(theme, "mode", lambda: "light")
    item = sample.report().item(row)
    figure = scores_chart.figure(item, pipeline.steps(item), 45.0, 100.0)
    bar = figure.data[0]
    lengths, starts = list(bar.x), list(bar.base)
    assert sum(lengths[:-1]) == pytest.approx(item.total, abs=0.006)
    assert (starts[-1], lengths[-1]) == (0, item.total)
    assert all(a + b == pytest.approx(c) for a, b, c in zip(starts, lengths, starts[1:-1], strict=False))
    assert "<script" not in figure.to_json()


def test_the_address_chooses_the_item(scores: Scores) -> None:
    app = scores(item="item-19")
    assert "TOP 10 AI agent frameworks to buy NOW" in html(app)
    assert "Rank 22 of 22" in html(app)
    assert "To reach 45 it would need" in html(app)
    names, _, lengths = bars(app)
    assert names[-2:] == ["content farm", "total"]
    assert lengths[-2] < 0


def test_hostile_titles_run_nothing(scores: Scores) -> None:
    app = scores(item="item-15")
    assert "<script>" not in html(app)
    assert "&lt;script&gt;" in html(app)
    assert "javascript:alert" not in [piece for piece in html(app).split('"') if piece.startswith("javascript")]


def test_an_item_that_was_not_scored_says_why(scores: Scores) -> None:
    app = scores(item="item-22")
    assert "It was not scored: 0.12 relevant, floor 0.40" in html(app)
    assert not figures(app)


def test_an_unknown_item_falls_back_to_the_best(scores: Scores) -> None:
    assert "Rank 1 of 22" in html(scores(item="nobody"))


def test_two_items_stand_on_one_scale_and_the_difference_is_said(scores: Scores) -> None:
    app = scores(item="item-1", beside="item-19")
    one, other = figures(app)
    assert one["layout"]["xaxis"]["range"] == other["layout"]["xaxis"]["range"]
    assert "The first is 57.0 points ahead:" in html(app)
    assert "content farm +25.5" in html(app)
    app.button(key="scores-alone").click().run()
    assert len(figures(app)) == 1


def test_compare_waits_for_a_second_item(scores: Scores) -> None:
    app = scores(item="item-1")
    app.button(key="scores-compare").click().run()
    assert "Choose the second item in the table" in html(app)


# --------------------------------------------------------------------------- what if


def test_arrows_are_the_rank_changes_of_the_pipeline(scores: Scores, kept: Any) -> None:
    app = scores()
    slider(app, "timeliness").set_value(1.0).run()
    report = kept.runs.load("sample")
    ranking = pipeline.rescore(report, replace(report.settings, weights=(1.0, *report.settings.weights[1:])))
    table = app.dataframe[0].value
    assert table["moved"].tolist() == [scores_table.arrow(int(ranking.rank_change[row])) for row in ranking.order]
    assert table["total"].tolist() == pytest.approx([float(ranking.total[row]) for row in ranking.order])
    assert pipeline.moves(report.table.bucket, ranking).sentence in html(app)
    assert "Timeliness weighs 1.00 instead of 0.30" in html(app)
    assert "fresh rumours rise" in html(app)


def test_with_all_weights_at_0_the_order_stays_and_it_is_said(scores: Scores) -> None:
    app = scores()
    before = bars(app)
    for name in ("timeliness", "relevance", "authority", "corroboration", "completeness"):
        assert "All weights are 0" not in html(app)
        slider(app, name).set_value(0.0).run()
    assert "All weights are 0: raise one" in html(app)
    assert slider(app, "preference").value > 0, "which is off, and counts for nothing"
    assert bars(app) == before
    slider(app, "relevance").set_value(0.5).run()
    assert "All weights are 0" not in html(app)


def test_the_bars_follow_the_sliders(scores: Scores) -> None:
    app = scores(item="item-10")
    slider(app, "authority").set_value(0.9).run()
    app.selectbox(key="wi-sample-decay").set_value("linear").run()
    names, _, lengths = bars(app)
    assert sum(lengths[:-1]) == pytest.approx(lengths[-1], abs=0.006)
    assert "decay is linear instead of half-life" in html(app)


def test_reset_brings_the_run_back(scores: Scores) -> None:
    app = scores()
    for name, value in (("relevance", 0.9), ("window", 7), ("line", 70.0)):
        slider(app, name).set_value(value).run()
    assert "decay runs over 7 days instead of 30" in html(app)
    app.button(key="whatif-reset").click().run()
    assert "As the run was" in html(app)
    assert slider(app, "relevance").value == 0.25


def test_the_prior_of_a_source_of_the_run(scores: Scores) -> None:
    app = scores(item="item-10")
    app.multiselect(key="wi-sample-sources").set_value(["standards.gov.norland.example"]).run()
    assert "As the run was" in html(app)
    slider(app, "bias").set_value(0.1).run()
    assert "uthority of standards.gov.norland.example starts from 0.10" in html(app)
    assert "prior 0.10 (analyst&#x27;s bias)" in html(app)


def test_a_profile_sets_all_sliders(scores: Scores) -> None:
    app = scores()
    app.selectbox(key="wi-sample-from").set_value("finance").run()
    assert slider(app, "authority").value == 0.35
    assert app.selectbox(key="wi-sample-decay").value == "exponential"
    assert "filler of big media rises" in html(app)


def test_sliders_stay_where_they_were_on_another_page(scores: Scores) -> None:
    app = scores()
    slider(app, "relevance").set_value(0.6).run()
    app.switch_page("pages/2_Timeline.py").run()
    app.switch_page(PAGE).run()
    assert slider(app, "relevance").value == 0.6


def test_a_saved_profile_is_in_the_sidebar_at_once(scores: Scores, opened: Open) -> None:
    assert "审慎" not in opened().selectbox(key="profile").options
    app = scores(unfolded=("whatif-save",))
    slider(app, "relevance").set_value(0.5).run()
    app.text_input(key="whatif-name").set_value("审慎").run()
    app.button(key="whatif-saved").click().run()
    assert not app.exception
    assert "审慎" in opened().selectbox(key="profile").options
    saved = pipeline.load_settings().profiles["审慎"]
    assert (saved.weights.relevance, saved.decay_function, saved.threshold) == (0.5, "half_life", 45)
    assert "whatif-deleted" not in {button.key for button in app.button}
    app.text_input(key="whatif-name").set_value("审慎").run()
    app.button(key="whatif-deleted").click().run()
    assert not app.exception
    assert "审慎" not in opened().selectbox(key="profile").options


def test_a_name_that_no_file_can_have_is_refused_in_words(scores: Scores) -> None:
    app = scores(unfolded=("whatif-save",))
    app.text_input(key="whatif-name").set_value("../up").run()
    app.button(key="whatif-saved").click().run()
    assert "a profile&#x27;s name is made of letters" in html(app)


def test_a_threshold_can_be_kept_for_the_other_pages(scores: Scores) -> None:
    app = scores()
    slider(app, "line").set_value(60.0).run()
    app.button(key="whatif-keep").click().run()
    assert "As Query shows the run now, not as it ran: threshold is 60 instead of 45." in html(app)
    assert slider(app, "line").value == 60.0
    app.switch_page("pages/1_Query.py").run()
    assert "Back to threshold 45" in [button.label for button in app.button]


def test_an_opened_card_links_to_its_score(opened: Open) -> None:
    row = sample.report().selected_rows[0]
    app = opened("sample", unfolded=(f"more-{row}",))
    links = [found.proto.query_string for found in app.get("page_link") if "score" in found.proto.label]
    assert links == [f"run=sample&item={sample.report().table.ids[row]}"]


def test_labels_say_how_well_an_order_agrees_with_them(scores: Scores, kept: Any) -> None:
    assert "NDCG@10" not in html(scores())
    run = sample.report()
    first, second = (run.table.ids[int(row)] for row in pipeline.as_ran(run).order[:2])
    said = {"task": "relevance", "query": run.plan.text, "at": sample.NOW, "labeller": "analyst"}
    kept.labels.add([pipeline.Label(item=first, label="0", **said), pipeline.Label(item=second, label="3", **said)])
    assert "Against 2 labelled items: NDCG@10 0.631, as the run was 0.631." in html(scores())
