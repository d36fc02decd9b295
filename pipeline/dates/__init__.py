"""Dates are evidence: every date format that feeds, pages, addresses and texts use -> claims and a ledger.

    parse_date   one string -> DateClaim | None
    url_date     an address -> DateClaim | None
    page_dates   an article page -> its claims
    text_dates   running text -> when it says the thing happened
    text_times   running text -> every time it names
    choose       claims -> DateLedger (which one is believed, what speaks against it)
    with_event   the same with the time of the event, where the text names it
    mark_shared  notice one bogus date on many entries

Undated is a state: nothing here ever answers "now".
"""

from pipeline.dates.addresses import url_date
from pipeline.dates.clock import zone_info
from pipeline.dates.ledger import choose, mark_shared, post_id_date
from pipeline.dates.pages import page_dates
from pipeline.dates.running import Time, month_end, text_dates, text_times, with_event
from pipeline.dates.strings import day_written, parse_date

__all__ = [
    "Time",
    "choose",
    "day_written",
    "mark_shared",
    "month_end",
    "page_dates",
    "parse_date",
    "post_id_date",
    "text_dates",
    "text_times",
    "url_date",
    "with_event",
    "zone_info",
]
