"""The Sources page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import pipeline
from tests.pages import sample
from tests.pages.conftest import Open, html

PAGE = "pages/5_Sources.py"
NOW = datetime(2026, 11, 30, tzinfo=UTC)
KEY = "marasnotebook.example"


def grid(app: Any) -> Any:
    (table,) = app.data_editor
    return table


def row_of(app: Any, key: str) -> Any:
    table = grid(app).value
    return table[table.source == key].iloc[0]


def type_bias(app: Any, key: str, bias: float | None) -> Any:
    """What the grid sends when a cell of the bias column was edited."""
    table = grid(app)
    at = table.value.source.tolist().index(key)
    app.session_state[table.key] = {"edited_rows": {at: {"bias": bias}}, "added_rows": [], "deleted_rows": []}
    return app.run()


def part(app: Any, name: str) -> Any:
    app.segmented_control(key="sources-part").set_value(name).run()
    assert not app.exception, app.exception[0].message
    return app


# --------------------------------------------------------------------------- the table


def test_the_run_s_sources_come_first_with_prior_bias_evidence_and_posterior(opened: Open, kept: Any) -> None:
    kept.authority.set("northwind.example", 0.4, "retracted", datetime.now(UTC))
    app = opened("sample", PAGE)
    assert len(grid(app).value) == 20
    row = row_of(app, "northwind.example")
    assert (row["class"], row.prior, row.bias, row["mean"]) == ("outlet", 0.92, 0.4, pytest.approx(0.4))
    assert row.used == pytest.approx(sample.report().authorities["northwind.example"].mean)
    assert row.picture.startswith("data:image/svg+xml")
    assert row.interval == "0.23 – 0.58"


def test_without_a_run_the_named_sources_are_there(opened: Open) -> None:
    app = opened(page=PAGE)
    assert "How far each is believed" in html(app)
    assert "used" not in grid(app).value
    assert "In run" not in str(grid(app).proto.columns)


def test_the_filter_finds_a_source_that_no_run_has_and_says_when_there_is_none(opened: Open) -> None:
    app = opened("sample", PAGE)
    app.text_input(key="authority-filter").set_value("reuters").run()
    assert "reuters.com" in grid(app).value.source.tolist()
    app.text_input(key="authority-filter").set_value("no such source").run()
    assert not app.data_editor
    assert "No source fits" in html(app)


def test_a_source_is_added_to_the_table_and_one_that_is_none_is_refused(opened: Open) -> None:
    app = opened("sample", PAGE)
    app.text_input(key="authority-new").set_value("WWW.New-Site.example")
    app.button(key="authority-put").click().run()
    assert grid(app).value.source.tolist() == ["new-site.example"]
    app.text_input(key="authority-new").set_value("two words")
    app.button(key="authority-put").click().run()
    assert "is no source" in html(app)


# --------------------------------------------------------------------------- edit, preview, save, undo


def test_an_edit_shows_what_it_would_do_and_saves_only_with_a_reason(opened: Open, kept: Any) -> None:
    app = type_bias(opened("sample", PAGE), KEY, 0.0)
    page = html(app)
    assert "1 edit, not saved" in page
    assert "No longer shown: 1 item" in page
    assert "Kestrel Labs hints at durable sessions" in page
    assert row_of(app, KEY)["mean"] == 0.0

    app.button(key="authority-save-now").click().run()
    assert "say why the authority of marasnotebook.example changes" in html(app)
    assert kept.authority.biases() == {}
    app.text_input(key="authority-reason").set_value("Rumours")
    app.button(key="authority-save-now").click().run()
    assert kept.authority.biases() == {KEY: 0.0}
    page = html(app)
    assert "not saved" not in page
    assert "analyst: Rumours" in page

    (change,) = kept.authority.history()
    app.button(key=f"undo-{change.id}").click().run()
    assert kept.authority.biases() == {}
    assert "undone" in html(app)
    assert "Rumours" in html(app)


def test_edits_survive_the_filter_and_another_page_and_can_be_discarded(opened: Open, kept: Any) -> None:
    app = type_bias(opened("sample", PAGE), KEY, 0.1)
    app.text_input(key="authority-filter").set_value("reuters").run()
    assert "1 edit, not saved" in html(app)
    type_bias(app, "reuters.com", 0.2)
    assert "2 edits, not saved" in html(app)
    app.text_input(key="authority-filter").set_value("").run()
    assert row_of(app, KEY).bias == 0.1
    app.button(key="authority-discard").click().run()
    assert "not saved" not in html(app)
    assert row_of(app, KEY).isna().bias
    assert kept.authority.history() == ()


def test_clearing_a_bias_removes_it(opened: Open, kept: Any) -> None:
    kept.authority.set(KEY, 0.9, "good", NOW)
    app = type_bias(opened("sample", PAGE), KEY, None)
    assert "bias 0.90 → none (prior 0.50)" in html(app)
    app.text_input(key="authority-reason").set_value("no opinion")
    app.button(key="authority-save-now").click().run()
    assert kept.authority.biases() == {}
    assert kept.authority.history()[0].bias is None


def test_what_somebody_else_changed_meanwhile_is_shown_and_not_overwritten(opened: Open, kept: Any) -> None:
    app = type_bias(opened("sample", PAGE), KEY, 0.8)
    kept.authority.set(KEY, 0.2, "retracted twice", NOW, who="ben, command line")
    app.text_input(key="authority-reason").set_value("good")
    app.button(key="authority-save-now").click().run()
    page = html(app)
    assert "Changed meanwhile" in page
    assert "ben, command line set marasnotebook.example to 0.20" in page
    assert "retracted twice" in page
    assert "Yours: 0.80" in page
    assert kept.authority.biases() == {KEY: 0.2}
    assert app.button(key="authority-save-now").disabled

    app.button(key="authority-mine").click().run()
    app.text_input(key="authority-reason").set_value("good")
    app.button(key="authority-save-now").click().run()
    assert [(one.bias, one.reason) for one in kept.authority.history()] == [(0.8, "good"), (0.2, "retracted twice")]


def test_their_change_can_be_kept(opened: Open, kept: Any) -> None:
    app = type_bias(opened("sample", PAGE), KEY, 0.8)
    kept.authority.set(KEY, 0.2, "retracted", NOW)
    app.run()
    app.button(key="authority-theirs").click().run()
    assert "not saved" not in html(app)
    assert row_of(app, KEY).bias == 0.2


def test_a_run_is_seen_with_today_s_biases_by_choice_and_kept_as_it_was(opened: Open, kept: Any) -> None:
    kept.authority.set(KEY, 0.0, "rumours", NOW)
    app = opened("sample", PAGE)
    assert "10 shown of 33" in html(app)
    app.button(key="authority-today").click().run()
    assert "9 shown of 33" in html(app)
    app.button(key="authority-own").click().run()
    assert "10 shown of 33" in html(app)


def test_hostile_names_and_reasons_are_text(opened: Open, kept: Any) -> None:
    kept.authority.set("<img/src=x/onerror=alert(1)>.example", 0.2, sample.HOSTILE, NOW, who="<script>x</script>")
    page = html(opened("sample", PAGE))
    assert "<script>" not in page
    assert "<img/src" not in page
    assert "&lt;script&gt;x&lt;/script&gt;" in page


# --------------------------------------------------------------------------- exchange


def test_a_file_becomes_edits_and_its_bad_entries_are_named(opened: Open, kept: Any) -> None:
    app = opened("sample", PAGE)
    good = f"- {{source: {KEY}, bias: 0.1, reason: from Ann}}"
    app.file_uploader(key="authority-file").upload("my.yaml", f"authority:\n{good}\n- {{source: b.example}}".encode(), "application/yaml").run()  # fmt: skip
    app.button(key="authority-read").click().run()
    page = html(app)
    assert "1 edit from my.yaml; 1 entry left out: line 3: the bias of b.example must be a number" in page
    assert kept.authority.biases() == {}
    app.button(key="authority-save-now").click().run()
    assert [(one.key, one.bias, one.reason) for one in kept.authority.history()] == [(KEY, 0.1, "from Ann")]


def test_of_many_bad_entries_the_first_are_named(opened: Open, kept: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    looks, biases = [], type(kept.authority).biases
    monkeypatch.setattr(type(kept.authority), "biases", lambda self: looks.append(1) or biases(self))
    lines = [f"- {{source: good{n}.example, bias: 0.1}}\n- {{source: bad{n}.example}}" for n in range(40)]
    app = opened("sample", PAGE)
    app.file_uploader(key="authority-file").upload("my.yaml", "\n".join(["authority:", *lines]).encode(), "application/yaml").run()  # fmt: skip
    looks.clear()
    app.button(key="authority-read").click().run()
    page = html(app)
    assert "40 edits from my.yaml; 40 entries left out: " in page
    assert page.count("must be a number between 0 and 1") == 10
    assert len(looks) < 20, "one look at what holds, not one an entry"


def test_a_file_that_is_no_export_is_one_line(opened: Open) -> None:
    app = opened("sample", PAGE)
    app.file_uploader(key="authority-file").upload("my.yaml", b"authority: [", "application/yaml").run()
    app.button(key="authority-read").click().run()
    assert "my.yaml: line 1" in html(app)


# --------------------------------------------------------------------------- new sources


def tried(monkeypatch: pytest.MonkeyPatch, status: str = "ok", advice: tuple[str, ...] = ()) -> list[Any]:
    from pipeline.diagnose import Trial
    from pipeline.types import Outcome

    asked: list[Any] = []

    def answer(kind: str, entry: Any, **_: Any) -> Trial:
        asked.append((kind, entry))
        found = sample.report()
        candidates = tuple(found.item(row).judged.candidate for row in (1, 15, 11, 29))
        outcome = Outcome(source=kind, endpoint=entry["name"], status=status, items=4, elapsed_ms=420)  # type: ignore[arg-type]
        return Trial(outcome=outcome, candidates=candidates if status == "ok" else (), advice=advice)

    monkeypatch.setattr(pipeline, "try_source_now", answer, raising=False)
    return asked


def test_a_page_is_tested_saved_and_removed(opened: Open, kept: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = tried(monkeypatch, advice=("only 3 of 4 of the items have a date that can be read",))
    app = part(opened("sample", PAGE), "add")
    app.segmented_control(key="new-kind").set_value("custom").run()
    for name, said in (("name", "City"), ("url", "https://city.example/news"), ("item", "li"), ("title", "a"), ("link", "a@href")):  # fmt: skip
        app.text_input(key=f"new-{name}").set_value(said)
    app.button(key="new-test").click().run()
    entry = {"name": "City", "url": "https://city.example/news", "priority": 2}
    entry |= {"selectors": {"item": "li", "title": "a", "link": "a@href"}}
    assert asked == [("custom", entry)]
    assert "City answered: 4 items, 3 dated, in 420 ms" in html(app)
    assert "Only 3 of 4" in html(app)
    (items,) = app.dataframe
    assert items.value.title.tolist()[0].startswith("Kestrel 2.0")

    app.button(key="new-save").click().run()
    assert kept.files.sources() == (("custom", entry),)
    assert "Choose “custom” under the sources" in html(app)
    app.button(key="mine-remove-0").click().run()
    assert kept.files.sources() == ()


def test_a_saved_feed_is_asked_at_once(opened: Open, kept: Any) -> None:
    app = part(opened("sample", PAGE), "add")
    app.text_input(key="new-name").set_value("Daily")
    app.text_input(key="new-url").set_value("https://daily.example/feed")
    app.button(key="new-save").click().run()
    assert "Runs ask it from now on" in html(app)
    from pages.parts import server

    assert any(feed.name == "Daily" for feed in server.settings().sources.rss)


@pytest.mark.parametrize(
    ("name", "url", "says"),
    [
        ("", "https://a.example", "give the source a name"),
        ("A", "ftp://a.example", "must begin with http"),
        ("A", "", "is no address"),
    ],
)
def test_an_entry_that_can_not_be_is_one_line(opened: Open, kept: Any, name: str, url: str, says: str) -> None:
    app = part(opened("sample", PAGE), "add")
    app.text_input(key="new-name").set_value(name)
    app.text_input(key="new-url").set_value(url)
    app.button(key="new-save").click().run()
    assert says in html(app)
    assert kept.files.sources() == ()


def test_a_list_of_feeds_is_told_where_to_use_it(opened: Open, kept: Any) -> None:
    app = part(opened("sample", PAGE), "add")
    app.text_input(key="new-name").set_value("Mine").run()
    app.text_input(key="new-url").set_value("https://a.example/lists/mine.opml").run()
    app.button(key="new-save").click().run()
    assert "Use it on Query: More" in html(app)
    assert kept.files.sources() == ()


# --------------------------------------------------------------------------- health and feedback


def test_health_tells_failures_budgets_and_keys(opened: Open, kept: Any) -> None:
    for hours, status in enumerate(("ok", "timeout", "timeout")):
        kept.health.record(str(hours), [sample.OUTCOMES[0].__class__(source="rss", endpoint="BBC News", status=status, items=9, elapsed_ms=400, detail="<b>slow</b>")], NOW + timedelta(hours=hours))  # fmt: skip
    app = part(opened("sample", PAGE), "health")
    table = app.dataframe[0].value
    first = table.iloc[0]
    assert (first["name"], first.state) == ("BBC News", "no answer in time, 2 times")
    assert first.picture.startswith("data:image/svg")
    assert "timeout: <b>slow</b>" in first.error
    assert table[table.source == "gdelt"].iloc[0].budget == "10 of 10 left this minute"
    assert first.budget == "none today, no limit"
    assert "GUARDIAN_API_KEY is not set" in table.key.tolist()
    assert "1 failing now" in html(app)


def test_diagnosing_starts_in_the_background_and_its_findings_are_shown(
    opened: Open, kept: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pipeline import checkup
    from pipeline.diagnose import Diagnosis

    asked: list[Any] = []
    monkeypatch.setattr(pipeline, "start_checkup", lambda store, sources=None: asked.append(sources), raising=False)
    app = part(opened("sample", PAGE), "health")
    app.multiselect(key="checkup-kinds").set_value(["gdelt"])
    app.button(key="checkup").click().run()
    assert asked == [["gdelt"]]
    checkup._keep(kept, [Diagnosis(source="gdelt", endpoint="gdelt", status="timeout", advice="try again")], NOW)
    app.run()
    found = app.dataframe[1].value.iloc[0]
    assert (found["name"], found.state, found.todo) == ("gdelt", "no answer in time", "try again")
    assert ": 0 of 1 source answered." in html(app)


def test_feedback_says_what_it_did_and_is_undone(opened: Open, kept: Any) -> None:
    from dataclasses import replace

    live = replace(sample.report(), run_id="live", created_at=NOW)
    kept.runs.save(live, learned=True)
    kept.feedback.give("adopt", live, 1, datetime.now(UTC))
    kept.feedback.give("dismiss", live, 15, datetime.now(UTC), note="spam")
    app = part(opened("sample", PAGE), "feedback")
    page = html(app)
    assert "+1 for blog.kestrel-labs.example. Its mean is 0.714, without this 0.700." in page
    assert "“spam”. +1 against dealbeacon.example" in page
    assert "<script>document" not in page
    app.button(key="word-undo-2").click().run()
    assert kept.feedback.states() == {"item-1": "adopt"}
    assert "It no longer counts" in html(app)


def test_feedback_in_the_demo_says_that_it_is_the_demo(opened: Open, kept: Any) -> None:
    demo = sample.report(run_id="played", demo=True)
    kept.runs.save(demo, learned=False)
    kept.feedback.give("adopt", demo, 1, datetime.now(UTC))
    assert "No posterior was moved: its run is the demo." in html(part(opened("sample", PAGE), "feedback"))


def test_an_edit_starts_from_the_value_the_run_used(opened: Open, kept: Any) -> None:
    app = type_bias(opened("sample", PAGE), "northwind.example", 0.8)
    assert "bias none (prior 0.92) → 0.80; posterior mean 0.92 → 0.80; in this run 0.92 → 0.80, falls" in html(app)
    assert "would fall" in html(app)


def test_no_feedback_says_what_to_do(opened: Open) -> None:
    assert "Use the buttons below a card" in html(part(opened("sample", PAGE), "feedback"))


def test_presenting_shows_the_table_without_controls(opened: Open) -> None:
    app = opened("sample", PAGE, present="1")
    assert len(app.dataframe[0].value) == 20
    assert not app.data_editor
    assert [button.key for button in app.button] == ["leave-present"]
