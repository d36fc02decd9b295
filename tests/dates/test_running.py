from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pipeline.dates import choose, parse_date, text_dates, with_event

REFERENCE = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day", "precision"),
    [
        ("The company announced last month that it would cut jobs.", "2026-10-31", "month"),
        ("The lab released its model on August 7, 2026, to cheers.", "2026-08-07", "day"),
        ("On June 3 the court ruled against it.", "2026-06-03", "day"),
        ("The rally took place in May 2024.", "2024-05-31", "month"),
        ("Two years ago the ministry published a report.", "2024-11-30", "month"),
        ("该公司上个月发布了新模型。", "2026-10-31", "month"),
        ("公司于2026年6月宣布重组。", "2026-06-30", "month"),
        ("2026年8月3日，公司发布新模型。", "2026-08-03", "day"),
        ("三周前宣布的计划。", "2026-11-09", "month"),
    ],
)
def test_the_text_says_when_it_happened(text: str, day: str, precision: str) -> None:
    (claim,) = text_dates(text, REFERENCE)
    assert (claim.at.date().isoformat(), claim.precision, claim.kind) == (day, precision, "text")
    assert claim.raw in text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Founded in March 2015, the company announced a phone today.", id="founding"),
        pytest.param("Sales rose 5% compared with last year, the firm reported.", id="comparison"),
        pytest.param("It has held talks since May 2025.", id="since"),
        pytest.param("The tenth anniversary of the accident that happened on 7 October 2016.", id="anniversary"),
        pytest.param("成立10周年之际，公司去年发布的产品。", id="Chinese anniversary"),
        pytest.param("The launch will be held on December 1, 2026.", id="future"),
        pytest.param("发布会将于12月25日举行。", id="Chinese plan"),
        pytest.param("It was three weeks ago. The firm announced a thing.", id="verb of another sentence"),
        pytest.param("May the firm release it.", id="may is no month"),
        pytest.param("", id="empty"),
    ],
)
def test_background_memories_and_plans_are_no_event_time(text: str) -> None:
    assert text_dates(text, REFERENCE) == ()


def test_event_time_is_kept_apart_from_publication() -> None:
    published = choose([parse_date("2026-11-29T08:00:00Z")])
    ledger = with_event(published, "The lab released its model on November 20, 2026.")
    assert ledger.published_at == datetime(2026, 11, 29, 8, tzinfo=UTC)
    assert ledger.event_at == datetime(2026, 11, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        pytest.param("公司昨晚10点半发布新模型。", "11-29 14:30", id="last night, half past ten"),
        pytest.param("11月29日晚上8点，公司发布新模型。", "11-29 12:00", id="an hour after its day"),
        pytest.param("今早8点半，公司宣布裁员。", "11-30 00:30", id="this morning"),
        pytest.param("昨晚十点二十分许发生爆炸。", "11-29 14:20", id="in Chinese numerals"),
        pytest.param("昨晚12点发生爆炸。", "11-29 16:00", id="midnight ends its day"),
        pytest.param("11月30日凌晨零点，公司发布新机。", "11-29 16:00", id="midnight begins its day"),
        pytest.param("北京时间11月29日20时30分，公司发布新机。", "11-29 12:30", id="zone before the day"),
        pytest.param("周六晚上8点，会议举行。", "11-28 12:00", id="weekday"),
        pytest.param("On Nov 29 at 8 p.m. ET the court ruled.", "11-30 01:00", id="English, zone stated"),
        pytest.param("The court ruled at 8:30 p.m. GMT on November 29.", "11-29 20:30", id="English, before the day"),
    ],
)
def test_a_time_of_day_is_read_with_its_zone(text: str, moment: str) -> None:
    (claim,) = text_dates(text, REFERENCE)
    assert (f"{claim.at:%m-%d %H:%M}", claim.precision) == (moment, "minute")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        pytest.param("当地时间11月29日20时30分，公司发布新机。", "11-29", id="another place's time"),
        pytest.param("昨晚1点发生爆炸。", "11-29", id="of this night or the next day"),
        pytest.param("昨晚，公司发布新模型。", "11-29", id="part of a day"),
        pytest.param("The lab launched it on Nov 29 at 8 p.m.", "11-29", id="English without a zone"),
        pytest.param("The firm was hit at 9 p.m. last night.", "11-29", id="last night"),
        pytest.param("Police arrested three on Tuesday.", "11-24", id="the latest such weekday"),
        pytest.param("It was launched 3 days ago.", "11-27", id="days back"),
    ],
)
def test_where_zone_or_hour_is_open_the_day_is_told(text: str, day: str) -> None:
    (claim,) = text_dates(text, REFERENCE)
    assert (f"{claim.at:%m-%d %H:%M}", claim.precision) == (f"{day} 00:00", "day")


@pytest.mark.parametrize(
    "text",
    ["公司今晚8点半发布新机。", "今晚，公司发布新机。", "The firm announced it today.", "announced on Friday, December 4",
     "他每周二举行会议", "会议周一至周五举行"],
)  # fmt: skip
def test_what_lies_ahead_recurs_or_is_the_day_of_the_report_is_no_event_time(text: str) -> None:
    assert text_dates(text, REFERENCE) == ()


@pytest.mark.parametrize(
    ("published", "text", "event"),
    [
        ("Mon, 30 Nov 2026 07:30:00 +0800", "昨晚，公司发布新模型", "11-29"),
        ("Sun, 29 Nov 2026 21:30:00 -0500", "The firm launched it yesterday.", "11-28"),
        ("Sun, 29 Nov 2026 21:30:00 -0500", "The firm launched it 2 days ago.", "11-27"),
    ],
)
def test_yesterday_is_the_authors(published: str, text: str, event: str) -> None:
    ledger = with_event(choose([parse_date(published)]), text)
    assert ledger.event_at is not None and f"{ledger.event_at:%m-%d %H:%M}" == f"{event} 00:00"


def test_a_week_names_no_day_for_an_event() -> None:
    published = choose([parse_date("2026-11-29T08:00:00Z")])
    for text in ("It was launched last week.", "It was launched three weeks ago.", "公司上周发布新机"):
        assert with_event(published, text).event_at is None, text


def test_an_undated_item_has_no_reference_to_count_from() -> None:
    assert with_event(choose([]), "The lab released its model on November 20, 2026.").event_at is None
