"""The app as a browser meets it, on a real server: seconds from start to the first page, milliseconds of a rerun.

    python -m benchmarks.page start [--rounds 5]           against a two-line app, in turn
    python -m benchmarks.page rerun [--items 20000]        every page drawn as a whole, on a stored run of that size
    python -m benchmarks.page widgets [--items 20000]      what a widget is answered with: its part of the page
    python -m benchmarks.page slider [--items 20000]       Scores: a weight moved, 500 rows and two charts drawn

A websocket client asks for a run of the script and waits until the server says it has finished; CPU is the server
process's own. Streamlit collects garbage after every run, which only a real server shows.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser import server  # noqa: E402

TWO_LINES = "import streamlit as st\nst.title('x')\n"
PAUSE_S = 0.15  # between two reruns, as a hand on a slider leaves it
PAGES = {"Query": "", **{page: page for page in ("Timeline", "Scores", "X_judge", "Sources", "Briefs")}}
"""Page -> its address: the first one stands at the root, and is led to from its name."""
WIDGETS = (
    ("Query", "text", "a letter in the question", ("AI agents last week", "AI agents last wee")),
    ("Query", "filter", "a letter in the filter", ("event", "even")),
    ("Query", "order", "order of the story", ("by score", "by time")),
    ("Query", "bucket", "a bucket of what is not shown", ("10,000 off topic",)),
    ("Timeline", "hand", "dragging instead of clicking", ("Drag to select days", "Click to read")),
    ("Timeline", "lanes-of", "30 lanes of all scored events", ("All scored events", "Shown events")),
)
"""(page, key, what it is, values in turn)"""


@contextmanager
def session(address: str) -> Iterator[Any]:
    from websockets.sync.client import connect

    url = address.replace("http", "ws", 1) + "/_stcore/stream"
    with connect(url, ping_interval=None, subprotocols=["streamlit"], max_size=None, origin=address) as socket:  # type: ignore[list-item]
        yield socket


def run_script(socket: Any, query: str = "", page: str = "") -> tuple[float, int]:
    """Seconds until the script has finished, and bytes received."""
    from streamlit.proto.ClientState_pb2 import ClientState

    seconds, size, _ = answered(socket, ClientState(query_string=query, page_name=page))
    return seconds, size


def answered(socket: Any, state: Any) -> tuple[float, int, list[Any]]:
    """Seconds until the script has finished, bytes received, and the messages."""
    from streamlit.proto.BackMsg_pb2 import BackMsg
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

    asked, size = BackMsg(rerun_script=state).SerializeToString(), 0
    received: list[bytes] = []
    began = time.perf_counter()
    socket.send(asked)
    while True:
        received.append(socket.recv(timeout=60))
        size += len(received[-1])
        if len(received[-1]) < 200 and _finished(ForwardMsg.FromString(received[-1])):
            return time.perf_counter() - began, size, [ForwardMsg.FromString(data) for data in received]


def _finished(message: Any) -> bool:
    """Not where a script ends only to begin again, as the first one of a session may."""
    again = message.ScriptFinishedStatus.FINISHED_EARLY_FOR_RERUN
    return message.WhichOneof("type") == "script_finished" and message.script_finished != again


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


@contextmanager
def stored(items: int) -> Iterator[tuple[str, int]]:
    """Address and process of the app on a store with one large run."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LATELY_HOME"] = folder
        import pipeline
        from tests.pages import sample

        pipeline.open_store(Path(folder) / "lately.db").runs.save(sample.large_report(items), learned=False)
        with running(ROOT / "app.py", Path(folder)) as found:
            yield found


def rerun(items: int, rounds: int) -> dict[str, Any]:
    with stored(items) as (address, _):
        return {"items": items} | {page: _reruns(address, page, rounds) for page in PAGES}


def _reruns(address: str, page: str, rounds: int) -> dict[str, float]:
    with session(address) as socket:
        return _timed(lambda at: run_script(socket, "run=large", PAGES[page]), rounds)


def _timed(ask: Callable[[int], tuple[float, int]], rounds: int) -> dict[str, float]:
    """Milliseconds and kilobytes of an answer, asked for again and again."""
    times, sizes = [], []
    for at in range(rounds + 2):
        seconds, size = ask(at)
        time.sleep(PAUSE_S)
        if at >= 2:  # the first loads the run, the second the drawing library
            times.append(1000 * seconds)
            sizes.append(size / 1000)
    return {
        "ms": round(statistics.median(times), 1),
        "ms_least": round(min(times), 1),
        "kb": round(statistics.median(sizes), 1),
    }


# --------------------------------------------------------------------------- one widget


def widgets(items: int, rounds: int) -> dict[str, Any]:
    """As a browser does, only the fragment is asked for that the widget is in."""
    with stored(items) as (address, _):
        return {"items": items} | {
            f"{page}: {said}": _answers(address, page, key, values, rounds) for page, key, said, values in WIDGETS
        }


def _answers(address: str, page: str, key: str, values: Sequence[str], rounds: int) -> dict[str, float]:
    from streamlit.proto.ClientState_pb2 import ClientState

    with session(address) as socket:
        run_script(socket, "run=large", PAGES[page])
        _, _, messages = answered(socket, ClientState(query_string="run=large", page_name=PAGES[page]))
        name, fragment = _find(messages, key)

        def ask(at: int) -> tuple[float, int]:
            state = ClientState(query_string="run=large", page_name=PAGES[page], fragment_id=fragment)
            one = state.widget_states.widgets.add(id=name)
            value = values[at % len(values)]
            if key in ("text", "filter"):
                one.string_value = value
            else:
                one.string_array_value.data.append(value)
            return answered(socket, state)[:2]

        return _timed(ask, rounds)


def _find(messages: Sequence[Any], key: str) -> tuple[str, str]:
    """Id of the widget of that key, and of the fragment it is in; "" for none."""
    for message in messages:
        if message.WhichOneof("type") == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            name = getattr(getattr(element, element.WhichOneof("type")), "id", "")
            if name.endswith(f"-{key}"):
                return name, message.delta.fragment_id
    raise SystemExit(f"no widget {key} on the page")


# --------------------------------------------------------------------------- a slider of the Scores page


def slider(items: int, rounds: int) -> dict[str, Any]:
    """What a hand on the timeliness slider waits for: the ranking of the whole run, 500 rows, two waterfalls."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LATELY_HOME"] = folder
        import pipeline
        from tests.pages import sample

        report = sample.large_report(items)
        pipeline.open_store(Path(folder) / "lately.db").runs.save(report, learned=False)
        first, second = (report.table.ids[int(row)] for row in pipeline.as_ran(report).order[:2])
        with running(ROOT / "app.py", Path(folder)) as (address, pid), session(address) as socket:
            moves = _moved(socket, pid, f"run=large&item={first}&beside={second}", rounds)
    times, cpu, sizes = ([row[at] for row in moves] for at in range(3))
    return {
        "items": items,
        "ms": round(1000 * statistics.median(times), 1),
        "ms_least": round(1000 * min(times), 1),
        "cpu_ms": round(1000 * statistics.median(cpu), 1),
        "cpu_ms_least": round(1000 * min(cpu), 1),
        "kb": round(statistics.median(sizes) / 1000, 1),
        "rounds": rounds,
    }


def _moved(socket: Any, pid: int, query: str, rounds: int) -> list[tuple[float, float, int]]:
    """(seconds, seconds of CPU, bytes) of each move; as a browser does, only the slider's own fragment is asked for."""
    from streamlit.proto.ClientState_pb2 import ClientState
    from streamlit.proto.WidgetStates_pb2 import WidgetState

    weight, size, fragment = _widgets(socket, query)
    seen = []
    for at in range(rounds + 2):
        state = ClientState(query_string=query, page_name="Scores", fragment_id=fragment)
        state.widget_states.widgets.append(WidgetState(id=size, string_value="500"))
        place = WidgetState(id=weight)
        place.double_array_value.data.append(round(0.2 + 0.6 * (at * 0.37 % 1), 2))
        state.widget_states.widgets.append(place)
        before = cpu_seconds(pid)
        seconds, received, messages = answered(socket, state)
        time.sleep(PAUSE_S)  # the collection after the run is part of its CPU time
        if at >= 2:
            seen.append((seconds, cpu_seconds(pid) - before, received))
    _check(messages)
    return seen


def _widgets(socket: Any, query: str) -> tuple[str, str, str]:
    """Ids of the timeliness slider and of the choice of rows, and the fragment they are in."""
    from streamlit.proto.ClientState_pb2 import ClientState

    found: dict[str, str] = {}
    while not any(name.endswith("-timeliness") for name in found):  # a first run may only settle what is remembered
        _, _, messages = answered(socket, ClientState(query_string=query, page_name="Scores"))
        for message in messages:
            element = message.delta.new_element
            if message.WhichOneof("type") == "delta" and element.WhichOneof("type") in ("slider", "selectbox"):
                found[getattr(element, element.WhichOneof("type")).id] = message.delta.fragment_id
    weight, size = (next(n for n in found if n.endswith(end)) for end in ("-timeliness", "-scores-size"))
    return weight, size, found[weight]


def _check(messages: list[Any]) -> None:
    """The last answer holds what was to be measured."""
    drawn = [m.delta.new_element.WhichOneof("type") for m in messages if m.WhichOneof("type") == "delta"]
    if (drawn.count("plotly_chart"), drawn.count("dataframe"), drawn.count("exception")) != (2, 1, 0):
        raise SystemExit(f"not the page that was to be measured: {drawn}")


def cpu_seconds(pid: int) -> float:
    """User and system time of a process, from /proc; clock ticks of 10 ms add up over the rounds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def running(script: Path, home: Path) -> Iterator[tuple[str, int]]:
    """Address and process of an app."""
    port = server.free_port()
    process = subprocess.Popen(
        server.command(script, port), cwd=ROOT, env=server.environment(home),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        server.wait_ready(f"http://127.0.0.1:{port}", process)
        yield f"http://127.0.0.1:{port}", process.pid
    finally:
        process.terminate()
        process.wait(10)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("what", choices=("start", "rerun", "widgets", "slider"))
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--items", type=int, default=20_000)
    given = arguments.parse_args()
    jobs = {
        "start": lambda: start(given.rounds),
        "rerun": lambda: rerun(given.items, given.rounds),
        "widgets": lambda: widgets(given.items, given.rounds),
        "slider": lambda: slider(given.items, given.rounds),
    }
    print(json.dumps(jobs[given.what](), indent=1))


if __name__ == "__main__":
    main()
