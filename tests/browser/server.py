"""A real server on a store of its own, and a Chromium to look at it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[2]
APP = ROOT / "app.py"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
)
READY_S = 120.0


def chromium() -> str | None:
    """The browser on this machine's PATH, None where there is none."""
    return next(
        (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
    )


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def command(script: Path, port: int) -> list[str]:
    return [
        sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port), "--server.address",
        "127.0.0.1", "--server.headless", "true", "--server.fileWatcherType", "none",
    ]  # fmt: skip


def environment(home: Path) -> dict[str, str]:
    """This process's, with a home of its own and the repository on the path."""
    paths = (str(ROOT), os.environ.get("PYTHONPATH", ""))
    return {**os.environ, "LATELY_HOME": str(home), "PYTHONPATH": os.pathsep.join(filter(None, paths))}


@contextmanager
def serving(home: Path, port: int | None = None) -> Iterator[str]:
    """Address of the app, served from its own process on `home`; stopped at the end."""
    port = port or free_port()
    log = (home / "server.log").open("wb")
    process = subprocess.Popen(command(APP, port), cwd=ROOT, env=environment(home), stdout=log, stderr=log)
    try:
        wait_ready(f"http://127.0.0.1:{port}", process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)
        log.close()


def wait_ready(address: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + READY_S
    while time.monotonic() < until:
        try:
            with urlopen(f"{address}/_stcore/health", timeout=1):
                return
        except (URLError, OSError):
            if process.poll() is not None:
                break
            time.sleep(0.02)
    raise RuntimeError(f"the server at {address} did not start")


@contextmanager
def browsing() -> Iterator[Any]:
    """A browser with a new profile."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()
