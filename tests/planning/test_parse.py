"""parse_query as a whole: bad input, zones, languages, and that nothing but an InputError ever comes out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.errors import InputError
from pipeline.planning import MAX_CHARS
from tests.planning.helpers import plan


@pytest.mark.parametrize("text", ["", "   \n\t", "???", "-crypto", "x" * (MAX_CHARS + 1), "词" * 10_000])
def test_unsearchable_texts_are_one_line_errors(text: str) -> None:
    with pytest.raises(InputError) as caught:
        plan(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_an_unknown_zone_is_an_error_that_names_good_ones() -> None:
    with pytest.raises(InputError, match="Europe/Berlin"):
        plan("AI", zone="Mars/Olympus")


def test_auto_is_the_machines_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    assert plan("AI", zone="auto").zone == "Asia/Shanghai"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Gaza ceasefire hostages", "en"),
        ("大模型 发布", "zh"),
        ("Les négociations sur le climat à Bruxelles cette semaine", "fr"),
        ("GPT-5 发布了吗", "zh"),
    ],
)
def test_language(text: str, language: str) -> None:
    assert plan(text).language == language


def test_control_characters_are_spaces() -> None:
    assert plan("AI\x00agents\nnow").text == "AI agents now"


@settings(max_examples=150)
@given(
    st.one_of(
        st.text(max_size=80), st.text(alphabet="0123456789-/. 年月日上周近个tomayvs\"'@-site:去前内", max_size=60)
    )
)
def test_any_text_gives_a_plan_or_an_input_error(text: str) -> None:
    try:
        made = plan(text)
    except InputError:
        return
    assert made.window.since < made.window.until <= made.now
    assert made.raw_topic
    assert made.subqueries
    assert all(made.text[sign.start : sign.end].strip() == sign.text.strip() for sign in made.signals)
