"""Journeys through a stored run, as a person makes them."""

from __future__ import annotations

from typing import Any

from tests.browser.steps import fits, open_run, settled, to_timeline


def test_the_first_visit_shows_what_to_do_and_typing_the_plan_without_a_click(page: Any, address: str) -> None:
    page.goto(address)
    page.wait_for_selector(".lt-hero")
    page.wait_for_selector(".st-key-demo-en button")
    page.locator(".st-key-ask-line input").type("AI agent frameworks in the last 30 days")
    page.locator(".lt-plan", has_text="last 30 days").wait_for()


def test_the_story_is_in_the_reader_s_time_links_outside_and_runs_nothing(page: Any, address: str) -> None:
    open_run(page, address)
    when = page.locator(".lt-card", has_text="Flaw in popular agent runtime").locator("time").first
    assert when.inner_text() == "29 Nov 05:00"
    assert when.get_attribute("title") == "2026-11-29 04:00 UTC"

    link = page.locator(".lt-card h3 a").first
    assert link.get_attribute("target") == "_blank"
    assert "noopener" in link.get_attribute("rel")

    hostile = page.locator(".lt-card", has_text="document.title")
    assert page.title().startswith("Query") or page.title() == "Lately"
    assert hostile.locator("img, script, b b, a").count() == 0
    assert page.locator("a[href^='javascript']").count() == 0
    for width in (1280, 1600):
        page.set_viewport_size({"width": width, "height": 900})
        fits(page)


def test_dismiss_and_restore_by_clicking(page: Any, address: str) -> None:
    open_run(page, address, "demo")
    title = "Rumour: large search company to open its agent framework"
    card = page.locator("[class*='st-key-card-']", has_text=title)
    card.get_by_role("button", name="Dismiss").click()
    page.wait_for_selector("text=9 shown of 33")
    page.locator(".st-key-bucket").get_by_text("1 dismissed").click()
    page.get_by_role("button", name="Restore").click()
    page.wait_for_selector("text=10 shown of 33")


def test_lowering_the_threshold_lets_the_nearest_in(page: Any, address: str) -> None:
    open_run(page, address)
    page.get_by_role("button", name="Lower threshold to 42").click()
    page.wait_for_selector("text=A small framework for agents in Lua")


def test_a_click_on_a_dot_opens_the_report_beside_it(page: Any, address: str) -> None:
    open_run(page, address)
    to_timeline(page)
    assert "run=sample" in page.url
    box = page.locator(".js-plotly-plot .scatterlayer path.point").nth(1).bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + box["height"] / 2)  # at once: what moves on while pressed is no click
    page.wait_for_selector(".js-plotly-plot .hoverlayer .hovertext")
    page.mouse.down()
    page.mouse.up()
    page.wait_for_selector("[class*='st-key-card-open-'] >> text=Kestrel")


def test_dragging_over_days_selects_reports(page: Any, address: str) -> None:
    open_run(page, address)
    to_timeline(page)
    page.get_by_text("Drag to select days").click()
    page.wait_for_function("() => document.querySelector('.js-plotly-plot')?._fullLayout?.dragmode === 'select'")
    box = page.locator(".js-plotly-plot .nsewdrag").first.bounding_box()
    y = box["y"] + box["height"] * 0.5
    page.mouse.move(box["x"] + box["width"] * 0.85, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.99, y + 4, steps=8)
    page.mouse.up()
    page.wait_for_selector("text=reports of")
    settled(page)
    assert page.locator(".lt-card", has_text="Norland publishes").count() == 0
    assert page.locator(".stSlider input").first.get_attribute("aria-valuetext") != "30 Oct"


def test_days_are_chosen_with_the_keyboard(page: Any, address: str) -> None:
    open_run(page, address)
    to_timeline(page)
    page.locator(".stSlider input").first.focus()
    for _ in range(27):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector("text=26 Nov – 30 Nov")
    page.wait_for_function(
        "() => ![...document.querySelectorAll('.lt-card')].some(e => e.innerText.includes('Norland publishes'))"
    )


def test_on_a_phone_the_pages_stand_above_a_page_that_fits_and_the_sidebar_stays_closed(
    page: Any, address: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_run(page, address)
    fits(page)
    page.locator(".st-key-nav-narrow a", has_text="Timeline").click()
    page.wait_for_selector(".js-plotly-plot .scatterlayer path.point")
    settled(page)
    assert page.get_by_test_id("stSidebar").get_attribute("data-collapsed") == "true"
    assert "run=sample" in page.url


def test_presenting_hides_controls_and_comes_back(page: Any, address: str) -> None:
    open_run(page, address)
    page.get_by_role("button", name="Present").click()
    page.wait_for_selector(".st-key-leave-present")
    page.locator(".st-key-ask-line").wait_for(state="detached")
    page.get_by_role("button", name="Leave presenting").click()
    page.wait_for_selector(".st-key-ask-line")
