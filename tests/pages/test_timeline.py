"""The Timeline page."""

import json
from datetime import date, timedelta
from typing import Any

import pytest

from pages.parts import days
from tests.pages.conftest import Open, html

PAGE = "pages/2_Timeline.py"


def figure(app: Any) -> dict[str, Any]:
    (chart,) = app.get("plotly_chart")
    return json.loads(chart.proto.spec)


def test_without_a_run_it_says_what_to_do(opened: Open) -> None:
    assert "There is no run to show yet" in html(opened(page=PAGE))


def test_the_address_keeps_the_run_between_pages(opened: Open) -> None:
    app = opened("sample", PAGE)
    assert app.query_params["run"] in (["sample"], "sample")
    app.switch_page("pages/1_Query.py")
    app.run()
    assert "10 shown of 33" in html(app)


def test_all_dots_are_one_trace_with_size_colour_and_shape(opened: Open) -> None:
    traces = {trace.get("name", ""): trace for trace in figure(opened("sample", PAGE))["data"]}
    dots = traces["dots"]
    assert len(dots["customdata"]) == 21
    symbols = dots["marker"]["symbol"]
    assert symbols.count("circle-open") == 1
    assert symbols.count("diamond-open") == 2


def test_titles_in_the_figure_are_text(opened: Open) -> None:
    spec = json.dumps(figure(opened("sample", PAGE)), ensure_ascii=False)
    assert "<script" not in spec
    assert "&lt;script&gt;" in spec
    assert "红隼实验室" in spec


def test_all_scored_events_can_be_drawn(opened: Open) -> None:
    app = opened("sample", PAGE)
    app.segmented_control(key="lanes-of").set_value("scored").run()
    assert not app.exception
    assert "A small framework for agents in Lua" in json.dumps(figure(app))


def test_the_story_follows_below(opened: Open) -> None:
    assert html(opened("sample", PAGE)).count('class="lt-card"') == 10


def test_the_slider_chooses_days_for_the_chart_and_the_story(opened: Open) -> None:
    app = opened("sample", PAGE)
    slider = next(one for one in app.slider if one.label == "Days")
    last = slider.value[1]
    slider.set_value((last - timedelta(days=4), last)).run()
    assert not app.exception
    dots = next(trace for trace in figure(app)["data"] if trace.get("name") == "dots")
    assert 0 < len(dots["selectedpoints"]) < len(dots["x"])
    assert "26 Nov – 30 Nov: " in html(app) and " reports of " in html(app)
    assert "Norland publishes" not in "".join(part for part in html(app).split("<article")[1:])


@pytest.mark.parametrize(
    ("boxes", "wanted"),
    [
        ([{"x": ["2026-11-27 10:00:00.5", "2026-11-24 01:00"]}], (24, 27)),
        ([{"x": ["2026-10-02 10:00", "2026-11-05 01:00"]}], (1, 5)),
        ([], (1, 30)),
    ],
    ids=("drawn from right to left", "drawn beyond the axis", "let go"),
)
def test_a_box_over_the_chart_stands_for_days(boxes: list[Any], wanted: tuple[int, int]) -> None:
    ends = date(2026, 11, 1), date(2026, 11, 30)
    assert days.boxed(boxes, ends) == tuple(date(2026, 11, day) for day in wanted)


def test_a_run_without_events_says_so(opened: Open) -> None:
    assert "no item passed every step" in html(opened("empty", PAGE))


def test_presenting_keeps_the_chart(opened: Open) -> None:
    app = opened("sample", PAGE, present="1")
    assert app.get("plotly_chart")
    assert [button.key for button in app.button] == ["leave-present"]
