"""What starting costs: heavy libraries load where they are used."""

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {
    "streamlit", "plotly", "pandas", "scipy", "datasketch", "sqlite_utils", "pydantic", "httpx", "numpy", "yaml",
    "rjieba", "opencc", "xpinyin",
}  # fmt: skip
PROBES = {
    "import pipeline": "import pipeline",
    "help": "import sys; from pipeline.cli import run_command; run_command(['--help'])",
}


@pytest.mark.parametrize("probe", PROBES)
def test_nothing_heavy_is_loaded(probe):
    script = f"{PROBES[probe]}\nimport sys, json; print('\\n' + json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout.splitlines()[-1]))
    assert not loaded.intersection(HEAVY)


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="needs wait4 to read a child's CPU time")
@pytest.mark.parametrize("arguments", [["-c", "import pipeline"], ["-m", "pipeline", "--help"]], ids=" ".join)
def test_starting_costs_at_most_twenty_bare_interpreters(arguments):
    bare, ours = [], []
    for _ in range(5):  # in turn, so that a busy machine slows both
        bare.append(cpu(["-c", "pass"]))
        ours.append(cpu(arguments))
    assert statistics.median(ours) <= 20 * statistics.median(bare)


def cpu(arguments):
    process = subprocess.Popen([sys.executable, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_utime + usage.ru_stime
