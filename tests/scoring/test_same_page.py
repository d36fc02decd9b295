"""A bare link is judged by the text that another item brings of the same page."""

import numpy as np
import pytest

from pipeline.scoring.same_page import judged_by, page_of
from pipeline.types import Bucket
from tests.scoring.made import SETTINGS, candidate, judged, plan, run

FLOOR = SETTINGS.scoring.relevance.floor
PAGE = "https://kestrel.example/tern-2"
LEAD = "OpenAI released a new model on Monday. The model release follows months of work. " * 4


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://www.A.example/x/", "http://a.example/x", True),
        ("https://a.example/x?utm_source=rss&id=1", "https://a.example/x?id=1", True),
        ("https://a.example/x?id=1&utm_medium=feed", "https://a.example/x?id=1", True),
        ("https://a.example/x/?at_medium=RSS", "https://a.example/x", True),
        ("https://a.example/x?id=1", "https://a.example/x?id=2", False),
        ("https://a.example/x#one", "https://a.example/x#two", False),
        ("https://a.example/X", "https://a.example/x", False),
    ],
)
def test_what_tracks_the_reader_names_no_other_page(one: str, other: str, same: bool) -> None:
    assert (page_of(one) == page_of(other)) == same


def link(id: str, endpoint: str, title: str, url: str = PAGE, text: str = ""):
    return candidate(id, title=title, url=url, endpoint=endpoint, text=text)


LENT = [
    ("two endpoints, one page", [link("a", "hn", "Tern 2"), link("b", "feed", "Tern 2 is out", text=LEAD)], [1, 1]),
    ("another page", [link("a", "hn", "Tern 2", f"{PAGE}1"), link("b", "feed", "Tern 2 is out", text=LEAD)], [0, 1]),
    (
        "a front page that a feed gives to all its items",
        [link("a", "hn", "Tern 2"), link("b", "feed", "Tern 2 is out", text=LEAD), link("c", "feed", "Storm hits")],
        [0, 1, 2],
    ),
    ("no address", [link("a", "hn", "Tern 2", ""), link("b", "feed", "Tern 2 is out", "", LEAD)], [0, 1]),
    (
        "submitted twice",
        [link("a", "hn", "Tern 2"), link("b", "hn", "Tern 2"), link("c", "feed", "Out", text=LEAD)],
        [2, 2, 2],
    ),
    ("the bare one is the better", [link("a", "feed", "Tern 2 is out", text=LEAD), link("b", "hn", "Tern 2")], [0, 1]),
]


@pytest.mark.parametrize(("name", "items", "expected"), LENT, ids=[row[0] for row in LENT])
def test_who_is_judged_by_whom(name, items, expected) -> None:
    values = np.linspace(0.1, 0.9, len(items), dtype=np.float32)
    assert judged_by(items, values).tolist() == expected


def test_a_bare_link_passes_by_its_copy_and_the_evidence_says_so() -> None:
    bare, full = link("hn:1", "search", "Tern 2"), link("rss:1", "kestrel", "Tern 2", text=LEAD)
    alone = run([judged(bare)], asked=plan("openai model release"))
    assert alone.table.bucket[0] == Bucket.OFF_TOPIC
    report = run([judged(bare), judged(full)], asked=plan("openai model release"))
    assert report.table.values[0, 1] == report.table.values[1, 1] >= FLOOR
    part = report.item(0).parts[1]
    assert "same page" in part.evidence and "kestrel" in part.evidence and "own words" in part.evidence
    assert dict(part.facts)["judged_by"] == "rss:1"
    assert "same page" not in report.item(1).parts[1].evidence
