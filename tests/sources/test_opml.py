from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import InputError
from pipeline.sources.opml import read_opml


def opml(*outlines: str) -> bytes:
    return f'<?xml version="1.0"?><opml version="2.0"><body>{"".join(outlines)}</body></opml>'.encode()


def feed(name: str = "Made", url: str = "https://made.example/feed") -> str:
    return f'<outline type="rss" text="{name}" xmlUrl="{url}"/>'


def test_folders_give_the_theme() -> None:
    feeds = read_opml(
        opml(f'<outline text="World">{feed()}</outline>', feed("Other", "http://o.example/x?a=1&amp;b=2"))
    )
    assert [(f.name, f.url, f.theme) for f in feeds] == [
        ("Made", "https://made.example/feed", "World"),
        ("Other", "http://o.example/x?a=1&b=2", ""),
    ]


def test_outlines_that_are_feeds_may_be_open() -> None:
    body = opml(
        '<outline text="F"><outline xmlurl="https://a.example/f"></outline><outline xmlUrl="https://b.example/f"/></outline>'
    )
    assert [(f.name, f.theme) for f in read_opml(body)] == [("a.example", "F"), ("b.example", "F")]


def test_an_address_counts_once_and_names_are_told_apart() -> None:
    feeds = read_opml(opml(feed(), feed(), feed(url="https://made.example/other")))
    assert [(f.name, f.url) for f in feeds] == [
        ("Made", "https://made.example/feed"),
        ("Made (2)", "https://made.example/other"),
    ]


def test_unusable_addresses_are_left_out() -> None:
    assert len(read_opml(opml(feed(url="javascript:alert(1)"), feed(url="file:///etc/passwd"), feed()))) == 1


def test_broken_xml_keeps_what_is_there() -> None:
    assert len(read_opml(opml(feed("A & B"), feed("C", "https://c.example/f"))[:-10])) == 2


def test_entities_do_not_expand() -> None:
    bomb = b'<!DOCTYPE o [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + opml(feed("&b;"))
    assert len(read_opml(bomb)[0].name) < 10


@pytest.mark.parametrize("data", [b"", b"hello", opml(), opml(feed(url="mailto:x@made.example")), b"\x00\xff"])
def test_no_feed_is_one_line_that_says_what_to_do(data: bytes) -> None:
    with pytest.raises(InputError, match="export it again"):
        read_opml(data)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with suppress(InputError):
        read_opml(b"<opml>" + data)
