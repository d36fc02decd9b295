"""From the first visit to the demo's story, offline; and a run that outlives its tab."""

from __future__ import annotations

from typing import Any

from tests.browser.steps import to_timeline


def test_a_run_survives_a_closed_tab(fresh: str, page: Any) -> None:
    first = page.context.new_page()
    first.goto(fresh)
    first.locator(".st-key-demo-en button").click()
    first.wait_for_selector(".st-key-progress, .lt-ribbon")
    first.close()
    page.goto(fresh)
    page.wait_for_selector(".lt-ribbon, [class*='st-key-open-'] button")


def test_the_demo_loads_in_one_click_and_is_marked(fresh: str, page: Any) -> None:
    page.goto(fresh)
    page.locator(".st-key-demo-en button").click()
    page.wait_for_selector(".lt-ribbon")
    page.wait_for_selector(".lt-card")
    assert "run=" in page.url
    to_timeline(page)
    page.locator(".lt-ribbon").wait_for()
