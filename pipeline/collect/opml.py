"""Reading the OPML an analyst names: an address or a file, asked like everything else, its hosts allowed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from pipeline.errors import FetchError, InputError
from pipeline.net import Net
from pipeline.settings import Feed, Settings
from pipeline.types import Endpoint, Request

_OPML = "opml"
"""Named like a source, so that a replay does not take the list for a feed."""


async def fetch_opml(
    where: str, *, net: Net, settings: Settings, read: Callable[[bytes], Sequence[Feed]]
) -> tuple[Feed, ...]:
    """The feeds of an OPML file or address. Raises InputError in one line when it can't be had or read."""
    if not where.strip():
        raise InputError("no OPML is named; give a file or an address, or leave the option out")
    web = where.lower().startswith(("http://", "https://"))
    limit = settings.pipeline.collect.api_timeout_s
    options = {} if web else {"file": True}
    endpoint = Endpoint(source=_OPML, name=_OPML, url=where, timeout_s=limit, named=True, options=options)
    net.allow(where)
    deadline = asyncio.get_running_loop().time() + limit
    try:
        response = await net.fetch(Request(url=where), endpoint=endpoint, deadline=deadline)
        feeds = tuple(read(response.body))
    except FetchError as error:
        raise InputError(f"OPML {where}: {error}; check the address or the file") from error
    if not feeds:
        raise InputError(f"OPML {where}: it names no feed; give a file with xmlUrl entries")
    for feed in feeds:
        net.allow(feed.url)
    return feeds
