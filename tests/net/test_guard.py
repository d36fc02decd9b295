"""Which addresses are private, and that a name is judged by what it resolves to."""

from __future__ import annotations

import asyncio
import socket

import pytest

from pipeline.net import Net
from pipeline.net.guard import host_port, public
from pipeline.net.transport import proxies
from tests.net.helpers import fetch, server, settings


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1%eth0", False),
        ("fc00::1", False),
        ("::ffff:127.0.0.1", False),
        ("64:ff9b::a00:1", False),
        ("2002:a00:1::", False),
    ],
)
def test_public_addresses(address, expected):
    assert public(address) is expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://A.Example/x", ("a.example", 80)),
        ("https://a.example./", ("a.example", 443)),
        ("http://user:pw@a.example:8080/", ("a.example", 8080)),
        ("http://[::1]:81/", ("::1", 81)),
    ],
)
def test_host_and_port(url, expected):
    assert host_port(url) == expected


@pytest.mark.parametrize(
    ("host", "resolves_to"),
    [
        ("intranet.example", "10.0.0.7"),
        ("rebound.example", "127.0.0.1"),
        ("2130706433", "127.0.0.1"),
        ("metadata.example", "169.254.169.254"),
    ],
)
def test_a_name_that_resolves_to_a_private_address_is_refused_at_connect(host, resolves_to, monkeypatch):
    def resolve(name, port, **_):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (resolves_to, port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)

    async def run():
        async with Net(settings()) as net:
            return await fetch(net, f"http://{host}/")

    error = asyncio.run(run())
    assert (error.status, "private network" in str(error)) == ("bad response", True)


async def _hello(reader, writer):
    await reader.readline()
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    await writer.drain()


def test_loopback_is_refused_unless_named_and_named_by_its_endpoint_counts():
    async def run():
        async with server(_hello) as url, Net(settings()) as net:
            refused = await fetch(net, url)
            by_endpoint = await fetch(net, url, named=True, url=url)
            other_name = await fetch(net, url.replace("127.0.0.1", "localhost"), named=True, url=url)
            return refused, by_endpoint, other_name

    refused, by_endpoint, other_name = asyncio.run(run())
    assert refused.status == "bad response"
    assert by_endpoint.body == b"ok"
    assert other_name.status == "bad response", "what was named is the host as written"


def test_a_connection_to_a_private_host_is_no_way_in_for_others(monkeypatch):
    """The open connection of the endpoint named there would need no look at the address any more."""
    asked = []

    async def hello_twice(reader, writer):
        for _ in range(2):
            asked.append((await reader.readuntil(b"\r\n\r\n")).split()[1].decode())
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            await writer.drain()

    def resolve(name, port, **_):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    async def run():
        async with server(hello_twice) as url:
            monkeypatch.setattr(socket, "getaddrinfo", resolve)
            intranet = url.replace("127.0.0.1", "intranet.example")
            async with Net(settings()) as net:
                first = await fetch(net, f"{intranet}/feed", named=True, url=f"{intranet}/feed")
                again = await fetch(net, f"{intranet}/feed", named=True, url="http://b.example/")
                other = await fetch(net, f"{intranet}/x", named=True, url="http://b.example/")
                return first, again, other

    first, again, other = asyncio.run(run())
    assert first.body == b"ok"
    assert "private network" in str(other)
    assert "private network" in str(again), "nor is its answer"
    assert asked == ["/feed"]


def test_a_name_without_an_address_is_an_error_in_words():
    async def run():
        async with Net(settings()) as net:
            return await fetch(net, "http://nobody.invalid/")

    assert "no address found for nobody.invalid" in str(asyncio.run(run()))


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, {}),
        ({"NO_PROXY": "a.example"}, {}),
        ({"HTTP_PROXY": "proxy.example:3128", "NO_PROXY": "*"}, {}),
    ],
)
def test_no_proxy(environ, expected):
    assert proxies(environ) == expected


def test_proxies_are_those_of_the_environment_that_was_given_and_never_for_this_machine():
    routes = proxies({"https_proxy": "proxy.example:3128", "NO_PROXY": "a.example, 10.0.0.0/8"})
    assert routes["https://"] == "http://proxy.example:3128"
    assert {key for key, proxy in routes.items() if proxy is None} == {
        "all://*a.example", "all://localhost", "all://127.0.0.1", "all://[::1]"
    }  # fmt: skip
