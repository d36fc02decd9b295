"""Exports say the same in every format, keep facts and leads apart, and never let source text act."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from pipeline.briefing import EXPORTS, brief_file, compose, export_brief
from pipeline.briefing.charts import DIMENSION_COLOURS, LANES
from pipeline.briefing.csv import neutral
from pipeline.briefing.html import brief_html
from pipeline.briefing.json import brief_json
from pipeline.briefing.markdown import escape
from pipeline.briefing.words import link, plain
from pipeline.errors import InputError
from pipeline.types import Citation, Draft
from tests.pages import sample

NAMES = [export.name for export in EXPORTS]
RUMOUR = "Rumour: large search company to open its agent framework"
BAD = (
    "\x00\x07\u202eevil\u2066 </style><script>alert(1)</script> <img src=http://evil/x.png onerror=alert(1)> "
    "[click](javascript:alert(1)) ![i](http://evil/i.png) http://evil.example www.evil.example a@evil.example "
    "`code` | cell $x$ \ud800"
)


@pytest.fixture(scope="module")
def brief():
    return compose(sample.report())


def rows_of(report: Any, *starts: str) -> tuple[str, ...]:
    """Ids of the items whose titles begin like that, in the order given."""
    return tuple(
        next(i for i, t in zip(report.table.ids, report.table.titles, strict=True) if t.startswith(start))
        for start in starts
    )


def text_of(name: str, brief: Any) -> str:
    """What a reader of the file reads."""
    data = export_brief(brief, name)
    if name != "docx":
        return data.decode("utf-8-sig")
    document = word(data)
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    foot = [line.text for line in document.sections[0].footer.paragraphs]
    return "\n".join([*(line.text for line in document.paragraphs), *cells, *foot])


def word(data: bytes) -> Any:
    import docx

    return docx.Document(io.BytesIO(data))


# --------------------------------------------------------------------------- what every format says


@pytest.mark.parametrize("name", NAMES)
def test_every_headline_and_the_chinese_text_are_in_every_format(name, brief):
    text = text_of(name, brief)
    assert "晨星开源轻量级智能体框架" in text
    assert RUMOUR in text.replace("\\", "")


@pytest.mark.parametrize("name", NAMES)
def test_a_demo_says_so_in_every_file_and_in_its_name(name):
    made = compose(sample.report(demo=True))
    text = text_of(name, made)
    assert "invented" in text and "demo" in text.lower()
    assert brief_file(made, name).startswith("demo-AI-agent-frameworks-30-Nov-2026.")


@pytest.mark.parametrize("name", NAMES)
def test_the_analyst_s_words_are_in_every_format(name):
    report = sample.report()
    flaw, rumour = rows_of(report, "Flaw in", "Rumour")
    draft = Draft(
        items=(rumour, flaw),
        title="My title 标题",
        introduction="First part.\n\nSecond part.",
        notes={flaw: "Ask the team.\n\nBy Friday."},
        headlines={rumour: "A rumour in my words"},
    )
    text = text_of(name, compose(report, draft))
    wanted = ["A rumour in my words", "Ask the team.", "By Friday."]
    if name != "csv":  # rows of statements, with no place for what stands above them
        wanted += ["My title 标题", "First part.", "Second part.", RUMOUR]
    assert [word for word in wanted if word not in text.replace("\\", "")] == []


def test_facts_and_leads_stand_apart(brief):
    assert {s.tier for s in brief.facts} == {"fact"}
    assert {s.tier for s in brief.leads} == {"lead"}
    assert {s.headline for s in brief.leads}.isdisjoint(s.headline for s in brief.facts)


def test_citations_are_numbered_without_gaps_in_reading_order_and_each_is_cited(brief):
    numbers = [c.number for c in brief.citations]
    assert numbers == list(range(1, len(numbers) + 1))
    assert {n for s in (*brief.facts, *brief.leads) for n in s.citations} == set(numbers)
    assert len({c.item_id for c in brief.citations}) == len(numbers)
    cited = [n for s in (*brief.facts, *brief.leads) for n in s.citations]
    assert list(dict.fromkeys(cited)) == numbers


def test_each_citation_points_to_item_source_and_time(brief):
    report = sample.report()
    at = {id_: row for row, id_ in enumerate(report.table.ids)}
    for citation in brief.citations:
        row = at[citation.item_id]
        assert citation.title == report.table.titles[row]
        assert citation.outlet
        assert citation.published_at.timestamp() == report.table.published[row]


def test_an_event_cites_its_other_independent_voices_but_no_copy(brief):
    flaw = next(s for s in brief.facts if s.headline.startswith("Flaw in popular"))
    cited = {c.outlet for c in brief.citations if c.number in flaw.citations}
    assert cited == {"stacksignal.example", "security.example.gov", "yuanshan.example"}


def test_adopted_items_make_the_brief_in_the_analyst_s_order():
    report = sample.report()
    rumour, post, lua = rows_of(report, "Rumour", "@kestrel_dev", "A small framework")
    made = compose(report, Draft(items=(rumour, lua, "gone", post), notes={rumour: "Ask them."}))
    assert [s.item_id for s in made.leads] == [rumour, lua, post]
    assert made.leads[0].note == "Ask them."
    assert made.adopted and not made.facts
    assert made.leads[1].standing == "adopted by hand, the run had it as “below threshold”"


def test_without_adopted_items_it_is_the_run_s_own_selection_without_what_was_dismissed(brief):
    report = sample.report()
    (rumour,) = rows_of(report, "Rumour")
    assert len(brief.facts) + len(brief.leads) == len(report.selected_rows)
    made = compose(report, Draft(dismissed=frozenset({rumour})))
    assert not made.adopted
    assert rumour not in [s.item_id for s in made.leads]


def test_a_reworded_headline_says_whose_it_is_and_keeps_the_source_s_in_the_citation():
    report = sample.report()
    (star,) = rows_of(report, "晨星开源")
    made = compose(report, Draft(items=(star,), headlines={star: "Chenxing opens a framework"}))
    (fact,) = made.facts
    assert (fact.headline, fact.reworded) == ("Chenxing opens a framework", True)
    assert made.citations[0].title == "晨星开源轻量级智能体框架，主打端侧部署"
    assert "headline by the analyst" in text_of("md", made)


def test_the_points_of_the_dimensions_add_up_to_the_total(brief):
    for statement in (*brief.facts, *brief.leads):
        assert sum(points for _, points in statement.points) == pytest.approx(statement.total, abs=0.02)


def test_an_upstream_item_says_that_it_is_older_than_the_window(brief):
    hint = next(s for s in brief.leads if s.headline.startswith("Kestrel Labs hints"))
    assert hint.standing.startswith("upstream")


def test_the_coverage_note_names_what_failed(brief):
    said = " ".join(brief.coverage)
    assert "Fjord Courier: timeout" in said
    assert "gdelt: rate limited" in said
    assert "1 item undated" in said


def test_many_failures_are_named_in_few_sentences():
    report = sample.report()
    lost = tuple(replace(report.outcomes[4], endpoint=f"Feed {n}") for n in range(40))
    said = compose(replace(report, outcomes=lost)).coverage
    assert len(said) < 20
    assert all(f"Feed {n}" in " ".join(said) for n in range(40))


def test_the_method_names_window_weights_fates_and_sources(brief):
    method = dict(brief.method)
    assert "last 30 days" in method["window"]
    assert "timeliness 0.3" in method["weights"]
    assert "off topic" in method["items"]
    assert "rss: 4 ok, 1 timeout" in method["sources"]
    assert "2 independent sources" in method["facts"]


def test_the_method_tells_the_judge_s_verdict():
    from tests.store.helpers import x_report

    method = dict(compose(replace(sample.report(), x=x_report())).method)
    assert method["X judge"] == "0.20 on topic, floor 0.40: ratio below the floor"


def test_an_empty_run_is_a_brief_without_statements():
    made = compose(sample.empty_report())
    assert not (made.facts or made.leads or made.citations)
    assert all(export_brief(made, name) for name in NAMES)


def test_an_unknown_format_is_named():
    with pytest.raises(InputError, match="papyrus.*known: md, html, docx, csv, json"):
        export_brief(compose(sample.empty_report()), "papyrus")


# --------------------------------------------------------------------------- text from outside stays text


@pytest.fixture(scope="module")
def hostile():
    """Every word of a brief is an attack: the source's and the analyst's."""
    report = sample.report()
    made = compose(report)
    items = [replace(s, headline=BAD, text=BAD, note=BAD, reworded=True) for s in made.facts]
    cited = [replace(c, title=BAD, outlet=BAD, url=url) for c, url in zip(made.citations, ADDRESSES * 5, strict=False)]
    return replace(
        made, title=BAD, introduction=BAD, facts=tuple(items), citations=tuple(cited), coverage=(BAD,),
        method=((BAD, BAD),), run_id="r",
    )  # fmt: skip


ADDRESSES = (
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "file:///etc/passwd",
    "https://good.example/a?b=1&c=%20d",
    'https://evil.example/"><script>alert(1)</script>',
    "https://evil.example/a) [x](javascript:alert(1)",
    "//evil.example",
    "ftp://evil.example",
    "http://",
    "https://evil.example/\n<script>",
)
GOOD = "https://good.example/a?b=1&c=%20d"


@pytest.mark.parametrize("url", ADDRESSES)
def test_only_plain_web_addresses_are_linked(url):
    assert link(url) == (GOOD if url == GOOD else "")


class Tags(HTMLParser):
    """Tags and attributes as a browser would find them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_html_has_no_tag_of_a_source_and_asks_nothing_of_the_network(hostile):
    page = text_of("html", hostile)
    tags = Tags(page).tags
    assert {tag for tag, _ in tags} <= {
        "html", "head", "meta", "title", "style", "body", "header", "p", "h1", "h2", "h3", "figure", "figcaption",
        "svg", "line", "text", "a", "rect", "circle", "span", "i", "section", "article", "div", "b", "ol", "ul", "li",
        "dl", "dt", "dd",
    }  # fmt: skip
    assert not [name for _, attrs in tags for name in attrs if name.startswith("on") or name == "src"]
    addresses = {attrs["href"] for tag, attrs in tags if "href" in attrs}
    assert {one for one in addresses if not one.startswith("#")} == {GOOD}
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    assert "url(" not in style and "@import" not in style
    assert "default-src 'none'" in page


def test_html_has_no_control_character_and_none_that_turns_text(hostile):
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", text_of("html", hostile))


def test_markdown_rendered_has_no_markup_of_a_source(hostile):
    from markdown_it import MarkdownIt

    page = text_of("md", hostile)
    rendered = MarkdownIt("commonmark").enable("table").render(page)
    tags = Tags(rendered).tags
    assert {tag for tag, _ in tags} <= {"h1", "h2", "p", "em", "strong", "ol", "ul", "li", "a", "br", "blockquote"}
    assert {attrs.get("href") for tag, attrs in tags if tag == "a"} == {GOOD}
    assert rendered.count("<h1>") == 1 and rendered.count("<h2>") == 5


def test_markdown_has_no_address_that_a_viewer_would_link_by_itself(hostile):
    page = text_of("md", hostile)
    assert not re.search(r"(?<![<\\])https?://(?!good)", page)
    assert not re.search(r"\bwww\.|[^\\]@", page)


def test_docx_links_only_web_addresses_and_has_no_control_character(hostile):
    data = export_brief(hostile, "docx")
    document = word(data)
    links = [one.target_ref for one in document.part.rels.values() if one.reltype.endswith("/hyperlink")]
    assert set(links) == {GOOD}
    text = text_of("docx", hostile)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", text)
    assert "<script>alert(1)</script>" in text
    assert len(document.core_properties.title) <= 255


def test_csv_starts_no_formula(hostile):
    made = replace(hostile, facts=tuple(replace(s, headline='=HYPERLINK("x")', note="@SUM(A1)") for s in hostile.facts))
    rows = list(csv.DictReader(io.StringIO(text_of("csv", made))))
    assert {row["headline"] for row in rows if row["section"] == "fact"} == {'\'=HYPERLINK("x")'}
    assert {row["note"] for row in rows if row["section"] == "fact"} == {"'@SUM(A1)"}
    assert {url for row in rows for url in row["urls"].split()} <= {GOOD}


def test_json_is_valid_and_links_only_web_addresses(hostile):
    found = json.loads(text_of("json", hostile))["brief"]
    assert {one["url"] for one in found["citations"]} == {GOOD, ""}


@pytest.mark.parametrize(
    ("said", "raw", "escaped"),
    [
        ("a heading", "# big", "\\# big"),
        ("a link", "[a](http://b)", "\\[a\\]\\(http\\://b\\)"),
        ("a list", "- item", "\\- item"),
        ("a numbered list", "1. item", "1\\. item"),
        ("a line break becomes a space", "a\n\nb", "a b"),
        ("an entity", "&lt;", "\\&lt;"),
        ("an icon", ":warning:", "\\:warning:"),
        ("a time stays readable", "at 14:05", "at 14:05"),
        ("an address without scheme", "www.evil.example", "www\\.evil.example"),
        ("a mail address", "a@b.example", "a\\@b.example"),
    ],
)
def test_markdown_escape(said, raw, escaped):
    assert escape(raw) == escaped


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "  =1", "\n=1", "\u3000=1", "＝1+1", "\x00=1"])
def test_cells_that_a_spreadsheet_would_run_are_neutralised(cell):
    assert neutral(cell) == "'" + cell.replace("\x00", "")


def test_numbers_stay_numbers():
    assert neutral(-3.5) == -3.5


def test_plain_text_keeps_chinese_and_accents():
    assert plain(" é\u200f 智能体\n\tx ") == "é 智能体 x"


# --------------------------------------------------------------------------- each format's own


def test_csv_has_one_row_a_statement_in_the_order_of_the_brief(brief):
    rows = list(csv.DictReader(io.StringIO(text_of("csv", brief))))
    assert [row["headline"].lstrip("'") for row in rows] == [s.headline for s in (*brief.facts, *brief.leads)]
    assert sum(float(rows[0][name]) for name in DIMENSION_COLOURS) == pytest.approx(float(rows[0]["total"]), abs=0.05)


def test_html_numbers_lead_to_the_source_and_the_source_is_there(brief):
    page = text_of("html", brief)
    ids = {attrs["id"] for _, attrs in Tags(page).tags if "id" in attrs}
    inner = {attrs["href"][1:] for _, attrs in Tags(page).tags if (attrs.get("href") or "").startswith("#")}
    assert inner <= ids
    assert {f"c{c.number}" for c in brief.citations} <= ids


def test_html_draws_a_dot_an_item_and_six_colours(brief):
    page = text_of("html", brief)
    assert page.count("<circle") == len(brief.facts) + len(brief.leads)
    assert page.count('<circle class="lead"') == len(brief.leads)
    assert [name for name, colour in DIMENSION_COLOURS.items() if f"background:{colour}" not in page] == [
        "preference"
    ]  # is off


def test_a_preview_can_be_told_light_or_dark(brief):
    assert 'style="color-scheme:dark"' in brief_html(brief, scheme="dark")
    assert "color-scheme:x" not in brief_html(brief, scheme="x")


def test_html_says_who_it_is_for_every_printed_page_of_a_demo():
    assert "@top-left{content:'Demo" in text_of("html", compose(sample.report(demo=True)))


def test_docx_reads_as_a_document(brief):
    document = word(export_brief(brief, "docx"))
    headings = [line.text for line in document.paragraphs if line.style.name == "Heading 1"]
    assert headings == ["Facts", "Leads", "Sources", "Coverage", "Method"]
    titles = [line.text for line in document.paragraphs if line.style.name == "Heading 2"]
    assert titles == [plain(s.headline) for s in (*brief.facts, *brief.leads)]
    east = document.styles["Normal"].element.rPr.rFonts.xpath("@w:eastAsia")
    assert east == ["Microsoft YaHei"]


def test_json_holds_the_brief_and_beside_it_the_run():
    report = sample.report()
    made = compose(report)
    data = export_brief(made, "json", report)
    found = json.loads(data)
    assert sum(line.startswith(b'{"id"') for line in data.splitlines()) == len(report.table) + len(report.events)
    assert found["brief"] == json.loads(json.dumps(brief_json(made)))
    assert found["run_id"] == "sample" and len(found["selected"]) == len(report.selected_rows)
    assert [s["headline"] for s in found["brief"]["facts"]] == [s.headline for s in made.facts]


def test_a_chart_ends_before_it_fills_the_page(brief):
    many = replace(brief, leads=brief.leads * 20)
    assert text_of("html", many).count("<circle") == LANES


def test_an_undated_item_is_in_the_brief_but_not_on_the_chart():
    report = sample.report()
    (about,) = rows_of(report, "About our agent framework")
    made = compose(report, Draft(items=(about,)))
    assert "undated" in text_of("html", made) and "<circle" not in text_of("html", made)
    assert isinstance(made.citations[0], Citation) and made.citations[0].published_at is None


@pytest.mark.parametrize("room", [-1, 0, 20, 100, 500, 1000, 1500, 2500, 100_000])
def test_context_keeps_facts_and_leads_apart_and_within_the_limit_and_counts_the_rest(room):
    report = sample.report()
    text = report.context(max_chars=room)
    assert len(text) <= max(room, 0)
    shown = Counter(item.tier for item in report.items if f"\n- {item.title or item.excerpt}\n" in text)
    missing = {tier: sum(item.tier == tier for item in report.items) - shown[tier] for tier in ("fact", "lead")}
    if shown["fact"] and shown["lead"]:
        assert text.startswith("Facts\n") and text.index("Facts\n") < text.index("Leads (unconfirmed)\n")
    if not any(missing.values()):
        assert "Did not fit" not in text
    elif room >= 100:
        assert text.endswith(f"facts {missing['fact']}, leads {missing['lead']}\n")


def test_facts_leave_room_for_leads_in_a_context():
    report = sample.report()
    facts = {row for row in report.selected_rows if report.item(row).tier == "fact"}
    every = report.context(max_chars=100_000)
    assert "Did not fit" not in every
    scant = report.context(max_chars=len(every) - 1)
    assert "Leads (unconfirmed)" in scant and "Did not fit" in scant
    assert "Leads (unconfirmed)" in report.context(max_chars=every.index("Leads (unconfirmed)") + 100)
    wordy = replace(report, details=lambda row: _of_length(report.item(row), 1500 if row in facts else 60))
    assert wordy.context(max_chars=1900).startswith("Facts\n"), "one long fact goes before any lead"


def _of_length(item, length):
    return replace(item, excerpt="x" * length)
