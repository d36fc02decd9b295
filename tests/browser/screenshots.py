"""Pictures of every page: `python -m tests.browser.screenshots [PAGE ...]` writes them to ./screenshots/.

`python -m tests.browser.screenshots README` makes those of the README anew, on the demo, in assets/screenshots/.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import pipeline
from tests.browser import server
from tests.pages import sample, stand_in

OUT = server.ROOT / "screenshots"
WIDTHS = {390: 1600, 1280: 1400, 1600: 1200}
RUNS = ("", "sample", "demo", "empty", "evergreen")
README = {"query-light": "", "scores-light": "Scores", "timeline-dark": "Timeline"}
X_RUNS = ("x", "x-key", "x-late", "x-lied")  # for the X judge page alone


def main(only: list[str]) -> None:
    OUT.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as home,
        server.serving(stand_in.fill(Path(home))) as address,
        server.browsing() as browser,
    ):
        _adopt(Path(home))
        for scheme in ("light", "dark"):
            for width, height in WIDTHS.items():
                context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
                for run in RUNS:
                    _pages(context.new_page(), address, run, OUT, f"{width}-{scheme}", only)
                for run in X_RUNS if not only or "X_judge" in only else ():
                    _pages(context.new_page(), address, run, OUT, f"{width}-{scheme}", ["X_judge"])
                context.close()


def readme(out: Path = server.ROOT / "assets" / "screenshots") -> None:
    """What the README shows: three pages on the demo, which the first visit loads."""
    with tempfile.TemporaryDirectory() as home, server.serving(Path(home)) as address, server.browsing() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(address)
        page.locator(".st-key-demo-en button").click()
        page.wait_for_url("**run=*", timeout=120_000)
        run = page.url.rpartition("run=")[2]
        for file, name in README.items():
            page.emulate_media(color_scheme=file.rpartition("-")[2])
            page.goto(f"{address}/{name}?run={run}")
            settled(page)
            page.screenshot(path=str(out / f"{file}.png"))
            _lighten(out / f"{file}.png")


def _lighten(path: Path) -> None:
    """A third of the bytes, with rare colours kept: those of the data."""
    from PIL import Image

    found = Image.open(path).convert("RGB")
    found.quantize(method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(path, optimize=True)


def _adopt(home: Path) -> None:
    """Every shown item in the brief, one of them with the analyst's words."""
    store, run = pipeline.open_store(home / "lately.db"), sample.report()
    for row in run.selected_rows:
        store.feedback.give("adopt", run, row, sample.NOW)
    store.briefs.write(run, "introduction", "One release, one flaw. 一次发布，一处漏洞。", sample.NOW)
    store.briefs.write(run, "note", "Ask the platform team.\n\n问平台组。", sample.NOW, item=run.table.ids[7])
    store.close()


def _pages(page: Any, address: str, run: str, out: Path, suffix: str, only: list[str]) -> None:
    """Every page of one run; a narrow window shows the navigation only when it is opened, so addresses are used."""
    page.goto(address)
    page.wait_for_selector("[data-testid=stMainBlockContainer] .stHtml")
    names = sorted(path.stem.split("_", 1)[1] for path in (server.ROOT / "pages").glob("[0-9]*_*.py"))
    for name in names:
        if only and name not in only:
            continue
        page.goto(f"{address}/{'' if name == 'Query' else name}" + (f"?run={run}" if run else ""))
        settled(page)
        page.screenshot(path=str(out / f"{name}-{run or 'first'}-{suffix}.png"))
    page.close()


def settled(page: Any) -> None:
    """Wait until nothing is loading any more."""
    page.wait_for_selector("[data-testid=stMainBlockContainer] .stHtml")
    page.wait_for_function("() => !document.querySelector('[data-testid=stSkeleton], [data-testid=stStatusWidget]')")
    page.wait_for_timeout(2_000)  # parts of a page are loaded when they are first drawn


if __name__ == "__main__":
    readme() if sys.argv[1:] == ["README"] else main(sys.argv[1:])
