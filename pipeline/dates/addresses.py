"""Dates that stand in an address: /2026/08/03/, /20260803/, /2026/aug/03/, -2026-08-03."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from pipeline.dates.names import MONTHS, fold
from pipeline.dates.strings import parse_date
from pipeline.types import DateClaim

_Y = r"(?P<y>199\d|20\d\d)"
_M = r"(?P<m>0[1-9]|1[0-2])"
_D = r"(?P<d>0[1-9]|[12]\d|3[01])"
_END = r"(?=$|[/_\-.?&])"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:^|[/_=\-.]){_Y}[/_\-.](?P<m>0?[1-9]|1[0-2])[/_\-.](?P<d>0?[1-9]|[12]\d|3[01]){_END}",
        rf"/{_Y}-?{_M}/{_D}(?=/|$)",
        rf"/{_Y}/{_M}{_D}/",
        rf"/{_Y}/(?P<m>[a-z]{{3,9}})/(?P<d>0?[1-9]|[12]\d|3[01])(?=/|$)",
        rf"(?:^|[/_=\-.a-z]){_Y}{_M}{_D}(?=$|[/_\-.?&]|\d{{4,6}}(?!\d)|[a-z])",
        rf"[/_\-]{_D}[_\-]{_M}[_\-]{_Y}{_END}",
    )
)
"""Tried in this order: the clearer forms first."""
_MONTH = re.compile(rf"/{_Y}[/\-]{_M}(?=/|$)")


def url_date(url: str) -> DateClaim | None:
    """The day in an address; precision "month" for /2026/08/ alone; None when it holds no date."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    path = unquote(parts.path) + (f"?{parts.query}" if parts.query else "")
    for pattern in _PATTERNS:
        for found in pattern.finditer(path):
            if claim := _claim(found):
                return claim
    if month := _MONTH.search(path):
        return parse_date(f"{month['y']}-{month['m']}", kind="url")
    return None


def _claim(found: re.Match[str]) -> DateClaim | None:
    month = found["m"] if found["m"].isdigit() else str(MONTHS.get(fold(found["m"]), 0))
    return parse_date(f"{found['y']}-{month}-{found['d']}", kind="url")
