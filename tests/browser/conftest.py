"""Chromium or a reason why not; one server for all journeys of a module that only read."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import server
from tests.pages import stand_in


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in Path(str(item.path)).parts:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Closed after each module: while it is open its event loop runs, and other tests could not start theirs."""
    if server.chromium() is None:
        if os.environ.get("LATELY_REQUIRE_BROWSER") == "1":
            pytest.fail("LATELY_REQUIRE_BROWSER=1, but no Chromium is on the PATH")
        pytest.skip("no Chromium on the PATH")
    pytest.importorskip("playwright")
    with server.browsing() as found:
        yield found


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that holds the sample runs, to be copied."""
    return stand_in.fill(tmp_path_factory.mktemp("filled"))


@pytest.fixture
def home(filled: Path, tmp_path: Path) -> Path:
    """A copy for a journey that stops its server or looks into the store."""
    return Path(shutil.copytree(filled, tmp_path / "home"))


@pytest.fixture(scope="module")
def address(browser: Any, filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app on the sample runs."""
    with server.serving(Path(shutil.copytree(filled, tmp_path_factory.mktemp("served") / "home"))) as found:
        yield found


def _probe(said: Any) -> bool:
    """Opened on a page's own address, Streamlit first looks for its server beneath that page, where it is not."""
    return "/_stcore/" in said.location.get("url", "")


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page of a new profile; a console error or a failed request fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 1000}, timezone_id="Europe/Berlin")
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
    context.close()
    assert not wrong
