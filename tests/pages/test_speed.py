"""What makes a rerun fast, counted: records read from the store, collections of garbage."""

from typing import Any

import pytest

from pages.parts import collector
from pipeline.store.details import Kept
from tests.pages import sample
from tests.pages.conftest import Open

LARGE = 400  # rows of the run; half of them reach scoring, 6 are shown


@pytest.fixture
def reads(kept: Any, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rows whose explained record was read, as they are read."""
    kept.runs.save(sample.large_report(LARGE), learned=False)
    found: list[int] = []
    read = Kept.item

    def counted(self: Any, row: int) -> Any:
        found.append(row)
        return read(self, row)

    monkeypatch.setattr(Kept, "item", counted)
    return found


@pytest.mark.parametrize("page", ["", "pages/2_Timeline.py"])
def test_a_page_reads_the_records_of_what_is_shown_and_no_others_and_those_once(
    reads: list[int], opened: Open, page: str
) -> None:
    app = opened("large", page)
    shown = {row for row, code in enumerate(sample.large_report(LARGE).table.bucket) if code == sample.S}
    assert reads and set(reads) <= shown
    reads.clear()
    app.run()
    assert not reads


def test_what_is_folded_is_not_sent(opened: Open) -> None:
    """Of kept runs, examples, words, zones and the chips of the question only what opens them."""
    app = opened("sample")
    drawn = {one.key for kind in ("button", "selectbox", "multiselect") for one in app.get(kind)}
    folded = {"demo-en", "open-d", "zone", "words-interests", "sources", "compare-choice"}
    assert not drawn & folded
    opens = ("examples", "kept-runs", "where", "words", "chip-sources", "compare")
    everything = opened("sample", unfolded=opens)
    assert folded <= {one.key for kind in ("button", "selectbox", "multiselect") for one in everything.get(kind)}


def test_what_the_first_drawing_brings_in_leaves_the_collectors_sight_once_a_page(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    frozen: list[str] = []
    monkeypatch.setattr(collector.gc, "freeze", lambda: frozen.append(""))
    app = opened("sample")
    first = len(frozen)
    app.run()
    assert first == 2, "one for the run, one for the page"
    assert len(frozen) == first
