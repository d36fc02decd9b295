"""The time in a post's id, and ids that can't be true.

id >> 22 is milliseconds since 1288834974657 (X's published id scheme, "snowflake"). A backend driven by a
language model can invent posts; the ids it writes give it away.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

EPOCH_MS = 1_288_834_974_657
_TIME_SHIFT = 22
_LOOKS_MADE_UP = re.compile(r"(\d)\1{6}|0{6}$|01234567|12345678|23456789|34567890|98765432|87654321|(\d{3,6})\2{2}")
"""Seven equal digits in a row, six trailing zeros, a run up or down the keyboard, a block written three times."""


def is_numeric(post_id: str) -> bool:
    return post_id.isascii() and post_id.isdigit() and len(post_id) <= 20


def posted_at(post_id: str) -> datetime | None:
    """UTC time of posting, to the millisecond; None when the id is no number or before the scheme."""
    if not is_numeric(post_id):
        return None
    offset = int(post_id) >> _TIME_SHIFT
    if offset == 0:
        return None
    try:
        return datetime.fromtimestamp(EPOCH_MS // 1000, UTC) + timedelta(milliseconds=EPOCH_MS % 1000 + offset)
    except OverflowError:
        return None


def looks_made_up(post_id: str) -> bool:
    """Digits a person or a model types, not a clock: chance of a false alarm below 1 in 100,000 ids."""
    return bool(_LOOKS_MADE_UP.search(post_id))
