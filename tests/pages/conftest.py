"""A store of its own that holds the sample runs, and app.py opened on it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("streamlit")
import streamlit as st  # noqa: E402
from streamlit.components.v2 import manifest_scanner  # noqa: E402
from streamlit.runtime.pages_manager import PagesManager  # noqa: E402
from streamlit.testing.v1 import AppTest  # noqa: E402

import pipeline  # noqa: E402
from tests.pages import sample  # noqa: E402

APP = Path(__file__).resolve().parents[2] / "app.py"
Open = Callable[..., AppTest]


@pytest.fixture(autouse=True, scope="session")
def installed() -> Iterator[None]:
    """The installed packages are read through for components once, not for every app that is opened: 0.3 s each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(autouse=True)
def as_on_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every rerun goes through app.py, as on a server: by itself AppTest would run the page alone from the second on."""
    made = PagesManager.__init__

    def begin(self: PagesManager, *given: Any, **named: Any) -> None:
        made(self, *given, **named)
        PagesManager.uses_pages_directory = False

    monkeypatch.setattr(PagesManager, "__init__", begin)


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the sample, the empty, the evergreen and a demo run in it, to be copied."""
    path = tmp_path_factory.mktemp("filled") / "lately.db"
    store = pipeline.open_store(path)
    for made in (
        sample.empty_report(),
        sample.evergreen_report(),
        sample.report(),
        sample.report(run_id="d", demo=True),
    ):
        store.runs.save(made, learned=False)
    store.close()
    return path


@pytest.fixture
def kept(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The store of this test: a copy."""
    monkeypatch.setenv("LATELY_HOME", str(tmp_path))
    monkeypatch.setattr(pipeline, "parse_query", plan, raising=False)
    st.cache_resource.clear()
    store = pipeline.open_store(Path(shutil.copy(filled, tmp_path)))
    yield store
    store.close()
    st.cache_resource.clear()


def plan(question: Any, settings: Any, now: Any) -> Any:
    """The sample's plan for any question; the text "bad" can't be read."""
    if question.text == "bad":
        raise pipeline.InputError("this can't be read; write it another way")
    days = question.days or 30
    return replace(sample.plan(question.text, days=days), question=question)


@pytest.fixture
def opened(kept: Any) -> Open:
    """open(run="sample", page="pages/2_Timeline.py", present="1") -> the app, run once, without an exception.

    unfolded: keys of expanders that a person has opened, for what they hold is only then drawn.
    """

    def start(run: str = "", page: str = "", unfolded: tuple[str, ...] = (), **query: str) -> AppTest:
        app = AppTest.from_file(str(APP), default_timeout=60)
        for key in unfolded:
            app.session_state[key] = True
        for name, value in (({"run": run} if run else {}) | query).items():
            app.query_params[name] = value
        app.run()
        if page:
            app.switch_page(page)
            app.run()
        assert not app.exception, app.exception[0].message
        return app

    return start


class Jobs:
    """pipeline.jobs with one job, whose state the test sets."""

    def __init__(self, store: Any) -> None:
        self.asked: list[Any] = []
        self.stopped: list[str] = []
        self.ranked: list[str] = []
        self.state: dict[str, Any] = {}
        self._now = sample.NOW

    def start(self, question: Any) -> str:
        self.asked.append(question)
        self.state = {"state": "running", "progress": {}}
        return "job"

    def rank_again(self, run_id: str, label: str) -> str:
        self.ranked.append(run_id)
        self.state = {"state": "running", "progress": {}}
        return "job"

    def poll(self, job_id: str) -> Any:
        from pipeline.store.jobs import JobState

        return JobState(id=job_id, label="a question", created_at=self._now, **self.state)

    def recent(self, limit: int = 20) -> tuple[Any, ...]:
        return (self.poll("job"),) if self.state else ()

    def cancel(self, job_id: str) -> None:
        self.stopped.append(job_id)


@pytest.fixture
def jobs(kept: Any, monkeypatch: pytest.MonkeyPatch) -> Jobs:
    from pages.parts import background

    fake = Jobs(kept)
    monkeypatch.setattr(background, "jobs", fake)
    return fake


def html(app: AppTest) -> str:
    """All HTML that the page wrote, the sidebar's too; without the one script, which is the app's own."""
    drawn = [element.proto for element in app.get("html")]
    assert sum(one.unsafe_allow_javascript for one in drawn) <= 1
    return "\n".join(one.body for one in drawn if not one.unsafe_allow_javascript)
