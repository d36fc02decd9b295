"""What an analyst may type, keep in a file or have on a disk: one line that says what to do, never a traceback."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pipeline.cli.common import emit_run
from pipeline.cli.story import print_story
from pipeline.diagnose import Diagnosis
from pipeline.store import open_store
from pipeline.store.database import Database
from pipeline.types import Outcome
from tests.store.helpers import report

QUESTION = "AI agent frameworks released in the last 30 days"
NOT_UTF8 = os.fsdecode(b"oil \xff\xfe price")


def fails(result, code):
    found, out, err = result
    assert found == code
    assert out == ""
    assert re.fullmatch(r"error: [^\n]+\n", err)
    return err


@pytest.fixture(autouse=True)
def without_models(monkeypatch):
    for name in ("MODEL", "RERANK_MODEL"):
        monkeypatch.setenv(f"LATELY_PIPELINE__EMBEDDING__{name}", "off")


@pytest.fixture
def configured(home):
    """Writes one of the user's configuration files."""

    def write(name, content):
        path = home / "config" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


# --------------------------------------------------------------------------- arguments


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param(("",), "type what you want to know", id="empty"),
        pytest.param(("  \t ",), "type what you want to know", id="blank"),
        pytest.param(("?!",), "no word or number", id="punctuation only"),
        pytest.param(("oil price " * 1000,), "shorten it", id="10,000 characters"),
        pytest.param((NOT_UTF8,), "encoding to UTF-8", id="bytes that are no UTF-8"),
        pytest.param(("oil on February 30 2026",), "correct it or leave it out", id="30 February"),
        pytest.param(("2月30日 油价",), "correct it or leave it out", id="30 February in Chinese"),
        pytest.param(("oil in 2131",), "choose a time that has begun", id="future year in the text"),
        pytest.param(("oil", "--since", "2026-02-30"), "write 2026-11-30", id="30 February as an option"),
        pytest.param(("oil", "--since", "2099-01-01", "--until", "2099-02-01"), "that has begun", id="future window"),
        pytest.param(("oil", "--until", "9999-12-30"), "correct the year", id="the last year of the calendar"),
        pytest.param(("oil", "--as-of", "0001-01-01"), "correct the year", id="the first day of the calendar"),
        pytest.param(("oil", "--since", "2026-11-01T00:00Z", "--until", "2026-11-01T00:00Z"), "move one", id="no time"),
        pytest.param(("oil", "--days", "-3"), "from 1 to 36500", id="negative days"),
        pytest.param(("oil", "--days", "0"), "from 1 to 36500", id="no days"),
        pytest.param(("oil", "--days", "9" * 30), "from 1 to 36500", id="days without end"),
        pytest.param(("oil", "--threshold", "900"), "--help", id="threshold over 100"),
        pytest.param(("oil", "--max-results", "0"), "--help", id="no results wanted"),
        pytest.param(("oil", "--sources", "foo"), "known: rss", id="unknown source"),
        pytest.param(("oil", "--sources", " , "), "name at least one", id="no source"),
        pytest.param(("oil", "--profile", "foo"), "known: balanced", id="unknown profile"),
        pytest.param(("oil", "--tz", "Mars/Base"), "use a name such as", id="unknown zone"),
        pytest.param(("oil", "--opml", ""), "give a file or an address", id="no OPML named"),
        pytest.param(("oil", "--opml", "/nowhere.opml"), "check the address or the file", id="no OPML there"),
        pytest.param(("oil", "--opml", "/"), "check the address or the file", id="OPML is a folder"),
        pytest.param(("oil", "--opml", "http://127.0.0.1:9/opml"), "check the address", id="OPML address refuses"),
        pytest.param(("oil", "--opml", "http://[::1/opml"), "check the address", id="OPML address is none"),
        pytest.param(("oil", "--x-file", "/nowhere.csv"), "does not exist", id="no file of posts there"),
        pytest.param(("oil", "--x-file", "/"), "is a directory", id="the file of posts is a folder"),
    ],
)
def test_what_can_not_be_asked(lately, arguments, says):
    assert says in fails(lately("run", *arguments), 2)


@pytest.mark.parametrize("body", [b"no opml", b"\0\1\xff\xfe", b"<opml><body><outline text='x'/></body></opml>", b""])
def test_a_file_that_is_no_opml(lately, tmp_path, body):
    path = tmp_path / "feeds.opml"
    path.write_bytes(body)
    assert "export it again" in fails(lately("run", "oil", "--opml", path), 2)


NUMBER = "9" * 23


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("authority", "undo", "--id", NUMBER), id="a change"),
        pytest.param(("authority", "undo", "--id", "-1"), id="a change below 0"),
        pytest.param(("feedback", "undo", NUMBER), id="a word on an item"),
        pytest.param(("runs", "list", "--limit", NUMBER), id="runs"),
        pytest.param(("leads", "--days", "999999999"), id="days of leads"),
        pytest.param(("run", "oil", "--demo", "--max-results", NUMBER), id="results"),
        pytest.param(("profile", "save", "z", "--days", "99999999"), id="days of a profile"),
        pytest.param(("profile", "save", "z", "--days", "0"), id="no days of a profile"),
        pytest.param(("rescore", "last", "--window", "1e-300"), id="a window of no time"),
        pytest.param(("rescore", "last", "--window", NUMBER), id="a window without end"),
    ],
)
def test_numbers_out_of_range(lately, arguments):
    assert "--help" in fails(lately(*arguments), 2)


def test_a_number_nobody_foresaw_is_said_in_one_line(lately, monkeypatch):
    def overflow(text):
        raise OverflowError("date value out of range")

    monkeypatch.setattr("pipeline.cli.upkeep.say", overflow)
    assert "date value out of range" in fails(lately("store", "check"), 2)


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        pytest.param("timeliness=1e308,authority=1e308", "0 to 100", id="too heavy"),
        pytest.param("timeliness=inf", "0 to 100", id="without end"),
        pytest.param("timeliness=nan", "0 to 100", id="no number"),
        pytest.param(
            "timeliness=0,relevance=0,authority=0,corroboration=0,completeness=0", "is off", id="all that are on"
        ),
    ],
)
def test_weights_nothing_could_be_ranked_by(lately, store, weights, says):
    store.runs.save(report(8, run_id="one"))
    assert says in fails(lately("rescore", "one", "--weights", weights), 2)
    assert says in fails(lately("profile", "save", "mine", "--weights", weights), 2)


def test_only_preference_weighs_where_there_are_interest_words(lately, store):
    store.prefs.set_words("interests", ["bridge"], datetime(2026, 11, 30, tzinfo=UTC))
    weights = "timeliness=0,relevance=0,authority=0,corroboration=0,completeness=0,preference=1"
    assert lately("profile", "save", "mine", "--weights", weights)[0] == 0


@pytest.mark.parametrize("name", ["a,b", ",", "--strict", "a\x1b[31mb"])
def test_a_set_that_could_not_be_named(lately, name):
    assert "--sources could not name it" in fails(lately("sets", "save", "--", name, "rss"), 2)


ESCAPE = "\x1b]0;owned\x07 \x1b[31mred\x9b1m\u202e"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


def test_stored_words_give_the_terminal_no_orders(lately, store):
    at = datetime(2026, 11, 30, tzinfo=UTC)
    store.prefs.save_source_set(f"desk{ESCAPE}\nrow", ["rss"], at)
    store.authority.set("example.org", 0.5, f"why{ESCAPE}", at)
    store.prefs.set_words("interests", [f"bridge{ESCAPE}"], at)
    store.health.record("r", [Outcome(source="rss", endpoint=f"Daily{ESCAPE}", status="error", detail=ESCAPE)], at)
    commands = (
        ("sets", "list"), ("authority", "list"), ("authority", "history"), ("interests", "list"), ("source", "health"),
        ("authority", "undo", "example.org"), ("sets", "delete", f"gone{ESCAPE}"),
    )  # fmt: skip
    said = [lately(*command) for command in commands]
    assert any("red" in out for _, out, _ in said)
    for command, (_, out, err) in zip(commands, said, strict=True):
        assert not OBEYED.search(out + err), command
    assert [line for line in said[0][1].splitlines() if line.startswith("row")] == []


@pytest.mark.parametrize("options", [(), ("--json",)], ids=["text", "JSON"])
def test_judged_posts_give_the_terminal_no_orders(lately, tmp_path, options):
    posts = [{"id": "1", "author": f"ann{ESCAPE}", "text": f"Rome floods{ESCAPE}"}]
    (tmp_path / "posts.json").write_text(json.dumps(posts))
    code, out, err = lately("judge-x", tmp_path / "posts.json", "--topic", "Rome floods", *options)
    assert code == 0 and "red" in out
    assert not OBEYED.search(out + err)
    if options:
        (post,) = json.loads(out)["posts"]
        assert "\x9b" in post["text"], "nothing is lost for who reads it as JSON"


def test_a_run_as_json_gives_the_terminal_no_orders(capsys):
    found = report(3)
    emit_run(replace(found, warnings=(f"careful{ESCAPE}",)))
    out = capsys.readouterr().out
    assert not OBEYED.search(out)
    assert json.loads(out)["warnings"] == [f"careful{ESCAPE}"]


def test_a_story_gives_the_terminal_no_orders(capsys):
    found = report(3)
    plan = replace(found.plan, text=f"oil{ESCAPE}")
    outcomes = (Outcome(source="rss", endpoint=f"Daily{ESCAPE}", status="error", detail=f"down{ESCAPE}"),)
    print_story(replace(found, plan=plan, outcomes=outcomes, warnings=(f"careful{ESCAPE}",)))
    out = capsys.readouterr().out
    assert out.count("red") == 4
    assert not OBEYED.search(out)


@pytest.mark.parametrize(
    ("since", "until"),
    [("2026-11-20", "2026-11-10"), ("2026-11-20", "2026-11-19"), ("2026-11-20T10:00Z", "2026-11-20T09:00Z")],
)
def test_since_after_until_is_a_slip(lately, since, until):
    said = fails(lately("run", "oil", "--since", since, "--until", until, "--demo"), 2)
    assert f"--since {since} is not before --until {until}" in said


def test_days_beside_since_are_explained(lately):
    assert "the days from there on" in " ".join(lately("run", "--help")[1].replace("│", " ").split())


def test_bytes_that_are_no_utf8_from_a_real_terminal(home):
    command = [os.fsencode(sys.executable), b"-m", b"pipeline", b"parse", b"oil \xff\xfe price"]
    done = subprocess.run(command, capture_output=True, timeout=60)
    assert done.returncode == 2
    assert re.fullmatch(rb"error: [^\n]+UTF-8[^\n]*\n", done.stderr)


LATIN1 = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize(
    ("shell", "environ", "code", "says"),
    [
        pytest.param("interests list >&-", {}, 0, b"", id="standard output is closed"),
        pytest.param("labels import - <&-", {}, 0, b"0 labels", id="standard input is closed"),
        pytest.param("labels import - < {file}", {}, 2, b"UTF-8", id="standard input is no UTF-8"),
        pytest.param("labels import - < {file}", LATIN1, 2, b"UTF-8", id="the same where the locale would take it"),
    ],
)
def test_streams_as_a_shell_may_hand_them_over(home, shell, environ, code, says):
    (home / "file").write_bytes(b"caf\xe9")
    command = f"exec {sys.executable} -m pipeline {shell.format(file=home / 'file')}"
    done = subprocess.run(command, shell=True, capture_output=True, timeout=60, env=os.environ | environ)
    assert (done.returncode, b"Traceback" in done.stderr, says in done.stderr) == (code, False, True)


def test_a_terminal_that_knows_no_chinese_still_gets_the_plan(home):
    environ = os.environ | {"PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "pipeline", "parse", "上周 油价"]
    done = subprocess.run(command, capture_output=True, timeout=60, env=environ)
    assert (done.returncode, done.stderr) == (0, b"")


# --------------------------------------------------------------------------- configuration


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        pytest.param("pipeline.yaml", "threshold: [1\n", "correct the YAML", id="a bracket left open"),
        pytest.param("pipeline.yaml", "- 3\n", "must hold keys with values", id="a list"),
        pytest.param("pipeline.yaml", "words\n", "must hold keys with values", id="words"),
        pytest.param("pipeline.yaml", b"threshold: 4\xff\n", "save it as UTF-8", id="another encoding"),
        pytest.param("pipeline.yaml", "a: &a [*a]\n", "write it out", id="an entry that holds itself"),
        pytest.param("pipeline.yaml", "a: 2026-02-30\n", "correct it", id="30 February"),
        pytest.param("pipeline.yaml", "a: " + "[" * 20_000, "correct the YAML", id="20,000 brackets"),
        pytest.param("pipeline.yaml", "a: !!python/object:os.system x\n", "correct the YAML", id="a tag"),
        pytest.param("pipeline.yaml", "threshold: many\n", "line 1: threshold: input should be", id="no number"),
        pytest.param("sources.yaml", 'rss:\n  - {name: X, url: "http', "correct the YAML", id="a feed cut short"),
        pytest.param("sources.yaml", "rss:\n  - {name: X}\n", "url: field required", id="a feed without address"),
        pytest.param("sources.yaml", "\nrss:\n  - {url: http://x}\n", "line 3: rss.0.name", id="a feed without name"),
        pytest.param("sources.yaml", "rss: hello\n", "input should be a list", id="no list of feeds"),
        pytest.param("profiles/p.yaml", "weights: 3\n", "label: field required", id="a profile"),
    ],
)
def test_a_broken_file_is_named_and_so_is_the_cure(lately, configured, name, content, says):
    path = configured(name, content)
    for command in (("run", QUESTION, "--demo"), ("diagnose", "--sources", "rss")):
        said = fails(lately(*command), 2)
        assert said.startswith(f"error: {path}")
        assert says in said


def test_a_folder_in_the_place_of_a_file_is_named(lately, home):
    folder = home / "config" / "pipeline.yaml"
    folder.mkdir(parents=True)
    assert fails(lately("parse", "oil"), 2).startswith(f"error: {folder}: can't be read")


def test_off_is_a_word_here(lately, configured):
    configured("pipeline.yaml", "embedding: {model: off}\n")
    assert lately("parse", "oil")[0] == 0


# --------------------------------------------------------------------------- the database and the disk


def test_a_home_that_is_a_file(lately, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    for home in ("file", "file/below"):
        monkeypatch.setenv("LATELY_HOME", str(tmp_path / home))
        assert "set LATELY_HOME to a writable folder" in fails(lately("runs", "list"), 1)


def test_a_home_that_can_not_be_written(lately, monkeypatch):
    monkeypatch.setenv("LATELY_HOME", "/proc/lately")
    assert "set LATELY_HOME to a writable folder" in fails(lately("run", QUESTION, "--demo"), 1)


def test_a_database_that_is_a_folder(lately, home):
    (home / "lately.db").mkdir()
    assert "writable, or set LATELY_HOME" in fails(lately("runs", "list"), 1)


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda body: b"no database " * 1000, id="another file"),
        pytest.param(lambda body: body[: len(body) // 2], id="cut short"),
        pytest.param(lambda body: body[:8192] + b"\xaa" * (len(body) - 8192), id="overwritten"),
    ],
)
def test_a_damaged_database_names_the_backup(lately, store, home, spoil):
    store.prefs.words("interests")
    store.close()
    path = home / "lately.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path.write_bytes(spoil(path.read_bytes()))
    assert "lately store restore FILE" in fails(lately("run", QUESTION, "--demo"), 1)


def test_a_locked_database_is_waited_for_and_then_said(lately, configured, store, home):
    configured("pipeline.yaml", "store: {busy_timeout_s: 0.2}\n")
    hold = (
        "import sqlite3, sys; connection = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "connection.execute('BEGIN IMMEDIATE'); print('held', flush=True); sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", hold, str(home / "lately.db")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert other.stdout.readline() == b"held\n"
        assert "wait for it to end" in fails(lately("interests", "set", "bridge"), 1)
        code, out, err = lately("run", QUESTION, "--demo")
        assert (code, "this run is not stored" in out, "wait for it to end" in err) == (1, True, True), (
            "the run is not lost"
        )
        assert lately("runs", "list")[0] == 0, "reading goes on"
    finally:
        other.communicate()


@pytest.mark.parametrize("elsewhere", [True, False], ids=["room elsewhere", "no room anywhere"])
def test_a_full_disk_costs_no_run(lately, store, home, monkeypatch, elsewhere):
    """SQLite's own page limit stands in for the disk's end."""
    opened = Database._connection

    def limited(self):
        connection = opened(self)
        if not elsewhere or self.path == store.path:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    monkeypatch.setattr(Database, "_connection", limited)
    monkeypatch.setattr("tempfile.tempdir", str(home))
    code, out, err = lately("run", QUESTION, "--demo")
    assert code == 1
    assert "this run is not stored" in out
    assert re.search(r"^error: [^\n]+free some space[^\n]+\n\Z", err, re.MULTILINE)
    assert store.runs.count() == 0
    kept = list(home.glob("lately-*/lately.db"))
    assert len(kept) == elsewhere
    if kept:
        assert str(kept[0].parent) in err
        assert open_store(kept[0]).runs.load("last").plan.text == QUESTION
    else:
        assert "only what was printed above" in err
        assert not list(home.glob("lately-*"))


def test_a_full_disk_under_the_output(lately, monkeypatch):
    def full(text):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("pipeline.cli.upkeep.say", full)
    assert "check the disk" in fails(lately("store", "check"), 1)


# --------------------------------------------------------------------------- diagnose


def diagnosed(monkeypatch, *found):
    async def diagnose(*given, **named):
        return found

    monkeypatch.setattr("pipeline.diagnose.diagnose", diagnose)


def test_diagnose_exits_1_when_no_source_works(lately, monkeypatch):
    diagnosed(monkeypatch, Diagnosis(source="rss", endpoint="Daily", status="timeout", advice="try again"))
    for arguments in ((), ("--json",)):
        code, out, _ = lately("diagnose", *arguments)
        assert code == 1
        assert "try again" in out


def test_diagnose_without_a_network_says_so_first_and_each_source_in_a_line(lately, monkeypatch):
    away = [
        Diagnosis(source="rss", endpoint=name, status="timeout", detail="no answer", advice="try again", requests=1)
        for name in ("Daily", "Weekly")
    ]
    diagnosed(monkeypatch, *away)
    _, clock, first, *lines = ["", *lately("diagnose")[1].splitlines()]
    assert clock.startswith("clock") and first.startswith("No source could be reached")
    assert lines == ["  rss/Daily: timeout. no answer", "  rss/Weekly: timeout. no answer"]


def test_diagnose_says_all_it_knows_of_a_source(lately, monkeypatch):
    newest = datetime(2026, 11, 29, 23, tzinfo=UTC)
    daily = Diagnosis(
        source="newsapi", endpoint="newsapi", status="ok", requests=1, elapsed_ms=12, items=9, dated=8, in_window=3,
        mean_score=51.5, dropped={"out of window": 5, "off topic": 2}, newest=newest, interval_hours=24.0,
        raw_date="Sun, 29 Nov 2026 23:00 GMT", converted="2026-11-30 07:00 Asia/Shanghai (zone stated)",
        key="NEWSAPI_KEY is set", budget="1 of 90 in the last 24 hours", detail="1 entries could not be read",
    )  # fmt: skip
    diagnosed(monkeypatch, daily, Diagnosis(source="gdelt", endpoint="gdelt", status="rate limited"))
    code, out, _ = lately("diagnose")
    assert code == 0, "one works"
    for said in (
        "newsapi/newsapi: ok, 1 request in 12 ms", "9, 8 dated, 3 in the window, mean score 51.5", "every 24 hours",
        "5 out of window, 2 off topic", "'Sun, 29 Nov 2026 23:00 GMT' read as 2026-11-30 07:00", "NEWSAPI_KEY is set",
        "1 of 90 in the last 24 hours; counted for its host", "1 entries could not be read", "gdelt/gdelt: rate limited",
    ):  # fmt: skip
        assert said in out
