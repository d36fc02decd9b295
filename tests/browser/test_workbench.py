"""Journeys across the workbench: a set of sources that stays, two runs side by side, a report read without the mouse."""

from __future__ import annotations

from typing import Any

from tests.browser.steps import fits, open_run, settled, to_timeline


def test_an_address_of_a_page_opened_first_has_the_frame(page: Any, address: str) -> None:
    """In a page of its own: the address is probed for a server first, which the console notes as two 404s."""
    other = page.context.new_page()
    other.goto(f"{address}/Timeline?run=sample")
    other.wait_for_selector(".lt-head")
    settled(other)
    assert other.locator(".lt-brand").is_visible()
    assert other.locator(".st-key-nav a").first.inner_text() == "Query"
    assert "run=sample" in other.url


def test_a_set_of_sources_is_saved_and_found_after_a_reload(page: Any, address: str) -> None:
    page.goto(address)
    page.locator(".st-key-chip-sources button").click()
    chosen = page.locator(".st-key-sources input")
    for name in ("rss", "x"):
        chosen.fill(name)
        page.get_by_role("option", name=f"{name}: ").click()
        page.locator(".st-key-sources").get_by_text(f"{name}: ").wait_for()
    page.keyboard.press("Escape")
    page.wait_for_timeout(800)  # Escape closes the list, and may close what holds it: see which once both are still
    if not page.locator(".st-key-set-name input").is_visible():
        page.locator(".st-key-chip-sources button").click()
    page.locator(".st-key-set-name input:enabled").fill("desk")
    page.locator(".st-key-set-name input").press("Enter")
    page.locator(".st-key-set-save button:enabled").click()
    page.wait_for_selector(".st-key-source-set input[value=desk]")
    page.reload()
    page.wait_for_selector(".st-key-source-set input[value=desk]")
    page.locator(".st-key-delete-set button").click()
    page.wait_for_selector(".st-key-source-set input[value='Usual sources']")


def test_two_runs_are_compared_and_the_address_can_be_shared(page: Any, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(f"{address}/?run=sample&with=empty")
    page.wait_for_selector(".lt-verdict")
    settled(page)
    assert "new" in page.locator(".lt-verdict").inner_text() or "gone" in page.locator(".lt-verdict").inner_text()
    fits(page)
    page.get_by_role("button", name="Back to the story").click()
    page.wait_for_selector(".lt-card")
    page.wait_for_function("() => !location.search.includes('with=')")


def test_a_report_is_read_and_parted_from_its_event_by_keyboard(page: Any, address: str) -> None:
    open_run(page, address)
    to_timeline(page)
    read = page.locator(".st-key-read input")
    read.focus()
    page.keyboard.type("Flaw in popular")
    page.keyboard.press("Enter")
    page.wait_for_selector("[class*='st-key-card-open-']")
    settled(page)
    page.get_by_text("Split or join").click()
    page.get_by_role("button", name="This report is another event").click()
    page.get_by_text("kept apart from").wait_for()
    page.get_by_role("button", name="Take back").click()
    page.get_by_text("kept apart from").wait_for(state="detached")
