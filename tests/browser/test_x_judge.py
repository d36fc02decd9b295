"""The X judge page in a browser: what was pruned, restored and still restored; a file judged by hand."""

from __future__ import annotations

from typing import Any

from tests.browser.steps import fits, settled

POST = "Our agents are standing by, call now"
FILE = b"id,author,text\n1,a,Rome floods\n2,b,Gym log day 41\n3,b,Soup\n4,b,\xe7\xbd\x97\xe9\xa9\xac Rome\n"


def to_judge(page: Any, address: str, run: str = "x") -> None:
    """By the sidebar, as a person gets there."""
    page.goto(f"{address}/?run={run}")
    page.wait_for_selector(".lt-head")
    page.locator(".st-key-nav a", has_text="X judge").click()
    page.wait_for_selector(".lt-verdict")
    settled(page)


def test_a_pruned_post_is_restored_and_stays_so_after_a_reload(page: Any, address: str) -> None:
    to_judge(page, address)
    assert "Off-topic flood" in page.locator(".lt-verdict").inner_text()
    post = page.locator("[class*='st-key-post-']", has_text=POST)
    post.get_by_role("button", name="Restore").click()
    page.wait_for_selector("text=restored by you")
    page.reload()
    page.wait_for_selector(".lt-verdict")
    settled(page)
    assert "restored by you" in post.inner_text()
    page.locator(".st-key-x-fate").get_by_text("Restored 1").click()
    page.wait_for_function("() => document.querySelectorAll('.lt-post').length === 1")
    settled(page)
    post.get_by_role("button", name="Take back").click()
    page.wait_for_function("() => !document.body.innerText.includes('Restored 1')")


def test_squares_show_a_post_on_hover_before_stands_beside_after_and_nothing_is_wider_than_the_window(
    page: Any, address: str
) -> None:
    to_judge(page, address)
    boxes = [page.locator(".lt-squares").nth(at).bounding_box() for at in (0, 1)]
    assert abs(boxes[0]["y"] - boxes[1]["y"]) < 2
    assert boxes[1]["x"] > boxes[0]["x"] + boxes[0]["width"]
    assert page.locator(".lt-squares i.off").nth(1).get_attribute("title") == f"@dealstorm: {POST}"
    for width in (390, 1600):
        page.set_viewport_size({"width": width, "height": 900})
        fits(page)


def test_a_file_is_judged_in_the_second_tab(page: Any, address: str) -> None:
    to_judge(page, address)
    page.get_by_role("tab", name="A file of posts").click()
    page.set_input_files(
        "[data-testid=stFileUploaderDropzoneInput]", {"name": "p.csv", "mimeType": "text/csv", "buffer": FILE}
    )
    page.locator(".st-key-x-topic input").fill("Rome")
    page.locator(".st-key-x-topic input").press("Enter")
    page.wait_for_selector(".lt-verdict >> text=2 of 4 posts were about “Rome”")
    page.get_by_role("tab", name="This run").click()
    page.wait_for_selector(".lt-verdict >> text=Off-topic flood")
