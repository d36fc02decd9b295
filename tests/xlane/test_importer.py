"""Files of posts: common column names, bad rows beside good ones."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import InputError
from pipeline.xlane.importer import parse_posts, read_posts

FORMS = [
    ("CSV", "id,author,text,created_at\n1578516068309794817,@ana_reads,Rome at dusk,2022-10-07T22:42:12Z\n"),
    (
        "CSV with semicolons",
        "tweet_id;username;full_text;date\n1578516068309794817;ana_reads;Rome at dusk;2022-10-07\n",
    ),
    ("CSV with a mark at its beginning", "\ufeffid,handle,content\n1578516068309794817,ana_reads,Rome at dusk\n"),
    (
        "JSON list",
        json.dumps([{"id_str": "1578516068309794817", "user": {"screen_name": "ana_reads"}, "text": "Rome at dusk"}]),
    ),
    (
        "an answer of X's API",
        json.dumps(
            {
                "data": [{"id": "1578516068309794817", "author_id": "9", "text": "Rome at dusk"}],
                "includes": {"users": [{"id": "9", "username": "ana_reads"}]},
            }
        ),
    ),
    (
        "JSON under posts",
        json.dumps({"posts": [{"post_id": 1578516068309794817, "account": "ana_reads", "body": "Rome at dusk"}]}),
    ),
    (
        "names in camel case, the account as a record",
        json.dumps(
            [
                {
                    "id": "1578516068309794817",
                    "fullText": "Rome at dusk",
                    "author": {"userName": "ana_reads", "name": "A"},
                }
            ]
        ),
    ),
    (
        "X's own archive",
        "window.YTD.tweets.part0 = "
        + json.dumps([{"tweet": {"id_str": "1578516068309794817", "full_text": "Rome at dusk", "from": "ana_reads"}}]),
    ),
    (
        "posts deep in an answer",
        json.dumps(
            {
                "meta": {"n": 1},
                "data": {"found": {"of": [{"id": "1578516068309794817", "text": "Rome at dusk", "user": "ana_reads"}]}},
            }
        ),
    ),
    (
        "a page of X's API a line",
        json.dumps(
            {
                "includes": {"users": [{"id": "9", "username": "ana_reads"}]},
                "data": [{"id": "1578516068309794817", "author_id": "9", "text": "Rome at dusk"}],
            }
        )
        + "\n",
    ),
    (
        "a report that begins with a title",
        "Report:;posts of X\nSubject:;Rome\n\nTweet Id;User Handle;Tweet Content\n1578516068309794817;@ana_reads;Rome at dusk\n",
    ),
    (
        "only the link names account and id",
        "user,url,content\n\"{'username': 'ana_reads'}\",https://twitter.com/ana_reads/status/1578516068309794817,Rome at dusk\n",
    ),
    ("a column that occurs twice", "id,author,text,text\n1578516068309794817,ana_reads,Rome at dusk,\n"),
    ("JSON lines", '{"id": "1578516068309794817", "from": "ana_reads", "tweet": "Rome at dusk"}\n\n'),
]


@pytest.mark.parametrize("text", [row[1] for row in FORMS], ids=[row[0] for row in FORMS])
def test_common_forms_and_column_names(text: str) -> None:
    ((post,), bad) = parse_posts(text.encode())
    assert (post.id, post.author, post.text) == ("x:1578516068309794817", "ana_reads", "Rome at dusk")
    assert bad == ()
    assert post.published_at is not None
    assert post.published_at.replace(microsecond=0) == datetime(2022, 10, 7, 22, 42, 12, tzinfo=UTC)


def test_a_bad_row_never_costs_its_neighbours() -> None:
    lines = [
        '{"id": "1", "author": "a_a", "text": "Rome"}',
        "{broken",
        "[1]",
        '{"other": 1}',
        '{"id": "1", "text": "Rome"}',
    ]
    found = parse_posts("\n".join(lines).encode())
    assert [post.text for post in found.candidates] == ["Rome"]
    assert [bad.reason for bad in found.malformed] == [
        "line 2: broken JSON at column 2: expecting property name enclosed in double quotes",
        "line 3: not a record",
        "line 4: no id, author or text",
        "line 5: the id occurs twice (1)",
    ]
    assert len({bad.id for bad in found.malformed}) == 4


FULL_WIDTH = "id;author;text\n1;a_a;Rome\n2;b_b;罗马下雨\n"
OFFICE = [
    ("a semicolon table with Excel's own first line", f"sep=;\n{FULL_WIDTH}".encode()),
    ("UTF-8 with a mark", FULL_WIDTH.encode("utf-8-sig")),
    ("Unicode text with tabs", FULL_WIDTH.replace(";", "\t").encode("utf-16")),
    ("UTF-16 of the other order", b"\xfe\xff" + FULL_WIDTH.encode("utf-16-be")),
    ("UTF-16 without a mark", (FULL_WIDTH + "3;c_c;and one more in Latin letters\n").encode("utf-16-le")),
    ("lines that end as on Windows", FULL_WIDTH.replace("\n", "\r\n").encode()),
    ("blank cells behind every row", FULL_WIDTH.replace("\n", ";;;\n").replace("text;;;", "text").encode()),
    (
        "columns under their other names",
        FULL_WIDTH.replace("id;author;text", "Tweet Id;Screen Name;Tweet Text").encode(),
    ),
]


@pytest.mark.parametrize("data", [row[1] for row in OFFICE], ids=[row[0] for row in OFFICE])
def test_tables_as_office_programs_save_them(data: bytes) -> None:
    found = parse_posts(data)
    assert [(post.id, post.author, post.text) for post in found.candidates][:2] == [
        ("x:1", "a_a", "Rome"),
        ("x:2", "b_b", "罗马下雨"),
    ]
    assert found.malformed == ()


ENCODED = [
    ("simplified Chinese", "gb18030", "编号,博主,微博正文\n1,用户,四川发生地震，救援队抵达\n"),
    ("traditional Chinese", "big5", "id,author,text\n1,a_a,四川發生地震，救援隊抵達現場\n"),
    ("Western letters", "cp1252", "id,author,text\n1,a_a,Über München fährt die Straßenbahn – mañana\n"),
]


@pytest.mark.parametrize(("encoding", "text"), [row[1:] for row in ENCODED], ids=[row[0] for row in ENCODED])
def test_tables_without_a_mark_are_read_in_the_encoding_of_their_office(encoding: str, text: str) -> None:
    ((post,), bad) = parse_posts(text.encode(encoding))
    assert (post.text, bad) == (text.rstrip().rsplit(",", 1)[1], ())


def test_a_broken_byte_changes_no_encoding() -> None:
    found = parse_posts("id,author,text\n1,a_a,罗马下雨\n2,b_b,地铁停运\n".encode().replace(b"1,a_a", b"1,a\xff_a"))
    assert [post.text for post in found.candidates] == ["罗马下雨", "地铁停运"]


def test_ids_that_a_spreadsheet_rounded_cost_no_post() -> None:
    rows = [
        "1.57852E+18,a_a,Rome",
        '"1,57852E+18",b_b,Milan',
        "1578516068309790000,c_c,Turin",
        "1578516068309790000,d_d,Bari",
    ]
    found = parse_posts("\n".join(["id,author,text", *rows]).encode())
    assert [post.text for post in found.candidates] == ["Rome", "Milan", "Turin", "Bari"]
    assert [post.id for post in found.candidates] == ["x:line-2", "x:line-3", "x:1578516068309790000", "x:line-5"]


def test_a_text_that_holds_the_delimiter_unquoted_is_kept_whole() -> None:
    ((post,), bad) = parse_posts(b"id,author,text\n1,a_a,Rome, Milan, and more\n")
    assert (post.text, bad) == ("Rome, Milan, and more", ())


def test_where_the_text_is_not_the_last_column_such_a_row_is_reported() -> None:
    found = parse_posts(b"id,text,author\n1,Rome, Milan,a_a\n2,Bari,b_b\n")
    assert [post.text for post in found.candidates] == ["Bari"]
    assert [bad.reason for bad in found.malformed] == ["line 2: more cells than columns: a_a"]


def test_a_stray_zero_is_nothing() -> None:
    rows = "".join(f"{n},a_a,Rome {n}\n" for n in range(40))
    ((first, *_), bad) = parse_posts(f"id,author,text\n{rows}".replace("Rome 0", "Ro\0me 0").encode())
    assert (first.text, bad) == ("Rome 0", ())


def test_other_breaks_inside_a_json_text_break_no_record() -> None:
    lines = '{"id": "1", "text": "Rome\u2028Milan\u0085Bari"}\r\n{"id": "2", "text": "Turin"}\r\n'
    assert [post.id for post in parse_posts(lines.encode()).candidates] == ["x:1", "x:2"]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"a,b\n1,2\n", r"no posts found \(its columns: a, b; understood: none\)"),
        (b"Datum;Nutzer;Inhalt\n1;a;Rom\n", r"\(its columns: Datum, Nutzer, Inhalt; understood: none\); expected"),
        (b'{"id":1,"text":"Rome', r"no posts found \(entry 1: broken JSON at line 1, column 16: unterminated string"),
        (random.Random(7).randbytes(3000), "this is no text; save the posts as CSV"),
        (
            b"id,author,words\n1,a_a,Rome\n",
            r"no post has a text \(its columns: id, author, words; understood: id, author\)",
        ),
        (b"PK\x03\x04\x14\x00\x06\x00", "this is no text; save the posts as CSV"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00\x00", "this is no text"),
    ],
    ids=[
        "no known column",
        "German columns",
        "JSON cut off",
        "random bytes",
        "no text column",
        "a workbook",
        "an old workbook",
    ],
)
def test_what_holds_no_posts_says_what_it_holds_in_one_line(data: bytes, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        parse_posts(data, name="posts.xlsx")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "said",
    [
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "9" * 400,
        "1e400",
        "-1",
        "Mon Jan 01 00:00:00 +1400 0001",
    ],
)
def test_a_date_beyond_the_calendar_leaves_its_post_undated(said: str) -> None:
    rows = [{"id": "a", "text": "Rome", "date": said}, {"id": "b", "text": "Milan", "date": "2026-11-01"}]
    first, second = parse_posts(json.dumps(rows).encode()).candidates
    assert first.published_at is None
    assert second.published_at == datetime(2026, 11, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "includes", [[1], "x", 5, {"users": 5}, {"users": "ab"}, {"users": {"id": 1}}, {"users": [5]}, {"users": None}]
)
def test_odd_lists_of_users_cost_no_post(includes: object) -> None:
    data = json.dumps({"data": [{"id": "1", "text": "Rome"}], "includes": includes})
    assert [post.text for post in parse_posts(data.encode()).candidates] == ["Rome"]


DEEP = '{"a":' * 100_000


@pytest.mark.parametrize(
    "data",
    [
        pytest.param('{"id": "1", "text": "Rome"}\n' + "[" * 100_000 + '\n{"id": "2", "text": "Milan"}', id="lines"),
        pytest.param('{"id": "1", "text": "Rome"}\n' + DEEP + '\n{"id": "2", "text": "Milan"}', id="lines of records"),
        pytest.param(
            '[{"id": "1", "text": "Rome"}, {"id": "2", "text": "Milan"}, ' + "[" * 100_000 + "]" * 100_001, id="list"
        ),
    ],
)
def test_what_is_nested_too_deeply_costs_no_neighbour(data: str) -> None:
    assert [post.text for post in parse_posts(data.encode()).candidates] == ["Rome", "Milan"]


def test_a_quote_that_is_never_closed_swallows_no_other_row() -> None:
    data = 'id,author,text\n1,a_a,Rome\n2,b_b,"open,quote\n3,c_c,"Milan, too"\n'
    found = parse_posts(data.encode())
    assert [post.text for post in found.candidates] == ["Rome", "open,quote", "Milan, too"]


def test_two_quotes_that_are_never_closed_swallow_no_row_between_them() -> None:
    rows = ['1578516068309794817,a_a,"Rome', "1578516068309794818,b_b,Milan", '1578516068309794819,c_c,"Bari']
    found = parse_posts("\n".join(["id,author,text", *rows]).encode())
    assert [post.text for post in found.candidates] == ["Rome", "Milan", "Bari"]


def test_a_quoted_text_may_have_several_lines() -> None:
    found = parse_posts(b'id,author,text\n1578516068309794817,a_a,"Rome\n1, 2, 3\nMilan"\n2,b_b,Bari\n')
    assert [post.text for post in found.candidates] == ["Rome 1, 2, 3 Milan", "Bari"]


def test_a_lone_carriage_return_breaks_no_file() -> None:
    assert [post.text for post in parse_posts(b"id,author,text\r1,a_a,Rome\r2,b_b,Milan\r").candidates] == [
        "Rome",
        "Milan",
    ]


@pytest.mark.parametrize(
    "data",
    [
        '[{"id": "1", "text": "Rome"}, {"id": "2", "text": oops}, {"id": "3", "text": "Milan"}]',
        '{"data": [{"id": "1", "text": "Rome"},\n {"id": "3", "text": "Milan"}, {"id": "4", "te',
    ],
    ids=["a broken record", "a list cut off"],
)
def test_a_broken_list_costs_its_broken_records_only(data: str) -> None:
    found = parse_posts(data.encode())
    assert [post.text for post in found.candidates] == ["Rome", "Milan"]
    assert found.malformed


def test_ids_that_hold_no_time_keep_the_given_date_marked_unverified() -> None:
    ((post,), _) = parse_posts(b"id,author,text,created_at\npost-7,a_a,Rome,Wed Aug 27 13:08:45 +0000 2008\n")
    assert post.published_at == datetime(2008, 8, 27, 13, 8, 45, tzinfo=UTC)
    assert post.dates.notes[0].startswith("unverified")
    assert post.dates.claims[0].kind == "given"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param("20261129", "2026-11-29T00:00", id="eight digits are a day"),
        pytest.param("2026年11月29日", "2026-11-29T00:00", id="Chinese"),
        pytest.param("Sun, 29 Nov 2026 08:00:00 GMT", "2026-11-29T08:00", id="RFC 822"),
        pytest.param("29 Nov 2026", "2026-11-29T00:00", id="the month in words"),
        pytest.param("2026/11/29", "2026-11-29T00:00", id="slashes"),
        pytest.param("1795939200", "2026-11-29T08:00", id="Unix seconds"),
        pytest.param("1795939200000", "2026-11-29T08:00", id="Unix milliseconds"),
    ],
)
def test_a_given_date_is_read_in_any_form(given: str, expected: str) -> None:
    ((post,), _) = parse_posts(json.dumps([{"id": "post-7", "text": "Rome", "date": given}]).encode())
    assert post.published_at is not None and f"{post.published_at:%Y-%m-%dT%H:%M}" == expected


def test_undated_is_a_state() -> None:
    ((post,), _) = parse_posts(b"id,author,text,created_at\npost-7,a_a,Rome,soon\n")
    assert post.published_at is None


def test_markup_is_text() -> None:
    ((post,), _) = parse_posts(
        b'[{"id": "a", "text": "<script>x()</script>Rome &amp; Milan", "url": "javascript:alert(1)"}]'
    )
    assert post.text == "Rome & Milan"
    assert post.url.startswith("https://x.com/")


def test_gb18030_files_are_read() -> None:
    ((post,), _) = parse_posts("id,作者,text\na,b,罗马的雨\n".encode("gb18030"))
    assert post.text == "罗马的雨"


@pytest.mark.parametrize("data", [b"", b"   ", b"{}", b"[]", b"just prose", b"a,b\n1,2\n"])
def test_a_file_without_posts_says_what_was_expected(data: bytes) -> None:
    with pytest.raises(InputError, match="columns such as id, author, text"):
        parse_posts(data)


def test_a_missing_file_names_its_path(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.csv"):
        read_posts(tmp_path / "gone.csv")


@given(st.binary(max_size=400))
def test_any_bytes_give_posts_or_an_input_error(data: bytes) -> None:
    try:
        found = parse_posts(data)
    except InputError:
        return
    assert found.candidates
