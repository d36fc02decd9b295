"""From two cards to a brief that outlives reload and server, in two tabs, saved as files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.browser.steps import open_run, settled

RUMOUR = "Rumour: large search company to open its agent framework"
FITS = "() => document.documentElement.scrollWidth <= innerWidth"
HINT = "Kestrel Labs hints at durable sessions for agents"


def open_briefs(page: Any, address: str, run: str = "sample") -> None:
    open_run(page, address, run)
    to_briefs(page)


def to_briefs(page: Any) -> None:
    page.locator(".st-key-nav a", has_text="Briefs").click()
    page.wait_for_selector(".st-key-brief-sheet iframe, .lt-empty")
    settled(page)


def adopt(page: Any, title: str) -> None:
    card = page.locator("[class*='st-key-card-']", has_text=title).first
    card.get_by_role("button", name="Adopt").click()
    card.get_by_role("button", name="Take back").wait_for()
    settled(page)


def sheet(page: Any) -> Any:
    return page.frame_locator(".st-key-brief-sheet iframe")


def saved(page: Any, label: str) -> tuple[str, str]:
    """(name, text) of the file that a button saves."""
    with page.expect_download() as found:
        page.locator(".st-key-brief-save").get_by_role("button", name=label).click()
    return found.value.suggested_filename, Path(found.value.path()).read_text("utf-8-sig")


def test_from_two_cards_to_a_brief_that_outlives_reload_and_server(page: Any, address: str, elsewhere: str) -> None:
    open_run(page, address)
    adopt(page, RUMOUR)
    adopt(page, HINT)
    to_briefs(page)
    sheet(page).locator("h3", has_text=RUMOUR).wait_for()

    item = page.locator("[class*='st-key-brief-item-']", has_text=RUMOUR)
    item.get_by_role("button", name="Edit").click()
    page.get_by_label("Note").fill("Ask them. 去问。")
    page.get_by_label("Note").blur()
    sheet(page).locator(".note", has_text="Ask them. 去问。").wait_for()
    item.get_by_role("button", name="Up").click()
    page.wait_for_function("title => document.querySelector('.lt-brief-item h3')?.textContent === title", arg=RUMOUR)
    sheet(page).locator("article").first.locator("h3", has_text=RUMOUR).wait_for()

    name, text = saved(page, "HTML")
    assert name.startswith("AI-agent-frameworks-") and name.endswith(".html")
    assert text.index(RUMOUR) < text.index(HINT) and "Ask them. 去问。" in text
    name, text = saved(page, "Markdown")
    assert name.endswith(".md")
    assert text.index("Rumour") < text.index("Kestrel Labs hints") and "> Analyst: Ask them" in text

    page.reload()
    sheet(page).locator(".note", has_text="Ask them. 去问。").wait_for()
    open_briefs(page, elsewhere)
    page.wait_for_selector(".lt-note >> text=Ask them. 去问。")
    assert page.locator(".lt-brief-item h3").all_inner_texts() == [RUMOUR, HINT]


def test_two_tabs_do_not_overwrite_each_other_unseen(page: Any, address: str) -> None:
    open_briefs(page, address, "demo")
    page.get_by_role("button", name=re.compile("Adopt all 5 facts")).click()
    page.wait_for_selector(".st-key-brief-sheet iframe")
    settled(page)
    other = page.context.new_page()
    open_briefs(other, address, "demo")
    other.get_by_label("Title").fill("Theirs")
    other.get_by_label("Title").blur()
    sheet(other).locator("h1", has_text="Theirs").wait_for()
    page.get_by_label("Title").fill("Mine")
    page.get_by_label("Title").blur()
    page.wait_for_selector(".lt-clash >> text=Theirs")
    page.get_by_role("button", name="Keep mine").click()
    sheet(page).locator("h1", has_text="Mine").wait_for()
    page.locator(".lt-clash").wait_for(state="detached")
    other.close()


def test_the_sheet_runs_and_links_nothing_of_a_source_and_stays_in_view(page: Any, address: str) -> None:
    open_run(page, address)
    adopt(page, "document.title")
    adopt(page, "A very long headline")
    adopt(page, "晨星开源")
    to_briefs(page)
    article = sheet(page).locator("article", has_text="document.title")
    article.wait_for()
    assert article.locator("img, script, b, h3 a").count() == 0
    links = sheet(page).locator(".sources a")
    assert {link.get_attribute("target") for link in links.all()} == {"_blank"}
    sheet(page).locator(".cite").first.click()
    assert sheet(page).locator("li:target").count() == 1
    for width in (390, 1280, 1600):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(FITS)
        page.locator(".st-key-brief-sheet iframe").element_handle().content_frame().wait_for_function(FITS)
