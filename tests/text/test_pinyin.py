"""Chinese names as they are read, and what only looks like one."""

from __future__ import annotations

import pytest

from pipeline.text import tokens
from pipeline.text.pinyin import may_name, readings, spellings

READ = {
    "one word": ("Yunlu open-sources Lingxi", "云麓科技开源灵犀框架", {"云麓": "Yunlu", "灵犀": "Lingxi"}),
    "family and given name": ("What Wang Chuanfu said", "王传福：价格战", {"王传福": "Wang Chuanfu"}),
    "one syllable each": ("Lei Jun in Paris", "雷军访问巴黎", {"雷军": "Lei Jun"}),
    "an apostrophe parts syllables": ("A Xi'an line", "西安开通新线", {"西安": "Xi'an"}),
    "a typographic one": ("Xi’an opens a line", "西安开通新线", {"西安": "Xi’an"}),
    "the second reading of a character": ("Flood in Chongqing", "重庆洪水", {"重庆": "Chongqing"}),
    "u with dots, as passports write it": ("Lyu Bu drama", "电视剧吕布", {"吕布": "Lyu Bu"}),
    "before a stroke": ("Hangzhou-based firm", "杭州公司", {"杭州": "Hangzhou"}),
    "traditional characters": ("Yunlu open-sources Lingxi", "雲麓開源靈犀", {"云麓": "Yunlu", "灵犀": "Lingxi"}),
    "capitals after a mark are no one name": ("Lei, Jun and others", "雷军", {}),
    "a small word is no name": ("the women of lingxi", "灵犀", {}),
    "a stop word is no name": ("Women march", "我们上街", {}),
    "nor is a common noun": ("Dating show", "大厅", {}),
    "nor what is known to be written otherwise": ("Bali hosts a summit", "巴黎峰会", {}),
    "nor are capitals alone": ("AI in the EU", "阿姨 俄语", {}),
    "two names read alike": ("Suzhou", "苏州和宿州", {"苏州": "Suzhou", "宿州": "Suzhou"}),
    "nor are parts of two words": ("Taiwan votes", "静态完成", {}),
    "one syllable alone says too little": ("Jun speaks", "军人", {}),
    "no Chinese": ("Lingxi", "Lingxi 2", {}),
}


@pytest.mark.parametrize(("english", "chinese", "expected"), READ.values(), ids=READ)
def test_reads(english: str, chinese: str, expected: dict[str, str]) -> None:
    spelled = spellings(english)
    found = readings(tokens(chinese), spelled.keys())
    assert {form: spelled[name] for name, forms in found.items() for form in forms} == expected
    if found:
        assert may_name([chinese], spelled.keys()) == [chinese]


def test_only_texts_that_may_hold_a_name_are_cut_into_words() -> None:
    texts = ["灵犀发布", "新框架名为灵犀", "犀牛通灵", "灵长类动物与犀牛", "Lingxi", ""]
    assert may_name(texts, {"lingxi"}) == texts[:2]
    assert may_name(texts, {"rome"}) == []
