from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from pipeline.errors import FetchError
from pipeline.sources.file import File
from pipeline.types import Parsed
from tests.sources.helpers import answer, endpoint, plan, subquery

AT = datetime(2026, 8, 3, 9, 30, tzinfo=UTC)


def read(body: str | bytes) -> Parsed:
    return File().parse(answer(body), endpoint("file", name="mine"), plan())


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("Title,URL,Published At,Summary\nCells,https://made.example/a,2026-08-03 09:30,Lead\n", id="CSV"),
        pytest.param("title;url;date;text\nCells;https://made.example/a;03.08.2026 09:30;Lead\n", id="semicolons"),
        pytest.param("标题\t链接\t发布时间\t摘要\nCells\thttps://made.example/a\t2026年8月3日 09:30\tLead\n", id="Chinese TSV"),
        pytest.param('[{"headline": "Cells", "link": "https://made.example/a", "created_at": 1785749400, "body": "Lead"}]', id="JSON"),
        pytest.param('{"items": [{"title": "Cells", "url": "https://made.example/a", "date": "2026-08-03T09:30Z", "text": "Lead"}]}', id="JSON object"),
        pytest.param('{"title": "Cells", "url": "https://made.example/a", "date": "2026-08-03T09:30Z", "text": "Lead"}\n{broken\n{"url": null}\n', id="JSON lines"),
        pytest.param("\ufefftitle,url,date,text\r\nCells,https://made.example/a,2026-08-03T09:30Z,Lead\r\n", id="mark and CRLF"),
    ],
)  # fmt: skip
def test_usual_shapes_and_names(body: str) -> None:
    (item,) = read(body).candidates
    assert (item.title, item.url, item.text, item.published_at) == ("Cells", "https://made.example/a", "Lead", AT)
    assert item.dates.claims[0].kind == "given"


def test_a_bad_row_is_malformed_and_its_neighbours_stay() -> None:
    parsed = read('{"title": "A"}\n{oops\n{"title": "B"}\n')
    assert [item.title for item in parsed.candidates] == ["A", "B"]
    assert [bad.reason for bad in parsed.malformed] == ["row 2 holds neither a title nor a text"]


@pytest.mark.parametrize("body", ["a,b\n1,2\n", "prose without columns", '{"count": 3}'])
def test_files_without_usual_names_say_so(body: str) -> None:
    with pytest.raises(FetchError, match="mine"):
        read(body)


def test_an_empty_file_is_empty() -> None:
    assert read("").candidates == ()


def test_a_path_is_a_file_address() -> None:
    (where,) = File().endpoints(SimpleNamespace(paths=("/data/my notes.csv",)), plan())
    assert (where.name, where.url) == ("my notes.csv", "file:///data/my%20notes.csv")
    assert File().requests(where, subquery(), plan(), 10)[0].url == where.url
