"""Sets of sources by name, and leaving out what was seen: from the question through a live run."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from pipeline import Bucket, InputError, Question, retrieve_recent_now, save_source_set, source_sets
from pipeline.choices import spelled_out
from pipeline.settings import load_settings
from pipeline.store import open_store

NOW = datetime(2026, 11, 30, tzinfo=UTC)
ASKED = "agent frameworks last 7 days"
LEAD = "The agent framework keeps its sessions when the process ends, says its maker, and asks before a tool is used. "


@pytest.fixture
def world(tmp_path):
    """A store, and a file of items as the only source; sources.yaml holds the set "press"."""
    environ = {
        "LATELY_HOME": str(tmp_path),
        "LATELY_SOURCES__FILE__PATHS": json.dumps([str(tmp_path / "items.jsonl")]),
        "LATELY_SOURCES__SETS": json.dumps({"press": ["rss", "gdelt"]}),
    }
    return {"store": open_store(tmp_path / "lately.db"), "settings": load_settings(environ), "environ": environ}


def write(folder, *items: tuple[str, str, str]) -> None:
    at = (datetime.now(UTC) - timedelta(days=1)).isoformat()
    lines = [{"title": t, "url": f"https://{site}.example/{t[-8:]}", "date": at, "text": x} for t, site, x in items]
    (folder / "items.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")


ALPHA = ("Agent framework Alpha released with sessions", "alpha", LEAD)
COPY = ("Agent framework Alpha released with sessions", "echo", LEAD)
BETA = ("Agent framework Beta opens its evaluation suite", "beta", "Beta measures how often an agent framework asks.")


def buckets(report) -> Counter[str]:
    return Counter(Bucket(int(bucket)).label for bucket in report.table.bucket)


def test_what_a_live_run_showed_is_hidden_only_where_the_question_says_so(world, tmp_path):
    write(tmp_path, ALPHA, COPY)
    first = retrieve_recent_now(ASKED, sources=("file",), **world)
    assert len(first.items) == 1 and len(first.items[0].copies) == 1
    write(tmp_path, ALPHA, COPY, BETA)
    hiding = retrieve_recent_now(ASKED, sources=("file",), hide_seen=True, **world)
    assert [item.title for item in hiding.items] == [BETA[0]]
    assert buckets(hiding) == {"seen before": 2, "selected": 1}  # the copy beneath counts as seen too
    assert "An earlier run showed it" in next(hiding.dropped()).reason
    assert {"seen before": 2} in [dict(note.dropped) for note in hiding.stages]
    assert hiding.funnel["file"]["fetched"] == 3
    assert "seen before" not in buckets(retrieve_recent_now(ASKED, sources=("file",), **world))


def test_the_demo_leaves_nothing_to_hide(world):
    demo = retrieve_recent_now(ASKED, demo=True, hide_seen=True, **world)
    again = retrieve_recent_now(ASKED, demo=True, hide_seen=True, **world)
    assert len(demo.items) == len(again.items) > 0


def test_a_set_is_saved_listed_and_written_out_in_the_question(world):
    settings, store = world["settings"], world["store"]
    assert save_source_set(settings, store, "  my   desk ", ["rss", "x", "rss"], NOW) == "my desk"
    assert source_sets(settings, store) == {"press": ("rss", "gdelt"), "my desk": ("rss", "x")}
    asked = Question(text="q", sources=("my desk", "press", "file"))
    assert spelled_out(asked, settings, store).sources == ("rss", "x", "gdelt", "file")
    assert spelled_out(Question(text="q"), settings, store).sources is None


def test_a_saved_set_is_asked_by_its_name(world, tmp_path):
    write(tmp_path, ALPHA)
    save_source_set(world["settings"], world["store"], "mine", ["file"], NOW)
    report = retrieve_recent_now(ASKED, sources=("mine",), **world)
    assert report.plan.question.sources == ("file",) and len(report.items) == 1


@pytest.mark.parametrize(
    ("name", "sources", "said"),
    [
        ("press", ["rss"], "taken by sources.yaml"),
        ("rss", ["rss"], "taken by sources.yaml"),
        ("default", ["rss"], "taken by sources.yaml"),
        ("mine", [], "at least one source"),
        ("mine", ["telegraph"], "unknown source 'telegraph'"),
        (" ", ["rss"], "a name of 1 to 60"),
        ("x" * 61, ["rss"], "a name of 1 to 60"),
    ],
)
def test_a_set_that_cannot_be_kept_says_why(world, name, sources, said):
    with pytest.raises(InputError, match=said):
        save_source_set(world["settings"], world["store"], name, sources, NOW)
    assert not world["store"].prefs.source_sets()
