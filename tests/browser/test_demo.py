"""From the first visit to the demo's story, offline; and a run that outlives its tab."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import server


@pytest.fixture(scope="module")
def fresh(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app as a new user finds it: an empty store. One for both journeys: what a first run loads is loaded once."""
    with server.serving(tmp_path_factory.mktemp("fresh")) as found:
        yield found


def test_a_run_survives_a_closed_tab(browser: Any, fresh: str, page: Any) -> None:
    context = browser.new_context()
    first = context.new_page()
    first.goto(fresh)
    first.locator(".st-key-demo-en button").click()
    first.wait_for_selector(".st-key-progress, .lt-ribbon")
    context.close()
    page.goto(fresh)
    page.wait_for_selector(".lt-ribbon, [class*='st-key-open-'] button", timeout=90_000)


def test_the_demo_loads_in_one_click_and_is_marked(fresh: str, page: Any) -> None:
    page.goto(fresh)
    page.locator(".st-key-demo-en button").click()
    page.wait_for_selector(".lt-ribbon", timeout=90_000)
    page.wait_for_selector(".lt-card")
    assert "run=" in page.url
    page.locator(".st-key-nav a", has_text="Timeline").click()
    page.wait_for_selector(".js-plotly-plot .scatterlayer path.point")
    assert page.locator(".lt-ribbon").is_visible()
