from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pipeline.dates import choose, mark_shared, parse_date, post_id_date, url_date
from pipeline.types import DateLedger


def feed(raw: str) -> DateLedger:
    return choose([parse_date(raw)])


def test_no_claim_is_undated_never_now() -> None:
    ledger = choose([None, parse_date("soon")])
    assert (ledger.chosen, ledger.published_at, ledger.claims) == (None, None, ())


def test_the_most_reliable_claim_is_believed_and_the_other_noted() -> None:
    ledger = choose([url_date("https://a.example/2026/07/01/x"), parse_date("2026-08-03T09:30:00Z")])
    assert ledger.published_at == datetime(2026, 8, 3, 9, 30, tzinfo=UTC)
    assert ledger.notes == ("url says 2026-07-01 (2026-07-01)",)


def test_claims_that_agree_need_no_note() -> None:
    ledger = choose([url_date("https://a.example/2026/08/02/x"), parse_date("2026-08-03T09:30:00Z")])
    assert ledger.notes == ()


def test_a_month_alone_dates_nothing_but_stays_as_evidence() -> None:
    ledger = choose([url_date("https://a.example/2026/08/x")])
    assert (ledger.chosen, len(ledger.claims)) == (None, 1)


def test_an_assumed_zone_is_noted() -> None:
    ledger = choose([parse_date("2026-08-03 09:30", zone="Asia/Shanghai")])
    assert ledger.notes == ("time zone not given, assumed Asia/Shanghai",)


def test_an_order_of_day_and_month_that_is_not_certain_is_noted() -> None:
    assert feed("04/05/2026").notes == ("the order of day, month and year is not certain (04/05/2026)",)


def test_a_year_that_could_be_a_day_loses_to_the_address() -> None:
    ledger = choose([parse_date("26-08-03"), url_date("https://a.example/2026/08/03/x")])
    assert ledger.published_at is not None and ledger.published_at.year == 2026


def test_one_bogus_date_on_many_entries_is_noticed_and_loses_to_the_address() -> None:
    built = "2026-08-03T09:31:07Z"
    ledgers = [choose([parse_date(built), url_date(f"https://a.example/2026/07/{day:02}/x")]) for day in range(1, 7)]
    marked = mark_shared(ledgers)
    assert [ledger.published_at.day for ledger in marked if ledger.published_at] == [1, 2, 3, 4, 5, 6]
    assert all(ledger.notes[0].startswith("6 entries share this one date") for ledger in marked)


def test_a_bogus_date_without_another_claim_stays_with_little_reliability() -> None:
    marked = mark_shared([feed("2026-08-03T09:31:07Z")] * 5)
    assert {ledger.claims[0].reliability for ledger in marked} == {0.3}


def test_days_written_as_moments_and_different_moments_are_no_bogus_dates() -> None:
    same_day = [feed("2026-08-03")] * 9
    midnight = [feed("2026-08-03T00:00:00-05:00")] * 9
    different = [feed(f"2026-08-03T09:{minute:02}:07Z") for minute in range(9)]
    few = [feed("2026-08-03T09:31:07Z")] * 4
    for ledgers in (same_day, midnight, different, few):
        assert mark_shared(ledgers) == tuple(ledgers)


def test_a_post_id_holds_its_time() -> None:
    at = datetime(2026, 8, 3, 9, 30, tzinfo=UTC)
    ms = (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
    claim = post_id_date(str((ms - 1_288_834_974_657) << 22))
    assert claim is not None and (claim.at, claim.kind) == (at, "post id")
    assert post_id_date("12345") is None
    assert post_id_date("x1") is None
