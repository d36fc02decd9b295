"""Pinned quality floors: a change that makes a measure worse than its floor fails.

config/gate.yaml lists, per task and folder, the size of the sample (`limit`; the suites sample by a fixed seed), the
`floors` of measures that should be high and the `ceilings` of those that should be low. Floors are raised by
`evaluate --gate --raise`; lowering one needs `--allow-lower` too, so that it is a visible act.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import ConfigError, LatelyError

WORKERS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """The floors of one task on one folder."""

    task: str
    data: str
    limit: int | None
    floors: Mapping[str, float]
    ceilings: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One measure against its pin. `measured` None: it was not reported, or the suite failed."""

    task: str
    data: str
    metric: str
    measured: float | None
    pinned: float
    high_is_good: bool
    note: str = ""

    @property
    def passed(self) -> bool:
        if self.measured is None or math.isnan(self.measured):
            return False
        return self.measured >= self.pinned if self.high_is_good else self.measured <= self.pinned


def gate_file() -> Path:
    from pipeline.settings import bundled

    return bundled("config") / "gate.yaml"


def read_pins(path: Path) -> tuple[Pin, ...]:
    """Raises ConfigError naming the file and the entry."""
    from pipeline.settings import read_yaml

    found, marks = read_yaml(path)
    pins = []
    for place, entry in enumerate(found.get("gate") or () if isinstance(found, dict) else ()):
        try:
            pin = Pin(
                task=str(entry["task"]),
                data=str(entry["data"]),
                limit=None if entry.get("limit") is None else int(entry["limit"]),
                floors={name: float(value) for name, value in (entry.get("floors") or {}).items()},
                ceilings={name: float(value) for name, value in (entry.get("ceilings") or {}).items()},
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            line = marks.get(("gate", place), (path, 0))[1]
            raise ConfigError(f"{path} line {line}: expected task, data, limit, floors, ceilings ({error})") from error
        pins.append(pin)
    return tuple(pins)


def run_gate(pins: Sequence[Pin], data: Path, *, workers: int) -> tuple[Check, ...]:
    """Measure every pin on its sample, `workers` at a time, each in a fresh process."""
    jobs = [(pin.task, str(data / pin.data), pin.limit) for pin in pins]
    if workers == 1:
        results = [_measure(*job) for job in jobs]
    else:
        with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), max_tasks_per_child=1) as pool:
            results = list(pool.map(_measure, *zip(*jobs, strict=True))) if jobs else []
    return tuple(check for pin, found in zip(pins, results, strict=True) for check in compare(pin, *found))


def _measure(task: str, folder: str, limit: int | None) -> tuple[Mapping[str, float], str]:
    from pipeline.evaluation import evaluate

    try:
        return evaluate(task, Path(folder), limit=limit)["metrics"], ""
    except LatelyError as error:
        return {}, str(error)
    except Exception as error:  # noqa: BLE001 - a suite that breaks fails its own floors, and the others are still told
        return {}, f"{type(error).__name__}: {error}"


def compare(pin: Pin, metrics: Mapping[str, float], problem: str) -> tuple[Check, ...]:
    """One check a pinned measure."""
    return tuple(
        Check(
            task=pin.task,
            data=pin.data,
            metric=name,
            measured=metrics.get(name),
            pinned=pinned,
            high_is_good=high,
            note=problem or ("" if name in metrics else "not reported"),
        )
        for high, pinned_values in ((True, pin.floors), (False, pin.ceilings))
        for name, pinned in pinned_values.items()
    )


def repin(path: Path, checks: Sequence[Check], *, allow_lower: bool) -> int:
    """Write the measured values as the new pins where they are stricter (or all, with `allow_lower`); how many.

    The comment at the head of the file stays.
    """
    import yaml

    text = path.read_text("utf-8")
    found = yaml.safe_load(text)
    changed = 0
    for check in checks:
        if check.measured is None or math.isnan(check.measured):
            continue
        new = _pinned(check.measured, check.high_is_good)
        if new != check.pinned and (allow_lower or (new > check.pinned) == check.high_is_good):
            entry = next(one for one in found["gate"] if (one["task"], one["data"]) == (check.task, check.data))
            entry["floors" if check.high_is_good else "ceilings"][check.metric] = new
            changed += 1
    head = "".join(line for line in text.splitlines(keepends=True) if line.startswith("#"))
    body = yaml.safe_dump(found, allow_unicode=True, sort_keys=False, default_flow_style=None, width=120)
    path.write_text(f"{head}\n{body}", "utf-8")
    return changed


def _pinned(measured: float, high_is_good: bool) -> float:
    """Rounded to the lenient side, so that the same measurement passes."""
    step = 1000
    scaled = round(measured * step, 6)
    whole: int = math.floor(scaled) if high_is_good else math.ceil(scaled)
    return whole / step


def table(checks: Sequence[Check]) -> str:
    """One line a check, the failing ones marked."""
    lines = []
    for one in checks:
        measured = "-" if one.measured is None else f"{one.measured:.4f}"
        sign = ">=" if one.high_is_good else "<="
        mark = "ok  " if one.passed else "FAIL"
        lines.append(
            f"{mark}  {one.task:<11} {one.data:<28} {one.metric:<18} {measured:>8} {sign} {one.pinned:g}  {one.note}"
        )
    return "\n".join(line.rstrip() for line in lines)


def main(arguments: Sequence[str], environ: Mapping[str, str] = os.environ) -> int:
    """`[--raise [--allow-lower]]`; exit code 1 when a floor does not hold. Skips where LATELY_DATA is unset."""
    data = environ.get("LATELY_DATA")
    if not data:
        print("skipped: LATELY_DATA is unset; set it to the folder of the labelled sets", file=sys.stderr)
        return 0
    path = gate_file()
    checks = run_gate(read_pins(path), Path(data), workers=WORKERS)
    print(table(checks))
    if "--raise" in arguments:
        print(
            f"{repin(path, checks, allow_lower='--allow-lower' in arguments)} pins changed in {path}", file=sys.stderr
        )
    failed = [check for check in checks if not check.passed]
    if failed:
        print(f"{len(failed)} of {len(checks)} floors do not hold", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
