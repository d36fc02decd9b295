"""Chromium or a reason why not; one browser, one profile and one server for all journeys of a process.

So what a page loads is loaded once, and a journey still finds everything as the first one did: see `address`.
All end with this folder, for while a browser is open its event loop runs, and other tests could not start theirs.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import pipeline
from tests.browser import server
from tests.pages import stand_in

PATIENCE_MS = 90_000  # for a machine that does other work at the same time
JOURNEY_S = 240


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in Path(str(item.path)).parts:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.timeout(JOURNEY_S))


@pytest.fixture(scope="package")
def profile() -> Iterator[Any]:
    """Of a reader who wants little motion: drawing what moves takes half of a machine without a graphics card."""
    if server.chromium() is None:
        if os.environ.get("LATELY_REQUIRE_BROWSER") == "1":
            pytest.fail("LATELY_REQUIRE_BROWSER=1, but no Chromium is on the PATH")
        pytest.skip("no Chromium on the PATH")
    pytest.importorskip("playwright")
    with server.browsing() as browser:
        found = browser.new_context(
            viewport={"width": 1280, "height": 1000}, timezone_id="Europe/Berlin", reduced_motion="reduce"
        )
        found.set_default_timeout(PATIENCE_MS)
        yield found


@dataclass(frozen=True)
class Served:
    address: str
    home: Path
    tab: Any  # stays open, for a window is dear to open; what lies in the profile for this address is cleared by it

    def anew(self, store: Path) -> None:
        """Forget what a journey left behind, and begin on a copy of this store."""
        held = pipeline.open_store(self.home / "lately.db")
        held.restore(store)
        held.close()
        shutil.rmtree(self.home / "config", ignore_errors=True)
        self.tab.context.clear_cookies()
        self.tab.evaluate("localStorage.clear()")


@pytest.fixture(scope="package")
def served(profile: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The app as it is started for the first time, seen once before any journey is timed: its store is made."""
    home = tmp_path_factory.mktemp("home")
    with server.serving(home) as address:
        tab = profile.new_page()
        tab.goto(address)
        tab.wait_for_selector(".lt-hero")
        tab.goto(f"{address}/_stcore/health")
        yield Served(address, home, tab)


@pytest.fixture(scope="package")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that holds the sample runs."""
    return stand_in.fill(tmp_path_factory.mktemp("filled")) / "lately.db"


@pytest.fixture(scope="package")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("empty") / "lately.db"
    pipeline.open_store(path).close()
    return path


@pytest.fixture
def address(served: Served, filled: Path) -> str:
    """The app on the sample runs; its home and the profile are as they were before any journey."""
    served.anew(filled)
    return served.address


@pytest.fixture
def fresh(served: Served, empty: Path) -> str:
    """The app as a new user finds it: an empty store."""
    served.anew(empty)
    return served.address


@pytest.fixture
def home(served: Served) -> Path:
    """Where that app keeps what it keeps."""
    return served.home


@pytest.fixture(scope="package")
def elsewhere(served: Served) -> Iterator[str]:
    """The same home under another server, which knows only what is kept."""
    with server.serving(served.home) as found:
        yield found


def _probe(said: Any) -> bool:
    """Opened on a page's own address, Streamlit first looks for its server beneath that page, where it is not."""
    return "/_stcore/" in said.location.get("url", "")


@pytest.fixture
def page(served: Served) -> Iterator[Any]:
    """A new tab, which is a new session; a console error or a failed request fails the test."""
    context = served.tab.context
    found = context.new_page()
    wrong: list[str] = []
    found.on("console", lambda said: wrong.append(said.text) if said.type == "error" and not _probe(said) else None)
    found.on("pageerror", lambda error: wrong.append(str(error)))
    found.on(
        "request",
        lambda asked: (
            wrong.append(asked.url) if "127.0.0.1" not in asked.url and asked.url.startswith("http") else None
        ),
    )
    yield found
    for tab in context.pages:
        if tab != served.tab:
            tab.close()
    assert not wrong
