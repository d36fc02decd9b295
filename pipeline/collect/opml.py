"""Reading the OPML an analyst names: an address or a file, asked like everything else.

The analyst named the list. What stands in a list of the web was named by whoever wrote it, so its feeds may lie in a
private network only at the list's own host and port; those of a local file may lie anywhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from pipeline.errors import FetchError, InputError
from pipeline.net import Net
from pipeline.net.guard import host_port
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
    limit = settings.pipeline.collect.api_timeout_s
    options = {} if on_the_web(where) else {"file": True}
    endpoint = Endpoint(source=_OPML, name=_OPML, url=where, timeout_s=limit, named=True, options=options)
    deadline = asyncio.get_running_loop().time() + limit
    try:
        response = await net.fetch(Request(url=where), endpoint=endpoint, deadline=deadline)
        feeds = tuple(read(response.body))
    except FetchError as error:
        raise InputError(f"OPML {where}: {error}; check the address or the file") from error
    if not feeds:
        raise InputError(f"OPML {where}: it names no feed; give a file with xmlUrl entries")
    return feeds


def on_the_web(where: str) -> bool:
    """Whether an OPML is an address; else it is a file of this machine."""
    return where.lower().startswith(("http://", "https://"))


def named_by(where: str, url: str) -> bool:
    """Whether who named the OPML `where` named the feed at `url` too: all of a file, of an address its own host."""
    if not on_the_web(where):
        return True
    try:
        return host_port(url) == host_port(where)
    except FetchError:
        return False
