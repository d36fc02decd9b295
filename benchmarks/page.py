"""The app as a browser meets it, on a real server: seconds from start to the first page, milliseconds of a rerun.

    python -m benchmarks.page start [--rounds 5]           against a two-line app, in turn
    python -m benchmarks.page rerun [--items 20000]        Query and Timeline on a stored run of that size

A websocket client asks for a run of the script and waits until the server says it has finished; CPU is the server
process's own. Streamlit collects garbage after every run, which only a real server shows.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser import server  # noqa: E402

TWO_LINES = "import streamlit as st\nst.title('x')\n"
PAUSE_S = 0.15  # between two reruns, as a hand on a slider leaves it


@contextmanager
def session(address: str) -> Iterator[Any]:
    from websockets.sync.client import connect

    url = address.replace("http", "ws", 1) + "/_stcore/stream"
    with connect(url, subprotocols=["streamlit"], max_size=None, origin=address) as socket:  # type: ignore[list-item]
        yield socket


def run_script(socket: Any, query: str = "", page: str = "") -> tuple[float, int]:
    """Seconds until the script has finished, and bytes received."""
    from streamlit.proto.BackMsg_pb2 import BackMsg
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

    asked = BackMsg()
    asked.rerun_script.query_string = query
    asked.rerun_script.page_name = page
    began, size = time.perf_counter(), 0
    socket.send(asked.SerializeToString())
    while True:
        data = socket.recv(timeout=60)
        size += len(data)
        message = ForwardMsg.FromString(data)
        if message.WhichOneof("type") == "script_finished":
            return time.perf_counter() - began, size


def first_page(script: Path, home: Path) -> tuple[float, float]:
    """Seconds from the start of the process to HTTP 200, and to the end of the first page's script."""
    port = server.free_port()
    began = time.perf_counter()
    process = subprocess.Popen(
        server.command(script, port),
        cwd=ROOT,
        env=server.environment(home),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        address = f"http://127.0.0.1:{port}"
        server.wait_ready(address, process)
        with urlopen(address):
            up = time.perf_counter() - began
        with session(address) as socket:
            run_script(socket)
        return up, time.perf_counter() - began
    finally:
        process.terminate()
        process.wait(10)


def start(rounds: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.py"
        plain.write_text(TWO_LINES)
        seen: dict[str, list[tuple[float, float]]] = {"plain": [], "lately": []}
        for at in range(rounds + 1):
            for name, script in (("plain", plain), ("lately", ROOT / "app.py")):
                measured = first_page(script, Path(folder))
                if at:  # the first round fills bytecode caches and creates the database
                    seen[name].append(measured)
    middle = {name: [statistics.median(times) for times in zip(*rows, strict=True)] for name, rows in seen.items()}
    return {
        "http_200_s": {name: round(times[0], 3) for name, times in middle.items()},
        "first_page_s": {name: round(times[1], 3) for name, times in middle.items()},
        "http_200_ratio": round(middle["lately"][0] / middle["plain"][0], 2),
        "first_page_ratio": round(middle["lately"][1] / middle["plain"][1], 2),
        "rounds": rounds,
    }


def rerun(items: int, rounds: int) -> dict[str, Any]:
    import os

    with tempfile.TemporaryDirectory() as folder:
        os.environ["LATELY_HOME"] = folder
        import pipeline
        from tests.pages import sample

        pipeline.open_store(Path(folder) / "lately.db").runs.save(sample.large_report(items), learned=False)
        with server.serving(Path(folder), ROOT / "app.py") as address:
            return {"items": items} | {page: _reruns(address, page, rounds) for page in ("Query", "Timeline")}


def _reruns(address: str, page: str, rounds: int) -> dict[str, float]:
    times, sizes = [], []
    with session(address) as socket:
        for at in range(rounds + 2):
            seconds, size = run_script(socket, "run=large", page)
            time.sleep(PAUSE_S)
            if at >= 2:  # the first loads the run, the second the drawing library
                times.append(seconds)
                sizes.append(size)
    return {"ms": round(1000 * statistics.median(times), 1), "kb": round(statistics.median(sizes) / 1000, 1)}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("what", choices=("start", "rerun"))
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--items", type=int, default=20_000)
    given = arguments.parse_args()
    print(json.dumps(start(given.rounds) if given.what == "start" else rerun(given.items, given.rounds), indent=1))


if __name__ == "__main__":
    main()
