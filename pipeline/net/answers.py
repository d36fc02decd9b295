"""What an answer says besides its body: how long to wait, whether it is a refusal, how to ask whether it changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from email.utils import parsedate_to_datetime
from urllib.parse import quote, unquote

from pipeline.errors import FetchError, Status
from pipeline.types import Response

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


def refusal(response: Response, *, keyed: bool) -> FetchError:
    """The error of an answer of status 400 and above, with the server's own words. `keyed`: a key was sent."""
    status: Status = _STATUS.get(response.status, "bad response" if response.status < 500 else "error")
    wait = retry_after(response.headers)
    if response.status == 503 and wait is not None:
        status = "rate limited"
    if response.status in (402, 403) and not keyed:
        status = "bad response"
    said = " ".join(response.body[:2000].decode("utf-8", "replace").split())[:160]
    words = f": {said}" if said and not said.startswith("<") else ""
    return FetchError(
        f"the server answered {response.status}{words}", status=status, retry_after=wait, code=response.status
    )


SHORTEST_KEY = 4
"""Characters; what is shorter is no key, and blanking it would blank words."""


def blanked(text: str, secret: str) -> str:
    """A text without the key of a secret header, as it is or percent-encoded."""
    key = secret.split()[-1] if secret.strip() else ""
    if len(key) >= SHORTEST_KEY:
        for form in {key, quote(key, safe=""), unquote(key)}:
            text = text.replace(form, "***")
    return text


def without_key(response: Response, secret: str) -> Response:
    """An answer in which a key that the server repeats is blanked: address, headers and body."""
    if not secret:
        return response
    body = blanked(response.body.decode("latin-1"), secret).encode("latin-1")
    headers = {name: blanked(value, secret) for name, value in response.headers.items()}
    return replace(response, url=blanked(response.url, secret), headers=headers, body=body)


def validators(stored: Response) -> dict[str, str]:
    """The headers of a conditional request."""
    pairs = (("if-none-match", "etag"), ("if-modified-since", "last-modified"))
    return {ours: stored.headers[theirs] for ours, theirs in pairs if theirs in stored.headers}
