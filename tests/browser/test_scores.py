"""Taking scores apart, as a person does it: a weight moved, an item chosen, two compared, a profile kept."""

from __future__ import annotations

from typing import Any

from tests.browser.steps import fits, open_run, settled

GRID = ".st-key-scores-table canvas"
CHART = ".st-key-scores-item-one .js-plotly-plot .barlayer path"


def to_scores(page: Any, address: str) -> None:
    open_run(page, address)
    page.locator(".st-key-nav a", has_text="Scores").click()
    page.wait_for_selector(GRID)
    page.wait_for_selector(CHART)
    settled(page)


def press(page: Any, name: str, key: str, times: int) -> None:
    """Move a slider with the keyboard."""
    slider = page.locator(f"[class*='st-key-wi-'][class*='-{name}'] input[type=range]").first
    slider.focus()
    for _ in range(times):
        page.keyboard.press(key)


def click_row(page: Any, row: int) -> None:
    """Click a row of the table, 1 being the first, on its total."""
    grid = page.locator(GRID).first
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    page.mouse.click(box["x"] + 320, box["y"] + 35 * row + 18)  # a scroller lies over the canvas and hands clicks on


def choose(page: Any, row: int) -> None:
    """Click a row and wait until its item is the one taken apart."""
    before = page.locator(".st-key-scores-item-one h3").inner_text()
    click_row(page, row)
    page.wait_for_function(
        "before => document.querySelector('.st-key-scores-item-one h3').innerText !== before", arg=before
    )
    settled(page)


def place(page: Any) -> str:
    return page.locator(".st-key-scores-item-one .lt-place").inner_text()


def test_a_weight_moves_the_ranks(page: Any, address: str) -> None:
    to_scores(page, address)
    choose(page, 2)  # the best item stays the best: its neighbour falls
    assert "▲" not in place(page) and "▼" not in place(page)
    press(page, "timeliness", "End", 1)
    page.wait_for_selector(".lt-moves >> text=items moved")
    page.wait_for_function("() => /[▲▼]/.test(document.querySelector('.st-key-scores-item-one .lt-place').innerText)")
    page.wait_for_selector(".lt-moves >> text=Timeliness weighs 1.00 instead of 0.30")
    page.wait_for_selector(".lt-warning >> text=fresh rumours rise")
    page.get_by_role("button", name="Reset").click()
    page.wait_for_selector(".lt-moves >> text=As the run was")


def test_a_click_in_the_table_chooses_and_another_compares(page: Any, address: str) -> None:
    to_scores(page, address)
    choose(page, 3)
    chosen = page.locator(".st-key-scores-item-one h3").inner_text()
    assert "item=" in page.url
    page.get_by_role("button", name="Compare with another").click()
    page.wait_for_selector("text=Choose the second item in the table")
    settled(page)
    click_row(page, 6)
    page.wait_for_selector(".st-key-scores-item-two .js-plotly-plot .barlayer path")
    settled(page)
    assert page.locator(".st-key-scores-item-two h3").inner_text() == chosen
    page.wait_for_selector(".st-key-scores-apart >> text=The first is")


def test_a_card_leads_to_its_score(page: Any, address: str) -> None:
    open_run(page, address)
    title = "Lantern opens its evaluation suite for agents"
    card = page.locator("[class*='st-key-card-']", has_text=title)
    card.get_by_role("button", name="More").click()
    card.get_by_role("link", name="Take this score apart").click()
    page.wait_for_selector(CHART)
    settled(page)
    assert title in page.locator(".st-key-scores-item-one h3").inner_text()


def test_a_saved_profile_can_be_chosen_at_once(page: Any, address: str) -> None:
    to_scores(page, address)
    press(page, "relevance", "ArrowRight", 5)
    page.wait_for_selector(".lt-moves >> text=Relevance weighs 0.30 instead of 0.25")
    page.get_by_role("button", name="Save as profile").click()
    page.get_by_label("Name of the profile").fill("Careful")
    page.get_by_label("Name of the profile").press("Enter")
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_selector("text=is now among the profiles")
    page.get_by_label("Profile", exact=True).click()
    page.wait_for_selector("[role=option] >> text=Careful")


def test_nothing_is_wider_than_the_window(page: Any, address: str) -> None:
    to_scores(page, address)
    for width in (390, 1600):
        page.set_viewport_size({"width": width, "height": 900})
        fits(page)
