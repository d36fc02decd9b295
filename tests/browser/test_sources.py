"""An authority edited as a person does it: preview, save, another server, undo. And the rest of the page."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pipeline
from tests.browser.steps import fits, settled

KEY = "blog.kestrel-labs.example"
BIAS_X = 180 + 55 + 37  # pixels from the grid's left edge to the middle of the bias column
GRID = "[class*='st-key-authority-grid-'] [data-testid=stDataFrame]"


def biases(home: Path) -> dict[str, float]:
    store = pipeline.open_store(home / "lately.db")
    try:
        return dict(store.authority.biases())
    finally:
        store.close()


def open_sources(page: Any, address: str) -> None:
    page.goto(f"{address}/?run=sample")
    page.locator(".st-key-nav a", has_text="Sources").click()
    page.wait_for_selector(f"{GRID} canvas")
    settled(page)


def narrow(page: Any, key: str = KEY) -> None:
    """The table with one source in it."""
    page.locator(".st-key-authority-filter input").fill(key)
    page.wait_for_function(f'() => document.querySelector("{GRID}")?.getBoundingClientRect().height < 90')


def type_bias(page: Any, value: str) -> None:
    """Into the bias cell of the first row; a grid that was drawn anew under the hand is begun again."""
    from playwright.sync_api import TimeoutError as Late

    for _ in range(5):
        settled(page)
        box = page.locator(GRID).bounding_box()
        page.mouse.dblclick(box["x"] + BIAS_X, box["y"] + 35 + 17)
        with suppress(Late):
            page.wait_for_selector("input.gdg-input", timeout=1_500)
            page.keyboard.press("ControlOrMeta+a")
            page.keyboard.type(value)
            page.keyboard.press("Enter")
        with suppress(Late):
            page.wait_for_selector(".st-key-authority-edit", timeout=6_000)
            return
    raise AssertionError("the edit did not take")


def save(page: Any, reason: str) -> None:
    page.locator(".st-key-authority-reason input").fill(reason)
    page.locator(".st-key-authority-reason input").press("Tab")
    page.locator(".st-key-authority-save-now button").click()


def test_edit_preview_save_another_server_undo(page: Any, address: str, home: Path, elsewhere: str) -> None:
    open_sources(page, address)
    narrow(page)
    type_bias(page, "0.05")
    page.wait_for_selector(".st-key-authority-edit >> text=1 item would fall")
    page.wait_for_selector(".lt-edits >> text=in this run 0.70 → 0.05, falls")
    assert biases(home) == {}

    page.locator(".st-key-authority-save-now button").click()
    page.wait_for_selector("text=say why the authority of")
    assert biases(home) == {}
    save(page, "Three announcements did not hold")
    page.wait_for_selector(".st-key-authority-history >> text=Three announcements did not hold")
    page.locator(".st-key-authority-edit").wait_for(state="detached")
    assert biases(home) == {KEY: 0.05}

    open_sources(page, elsewhere)
    history = page.locator(".st-key-authority-history")
    history.get_by_text("Three announcements did not hold").wait_for()
    settled(page)
    assert "bias 0.05" in history.inner_text()
    history.get_by_role("button", name="Undo").click()
    page.wait_for_selector(".st-key-authority-history >> text=undone")
    assert biases(home) == {}


def test_every_part_fits_its_window_and_loads_nothing_from_outside(page: Any, address: str) -> None:
    open_sources(page, address)
    for name, landmark in (
        ("New source", ".st-key-new-test"),
        ("Health", "[data-testid=stDataFrame] canvas"),
        ("Feedback", ".st-key-feedback, .lt-empty"),
    ):
        page.locator(".st-key-sources-part").get_by_text(name, exact=True).click()
        page.wait_for_selector(landmark)
    page.set_viewport_size({"width": 390, "height": 900})
    fits(page)
