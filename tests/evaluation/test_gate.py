"""Floors: what fails, what is raised, what is never lowered unasked."""

import sys
from types import ModuleType

import pytest
import yaml

from pipeline.errors import ConfigError, InputError
from pipeline.evaluation import evaluate, tasks
from pipeline.evaluation import gate as gate_module
from pipeline.evaluation.gate import Check, Pin, compare, gate_file, main, read_pins, repin, run_gate

PIN = Pin(task="toy", data="set", limit=10, floors={"f1": 0.8}, ceilings={"wrong": 0.1})


@pytest.mark.parametrize(
    ("metrics", "passed"),
    [
        ({"f1": 0.8, "wrong": 0.1}, [True, True]),
        ({"f1": 0.79, "wrong": 0.1}, [False, True]),
        ({"f1": 0.9, "wrong": 0.11}, [True, False]),
        ({"f1": 0.9}, [True, False]),
        ({"f1": float("nan"), "wrong": 0.0}, [False, True]),
    ],
    ids=["at the pins", "below a floor", "above a ceiling", "not reported", "no number"],
)
def test_checks(metrics, passed):
    assert [check.passed for check in compare(PIN, metrics, "")] == passed


@pytest.fixture
def toy(monkeypatch, tmp_path):
    """A suite that reports what its folder holds, and a gate file that pins it."""
    suite = ModuleType("toy")
    suite.TASK = "toy"

    def run(folder, *, limit=None):
        return limit, {"f1": float((folder / "f1").read_text()), "wrong": 0.05}

    suite.run = run
    monkeypatch.setattr("pipeline.evaluation._names", lambda: iter(["toy"]))
    monkeypatch.setitem(sys.modules, "pipeline.evaluation.suites.toy", suite)
    (tmp_path / "set").mkdir()
    pins = tmp_path / "gate.yaml"
    pins.write_text(
        "# why\n# these\n\ngate:\n- {task: toy, data: set, limit: 10, floors: {f1: 0.8}, ceilings: {wrong: 0.1}}\n"
    )
    monkeypatch.setattr(gate_module, "gate_file", lambda: pins)
    monkeypatch.setattr(gate_module, "WORKERS", 1)

    def measured(value):
        (tmp_path / "set" / "f1").write_text(str(value))
        return tmp_path

    return measured, pins


def gate(folder, *flags):
    return main(flags, {"LATELY_DATA": str(folder)})


def pinned(pins):
    (entry,) = yaml.safe_load(pins.read_text())["gate"]
    return entry["floors"]["f1"], entry["ceilings"]["wrong"]


def test_the_gate_fails_below_a_floor_and_says_which(toy, capsys):
    measured, _ = toy
    assert gate(measured(0.85)) == 0
    assert gate(measured(0.75)) == 1
    out, err = capsys.readouterr()
    assert "FAIL  toy" in out
    assert "1 of 2 floors do not hold" in err


def test_raising_pins_what_is_better_and_keeps_the_comment(toy):
    measured, pins = toy
    assert gate(measured(0.85678), "--raise") == 0
    assert pinned(pins) == (0.856, 0.05)
    assert pins.read_text().startswith("# why\n# these\n")
    assert gate(measured(0.85678)) == 0


def test_a_floor_is_lowered_only_when_that_is_said(toy):
    measured, pins = toy
    assert gate(measured(0.5), "--raise") == 1
    assert pinned(pins)[0] == 0.8
    assert gate(measured(0.5), "--raise", "--allow-lower") == 1
    assert pinned(pins)[0] == 0.5


def test_without_data_the_gate_skips_with_a_reason(capsys):
    assert main([], {}) == 0
    assert "LATELY_DATA is unset" in capsys.readouterr().err


def test_a_suite_that_breaks_fails_its_own_floors(toy, tmp_path):
    measured, _ = toy
    measured("no number")
    other = Pin(task="toy", data="missing", limit=None, floors={"f1": 0.1}, ceilings={})
    broken, _, missing = run_gate([PIN, other], tmp_path, workers=1)
    assert (broken.passed, broken.note.partition(":")[0]) == (False, "ValueError")
    assert "no folder" in missing.note


def test_processes_measure_too(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))  # a page tested before leaves itself there
    (tmp_path / "set").mkdir()
    checks = run_gate([PIN], tmp_path, workers=2)
    assert all("there is no task" in check.note for check in checks)


def test_a_broken_gate_file_names_the_line(tmp_path):
    path = tmp_path / "gate.yaml"
    path.write_text("gate:\n- {task: a, data: b}\n- {task: a}\n")
    with pytest.raises(ConfigError, match="line 3"):
        read_pins(path)


def test_the_products_own_pins_are_readable_and_name_known_tasks():
    pins = read_pins(gate_file())
    assert pins
    assert len({(pin.task, pin.data) for pin in pins}) == len(pins)
    assert {pin.task for pin in pins} <= set(tasks())


def test_pinning_is_lenient_by_rounding(tmp_path):
    path = tmp_path / "gate.yaml"
    path.write_text("gate:\n- {task: a, data: b, floors: {x: 0.1}, ceilings: {y: 0.9}}\n")
    checks = [
        Check(task="a", data="b", metric="x", measured=0.12399, pinned=0.1, high_is_good=True),
        Check(task="a", data="b", metric="y", measured=0.12301, pinned=0.9, high_is_good=False),
    ]
    assert repin(path, checks, allow_lower=False) == 2
    (pin,) = read_pins(path)
    assert (pin.floors["x"], pin.ceilings["y"]) == (0.123, 0.124)


def test_what_an_evaluation_says(toy):
    folder = toy[0](0.81239) / "set"
    told = evaluate("toy", folder, limit=10)
    assert told.pop("seconds") >= 0
    assert told == {"task": "toy", "data": "set", "n": 10, "metrics": {"f1": 0.8124, "wrong": 0.05}}


@pytest.mark.parametrize(
    ("task", "limit", "words"),
    [("nothing", None, "there is no task"), ("toy", 0, "at least 1"), ("toy", None, "f1")],
    ids=["unknown task", "no rows", "a file is missing"],
)
def test_what_can_not_be_evaluated(toy, tmp_path, task, limit, words):
    with pytest.raises(InputError, match=words):
        evaluate(task, tmp_path / "set", limit=limit)
