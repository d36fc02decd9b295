"""Whatever text comes for an address, the only error is ours."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import httpx
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pipeline.errors import FetchError
from pipeline.net import Net
from pipeline.net.answers import retry_after
from pipeline.net.guard import host_port
from pipeline.net.recording import address, bare, words
from pipeline.types import Request
from tests.net.helpers import Journal, fetch
from tests.net.helpers import settings as of_collect

_ODD = st.text(alphabet="ahtp:/[]@#?%&=. 0189-_中\x00\\", max_size=40)
ADDRESSES = st.one_of(
    st.text(max_size=60),
    _ODD,
    st.builds("http://{}".format, _ODD),
    st.builds("https://a.example/{}".format, st.text(max_size=40)),
)


@given(ADDRESSES)
@example("http://[")
@example("http://a.example:99999/")
@example("http://[::1%25eth0]/")
def test_addresses_are_read_or_refused(url):
    with suppress(FetchError):
        host, port = host_port(url)
        assert host
        assert 0 < port < 65_536
    assert isinstance(address(Request(url=url)), str)
    assert isinstance(bare(url), str)


@settings(max_examples=60)
@given(ADDRESSES)
@example("http://[")
@example("//[")
@example("http://a.example:bad/")
def test_any_address_asked_or_redirected_to_ends_in_an_answer_or_our_error(url):
    async def run():
        journal = Journal(
            lambda r: httpx.Response(302, headers={"location": url.encode()}) if r.url.path == "/go" else "ok"
        )
        async with Net(of_collect(), transport=journal) as net:
            return await fetch(net, url, named=True, url=url), await fetch(net, "http://a.example/go")

    for result in asyncio.run(run()):
        assert isinstance(result, FetchError) or result.status == 200


@given(st.text(max_size=80))
def test_words_and_waits_never_fail(text):
    assert isinstance(words(text), frozenset)
    wait = retry_after({"retry-after": text, "date": text})
    assert wait is None or wait >= 0
