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
        ("三周前宣布的计划。", "2026-11-09", "day"),
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


def test_an_undated_item_has_no_reference_to_count_from() -> None:
    assert with_event(choose([]), "The lab released its model yesterday.").event_at is None
