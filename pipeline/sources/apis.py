"""The endpoint of an API as it is configured, shared by the API sources."""

from __future__ import annotations

from typing import Any

from pipeline import dates
from pipeline.sources import common
from pipeline.types import DateLedger, Endpoint


def endpoint(source: str, config: Any, path: str, *, needs_key: str = "") -> Endpoint:
    """One endpoint under settings.Api; `path` is appended to its base_url."""
    return Endpoint(
        source=source,
        name=source,
        url=config.base_url.rstrip("/") + path,
        timeout_s=config.timeout_s or common.KIND_TIMEOUT_S,
        priority=config.priority,
        searches=True,
        needs_key=needs_key,
        max_per_minute=config.rate_limiter.max_per_minute,
        max_per_day=config.rate_limiter.max_per_day,
        named=True,
        options={"limit": config.limit},
    )


def size(endpoint: Endpoint, limit: int, most: int) -> str:
    """Results to ask for: the caller's limit, the configured one and the service's, whichever is least."""
    return str(max(1, min(limit, int(endpoint.options.get("limit", most)), most)))


def dated(raw: object, url: str, text: str) -> DateLedger:
    """The ledger of an API's own date, what the address says, and when the text says it happened."""
    claims = (dates.parse_date(common.string(raw), kind="api"), dates.url_date(url))
    return dates.with_event(dates.choose(claims), text)
