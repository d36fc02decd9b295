"""Keys are in no log, error, export, database, recording or redirect: whole runs with fake keys, then a search."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from xlane_helpers import NOW, settings, wire_answer, wire_post, xai_answer

from pipeline.briefing import EXPORTS, compose, export_brief
from pipeline.briefing.json import report_json
from pipeline.diagnose import diagnose
from pipeline.flow import explore
from pipeline.settings import Settings
from pipeline.store import open_store
from pipeline.types import Question, Report
from pipeline.world import World

KEYS = {
    "X_BEARER_TOKEN": "fakeXbearer%3D0a1b2c3d4e5f",
    "XAI_API_KEY": "fake-xai-9f8e7d6c5b4a",
    "NEWSAPI_KEY": "fakenewsapi1122334455",
    "GUARDIAN_API_KEY": "fake-guardian-66778899",
}
SOURCES = ("x", "newsapi", "guardian")
HOSTS = {"api.x.com", "api.x.ai", "newsapi.org", "content.guardianapis.com"}
ELSEWHERE = "elsewhere.example"


def key_in(request: httpx.Request) -> str:
    """The key that a request carries."""
    values = [request.headers.get(name, "") for name in ("authorization", "x-api-key", "api-key")]
    return next((value.split()[-1] for value in values if value), "")


def good(request: httpx.Request) -> httpx.Response:
    """Answers that hold one item each, and repeat the key beside it."""
    said = f"your key is {key_in(request)}"
    match request.url.host:
        case "api.x.com" if request.url.path == "/2/usage/tweets":
            body = {"data": {"project_usage": "5", "project_cap": said}}
        case "api.x.com":
            body: Any = wire_answer([wire_post(f"Rome Italy metro opens, {said}")]) | {"errors": [{"detail": said}]}
        case "api.x.ai":
            body = xai_answer([]) | {"note": said}
        case "newsapi.org":
            article = {"title": "Rome Italy metro opens", "url": "https://a.example/1", "description": said}
            body = {"status": "ok", "articles": [article | {"publishedAt": "2026-11-29T08:00:00Z"}]}
        case _:
            item = {"id": "w/1", "webTitle": "Rome Italy metro", "webUrl": "https://g.example/1"}
            item |= {"webPublicationDate": "2026-11-29T08:00:00Z", "fields": {"trailText": said}}
            body = {"response": {"status": "ok", "results": [item]}}
    return httpx.Response(200, json=body, headers={"x-said": said})


def refused(request: httpx.Request) -> httpx.Response:
    said = f"invalid key {key_in(request)} ({quote(key_in(request), safe='')})"
    return httpx.Response(401, json={"title": "Unauthorized", "detail": said, "error": said}, headers={"x-said": said})


def broken(request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError(f"no route for {dict(request.headers)} {key_in(request)}")


def unreadable(request: httpx.Request) -> httpx.Response:
    return httpx.Response(200, text=f"<html>key {key_in(request)}</html>")


def odd(request: httpx.Request) -> httpx.Response:
    """JSON in a shape nobody foresaw."""
    return httpx.Response(200, json={"data": 7, "meta": [key_in(request)], "output": key_in(request), "response": 3})


def away(request: httpx.Request) -> httpx.Response:
    if request.url.host == ELSEWHERE:
        return httpx.Response(200, json={"data": [], "status": "ok", "articles": [], "response": {"results": []}})
    return httpx.Response(302, headers={"location": f"https://{ELSEWHERE}/"})


def away_with_the_key(request: httpx.Request) -> httpx.Response:
    return httpx.Response(302, headers={"location": f"https://{ELSEWHERE}/?token={quote(key_in(request))}"})


def home_with_the_key(request: httpx.Request) -> httpx.Response:
    if request.url.path == "/again":
        return good(request)
    return httpx.Response(302, headers={"location": f"https://{request.url.host}/again?apikey={key_in(request)}"})


ANSWERS = [good, refused, broken, unreadable, odd, away, away_with_the_key, home_with_the_key]


def using(backend: str) -> Settings:
    loaded = settings(backend=backend)
    embedding = loaded.pipeline.embedding.model_copy(update={"model": "off"})
    collect = loaded.pipeline.collect.model_copy(update={"retries": 0})
    changed = loaded.pipeline.model_copy(update={"embedding": embedding, "collect": collect})
    return loaded.model_copy(update={"pipeline": changed})


def everything(folder: Path) -> Iterator[tuple[str, bytes]]:
    """(name, content) of every file, also inside archives and compressed columns of a database."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield str(path.name), path.read_bytes()
            if zipfile.is_zipfile(path):
                with zipfile.ZipFile(path) as file:
                    yield from ((f"{path.name}:{name}", file.read(name)) for name in file.namelist())
            if path.suffix == ".db":
                yield from cells(path)


def cells(path: Path) -> Iterator[tuple[str, bytes]]:
    with sqlite3.connect(path) as database:
        tables = [name for (name,) in database.execute("select name from sqlite_master where type = 'table'")]
        for table in tables:
            for row in database.execute(f'select * from "{table}"'):
                for value in row:
                    if isinstance(value, bytes):
                        yield f"{table} (unpacked)", unpacked(value)


def unpacked(value: bytes) -> bytes:
    try:
        return zlib.decompress(value, wbits=47)
    except zlib.error:
        return value


def leaks(name: str, content: bytes) -> list[str]:
    return [
        f"{key} in {name}"
        for key, value in KEYS.items()
        for form in {value, quote(value, safe=""), value.replace("%3D", "=")}
        if form.encode() in content
    ]


@pytest.mark.parametrize("backend", ["x_api", "grok"])
@pytest.mark.parametrize("answers", ANSWERS, ids=[one.__name__ for one in ANSWERS])
def test_keys_are_nowhere(
    tmp_path: Path,
    answers: Callable[[httpx.Request], httpx.Response],
    backend: str,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    sent: list[httpx.Request] = []
    told: list[Any] = []

    def served(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return answers(request)

    world = World(
        settings=using(backend),
        store=open_store(tmp_path / "lately.db"),
        clock=lambda: NOW,
        environ=KEYS,
        progress=lambda kind, **facts: told.append((kind, facts)),
        transport=httpx.MockTransport(served),
        record=tmp_path / "run.zip",
    )
    asked = Question(text="Rome Italy metro", sources=SOURCES, days=7, x_handles=("newsroom_it",))
    report = asyncio.run(explore(asked, world))
    exported(report, tmp_path)
    found = asyncio.run(
        diagnose(
            "Rome",
            settings=world.settings,
            store=world.store,
            environ=KEYS,
            transport=world.transport,
            now=NOW,
            sources=SOURCES,
        )
    )
    (tmp_path / "said.txt").write_text(repr((report, told, found, caplog.text, capsys.readouterr())))

    assert {request.url.host for request in sent if key_in(request)} <= HOSTS
    assert {key_in(request) for request in sent if request.url.host == ELSEWHERE} <= {""}
    abroad = [str(request.url) for request in sent if request.url.host not in HOSTS]
    assert not [leak for url in abroad for leak in leaks(url, url.encode())]
    assert not [leak for name, content in everything(tmp_path) for leak in leaks(name, content)]


def exported(report: Report, folder: Path) -> None:
    made = compose(report, now=NOW)
    for form in (one.name for one in EXPORTS):
        (folder / f"brief.{form}").write_bytes(export_brief(made, form, report))
    (folder / "run.json").write_text(json.dumps(report_json(report), ensure_ascii=False, default=str))


def test_the_search_for_keys_can_fail(tmp_path: Path) -> None:
    """A key in a compressed column, in an archive or in plain text is found."""
    key = KEYS["XAI_API_KEY"].encode()
    with sqlite3.connect(tmp_path / "lately.db") as database:
        database.execute("create table kept (body blob)")
        database.execute("insert into kept values (?)", (zlib.compress(b"said " + key),))
    with zipfile.ZipFile(tmp_path / "run.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("bodies/0000", key)
    (tmp_path / "log.txt").write_bytes(key)
    found = {name for name, content in everything(tmp_path) if leaks(name, content)}
    assert found == {"kept (unpacked)", "run.zip:bodies/0000", "log.txt"}


@pytest.mark.parametrize("backend", ["x_api", "grok"])
def test_the_runs_above_really_carry_the_keys(tmp_path: Path, backend: str) -> None:
    sent: list[str] = []

    def served(request: httpx.Request) -> httpx.Response:
        sent.append(key_in(request))
        return good(request)

    world = World(
        settings=using(backend),
        store=open_store(tmp_path / "lately.db"),
        clock=lambda: NOW,
        environ=KEYS,
        transport=httpx.MockTransport(served),
    )
    report = asyncio.run(explore(Question(text="Rome Italy metro", sources=SOURCES, days=7), world))
    assert set(sent) == set(KEYS.values()) - {KEYS["XAI_API_KEY" if backend == "x_api" else "X_BEARER_TOKEN"]}
    assert {o.source: o.status for o in report.outcomes if o.source != "x"} == {"newsapi": "ok", "guardian": "ok"}
