"""Connections on asyncio's streams: TLS, several addresses, idle connections that the server closes."""

from __future__ import annotations

import asyncio
import shutil
import socket
import ssl
import subprocess

import pytest

from pipeline.net import Net
from tests.net.helpers import fetch, server, settings


async def _answer(reader, writer):
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    await writer.drain()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate for localhost that signs itself."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is needed to make a certificate")
    folder = tmp_path_factory.mktemp("tls")
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost "
        "-addext subjectAltName=DNS:localhost -keyout key.pem -out cert.pem"
    )
    subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize(
    ("trusted", "host", "expected"),
    [
        pytest.param(True, "localhost", b"ok", id="trusted"),
        pytest.param(False, "localhost", "error", id="signed by nobody we know"),
        pytest.param(True, "127.0.0.1", "error", id="for another name"),
    ],
)
def test_certificates_are_checked(certificate, trusted, host, expected):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
    environ = {"SSL_CERT_FILE": str(certificate / "cert.pem")} if trusted else {}

    async def serve(reader, writer):
        await _answer(reader, writer)
        writer.close()

    async def run():
        running = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
        url = f"https://{host}:{running.sockets[0].getsockname()[1]}/"
        try:
            async with Net(settings(), environ=environ) as net:
                return await fetch(net, url, named=True, url=url)
        finally:
            running.close()

    result = asyncio.run(run())
    assert getattr(result, "body", getattr(result, "status", None)) == expected


def test_the_next_address_is_tried_when_one_does_not_answer(monkeypatch):
    def resolve(name, port, **_):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in ("127.0.0.2", "127.0.0.1")]

    async def run():
        async with server(_answer) as url:
            named = url.replace("127.0.0.1", "two.example")
            monkeypatch.setattr(socket, "getaddrinfo", resolve)
            async with Net(settings()) as net:
                return await fetch(net, named, named=True, url=named)

    assert asyncio.run(run()).body == b"ok"


def test_an_idle_connection_the_server_closed_is_not_used_again():
    connections = []

    async def one_answer(reader, writer):
        connections.append(1)
        await _answer(reader, writer)

    async def run():
        async with server(one_answer) as url, Net(settings()) as net:
            answers = []
            for n in range(3):
                answers.append(await fetch(net, f"{url}/{n}", named=True, url=url))
                await asyncio.sleep(0.02)
            return [answer.body for answer in answers]

    assert asyncio.run(run()) == [b"ok"] * 3
    assert len(connections) == 3


def test_an_open_connection_is_used_again():
    connections = []

    async def many_answers(reader, writer):
        connections.append(1)
        while True:
            await _answer(reader, writer)

    async def run():
        async with server(many_answers) as url, Net(settings()) as net:
            return [(await fetch(net, f"{url}/{n}", named=True, url=url)).body for n in range(3)]

    assert asyncio.run(run()) == [b"ok"] * 3
    assert len(connections) == 1
