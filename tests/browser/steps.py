"""Steps that journeys share."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

QUIET = """() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'
    && !document.querySelector('[data-stale=true]')"""
WIDER = """() => [...document.querySelectorAll('[data-testid=stMainBlockContainer] *')]
    .filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.lt-scroll, .dvn-scroller'))
    .map(e => e.tagName + '.' + e.className).slice(0, 5)"""


def settled(page: Any) -> None:
    """The server has said all, and nothing of before stands beside it: for what is measured or looked at once."""
    page.wait_for_function(QUIET)


def fits(page: Any) -> None:
    """Once the page has been drawn, nothing reaches beyond the window."""
    from playwright.sync_api import TimeoutError as Late

    settled(page)
    with suppress(Late):  # what was drawn for another width needs a moment
        page.wait_for_function(f"() => ({WIDER})().length === 0", timeout=30_000)
    assert page.evaluate(WIDER) == []


def open_run(page: Any, address: str, run: str = "sample") -> None:
    page.goto(f"{address}/?run={run}")
    page.wait_for_selector(".lt-card, .lt-empty")
    settled(page)


def to_timeline(page: Any) -> None:
    page.locator(".st-key-nav a", has_text="Timeline").click()
    page.wait_for_selector(".js-plotly-plot .scatterlayer path.point")
    settled(page)
