"""Exports say the same in every format, keep facts and leads apart, and never let source text act."""

from __future__ import annotations

import csv
import io
import re
import zipfile

import pytest

from pipeline.briefing import EXPORTS, compose
from pipeline.briefing.csv import neutral
from pipeline.briefing.markdown import escape
from tests.pages import sample

BY_NAME = {export.name: export for export in EXPORTS}


@pytest.fixture(scope="module")
def brief():
    return compose(sample.report())


def text_of(name: str, brief) -> str:
    data = BY_NAME[name].export(brief)
    if name == "docx":
        return zipfile.ZipFile(io.BytesIO(data)).read("word/document.xml").decode()
    return data.decode("utf-8-sig")


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_every_headline_and_the_chinese_text_are_in_every_format(name, brief):
    text = text_of(name, brief)
    assert "晨星开源轻量级智能体框架" in text
    assert "Rumour: large search company to open its agent framework" in text.replace("\\", "")


@pytest.mark.parametrize("name", ["md", "html", "docx"])
def test_a_demo_says_so_in_every_document(name):
    assert "this news is invented" in text_of(name, compose(sample.report(demo=True)))


def test_facts_and_leads_stand_apart(brief):
    assert {s.tier for s in brief.facts} == {"fact"}
    assert {s.tier for s in brief.leads} == {"lead"}
    assert {s.headline for s in brief.leads}.isdisjoint(s.headline for s in brief.facts)


def test_citations_are_numbered_without_gaps_and_each_is_cited(brief):
    numbers = [c.number for c in brief.citations]
    assert numbers == list(range(1, len(numbers) + 1))
    assert {n for s in (*brief.facts, *brief.leads) for n in s.citations} == set(numbers)
    assert len({c.item_id for c in brief.citations}) == len(numbers)


def test_an_event_cites_its_other_independent_voices_but_no_copy(brief):
    flaw = next(s for s in brief.facts if s.headline.startswith("Flaw in popular"))
    cited = {c.outlet for c in brief.citations if c.number in flaw.citations}
    assert cited == {"stacksignal.example", "security.example.gov", "yuanshan.example"}


def test_adopted_items_make_the_brief_when_there_are_any():
    report = sample.report()
    one = next(id_ for id_, t in zip(report.table.ids, report.table.titles, strict=True) if t.startswith("Rumour"))
    brief = compose(report, adopted=[one], notes={one: "Ask them."})
    assert [s.headline for s in brief.leads] == ["Rumour: large search company to open its agent framework"]
    assert brief.leads[0].note == "Ask them."
    assert brief.adopted and not brief.facts


def test_the_coverage_note_names_what_failed(brief):
    said = " ".join(brief.coverage)
    assert "Fjord Courier: timeout" in said
    assert "gdelt: rate limited" in said
    assert "1 item undated" in said


def test_the_method_names_window_weights_and_fates(brief):
    method = dict(brief.method)
    assert "last 30 days" in method["window"]
    assert "timeliness 0.3" in method["weights"]
    assert "off topic" in method["items"]


def test_html_of_a_source_is_text_in_the_html_export(brief):
    page = text_of("html", brief)
    assert "<script" not in page and "<img" not in page
    assert "javascript:" not in re.findall(r'href="([^"]*)"', page).__str__()


def test_markdown_of_a_source_is_text_in_the_markdown_export(brief):
    page = text_of("md", brief)
    assert "[free](" not in page and "<script>" not in page
    assert "<javascript:" not in page


@pytest.mark.parametrize(
    ("said", "raw", "escaped"),
    [
        ("a heading", "# big", "\\# big"),
        ("a link", "[a](http://b)", "\\[a\\]\\(http://b\\)"),
        ("a list", "- item", "\\- item"),
        ("a numbered list", "1. item", "1\\. item"),
        ("a line break becomes a space", "a\n\nb", "a b"),
        ("an entity", "&lt;", "\\&lt;"),
    ],
)
def test_markdown_escape(said, raw, escaped):
    assert escape(raw) == escaped


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "  =1"])
def test_cells_that_a_spreadsheet_would_run_are_neutralised(cell):
    assert neutral(cell) == "'" + cell


def test_numbers_stay_numbers():
    assert neutral(-3.5) == -3.5


def test_csv_has_one_row_a_statement(brief):
    rows = list(csv.DictReader(io.StringIO(text_of("csv", brief))))
    assert len(rows) == len(brief.facts) + len(brief.leads)


def test_context_keeps_facts_and_leads_apart_and_within_the_limit():
    report = sample.report()
    text = report.context(max_chars=1500)
    assert len(text) <= 1500
    assert text.index("Facts") < text.index("Leads (unconfirmed)") if "Leads" in text else text.startswith("Facts")
