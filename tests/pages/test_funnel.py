"""The funnel adds up: each step is the one before less what it says it took."""

import re

import pytest

from pages.parts import card, funnel, safe
from pages.parts.view import View
from tests.pages import sample

VIEW = View(sample.report())
STEPS = funnel.steps(VIEW)


def test_every_step_is_the_one_before_less_what_it_took() -> None:
    assert STEPS[0].total == len(VIEW.report.table)
    for before, step in zip(STEPS, STEPS[1:], strict=False):
        assert before.total - sum(int(re.match(r"[\d,]+", took)[0]) for took in step.took) == step.total
    assert STEPS[-1].total == len(VIEW.selected)


@pytest.mark.parametrize(
    ("word", "said", "marked"),
    [
        ("agents", "an agent acts", "<mark>agent</mark>"),
        ("agent", "many agents act", "<mark>agents</mark>"),
        ("glass", "a glas", ""),
    ],
)
def test_singular_and_plural_are_marked_alike(word: str, said: str, marked: str) -> None:
    found = re.findall("<mark>.*?</mark>", safe.marked(said, (word,)))
    assert found == ([marked] if marked else [])


def test_a_chinese_word_is_marked_as_far_as_the_topic_goes_on() -> None:
    words = card._longer("智能体框架", ("智能",))
    assert safe.marked("新的智能体发布", words) == "新的<mark>智能体</mark>发布"
