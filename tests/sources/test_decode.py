from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import FetchError
from pipeline.sources.decode import to_json, to_text
from pipeline.sources.rss import Rss
from tests.sources.helpers import answer, endpoint, plan, rss

CHINESE = "固态电池工厂投产，年产能达到十万套，首批产品将于下月交付客户。"


def xml(text: str, declared: str) -> str:
    return f'<?xml version="1.0" encoding="{declared}"?><rss><channel><title>{text}</title></channel></rss>'


@pytest.mark.parametrize(
    ("codec", "declared", "text"),
    [
        pytest.param("utf-8", "utf-8", CHINESE, id="UTF-8"),
        pytest.param("utf-8", "gb2312", CHINESE, id="UTF-8 declared as gb2312"),
        pytest.param("utf-8", "iso-8859-1", "Zürich café", id="UTF-8 declared as Latin-1"),
        pytest.param("gb18030", "gb2312", CHINESE + "镕𠀀", id="gb18030 declared as gb2312"),
        pytest.param("gbk", "gbk", CHINESE, id="gbk"),
        pytest.param("big5", "big5", "固態電池工廠投產", id="big5"),
        pytest.param("utf-8-sig", "gb2312", CHINESE, id="byte order mark outweighs the declaration"),
        pytest.param("utf-16", "utf-16", CHINESE, id="UTF-16 with mark"),
        pytest.param("utf-16-le", "utf-16", CHINESE, id="UTF-16 without mark"),
        pytest.param("utf-16-be", "utf-8", CHINESE, id="UTF-16 declared as UTF-8"),
        pytest.param("cp1252", "iso-8859-1", "“Quotes” — dashes", id="windows-1252 declared as Latin-1"),
        pytest.param("cp1251", "windows-1251", "Новости дня", id="windows-1251"),
        pytest.param("shift_jis", "shift_jis", "固体電池の工場", id="Shift JIS"),
        pytest.param("euc_kr", "euc-kr", "전고체 배터리 공장", id="EUC-KR"),
        pytest.param("iso2022_jp", "iso-2022-jp", "固体電池の工場", id="a seven-bit code"),
    ],
)
def test_reads_what_was_written(codec: str, declared: str, text: str) -> None:
    assert text in to_text(xml(text, declared).encode(codec))


def test_the_header_names_the_codec_when_the_document_does_not() -> None:
    assert to_text("Новости".encode("cp1251"), "text/xml; charset=windows-1251") == "Новости"


def test_a_few_bad_bytes_do_not_choose_another_codec() -> None:
    body = xml(CHINESE, "utf-8").encode().replace("工".encode(), b"\xff\xfe", 1)
    assert "固态电池" in to_text(body)


def test_an_undeclared_codec_is_guessed() -> None:
    text = "Как пережить новогоднюю ночь, рассказывают врачи и спасатели. " * 5
    assert "новогоднюю" in to_text(f"<rss><channel><title>{text}</title></channel></rss>".encode("koi8-r"))


def test_control_characters_do_not_break_the_document() -> None:
    body = rss("<title>A\x0b\x00 B</title><link>https://made.example/a</link>")
    assert Rss().parse(answer(body), endpoint(), plan()).candidates[0].title == "A B"


def test_an_unknown_codec_name_is_no_exception() -> None:
    assert "café" in to_text(xml("café", "x-made-up").encode())


@pytest.mark.parametrize(
    ("body", "value"),
    [
        pytest.param(r'{"a": "it\'s"}', "it\\'s", id="escaped apostrophe"),
        pytest.param(r'{"a": "C:\Windows"}', "C:\\Windows", id="escaped capital"),
        pytest.param(r'{"a": "\u12"}', "\\u12", id="half an escape"),
        pytest.param('{"a": "two\nlines"}', "two\nlines", id="raw line break"),
        pytest.param(r'{"a": "\\d \"q\" \u00e9"}', '\\d "q" é', id="legal escapes stay"),
    ],
)
def test_illegal_json_is_repaired(body: str, value: str) -> None:
    assert to_json(body.encode())["a"] == value


@pytest.mark.parametrize("end", range(20, 75, 5))
def test_of_a_cut_answer_the_complete_objects_are_kept(end: int) -> None:
    whole = json.dumps({"hits": [{"t": 'a "quoted" ]}'}, {"t": "b"}, {"t": "c", "n": {"x": [1]}}], "page": 1})
    cut = whole[:end].encode()
    try:
        kept = to_json(cut, cut=True)["hits"]
    except FetchError:
        assert end < whole.index("}, {") + 1
    else:
        assert kept and all(row["t"] in ('a "quoted" ]}', "b", "c") for row in kept)
    with pytest.raises(FetchError):
        to_json(cut)


@given(st.binary(max_size=300))
def test_any_bytes_become_text(body: bytes) -> None:
    assert isinstance(to_text(body), str)
