"""Which names an item holds, and which script it counts as."""

from __future__ import annotations

import re

import pytest

from pipeline.events.pool import open_pool
from pipeline.text import HAN
from tests.events.helpers import item

LATIN = re.compile("[a-z]")
NAMES = {
    "Latin names end where Chinese begins": (
        "Cursor上线Origin，为Agent重建GitHub",
        "刚刚，Cursor宣布上线一个平台——Origin，开启Beta测试。",
        {"cursor", "origin", "agent", "github", "beta"},
    ),
    "no name runs on into the next": ("苦等两年！ChatGPT杀入Linux，codex能改代码", "", {"chatgpt", "linux", "codex"}),
    "figures don't make a Chinese title English": (
        "全网挤爆Seedance 2.5，但2.0 fast降到6毛",
        "",
        {"seedance", "fast"},
    ),
    "capitals inside an English sentence": (
        "Storm closes schools across Florida",
        "The governor, Maria Lopez, spoke on Tuesday.",
        {"florida", "maria", "lopez"},
    ),
}


@pytest.mark.parametrize(("title", "text", "names"), NAMES.values(), ids=NAMES)
def test_names(title: str, text: str, names: set[str]) -> None:
    found = open_pool([item(title, text)]).people(0)
    assert found >= names
    assert not any(HAN.search(name) and LATIN.search(name) for name in found), "no name is of two scripts"


SCRIPTS = {
    "Chinese with many Latin names": ("Cursor上线Origin，为Agent重建GitHub", True),
    "Chinese with many figures": ("全网挤爆Seedance 2.5，但2.0 fast降到6毛", True),
    "English with a Chinese name": ("Liu Yang (刘洋) returns from the station after half a year in orbit", False),
    "figures alone": ("2026", False),
}


@pytest.mark.parametrize(("title", "chinese"), SCRIPTS.values(), ids=SCRIPTS)
def test_script(title: str, chinese: bool) -> None:
    assert open_pool([item(title)]).han.tolist() == [chinese]
