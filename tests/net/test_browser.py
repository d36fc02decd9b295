"""Pages that scripts draw: filled by a real Chromium that has no network but ours."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from pipeline.collect import gather
from pipeline.net import Net, Recorder, browser
from pipeline.settings import CustomPage, Selectors
from pipeline.sources.html_extract import HtmlExtract
from tests.collect.helpers import plan, settings

PAGE = """<html><body><div id="root"></div><script src="/draw.js"></script>
<img src="/picture.png"><iframe src="/frame"></iframe></body></html>"""
DRAW = """
const reach = address => fetch(address).then(r => r.text()).catch(() => "refused");
Promise.all([
  fetch("/items.json?" + navigator.userAgent).then(r => r.json()),
  reach("http://127.0.0.1:OTHER/secret"), reach("http://169.254.169.254/latest"), reach("http://localhost:OTHER/secret"),
  new Promise(end => { const s = new WebSocket("ws://127.0.0.1:OTHER/"); s.onclose = s.onerror = () => end("closed"); }),
]).then(([items, ...tried]) => {
  document.getElementById("root").innerHTML = items.map(i => `<li><a href="${i.link}">${i.title}</a></li>`).join("")
    + `<p>${tried}</p>`;
});
"""


class Site(ThreadingHTTPServer):
    """A page that is empty until its script has asked for the items; notes every path asked."""

    daemon_threads = True

    def __init__(self, draw=DRAW):
        self.asked, self.draw = [], draw
        super().__init__(("127.0.0.1", 0), Answers)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def port(self):
        return self.server_address[1]


class Answers(BaseHTTPRequestHandler):
    def do_GET(self):
        path = self.path.partition("?")[0]
        self.server.asked.append(self.path)
        items = [{"title": f"Harbour bridge report {n}", "link": f"/news/{n}"} for n in range(3)]
        kinds = {
            "/page": ("text/html", PAGE),
            "/draw.js": ("text/javascript", self.server.draw),
            "/items.json": ("application/json", json.dumps(items)),
            "/secret": ("text/plain", "inside"),
        }
        kind, body = kinds.get(path, ("text/plain", ""))
        self.send_response(200 if path in kinds else 404)
        self.send_header("content-type", kind)
        self.send_header("access-control-allow-origin", "*")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *arguments):
        pass


@pytest.fixture
def chromium():
    found = shutil.which("chromium")
    if found is None and os.environ.get("LATELY_REQUIRE_BROWSER") != "1":
        pytest.skip("no chromium on the path")
    pytest.importorskip("playwright")


@pytest.fixture
def site():
    with Site() as server:
        yield server
        server.shutdown()


def page(url, render=True):
    chosen = Selectors(item="li", title="a", link="a@href")
    return CustomPage(name="Harbour", url=url, selectors=chosen, render=render, interval_seconds=0)


def read(entry, recorder=None, **collect):
    using = settings(**collect)
    using = using.model_copy(update={"sources": using.sources.model_copy(update={"custom": (entry,)})})

    async def ask():
        async with Net(using, recorder=recorder) as net:
            return await gather(plan(sources=("custom",)), [HtmlExtract()], settings=using, net=net)

    return asyncio.run(ask())


@pytest.mark.browser
def test_a_page_that_fills_itself_is_read_and_reaches_nothing_else(chromium, site):
    with Site() as other:
        site.draw = DRAW.replace("OTHER", str(other.port))
        recorder = Recorder()
        gathered = read(page(f"http://127.0.0.1:{site.port}/page"), recorder, page_timeout_s=60, undated_pages=0)
        other.shutdown()
        assert other.asked == [], "an address that the analyst did not name"
    assert gathered.outcomes[0].status == "ok", gathered.outcomes[0].detail
    links = [(one.candidate.title, one.candidate.url) for one in gathered.judged]
    assert links == [(f"Harbour bridge report {n}", f"http://127.0.0.1:{site.port}/news/{n}") for n in range(3)]
    assert b"<p>refused,refused,refused,closed</p>" in recorder.exchanges[0].body
    paths = [path.partition("?")[0] for path in site.asked]
    assert paths == ["/robots.txt", "/page", "/draw.js", "/items.json"], "no picture, no frame"
    assert "Lately" in site.asked[-1], "it says who asks"


@pytest.mark.browser
def test_a_page_that_never_fills_ends_in_its_own_time(chromium, site):
    site.draw = "while (true) {}"
    gathered = read(page(f"http://127.0.0.1:{site.port}/page"), page_timeout_s=4)
    assert gathered.outcomes[0].status in ("timeout", "bad response")
    assert gathered.outcomes[0].elapsed_ms < 4000 * 1.05 + 100


def test_without_rendering_the_page_says_what_it_needs(site):
    gathered = read(page(f"http://127.0.0.1:{site.port}/page", render=False))
    assert (gathered.outcomes[0].status, gathered.judged) == ("bad response", ())
    assert "needs render: true" in gathered.outcomes[0].detail


def test_without_the_extra_one_line_says_what_to_install(site, monkeypatch):
    monkeypatch.setattr(browser, "find_spec", lambda name: None)
    gathered = read(page(f"http://127.0.0.1:{site.port}/page"))
    assert gathered.outcomes[0].status == "not configured"
    assert gathered.outcomes[0].detail == 'render: true needs a browser: pip install -e ".[render]"'
    assert site.asked == []
