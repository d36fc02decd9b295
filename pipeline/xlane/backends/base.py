"""What the stream needs of a backend: one way to search, and two searches composed from it.

A backend sends what it is given: it adds no quotes, and a lane's topic only where `and_topic` says so. Its network is
the Fetcher it was made with; a key travels as the request's secret header and is nowhere else.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pipeline.errors import FetchError, Status
from pipeline.text import all_whole
from pipeline.types import Candidate, Malformed, Response, Window
from pipeline.xlane.compile import lane_query, name_query


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What one search brought: posts in the service's order, and what has to be said about it."""

    candidates: tuple[Candidate, ...] = ()
    malformed: tuple[Malformed, ...] = ()
    notes: tuple[str, ...] = ()
    requests: int = 0
    bytes: int = 0


class Backend(ABC):
    """One way to search X."""

    name: str
    label: str
    """As an analyst reads it."""
    asks: bool = True
    """False: it holds one fixed corpus (a file); variants and a retry have nothing to ask."""

    @abstractmethod
    async def search(self, query: str, limit: int, *, deadline: float) -> Found:
        """Posts for a query in X's classic syntax, at most `limit`. Raises FetchError. `deadline`: loop clock."""

    async def search_handles(
        self,
        handles: Sequence[str],
        topic: str,
        *,
        window: Window | None = None,
        limit: int = 10,
        and_topic: bool = False,
        deadline: float,
    ) -> Found:
        """Posts of named accounts: the handle and the window only, or ANDed with the topic."""
        return await self.search(lane_query(handles, topic, window, and_topic=and_topic), limit, deadline=deadline)

    async def search_name(self, name: str, *, window: Window | None = None, limit: int = 10, deadline: float) -> Found:
        """Posts that hold a name as a phrase: always quoted."""
        return await self.search(name_query(name, window), limit, deadline=deadline)

    async def check_key(self, *, deadline: float) -> str:
        """One sentence about the key, by the cheapest call the service has. Raises FetchError."""
        return "no key needed"


def read_json(response: Response, service: str, *, now: datetime) -> dict[str, Any]:
    """The JSON object of a good answer; FetchError with the outcome and the service's own words otherwise."""
    try:
        data = all_whole(json.loads(response.body))
    except (ValueError, RecursionError):
        data = None
    if response.status >= 400:
        wait = retry_after(response, now)
        said = _problem(data)
        status = _STATUS.get(response.status, "error")
        raise FetchError(f"{service} answered {response.status}{said}", status=status, retry_after=wait)
    if not isinstance(data, dict):
        raise FetchError(f"{service} sent something that is no JSON object", status="bad response")
    return data


def listed(value: Any) -> list[Any]:
    """A list as it is; anything else that stands where a list should is none."""
    return value if isinstance(value, list) else []


def record(value: Any) -> dict[str, Any]:
    """The same for a record."""
    return value if isinstance(value, dict) else {}


def is_count(value: Any) -> bool:
    """A number of likes, reposts or replies as it can be."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


_STATUS: dict[int, Status] = {
    400: "bad response",
    401: "unauthorised",
    402: "unauthorised",
    403: "unauthorised",
    429: "rate limited",
}


def retry_after(response: Response, now: datetime) -> float | None:
    """Seconds to wait: Retry-After, else X's x-rate-limit-reset (epoch seconds)."""
    for header, base in (("retry-after", 0.0), ("x-rate-limit-reset", now.timestamp())):
        try:
            return max(0.0, float(response.headers[header]) - base)
        except (KeyError, ValueError):
            continue
    return None


def _problem(data: Any) -> str:
    """The service's own sentence about an error, cut short: title and detail of X, error of xAI."""
    if not isinstance(data, dict):
        return ""
    parts = [data.get("title"), data.get("detail"), data.get("error")]
    errors = data.get("errors")
    if isinstance(errors, list) and errors and isinstance(errors[0], dict):
        parts.append(errors[0].get("message"))
    words = [
        str(part.get("message", "") if isinstance(part, dict) else part) for part in parts if part and part is not True
    ]
    return f" ({': '.join(words)[:200]})" if words else ""
