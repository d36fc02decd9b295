"""The order of a run against what was labelled."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.evaluation.labelled import agreement, gains_of

QUESTION = "agent frameworks"


@dataclass
class Said:
    item: str
    label: str
    task: str = "relevance"
    query: str = QUESTION


RUN = SimpleNamespace(table=SimpleNamespace(ids=("a", "b", "c")), plan=SimpleNamespace(text=QUESTION))


@pytest.mark.parametrize(
    ("labels", "gains"),
    [
        pytest.param([Said("a", "3"), Said("b", "0")], {0: 3.0, 1: 0.0}, id="grades of relevance"),
        pytest.param([Said("a", "on", "topic"), Said("c", "off", "topic")], {0: 1.0, 2: 0.0}, id="on and off topic"),
        pytest.param([Said("a", "1"), Said("a", "2")], {0: 2.0}, id="the later word holds"),
        pytest.param([Said("a", "2"), Said("a", "off", "topic")], {0: 2.0}, id="relevance outweighs topic"),
        pytest.param([Said("a", "2", query="another")], {}, id="of another question"),
        pytest.param([Said("z", "2")], {}, id="of an item that is not here"),
        pytest.param([Said("a", "same", "pair")], {}, id="of another task"),
    ],
)
def test_labels_become_gains(labels: list[Said], gains: dict[int, float]) -> None:
    assert gains_of(RUN, labels) == gains  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("order", "gains", "expected"),
    [
        pytest.param([0, 1, 2], {0: 3.0, 2: 0.0}, 1.0, id="the best first"),
        pytest.param([2, 1, 0], {0: 1.0, 2: 0.0}, 1 / np.log2(3), id="the best second"),
        pytest.param([2], {0: 1.0, 2: 0.0}, 1 / np.log2(3), id="not scored comes last"),
        pytest.param([0, 1], {0: 1.0}, None, id="one label"),
        pytest.param([0, 1], {0: 1.0, 1: 1.0}, None, id="all alike"),
    ],
)
def test_agreement_with_the_labels(order: list[int], gains: dict[int, float], expected: float | None) -> None:
    found = agreement(np.array(order, np.int32), gains)
    assert found == (expected if expected is None else pytest.approx(expected))
