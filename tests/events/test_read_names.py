"""Names that a pool writes in two scripts."""

from __future__ import annotations

from pipeline.events.pool import open_pool
from pipeline.events.read_names import read_names
from tests.events.helpers import item

LINGXI = (item("Yunlu open-sources Lingxi"), item("云麓科技开源灵犀智能体框架"))
MAKE = (item("Make fined for leaking data"), item("马克泄露数据被罚"))


def test_one_name_is_written_as_each_writes_it() -> None:
    found = read_names(open_pool(LINGXI), (0, 1))
    assert found.shared(0, 1) == {"Lingxi": "灵犀", "Yunlu": "云麓"}
    assert found.told(1, 0) == ", 灵犀 is read Lingxi and 云麓 is read Yunlu"
    assert found.shared(0, 0) == {} and found.told(0, 0) == ""


def test_names_unite_under_their_characters_also_where_only_a_part_was_compared() -> None:
    pool = open_pool((*LINGXI, item("Review: a week with Lingxi"), item("Lingxi: multi-agent framework")))
    pool.read = read_names(pool, (0, 1))
    assert pool.people(0) >= {"云麓", "灵犀"} and not pool.people(0) & {"yunlu", "lingxi"}
    assert "灵犀" in pool.people(1) & pool.people(2) & pool.people(3)


def test_a_known_name_is_not_read_again() -> None:
    pool = open_pool((item("Rain floods Beijing"), item("北京暴雨")))
    assert read_names(pool, (0, 1)).shared(0, 1) == {}


def test_a_word_that_a_report_writes_small_is_no_name() -> None:
    assert read_names(open_pool(MAKE), (0, 1)).shared(0, 1) == {"Make": "马克"}
    pool = open_pool((*MAKE, item("Firms that make chips")))
    assert read_names(pool, (0, 1, 2)).shared(0, 1) == {}


def test_an_apostrophe_tells_a_name_from_the_word_of_its_letters() -> None:
    pool = open_pool((item("Lu’an hosts a summit"), item("六安举办峰会"), item("Luan at the top"), item("They luan")))
    found = read_names(pool, (0, 1, 2, 3))
    assert found.shared(0, 1) == {"Lu’an": "六安"} and found.shared(2, 1) == {}


def test_rows_in_one_script_have_nothing_to_read() -> None:
    assert read_names(open_pool(LINGXI[:1]), (0,)).shared(0, 0) == {}
    assert read_names(open_pool(LINGXI[1:]), (0,)).shared(0, 0) == {}
