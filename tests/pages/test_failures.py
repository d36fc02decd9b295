"""What fails beneath a page is said in a sentence, and the page goes on."""

from typing import Any

import pytest

from pipeline.errors import StoreError
from pipeline.store.prefs import Prefs
from pipeline.store.runs import Runs
from tests.pages import sample
from tests.pages.conftest import Open, html

LOCKED = "the database is locked by another process; wait a little and try again"
PAGES = ("1_Query", "2_Timeline", "3_Scores", "4_X_judge", "5_Sources", "9_Briefs")


def refuse(*given: Any, **named: Any) -> Any:
    raise StoreError(LOCKED)


@pytest.mark.parametrize("name", PAGES)
def test_a_locked_database_is_one_sentence_on_every_page(
    opened: Open, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    app = opened(run="sample", page=f"pages/{name}.py")
    monkeypatch.setattr(Runs, "resolve", refuse)
    app.run()
    assert not app.exception
    assert LOCKED in html(app)
    monkeypatch.undo()
    app.button(key="try-again").click().run()
    assert not app.exception and LOCKED not in html(app)


def test_a_change_that_could_not_be_kept_is_said_and_the_page_goes_on(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened(run="sample", unfolded=("where",))
    monkeypatch.setattr(Prefs, "choose", refuse)
    app.selectbox(key="hints").set_value("zh").run()
    assert not app.exception
    assert [said.value for said in app.error] == [LOCKED]
    assert 'class="lt-card' in html(app)
    app.run()
    assert not app.error


def test_the_last_run_of_an_address_is_the_newest_one(opened: Open, kept: Any) -> None:
    kept.runs.save(sample.report(run_id="first"), learned=False)
    assert 'class="lt-card' in html(opened(run="last"))
    kept.runs.save(sample.empty_report(run_id="newest"), learned=False)
    assert 'class="lt-card' not in html(opened(run="last"))
