"""One exchange with one host: send, read under the cap, and translate what httpx raises."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx

from pipeline.errors import FetchError, Status
from pipeline.net.answers import REDIRECTS
from pipeline.net.body import Body
from pipeline.types import INCOMPLETE, Response

STATUS_OF: tuple[tuple[type[Exception], Status], ...] = (
    (httpx.TimeoutException, "timeout"),
    (httpx.NetworkError, "error"),
    (httpx.ProtocolError, "bad response"),
    (httpx.DecodingError, "bad response"),
    (httpx.HTTPError, "error"),
)
"""Foreign error -> outcome, the first that fits."""


async def hop(
    client: httpx.AsyncClient,
    method: str,
    url: str,
    *,
    params: tuple[tuple[str, str], ...] = (),
    headers: Mapping[str, str],
    json: Mapping[str, Any] | None = None,
    cap: int,
) -> Response:
    """The answer of one host, at most `cap` bytes; redirects are handed back unread.

    Raises FetchError, and ConnectionError when the connection broke before an answer began.
    """
    began = False
    try:
        target = httpx.URL(url).copy_merge_params(list(params)) if params else httpx.URL(url)
        outgoing = client.build_request(method, target, headers=dict(headers), json=json)
        answer = await client.send(outgoing, stream=True)
        began = True
        try:
            return await _read(answer, cap)
        finally:
            await answer.aclose()
    except httpx.InvalidURL:
        raise FetchError("refused: the address, or where it redirects, is none", status="bad response") from None
    except httpx.HTTPError as error:
        said = str(error) or type(error).__name__
        if not began and isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError):
            raise ConnectionError(f"can't be reached: {said}") from None
        status = next(status for kind, status in STATUS_OF if isinstance(error, kind))
        raise FetchError(said, status=status) from None


async def _read(answer: httpx.Response, cap: int) -> Response:
    """The body as it arrives; one cut short is marked, unless nothing of it came."""
    headers = {name.lower(): value for name, value in answer.headers.items()}
    body = Body(headers.get("content-encoding", ""), cap)
    try:
        if answer.status_code not in REDIRECTS:
            async for chunk in answer.stream:  # type: ignore[union-attr]
                body.add(chunk)
    except (httpx.RemoteProtocolError, httpx.ReadError):
        if not body.bytes():
            raise
        headers[INCOMPLETE] = "1"
    return Response(url=str(answer.url), status=answer.status_code, headers=headers, body=body.bytes())
