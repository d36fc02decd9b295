"""The Briefs page: empty states, order, words, what is removed, what another tab wrote meanwhile."""

import base64
import re
from typing import Any

from pages.parts import theme
from pipeline.briefing import compose, export_brief
from pipeline.briefing.charts import DIMENSION_COLOURS
from tests.pages import sample
from tests.pages.conftest import APP, Open, html
from tests.pages.sample import HOSTILE, NOW

PAGE = "pages/9_Briefs.py"
RUN = sample.report()
HINT, KESTREL, FLAW, STAR, RUMOUR, LONG, BAD = 0, 1, 7, 11, 13, 14, 15


def adopt(kept: Any, *rows: int) -> None:
    for row in rows:
        kept.feedback.give("adopt", RUN, row, NOW)


def sheet(app: Any) -> str:
    """The HTML that the preview shows."""
    (frame,) = app.get("iframe")
    return base64.b64decode(frame.proto.src.split("base64,")[1].partition("#")[0]).decode()


def headlines(page: str) -> list[str]:
    return re.findall(r"<h3 dir=\"auto\">(.*?)</h3>", page)


def test_without_a_run_it_says_what_to_do(opened: Open) -> None:
    assert "There is no run to show yet" in html(opened(page=PAGE))


def test_with_nothing_adopted_one_button_adopts_all_facts(opened: Open, kept: Any) -> None:
    app = opened("sample", PAGE)
    assert "Nothing is adopted yet" in html(app)
    assert not app.get("iframe")
    button = app.button(key="adopt-all")
    assert button.label == "Adopt all 5 facts"
    button.click().run()
    assert len(kept.briefs.draft(RUN).items) == 5
    assert "5 facts and 0 leads" in sheet(app)
    assert "No lead is in the brief" in html(app)


def test_what_was_dismissed_is_not_among_all_facts(opened: Open, kept: Any) -> None:
    kept.feedback.give("dismiss", RUN, KESTREL, NOW)
    app = opened("sample", PAGE)
    assert app.button(key="adopt-all").label == "Adopt all 4 facts"


def test_a_run_that_shows_nothing_has_nothing_to_adopt(opened: Open) -> None:
    app = opened("empty", PAGE)
    assert "shows nothing that could be adopted" in html(app)
    assert "adopt-all" not in [button.key for button in app.button]


def test_hints_are_in_the_reader_s_language(opened: Open, kept: Any, monkeypatch: Any) -> None:
    from pages.parts import reader

    monkeypatch.setattr(reader, "hint_language", lambda: "zh")
    assert "还没有采纳任何条目" in html(opened("sample", PAGE))


def test_facts_and_leads_stand_apart_on_the_page_and_on_the_sheet(opened: Open, kept: Any) -> None:
    adopt(kept, RUMOUR, FLAW, KESTREL)
    app = opened("sample", PAGE)
    shown = html(app)
    assert shown.index("Facts") < shown.index("Kestrel 2.0") < shown.index("Leads") < shown.index("Rumour: large")
    assert len(headlines(sheet(app))) == 3
    assert "Adopt 3 more facts" in [button.label for button in app.button]


def test_items_move_within_their_part_and_the_order_is_kept(opened: Open, kept: Any) -> None:
    adopt(kept, KESTREL, FLAW, RUMOUR, STAR)
    app = opened("sample", PAGE)
    assert [one[:7] for one in headlines(sheet(app))] == ["晨星开源轻量级", "Kestrel", "Flaw in", "Rumour:"]
    assert app.button(key=f"up-{STAR}").disabled and app.button(key=f"down-{FLAW}").disabled
    assert app.button(key=f"up-{RUMOUR}").disabled and app.button(key=f"down-{RUMOUR}").disabled
    app.button(key=f"up-{FLAW}").click().run()
    app.button(key=f"down-{STAR}").click().run()
    wanted = ["Flaw in", "晨星开源轻量级", "Kestrel", "Rumour:"]
    assert [one[:7] for one in headlines(sheet(app))] == wanted
    assert [one[:7] for one in headlines(sheet(opened("sample", PAGE)))] == wanted


def test_words_are_kept_and_shown_on_the_sheet(opened: Open, kept: Any) -> None:
    adopt(kept, STAR)
    app = opened("sample", PAGE)
    app.text_input(key="brief-title-sample").set_value("  Agents 智能体 ").run()
    app.text_area(key="brief-introduction-sample").set_value("First.\n\nSecond.").run()
    app.button(key=f"edit-{STAR}").click().run()
    app.text_area(key=f"brief-note-sample-{STAR}").set_value("与我们有关。").run()
    app.text_input(key=f"brief-headline-sample-{STAR}").set_value("A light framework").run()
    again = opened("sample", PAGE)
    page = sheet(again)
    assert '<h1 dir="auto">Agents 智能体</h1>' in page
    assert '<p class="intro" dir="auto">First.</p>' in page and '<p class="intro" dir="auto">Second.</p>' in page
    assert headlines(page) == ["A light framework"]
    assert "与我们有关。" in page and "headline by the analyst" in page
    assert "晨星开源轻量级智能体框架" in page  # the source's own headline stays in the citation
    assert "headline by you" in html(again) and "与我们有关。" in html(again)
    assert again.text_input(key="brief-title-sample").value == "Agents 智能体"


def test_another_tab_s_words_are_not_overwritten_unseen(opened: Open, kept: Any) -> None:
    adopt(kept, STAR)
    app = opened("sample", PAGE)
    kept.briefs.write(RUN, "title", "Theirs", NOW)
    app.text_input(key="brief-title-sample").set_value("Mine").run()
    assert kept.briefs.draft(RUN).title == "Theirs"
    assert "was changed elsewhere" in html(app) and "<blockquote>Theirs</blockquote>" in html(app)
    assert app.text_input(key="brief-title-sample").value == "Mine"
    app.button(key="mine-brief-title-sample").click().run()
    assert kept.briefs.draft(RUN).title == "Mine"
    assert "was changed elsewhere" not in html(app)


def test_another_tab_s_words_can_be_taken(opened: Open, kept: Any) -> None:
    adopt(kept, STAR)
    app = opened("sample", PAGE)
    kept.briefs.write(RUN, "introduction", "Theirs", NOW)
    app.text_area(key="brief-introduction-sample").set_value("Mine").run()
    app.button(key="theirs-brief-introduction-sample").click().run()
    assert app.text_area(key="brief-introduction-sample").value == "Theirs"
    assert kept.briefs.draft(RUN).introduction == "Theirs"


def test_what_another_tab_wrote_appears_where_nothing_was_typed(opened: Open, kept: Any) -> None:
    adopt(kept, STAR)
    app = opened("sample", PAGE)
    kept.briefs.write(RUN, "title", "Theirs", NOW)
    app.run()
    assert app.text_input(key="brief-title-sample").value == "Theirs"
    assert "was changed elsewhere" not in html(app)
    app.text_input(key="brief-title-sample").set_value("Mine").run()
    assert kept.briefs.draft(RUN).title == "Mine"


def test_moving_past_an_item_that_is_gone_meanwhile_changes_nothing(opened: Open, kept: Any) -> None:
    adopt(kept, STAR, FLAW)
    app = opened("sample", PAGE)
    kept.feedback.give("restore", RUN, STAR, NOW)
    app.button(key=f"up-{FLAW}").click().run()
    assert not app.exception
    assert kept.briefs.draft(RUN).items == (f"item-{FLAW}",)
    assert "changed elsewhere" in app.toast[0].value


def test_removing_takes_the_adoption_back_and_can_be_undone(opened: Open, kept: Any) -> None:
    adopt(kept, STAR, FLAW)
    kept.briefs.write(RUN, "note", "mine", NOW, item=f"item-{FLAW}")
    app = opened("sample", PAGE)
    app.button(key=f"remove-{FLAW}").click().run()
    assert kept.feedback.states()[f"item-{FLAW}"] == "restore"
    assert len(headlines(sheet(app))) == 1
    app.button(key="put-back").click().run()
    assert "mine" in sheet(app)
    assert "put-back" not in [button.key for button in app.button]


def test_adopting_on_a_card_brings_an_item_here(opened: Open, kept: Any) -> None:
    app = opened("sample")
    app.button(key=f"adopt-{RUMOUR}").click().run()
    app.switch_page(PAGE)
    app.run()
    assert headlines(sheet(app)) == ["Rumour: large search company to open its agent framework"]


def test_text_from_sources_stays_text(opened: Open, kept: Any) -> None:
    adopt(kept, BAD, LONG)
    app = opened("sample", PAGE)
    for page in (html(app), sheet(app)):
        assert "&lt;script&gt;" in page
        assert "<script" not in page and "<img" not in page and "<b>loud" not in page
        assert not re.findall(r'href="javascript', page)
    said = [one.value for one in (*app.markdown, *app.caption)] + [button.label for button in app.button]
    assert not [line for line in said if HOSTILE[:20] in line]


def test_a_demo_is_marked_on_the_sheet_and_in_file_names(opened: Open, kept: Any) -> None:
    kept.feedback.give("adopt", sample.report(run_id="d", demo=True), FLAW, NOW)
    app = opened("d", PAGE)
    assert "this news is invented" in sheet(app)
    assert "invented news" in html(app)


def test_five_files_are_offered_and_none_is_made_before_it_is_asked_for(
    opened: Open, kept: Any, monkeypatch: Any
) -> None:
    import pipeline

    made: list[str] = []
    monkeypatch.setattr(pipeline, "export_brief", lambda *given: made.append(given[1]) or b"", raising=False)
    adopt(kept, FLAW)
    app = opened("sample", PAGE)
    labels = [button.proto.label for button in app.get("download_button")]
    assert labels == ["Markdown", "HTML", "Word", "CSV", "JSON"]
    assert made == []


def test_the_page_and_the_command_line_give_the_same_file(kept: Any) -> None:
    from pages.parts.briefs import _maker

    adopt(kept, FLAW, RUMOUR)
    kept.briefs.write(RUN, "note", "mine", NOW, item=f"item-{FLAW}")
    run = kept.runs.load("sample")
    own = export_brief(compose(run, kept.briefs.draft(run), now=NOW), "csv", run)
    assert _maker(kept, run, "csv")() == own


def test_presenting_shows_the_sheet_alone(opened: Open, kept: Any) -> None:
    adopt(kept, FLAW)
    app = opened("sample", PAGE, present="1")
    assert headlines(sheet(app)) == ["Flaw in popular agent runtime lets web pages run tools"]
    assert [button.key for button in app.button] == ["leave-present"]
    assert not app.get("download_button")


def test_a_long_brief_is_paged(opened: Open, kept: Any) -> None:
    import pages.parts.brief_items as items

    adopt(kept, *range(len(RUN.table.ids) - 1))
    app = opened("sample", PAGE)
    assert len([key for button in app.button if (key := button.key or "").startswith("remove-")]) <= 2 * items.LISTED
    assert [one.key for one in app.number_input] == ["page-brief-lead"]
    app.number_input(key="page-brief-lead").set_value(2).run()
    assert not app.exception
    assert headlines(sheet(app))  # the sheet holds all of it


def test_dimensions_have_the_same_colours_on_pages_in_the_style_and_in_exports() -> None:
    style = (APP.parent / "assets" / "style.css").read_text("utf-8").lower()
    assert DIMENSION_COLOURS == theme.DIMENSIONS
    assert all(f"--lt-{name}: {colour.lower()};" in style for name, colour in DIMENSION_COLOURS.items())


def test_an_item_without_a_note_has_no_empty_place_for_one(opened: Open, kept: Any) -> None:
    adopt(kept, FLAW)
    assert 'class="lt-note"' not in html(opened("sample", PAGE))
