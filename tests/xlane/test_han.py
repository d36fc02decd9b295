"""Chinese words of a query in Chinese text: on the segmenter's boundaries, or in a compound that says the same."""

from __future__ import annotations

import pytest

from pipeline.xlane import judge_x_corpus
from pipeline.xlane.han import after_name, on_boundaries, stands_in, without_title

SAME = [
    ("a city with its kind", "郑州", "郑州市遭遇暴雨"),
    ("a city before its people", "郑州", "郑州市民被困"),
    ("a province with its kind", "四川", "四川省发生地震"),
    ("a state with its kind", "纽约", "纽约州宣布"),
    ("a city that the segmenter cuts across its name", "加沙", "加沙市遭空袭"),
    ("a region's government", "香港", "香港特区政府宣布"),
    ("a country's government", "中国", "中国政府回应"),
    ("a people", "乌克兰", "乌克兰人"),
    ("a team", "巴西", "巴西队夺冠"),
    ("a university", "四川", "四川大学开学"),
    ("a firm with its kind", "微软", "微软公司宣布"),
    ("a firm of several kinds", "比亚迪", "比亚迪股份有限公司"),
    ("a measure before the word", "暴雨", "郑州市区特大暴雨"),
    ("another measure", "台风", "强台风来袭"),
]
APART = [
    ("another place", "北大", "北大荒集团"),
    ("another country", "罗马", "罗马尼亚总统"),
    ("an ocean", "印度", "印度洋海啸"),
    ("a find, not the firm", "三星", "三星堆出土"),
    ("a fruit's tree", "苹果", "苹果树开花"),
    ("a word over the edge of two", "京东", "东京东部"),
    ("a word over the edge of two, before a kind of place", "京东", "东京东市"),
    ("a robot is more than a machine", "机器", "机器人上岗"),
    ("an organisation of its own", "联合", "联合国开会"),
    ("a zone is no development", "开发", "开发区招商"),
    ("one character is in too many", "特", "特区"),
    ("an older storm", "暴雨", "暴风雨来了"),
]


@pytest.mark.parametrize(("word", "text"), [row[1:] for row in SAME], ids=[row[0] for row in SAME])
def test_a_compound_about_the_word(word: str, text: str) -> None:
    assert stands_in(word, text)


@pytest.mark.parametrize(("word", "text"), [row[1:] for row in APART], ids=[row[0] for row in APART])
def test_a_compound_of_its_own(word: str, text: str) -> None:
    assert not stands_in(word, text)


def test_a_boundary_is_still_asked_of_the_words_of_a_question() -> None:
    assert on_boundaries("北京", "访问北京")
    assert not on_boundaries("北京", "北京大学")


@pytest.mark.parametrize(
    ("word", "bare"),
    [
        pytest.param("郑州市", "郑州", id="a city"),
        pytest.param("河南省", "河南", id="a province"),
        pytest.param("超市", "超市", id="a shop: one character is no name"),
        pytest.param("上市公司", "上市公司", id="an unknown firm keeps its kind"),
        pytest.param("四川大学", "四川大学", id="a university is not its province"),
    ],
)
def test_a_place_without_its_kind(word: str, bare: str) -> None:
    assert without_title(word) == bare


def test_only_the_kind_of_a_name_is_left_out_after_it() -> None:
    assert [after_name(rest) for rest in ("公司发布", "市长说", "", "公司")] == ["发布", "市长说", "", ""]


QUESTIONS = [
    ("a city's kind is not asked of the post", "郑州市暴雨", "郑州暴雨", 1.0),
    ("nor where the segmenter cuts across the name", "加沙市空袭", "加沙遭空袭", 1.0),
    ("another word for the same", "四川地震", "四川发生强震", 1.0),
    ("another word for the same, the other way", "强震", "四川发生地震", 1.0),
    ("a title of another country", "首相 辞职", "总理辞职", 1.0),
    ("another thing is none", "地震", "四川发生洪水", 0.0),
    ("nor a known firm's", "苹果公司", "Apple launched a phone", 1.0),
    ("nor when the segmenter cuts it off", "特斯拉公司", "保险公司裁员", 0.0),
    ("a university is not the city", "北京大学", "Beijing air", 0.0),
    ("how much there is of it is not asked", "大洪水", "大火烧毁房屋，损失很大", 0.0),
    ("the thing itself is", "大洪水", "洪水退去", 1.0),
    ("a name in the other script", "Apple", "苹果公司发布新机", 1.0),
]


@pytest.mark.parametrize("mode", ["coverage", "context"])
@pytest.mark.parametrize(("query", "text", "share"), [row[1:] for row in QUESTIONS], ids=[row[0] for row in QUESTIONS])
def test_questions_that_name_the_kind(query: str, text: str, share: float, mode: str) -> None:
    verdict = judge_x_corpus([{"id": "1", "author": "ana", "text": text}], query, mode=mode).verdicts[0]
    assert len(verdict.matched) / len((*verdict.matched, *verdict.missing)) == share
    assert (verdict.verdict == "on") is (share > 0)
