"""Text from outside is shown as text, wherever it is put."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as some
from markdown_it import MarkdownIt

from pages.parts import safe
from tests.pages.sample import HOSTILE, LONG


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.said = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.said += data


def read(markup: str) -> Tags:
    parser = Tags()
    parser.feed(markup)
    parser.close()
    return parser


@given(some.text() | some.sampled_from([HOSTILE, LONG, "a & b < c", "<b", "&lt;b&gt;"]))
def test_html_text_never_becomes_a_tag_and_reads_as_it_was(raw: str) -> None:
    shown = read(f"<p>{safe.text(raw)}</p>")
    assert shown.tags == ["p"]
    assert shown.said == safe.clean(raw)


@given(some.text(alphabet="ab*_`[]()<>#!|~$:\\&;\n-+.1 ") | some.sampled_from([HOSTILE, "1. one", "- a", "# h"]))
def test_markdown_labels_stay_plain(raw: str) -> None:
    shown = read(MarkdownIt("commonmark").render(safe.md(raw)))
    assert set(shown.tags) <= {"p"}
    assert shown.said.strip() == safe.clean(raw)


def test_streamlit_s_own_directives_are_escaped_too() -> None:
    assert ":material" not in safe.md(":material/warning: :red[x] $x^2$").replace("\\:", "")
    assert "\\$" in safe.md("$x$")


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://example.org/a?b=c#d", True),
        ("http://example.org", True),
        ("javascript:alert(1)", False),
        ("JaVaScRiPt:alert(1)", False),
        ("java\nscript:alert(1)", False),
        ("data:text/html,<script>", False),
        ("file:///etc/passwd", False),
        ("//example.org/a", False),
        ("https://", False),
        ("http://[::1", False),
        ("", False),
    ],
)
def test_only_web_addresses_become_links(url: str, kept: bool) -> None:
    assert bool(safe.link(url)) is kept
    assert ("href" in safe.anchor(url, "x")) is kept


def test_an_address_cannot_leave_its_attribute() -> None:
    markup = safe.anchor('https://example.org/"onmouseover="alert(1)', "x")
    assert read(markup).tags == ["a"]
    assert '"onmouseover' not in markup


def test_links_open_outside() -> None:
    assert 'target="_blank"' in safe.anchor("https://example.org", "x")
    assert "noopener" in safe.anchor("https://example.org", "x")


@pytest.mark.parametrize(
    ("raw", "words", "marks"),
    [
        ("An agent framework", ("agent",), ["agent"]),
        ("Agents and agency", ("agent",), ["Agents"]),
        ("智能体框架发布", ("框架",), ["框架"]),
        ("<b>agent</b>", ("agent",), ["agent"]),
        ("nothing here", ("agent",), []),
        ("C++ (new)", ("C++",), []),
        ("agent", (), []),
        ("agent", ("",), []),
    ],
)
def test_matched_words_are_marked_and_nothing_else(raw: str, words: tuple[str, ...], marks: list[str]) -> None:
    markup = safe.marked(raw, words)
    shown = read(markup)
    assert shown.said == raw
    assert markup.count("<mark>") == len(marks)
    assert all(f"<mark>{mark}</mark>" in markup for mark in marks)


def test_marks_of_direction_are_removed() -> None:
    assert safe.clean("abc\u202egnp.exe\u2066x") == "abcgnp.exex"


@pytest.mark.parametrize(
    ("raw", "width", "shown"),
    [("short", 10, "short"), ("a longer line", 8, "a longer…"), ("智能体框架", 6, "智能体…"), ("", 5, "")],
)
def test_cutting_counts_chinese_characters_double(raw: str, width: int, shown: str) -> None:
    assert safe.cut(raw, width) == shown
