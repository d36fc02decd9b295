"""What time phrases denote, before clipping. The reader's now is Wednesday 18 November 2026, 10:00."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.planning.window import Impossible, Phrase, Reading, find_phrases

NOW = datetime(2026, 11, 18, 10, 0)
READING = Reading(now=NOW)


def denoted(text: str, reading: Reading = READING) -> list[tuple[str, str]]:
    return [
        (_say(found.span.start), _say(found.span.end))
        for found in find_phrases(text, reading)
        if isinstance(found, Phrase) and found.strength == "explicit"
    ]


def _say(at: datetime | None) -> str:
    return "open" if at is None else f"{at:%Y-%m-%d}" if (at.hour, at.minute) == (0, 0) else f"{at:%Y-%m-%d %H:%M}"


ENGLISH = [
    ("counted days roll back to now", "AI news of the last 30 days", "2026-10-19 10:00", "2026-11-18 10:00"),
    ("counted hours", "outages in the past 48 hours", "2026-11-16 10:00", "2026-11-18 10:00"),
    ("glued short unit", "last 24h crypto", "2026-11-17 10:00", "2026-11-18 10:00"),
    ("within looks back", "released within 7 days", "2026-11-11 10:00", "2026-11-18 10:00"),
    ("compound count", "the last 1 month and 2 days", "2026-10-16 10:00", "2026-11-18 10:00"),
    ("few", "the past few days", "2026-11-15 10:00", "2026-11-18 10:00"),
    ("a fortnight", "over the past fortnight", "2026-11-04 10:00", "2026-11-18 10:00"),
    ("this week is the calendar's", "this week", "2026-11-16", "2026-11-23"),
    ("last month is the calendar's", "last month", "2026-10-01", "2026-11-01"),
    ("past month rolls", "the past month", "2026-10-18 10:00", "2026-11-18 10:00"),
    ("last quarter", "earnings last quarter", "2026-07-01", "2026-10-01"),
    ("the month before last", "the month before last", "2026-09-01", "2026-10-01"),
    ("yesterday", "what happened yesterday", "2026-11-17", "2026-11-18"),
    ("day before yesterday", "the day before yesterday", "2026-11-16", "2026-11-17"),
    ("bare weekday is the last one", "Monday's vote", "2026-11-16", "2026-11-17"),
    ("a weekday to come was last week's", "Friday's jobs report", "2026-11-13", "2026-11-14"),
    ("last weekday is last week's", "last Monday", "2026-11-09", "2026-11-10"),
    ("since a weekday is open", "since Monday", "2026-11-16", "open"),
    ("after a year starts the next", "laws after 2024", "2025-01-01", "open"),
    ("before a month", "before November 2026", "open", "2026-11-01"),
    ("iso date", "2026-08-14 launch", "2026-08-14", "2026-08-15"),
    ("month first by default", "on 8/14/2026", "2026-08-14", "2026-08-15"),
    ("points are day first", "am 14.08.2026", "2026-08-14", "2026-08-15"),
    ("month and day without year look back", "Dec 24", "2025-12-24", "2025-12-25"),
    ("day and month words", "the third of March", "2026-03-03", "2026-03-04"),
    ("year in words", "October two thousand and five", "2005-10-01", "2005-11-01"),
    ("range within a month", "Aug 1 to Aug 10", "2026-08-01", "2026-08-11"),
    ("range of bare days", "from 9 to 12 June", "2026-06-09", "2026-06-13"),
    ("dashed days", "November 3-10", "2026-11-03", "2026-11-11"),
    ("a year at the end holds for both", "from May to Oct 2025", "2025-05-01", "2025-11-01"),
    ("reversed dates are put in order", "between 2026-08-10 and 2026-08-01", "2026-08-01", "2026-08-11"),
    ("range over new year", "from December to February", "2025-12-01", "2026-03-01"),
    ("years in words of range", "between 2014 and 2018", "2014-01-01", "2019-01-01"),
    ("to now", "from March to now", "2026-03-01", "2026-11-18 10:00"),
    ("clock times inside a range", "yesterday 9am to today 5pm", "2026-11-17", "2026-11-19"),
    ("in May is the month", "elections in May", "2026-05-01", "2026-06-01"),
    ("a month and a year", "August 2026", "2026-08-01", "2026-09-01"),
    ("quarter with year", "Q3 2025 earnings", "2025-07-01", "2025-10-01"),
    ("named quarter looks back", "the fourth quarter", "2026-10-01", "2027-01-01"),
    ("half", "first half of 2026", "2026-01-01", "2026-07-01"),
    ("week of month", "first week of October", "2026-09-28", "2026-10-05"),
    ("weekday of month", "last Friday of October", "2026-10-30", "2026-10-31"),
    ("end of a unit", "end of last week", "2026-11-13", "2026-11-16"),
    ("early month", "early October", "2026-10-01", "2026-10-16"),
    ("ago is the day counted back", "two weeks ago", "2026-11-04", "2026-11-05"),
    ("counted from a date", "3 days before yesterday", "2026-11-14", "2026-11-15"),
    ("year to date", "sales year to date", "2026-01-01", "2026-11-18 10:00"),
    ("decade", "in the 1990s", "1990-01-01", "2000-01-01"),
    ("weekend", "over the weekend", "2026-11-14", "2026-11-16"),
]  # fmt: skip

CHINESE = [
    ("rolling days", "近30天人工智能", "2026-10-19 10:00", "2026-11-18 10:00"),
    ("rolling months in numerals", "最近三个月的新闻", "2026-08-18 10:00", "2026-11-18 10:00"),
    ("rolling hours", "过去48小时", "2026-11-16 10:00", "2026-11-18 10:00"),
    ("half a month", "半个月内", "2026-11-03 10:00", "2026-11-18 10:00"),
    ("a few days", "这几天", "2026-11-15 10:00", "2026-11-18 10:00"),
    ("this week", "本周要闻", "2026-11-16", "2026-11-23"),
    ("last month", "上月", "2026-10-01", "2026-11-01"),
    ("weekday of last week", "上周五", "2026-11-13", "2026-11-14"),
    ("traditional characters", "上個禮拜三", "2026-11-11", "2026-11-12"),
    ("yesterday", "昨天股市", "2026-11-17", "2026-11-18"),
    ("day before yesterday", "前天", "2026-11-16", "2026-11-17"),
    ("open since the year began", "今年以来", "2026-01-01", "open"),
    ("open since a month", "十一月以来", "2026-11-01", "open"),
    ("range of dates", "8月1日到8月10日", "2026-08-01", "2026-08-11"),
    ("second end inherits the month", "8月1日至10日", "2026-08-01", "2026-08-11"),
    ("month of a year", "2026年8月", "2026-08-01", "2026-09-01"),
    ("full-width digits", "２０２６年８月", "2026-08-01", "2026-09-01"),
    ("numerals for a year", "二〇二五年十一月", "2025-11-01", "2025-12-01"),
    ("quarter", "第三季度财报", "2026-07-01", "2026-10-01"),
    ("quarter of last year", "去年第四季度", "2025-10-01", "2026-01-01"),
    ("half of a year", "今年上半年", "2026-01-01", "2026-07-01"),
    ("month without a year looks back", "12月", "2025-12-01", "2026-01-01"),
    ("end of a month", "上个月底", "2026-10-27", "2026-11-01"),
    ("third of a month", "十月中旬", "2026-10-11", "2026-10-21"),
    ("day ago", "三天前", "2026-11-15", "2026-11-16"),
    ("since a date", "自2026年10月1日以来", "2026-10-01", "open"),
    ("before a year", "2018年以前", "open", "2018-01-01"),
    ("clock times inside a range", "昨天早上9点到今天晚上8点", "2026-11-17", "2026-11-19"),
    ("weekdays as a range", "上周一至周五", "2026-11-09", "2026-11-14"),
    ("year and weeks", "2025年的前2周", "2024-12-30", "2025-01-13"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "since", "until"), [row[1:] for row in ENGLISH], ids=[row[0] for row in ENGLISH])
def test_english_phrases_denote(text: str, since: str, until: str) -> None:
    assert denoted(text) == [(since, until)]


@pytest.mark.parametrize(("text", "since", "until"), [row[1:] for row in CHINESE], ids=[row[0] for row in CHINESE])
def test_chinese_phrases_denote(text: str, since: str, until: str) -> None:
    assert denoted(text) == [(since, until)]


@pytest.mark.parametrize(
    "text",
    [
        "this may take a while",
        "May I ask what this is for?",
        "Sun Microsystems and the SAT",
        "march on Washington",
        "since the launch",
        "call 138-2010-2015 or 555-1212",
        "version 3.11.2 at 192.168.0.1",
        "every day, each Monday, weekly",
        "$DEC is up",
        "a 3-2 win",
        "每天 每周三 每隔两天",
        "最近想读几本好书",
        "三月初三庙会",
        "这是我的队伍",
    ],
)
def test_no_time_is_found_where_there_is_none(text: str) -> None:
    assert denoted(text) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [("2026-02-30 flood", "2026-02-30"), ("Feb 30", "Feb 30"), ("2月30日", "2月30日"), ("2026年13月", "2026年13月")],
)
def test_impossible_dates_are_told_with_their_place(text: str, wrong: str) -> None:
    (found,) = find_phrases(text, READING)
    assert isinstance(found, Impossible)
    assert (found.text, text[found.start : found.end]) == (wrong, wrong)


def test_day_and_month_follow_the_locale_and_are_flagged() -> None:
    for day_first, month in ((False, 4), (True, 5)):
        (found,) = find_phrases("04/05/2026", Reading(now=NOW, day_first=day_first))
        assert isinstance(found, Phrase)
        assert found.ambiguous
        assert found.span.start == datetime(2026, month, 9 - month)


def test_a_week_may_start_on_sunday() -> None:
    assert denoted("this week", Reading(now=NOW, week_first=6)) == [("2026-11-15", "2026-11-22")]


def test_a_bare_year_is_weak() -> None:
    (found,) = find_phrases("best phones 2026", READING)
    assert isinstance(found, Phrase)
    assert found.strength == "weak"


def test_29_february_finds_its_leap_year() -> None:
    assert denoted("Feb 29") == [("2024-02-29", "2024-03-01")]


@given(st.text(alphabet=st.sampled_from(list("0123456789-/.: 年月日周上前近个到至内来 aMayTuethlsdon'")), max_size=40))
def test_any_text_is_read_and_places_are_true(text: str) -> None:
    end = 0
    for found in find_phrases(text, READING):
        assert text[found.start : found.end] == found.text
        assert found.start >= end
        end = found.end


@given(st.dates(min_value=datetime(1950, 1, 1).date(), max_value=datetime(2050, 1, 1).date()))
def test_every_date_reads_as_itself_in_every_form(day: object) -> None:
    for form in ("%Y-%m-%d", "%Y/%m/%d", "%d %B %Y", "%B %d, %Y", "%d.%m.%Y", "%Y年%m月%d日"):
        text = f"{day:{form}}"
        (found,) = find_phrases(text, READING)
        assert isinstance(found, Phrase)
        assert found.span.start is not None
        assert found.span.start.date() == day, text
