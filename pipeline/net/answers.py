"""What an answer says besides its body: how long to wait, whether it is a refusal, how to ask whether it changed."""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from pipeline.errors import FetchError, Status
from pipeline.types import Response

INCOMPLETE = "lately-incomplete"
"""Header we add to an answer whose connection closed early: what had arrived is still worth reading."""
REDIRECTS = (301, 302, 303, 307, 308)
BUSY = (429, 503)
_STATUS: Mapping[int, Status] = {401: "unauthorised", 402: "unauthorised", 403: "unauthorised", 429: "rate limited"}


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds a server asks to wait: a number, or a date compared with the server's own `Date`."""
    value = headers.get("retry-after", "").strip()
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        then, now = parsedate_to_datetime(value), parsedate_to_datetime(headers.get("date", ""))
        return max(0.0, (then - now).total_seconds())
    except (ValueError, TypeError):
        return None


def refusal(response: Response, secret: str) -> FetchError:
    """The error of an answer of status 400 and above, with the server's own words; a key in them is blanked."""
    status: Status = _STATUS.get(response.status, "bad response" if response.status < 500 else "error")
    wait = retry_after(response.headers)
    if response.status == 503 and wait is not None:
        status = "rate limited"
    if response.status in (402, 403) and not secret:
        status = "bad response"
    said = response.body[:2000].decode("utf-8", "replace")
    for part in secret.split():
        said = said.replace(part, "***")
    said = " ".join(said.split())[:160]
    words = f": {said}" if said and not said.startswith("<") else ""
    return FetchError(f"the server answered {response.status}{words}", status=status, retry_after=wait)


def validators(stored: Response) -> dict[str, str]:
    """The headers of a conditional request."""
    pairs = (("if-none-match", "etag"), ("if-modified-since", "last-modified"))
    return {ours: stored.headers[theirs] for ours, theirs in pairs if theirs in stored.headers}
