from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.dates import day_written, parse_date

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param("Mon, 03 Aug 2026 09:30:00 GMT", "2026-08-03T09:30", id="RFC 822"),
        pytest.param("Mon, 3 Aug 26 09:30:00 EST", "2026-08-03T14:30", id="RFC 822, two-digit year and named zone"),
        pytest.param("Mon, 03 Aug 2026 09:30:00 +0800 (CST)", "2026-08-03T01:30", id="offset wins over the name"),
        pytest.param("Sun Aug 03 09:30:00 +0000 2025", "2025-08-03T09:30", id="year last"),
        pytest.param("Mon, 03 Aug 2026 09:30:00 XYZ", "2026-08-03T09:30", id="unknown zone is no reason to lose it"),
        pytest.param("Mon, 3 Aug 2026 25:61:00 GMT", "2026-08-03T00:00", id="an impossible time leaves the day"),
        pytest.param("Mon, 3 Aug 2026 24:00:00 GMT", "2026-08-04T00:00", id="24 o'clock is the next day"),
        pytest.param("2026-08-03T09:30:00.123+08:00", "2026-08-03T01:30", id="ISO with offset"),
        pytest.param("2026-08-03T09:30:00Z[UTC]", "2026-08-03T09:30", id="ISO with a bracketed zone"),
        pytest.param("2026-08-03 09:30 PM", "2026-08-03T21:30", id="ISO day, twelve-hour clock"),
        pytest.param("20260803", "2026-08-03T00:00", id="eight digits are a day, not seconds of 1970"),
        pytest.param("20260326T183000Z", "2026-03-26T18:30", id="compact moment"),
        pytest.param("1754213400", "2025-08-03T09:30", id="Unix seconds"),
        pytest.param("1754213400.5", "2025-08-03T09:30", id="Unix seconds with a fraction"),
        pytest.param("1754213400000", "2025-08-03T09:30", id="Unix milliseconds"),
        pytest.param("2026年8月3日 09:30", "2026-08-03T09:30", id="Chinese"),
        pytest.param("2026年11月28日", "2026-11-28T00:00", id="Chinese, two-digit month and day"),
        pytest.param("２０２６年８月３日", "2026-08-03T00:00", id="full-width digits"),
        pytest.param("二〇二六年八月二十一日", "2026-08-21T00:00", id="Chinese numerals"),
        pytest.param("民國115年8月3日", "2026-08-03T00:00", id="years of the Republic"),
        pytest.param("2026년 3월 4일 오후 3시 20분", "2026-03-04T15:20", id="Korean, afternoon"),
        pytest.param("2026年8月3日 下午3:05", "2026-08-03T15:05", id="Chinese afternoon"),
        pytest.param("2026年8月3日 晚上8点", "2026-08-03T20:00", id="Chinese evening, no minutes"),
        pytest.param("2026-08-03 晚上十点半", "2026-08-03T22:30", id="half past ten in numerals"),
        pytest.param("2026年8月3日 晚上12:10", "2026-08-04T00:10", id="twelve at night ends the day"),
        pytest.param("2026年8月3日 中午11:30", "2026-08-03T11:30", id="before noon"),
        pytest.param("2026年8月3日 晚上1:30", "2026-08-03T00:00", id="one at night: of which day is open"),
        pytest.param("3 August 2026, 9 a.m. ET", "2026-08-03T13:00", id="an hour alone"),
        pytest.param("2026-08-03 3 comments", "2026-08-03T00:00", id="a number that is no hour"),
        pytest.param("Seg, 24 Set 2018 19:42:40 -0300", "2018-09-24T22:42", id="Portuguese names"),
        pytest.param("3 août 2026 à 14h30", "2026-08-03T14:30", id="French"),
        pytest.param("3 de agosto de 2026", "2026-08-03T00:00", id="Spanish"),
        pytest.param("1. März 2026", "2026-03-01T00:00", id="German"),
        pytest.param("3 agosto 2026", "2026-08-03T00:00", id="Italian"),
        pytest.param("28 ноября 2026 г., 15:20", "2026-11-28T15:20", id="Russian"),
        pytest.param("12 listopada 2026", "2026-11-12T00:00", id="Polish"),
        pytest.param("2026 m. spalio 26 d., 10:00", "2026-10-26T10:00", id="Lithuanian, year first"),
        pytest.param("15 Οκτωβρίου 2026", "2026-10-15T00:00", id="Greek"),
        pytest.param("٣ أكتوبر ٢٠٢٦", "2026-10-03T00:00", id="Arabic digits and month"),
        pytest.param("12 tháng 3, 2026", "2026-03-12T00:00", id="Vietnamese"),
        pytest.param("August 3rd, 2026", "2026-08-03T00:00", id="ordinal day"),
        pytest.param("Saturday, Nov. 28, 2026 | 4:30 p.m. ET", "2026-11-28T21:30", id="newspaper style"),
        pytest.param("03.08.2026", "2026-08-03T00:00", id="dots mean day first"),
        pytest.param("13/8/2026", "2026-08-13T00:00", id="a part beyond 12 settles the order"),
        pytest.param("2026年八月三日", "2026-08-03T00:00", id="Chinese numerals after a year in digits"),
        pytest.param("3 Aug '26", "2026-08-03T00:00", id="year cut by an apostrophe"),
        pytest.param("Aug 3, ’26", "2026-08-03T00:00", id="American order, year cut by an apostrophe"),
        pytest.param("Mon, 03 Aug 98", "1998-08-03T00:00", id="two digits of a year are never one to come"),
        pytest.param("31/12/99", "1999-12-31T00:00", id="two digits of a year, in figures"),
        pytest.param("Aug 3, 2026 9:30 a.m. ET", "2026-08-03T13:30", id="ET is daylight time in August"),
        pytest.param("Jan 3, 2026 9:30 a.m. PT", "2026-01-03T17:30", id="PT is standard time in January"),
    ],
)
def test_reads_every_format(raw: str, expected: str) -> None:
    claim = parse_date(raw)
    assert claim is not None
    assert claim.at.tzinfo is UTC
    assert claim.at.strftime("%Y-%m-%dT%H:%M") == expected


@pytest.mark.parametrize(
    "raw",
    ["", "   ", "may", "2026", "Posted in 2026", "sat down", "1.2.3", "version 10.2", "Fri, 31 Feb 2026 00:00:00 GMT",
     "1970-01-01T00:00:00Z", "0001-01-01", "Thu, 01 Jan 1970 00:00:00 GMT", "0", "12345678901", "9999-99-99", "31/12/69", "01.01.70"],
)  # fmt: skip
def test_what_is_no_date_is_none(raw: str) -> None:
    assert parse_date(raw) is None


def test_a_future_date_stays_as_it_is() -> None:
    claim = parse_date("2031-01-02T03:04:05Z")
    assert claim is not None and claim.at.year == 2031


@pytest.mark.parametrize(
    ("raw", "zone", "stated"),
    [
        pytest.param("2026-08-03 09:30", "2026-08-03T01:30", "assumed Asia/Shanghai", id="naive: the configured zone"),
        pytest.param("2026-08-03 09:30 UTC", "2026-08-03T09:30", "stated", id="stated wins"),
        pytest.param("2026-08-03T09:30:00+09:00", "2026-08-03T00:30", "stated", id="offset wins"),
    ],
)
def test_zone_is_assumed_only_when_none_is_given(raw: str, zone: str, stated: str) -> None:
    claim = parse_date(raw, zone="Asia/Shanghai")
    assert claim is not None
    assert (claim.at.strftime("%Y-%m-%dT%H:%M"), claim.zone) == (zone, stated)


@pytest.mark.parametrize(
    ("raw", "zone", "expected"),
    [
        pytest.param("Mon, 03 Aug 2026 09:30:00 CST", "Asia/Shanghai", "01:30", id="CST of a Chinese feed"),
        pytest.param("Mon, 05 Jan 2026 09:30:00 CST", "America/Chicago", "15:30", id="CST of an American feed"),
        pytest.param("Mon, 03 Aug 2026 09:30:00 CST", "UTC", "15:30", id="CST of a feed without a zone: RFC 822"),
        pytest.param("Mon, 05 Jan 2026 09:30:00 IST", "Asia/Jerusalem", "07:30", id="IST of an Israeli feed"),
        pytest.param("Mon, 03 Aug 2026 09:30:00 EST", "Asia/Shanghai", "14:30", id="a name that is not the feed's"),
        pytest.param("Mon, 03 Aug 2026 09:30:00 +0000", "Asia/Shanghai", "09:30", id="an offset"),
    ],
)
def test_a_name_of_several_zones_means_the_feeds_own(raw: str, zone: str, expected: str) -> None:
    claim = parse_date(raw, zone=zone)
    assert claim is not None
    assert (claim.at.strftime("%H:%M"), claim.zone) == (expected, "stated")


def test_today_is_that_of_the_source_zone() -> None:
    late = datetime(2026, 11, 30, 23, tzinfo=UTC)  # seven in the morning of December 1 in Shanghai
    claim = parse_date("今天 06:30", zone="Asia/Shanghai", reference=late)
    assert claim is not None and claim.at == datetime(2026, 11, 30, 22, 30, tzinfo=UTC)


def test_an_unknown_zone_name_reads_as_utc() -> None:
    claim = parse_date("2026-08-03 09:30", zone="Mars/Olympus")
    assert claim is not None and claim.at.hour == 9


@pytest.mark.parametrize(
    ("raw", "precision"),
    [("2026-08-03T09:30:01Z", "second"), ("2026-08-03 09:30", "minute"), ("2026-08-03", "day"), ("2026-08", "month"),
     ("2026年8月", "month"), ("August 2026", "month")],
)  # fmt: skip
def test_precision_is_what_was_written(raw: str, precision: str) -> None:
    claim = parse_date(raw)
    assert claim is not None and claim.precision == precision


def test_day_and_month_that_could_be_swapped_are_less_sure() -> None:
    default, day_first = parse_date("04/05/2026"), parse_date("04/05/2026", day_first=True)
    assert default is not None and day_first is not None
    assert (default.at.month, day_first.at.month) == (4, 5)
    assert default.reliability < day_first.reliability
    assert (default.ambiguous, day_first.ambiguous) == (True, False)


@pytest.mark.parametrize(
    ("raw", "reference", "day"),
    [
        pytest.param("26-08-03", NOW, "2026-08-03", id="the year first: the later of both"),
        pytest.param("28-08-26", NOW, "2026-08-28", id="the year last: the other is still to come"),
        pytest.param("26-08-03", None, "2003-08-26", id="nothing to go by: the day first"),
    ],
)
def test_year_and_day_that_could_be_swapped_are_hardly_sure(raw: str, reference: datetime | None, day: str) -> None:
    claim = parse_date(raw, reference=reference)
    assert claim is not None
    assert (claim.at.date().isoformat(), claim.ambiguous, claim.reliability) == (day, True, 0.45)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param("3 hours ago", "2026-11-30T09:00", id="hours"),
        pytest.param("2天前", "2026-11-28T00:00", id="Chinese days"),
        pytest.param("三天前", "2026-11-27T00:00", id="Chinese days in words"),
        pytest.param("两小时前", "2026-11-30T10:00", id="Chinese hours in words"),
        pytest.param("十二天前", "2026-11-18T00:00", id="Chinese days above ten"),
        pytest.param("two days ago", "2026-11-28T00:00", id="days in words"),
        pytest.param("an hour ago", "2026-11-30T11:00", id="one hour"),
        pytest.param("昨天 09:30", "2026-11-29T09:30", id="yesterday with a time"),
        pytest.param("昨晚10点半", "2026-11-29T22:30", id="last night"),
        pytest.param("今早 8:30", "2026-11-30T08:30", id="this morning"),
        pytest.param("8月3日", "2026-08-03T00:00", id="no year: the latest such day"),
        pytest.param("12月25日", "2025-12-25T00:00", id="no year, still to come: last year's"),
        pytest.param("刚刚", "2026-11-30T12:00", id="just now"),
    ],
)
def test_relative_words_need_a_reference(raw: str, expected: str) -> None:
    assert parse_date(raw) is None
    claim = parse_date(raw, reference=NOW)
    assert claim is not None and claim.at.strftime("%Y-%m-%dT%H:%M") == expected


def test_the_day_written_is_that_of_the_source_zone() -> None:
    claim = parse_date("2026-08-03T00:30:00+08:00")
    assert claim is not None
    assert (claim.at.day, day_written(claim).day) == (2, 3)


@given(st.text(max_size=300))
def test_never_raises_and_never_invents_a_year(text: str) -> None:
    claim = parse_date(text, reference=NOW)
    assert claim is None or (1989 <= claim.at.year <= 2101 and claim.at.tzinfo is UTC)


@given(
    st.datetimes(min_value=datetime(1991, 1, 1), max_value=datetime(2099, 12, 31)).map(
        lambda d: d.replace(microsecond=0)
    )
)
def test_reads_back_what_common_formats_write(at: datetime) -> None:
    for style in ("%a, %d %b %Y %H:%M:%S +0000", "%Y-%m-%dT%H:%M:%SZ", "%Y%m%dT%H%M%SZ", "%Y年%m月%d日 %H:%M:%S"):
        claim = parse_date(at.strftime(style))
        assert claim is not None and claim.at == at.replace(tzinfo=UTC), style
