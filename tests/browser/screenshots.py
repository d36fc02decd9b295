"""Pictures of every page: `python -m tests.browser.screenshots [PAGE ...] [WINDOW ...]` writes them to ./screenshots/.

A window is a width and a scheme, such as 390-dark. Beside the sample runs of the tests both demos are shown.
`python -m tests.browser.screenshots README` makes those of the README anew, on the demo, in assets/screenshots/.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import pipeline
from tests.browser import server
from tests.pages import sample, stand_in

OUT = server.ROOT / "screenshots"
WIDTHS = {390: 2600, 1280: 1800, 1600: 1500}
WINDOWS = {f"{width}-{scheme}": (width, scheme) for scheme in ("light", "dark") for width in WIDTHS}
RUNS = ("", "sample", "demo", "empty", "evergreen")
DEMOS = {"demo-en": "AI agent frameworks released in the last 30 days", "demo-zh": "最近30天发布的智能体框架"}
README = {"query-light": "", "scores-light": "Scores", "timeline-dark": "Timeline"}
X_RUNS = ("x", "x-key", "x-late", "x-lied")  # for the X judge page alone


def main(given: list[str]) -> None:
    windows = [name for name in given if name in WINDOWS] or list(WINDOWS)
    only = [name for name in given if name not in WINDOWS]
    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        home = stand_in.fill(Path(folder))
        runs = {**dict(zip(RUNS, RUNS, strict=True)), **_fill(home)}
        with server.serving(home) as address, server.browsing() as browser:
            _windows(browser, address, runs, windows, only)


def _windows(browser: Any, address: str, runs: dict[str, str], windows: list[str], only: list[str]) -> None:
    for window in windows:
        width, scheme = WINDOWS[window]
        context = browser.new_context(viewport={"width": width, "height": WIDTHS[width]}, color_scheme=scheme)
        context.set_default_timeout(120_000)  # beside other work
        for name, run in runs.items():
            _pages(context.new_page(), address, name, run, f"{window}.png", only)
        for run in X_RUNS if not only or "X_judge" in only else ():
            _pages(context.new_page(), address, run, run, f"{window}.png", ["X_judge"])
        context.close()


def _fill(home: Path) -> dict[str, str]:
    """A brief beside the sample, and both demos: name -> run."""
    _adopt(home)
    os.environ["LATELY_HOME"] = str(home)
    made = {name: asyncio.run(pipeline.retrieve_recent(asked, demo=True)) for name, asked in DEMOS.items()}
    return {name: report.run_id for name, report in made.items()}


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


def _pages(page: Any, address: str, called: str, run: str, file: str, only: list[str]) -> None:
    """Every page of one run; a narrow window shows the navigation only when it is opened, so addresses are used."""
    page.goto(address)
    page.wait_for_selector("[data-testid=stMainBlockContainer] .stHtml")
    names = sorted(path.stem.split("_", 1)[1] for path in (server.ROOT / "pages").glob("[0-9]*_*.py"))
    for name in names:
        if only and name not in only:
            continue
        page.goto(f"{address}/{'' if name == 'Query' else name}" + (f"?run={run}" if run else ""))
        settled(page)
        page.screenshot(path=str(OUT / f"{name}-{called or 'first'}-{file}"))
    page.close()


def settled(page: Any) -> None:
    """Wait until nothing is loading any more."""
    page.wait_for_selector("[data-testid=stMainBlockContainer] .stHtml")
    page.wait_for_function("() => !document.querySelector('[data-testid=stSkeleton], [data-testid=stStatusWidget]')")
    page.wait_for_timeout(2_000)  # parts of a page are loaded when they are first drawn


if __name__ == "__main__":
    readme() if sys.argv[1:] == ["README"] else main(sys.argv[1:])
