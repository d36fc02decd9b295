"""Every command: data on standard output, errors as one line, exit codes of the contract."""

import json
import re
import sys
from dataclasses import replace
from itertools import combinations
from types import ModuleType

import pytest
import yaml

import pipeline
from pipeline.cli import GROUPS
from pipeline.errors import FetchError, StoreError
from pipeline.types import Link, Outcome
from tests.store.helpers import NOW, plan, report

COMMANDS = [name for group in GROUPS.values() for name in group]


def fails(result, code):
    found, out, err = result
    assert found == code
    assert out == ""
    assert re.fullmatch(r"error: [^\n]+\n", err)
    return err


# --------------------------------------------------------------------------- help and errors


def test_help_lists_every_command(lately):
    code, out, _ = lately("--help")
    assert code == 0
    assert all(re.search(rf"^  {name} ", out, re.MULTILINE) for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples(lately, name):
    code, out, _ = lately(name, "--help")
    assert code == 0
    subs = re.findall(r"^│ ([a-z]+) {2,}", out.partition("Commands")[2], re.MULTILINE)
    for sub in subs:
        code, out, _ = lately(name, sub, "--help")
        assert code == 0
        assert "Examples" in out, f"{name} {sub}"
    assert subs or "Examples" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("run",),
        ("run", "x", "--dayz", "3"),
        ("run", "x", "--days", "many"),
        ("run", "x", "--depth", "bottomless"),
        ("run", "x", "--since", "2026-13-45"),
        ("run", "x", "--as-of", "soon"),
        ("runs", "show", "none"),
        ("authority", "set", "a.example", "0.5"),
        ("authority", "set", "a.example", "7", "--reason", "x"),
        ("authority", "undo", "a.example"),
        ("authority", "import", "/nowhere.yaml"),
        ("labels", "add", "topic", "q", "i", "perhaps"),
        ("labels", "import", "/nowhere.jsonl"),
        ("evaluate",),
        ("evaluate", "--task", "window", "--data", "/nowhere"),
        ("evaluate", "--task", "nothing", "--data", "."),
        ("evaluate", "--task", "x-judge", "--data", ".", "--sweep", "coverge"),
        ("mute", "add"),
        ("source", "add", "X", "ftp://a.example", "--no-test"),
        ("source", "add", "X", "https://a.example", "--kind", "search", "--no-test"),
        ("source", "add", "X", "https://a.example", "--kind", "custom", "--no-test"),
        ("profile", "save", "x", "--threshold", "400"),
        ("profile", "save", "x", "--from", "nothing"),
        ("store", "restore", "/nowhere.db"),
    ],
    ids=" ".join,
)
def test_wrong_arguments_are_one_line_and_exit_2(lately, monkeypatch, arguments):
    stand_in(monkeypatch, lambda query, **given: report(1))
    fails(lately(*arguments), 2)


def test_what_can_not_be_done_exits_1(lately, monkeypatch):
    def full(*given, **named):
        raise StoreError("the disk is full; free some space")

    stand_in(monkeypatch, full)
    assert "free some space" in fails(lately("run", "x"), 1)


def test_an_interrupt_is_said(lately, monkeypatch):
    def interrupted(*given, **named):
        raise KeyboardInterrupt

    stand_in(monkeypatch, interrupted)
    assert "stopped" in fails(lately("run", "x"), 130)


def test_a_broken_setting_names_file_and_line(lately, home):
    (home / "config").mkdir()
    (home / "config" / "pipeline.yaml").write_text("threshold: 40\nthreshhold: 3\n")
    assert "pipeline.yaml line 2: threshhold: unknown key" in fails(lately("runs", "list"), 2)


def test_a_foreign_database_is_said(lately, home):
    (home / "lately.db").write_text("no database " * 200)
    assert "is not a database" in fails(lately("runs", "list"), 1)


# --------------------------------------------------------------------------- run


def stand_in(monkeypatch, retrieve):
    flow = ModuleType("pipeline.flow")
    flow.retrieve_recent_now = retrieve
    monkeypatch.setitem(sys.modules, "pipeline.flow", flow)
    monkeypatch.setattr(pipeline, "retrieve_recent_now", retrieve, raising=False)


def outcome(status, requested=True):
    return Outcome(source="rss", endpoint="Daily", status=status, detail="why", requested=requested)


def test_run_hands_every_option_on(lately, monkeypatch, tmp_path):
    given = {}
    (tmp_path / "posts.csv").write_text("id,text\n1,Rome\n")
    monkeypatch.chdir(tmp_path)

    def retrieve(query, **named):
        given.update(named, query=query)
        named["progress"]("endpoint", source="rss", endpoint="Daily", status="ok", items=3)
        return report(8)

    stand_in(monkeypatch, retrieve)
    code, out, err = lately(
        "run", "x", "--days", 7, "--since", "2026-11-01", "--until", "2026-11-02", "--as-of", "2026-11-03T18:00Z",
        "--tz", "Asia/Shanghai", "--sources", "rss, gdelt", "--x-handle", "a", "--x-handle", "b",
        "--depth", "deep", "--demo", "--hide-seen", "--x-file", "posts.csv",
    )  # fmt: skip
    assert code == 0
    assert given["query"] == "x"
    assert (given["days"], given["depth"], given["demo"], given["zone"]) == (7, "deep", True, "Asia/Shanghai")
    assert given["hide_seen"] is True
    assert (given["sources"], given["x_handles"]) == (("rss", "gdelt"), ("a", "b"))
    assert given["x_import"] == str(tmp_path / "posts.csv")  # found again from any folder
    assert given["since"].isoformat() == "2026-10-31T16:00:00+00:00"
    assert given["until"].isoformat() == "2026-11-02T16:00:00+00:00"  # the day itself is included
    assert given["as_of"].isoformat() == "2026-11-03T18:00:00+00:00"
    assert err == "Daily: ok, 3 items\n"
    assert "the council votes" in out


@pytest.mark.parametrize(
    ("statuses", "plain", "strict"),
    [
        (["ok", "empty"], 0, 0),
        (["ok", "cancelled"], 0, 0),
        (["ok", "timeout"], 0, 3),
        (["timeout", "not configured"], 1, 3),
        ([], 0, 0),
        (["empty"], 0, 0),
    ],
    ids=["all well", "stopped early", "one failed", "none answered", "none asked", "nothing found"],
)
def test_exit_codes_of_a_run(lately, monkeypatch, statuses, plain, strict):
    kept = replace(report(4), outcomes=tuple(map(outcome, statuses)))
    stand_in(monkeypatch, lambda query, **given: kept)
    assert lately("run", "x")[0] == plain
    assert lately("run", "x", "--strict")[0] == strict
    monkeypatch.setenv("LATELY_STRICT_EXIT", "1")
    assert lately("run", "x")[0] == strict


def test_strict_counts_requested_endpoints_only(lately, monkeypatch):
    kept = replace(report(4), outcomes=(outcome("ok"), outcome("timeout", requested=False)))
    stand_in(monkeypatch, lambda query, **given: kept)
    assert lately("run", "x", "--strict")[0] == 0


def test_json_holds_the_keys_of_the_contract_and_every_candidate(lately, monkeypatch):
    stand_in(monkeypatch, lambda query, **given: report(12))
    code, out, _ = lately("run", "x", "--json")
    found = json.loads(out)
    assert code == 0
    assert {
        "run_id", "plan", "selected", "dropped", "funnel", "outcomes", "events", "x", "warnings", "stages", "demo",
    } <= found.keys()  # fmt: skip
    assert len(found["selected"]) + len(found["dropped"]) == 12
    first = found["selected"][0]
    assert {
        "id", "title", "url", "source", "domain", "author", "published_at", "date", "total", "tier", "parts",
        "penalties", "event_id", "copies", "upstream", "excerpt",
    } <= first.keys()  # fmt: skip
    assert first["date"]["chosen"]["kind"] == "feed"
    assert first["published_at"].endswith("Z")
    assert set(first["parts"]["relevance"]) == {"value", "weight", "evidence"}
    assert found["dropped"][0]["bucket"] == "below threshold"
    assert found["stages"][0] == {
        "name": "score",
        "in": 12,
        "out": 3,
        "dropped": {"below threshold": 10},
        "seconds": 0.1,
    }
    assert {"text", "route", "stability", "window", "raw_topic", "core_subject", "subqueries"} <= found["plan"].keys()
    assert found["x"]["verdicts"]["before"]["on_topic_ratio"] == 0.2


def test_an_empty_run_says_what_came_nearest_and_what_to_try(lately, monkeypatch):
    empty = report(4)
    empty.table.bucket[:] = 11
    stand_in(monkeypatch, lambda query, **given: empty)
    code, out, _ = lately("run", "x")
    assert code == 0
    assert "came nearest" in out
    assert "--threshold 20" in out


def test_text_from_sources_can_not_steer_the_terminal(lately, monkeypatch):
    from pipeline.types import Bucket
    from tests.store import helpers

    item = helpers.candidate(1, title="\x1b[31mred\nnext line [bold]x[/bold]")
    scored = helpers.scored(item, 1, Bucket.SELECTED)
    kept = replace(report(1), table=helpers.table([item], [Bucket.SELECTED], [50]), details=lambda row: scored)
    stand_in(monkeypatch, lambda query, **given: kept)
    out = lately("run", "x")[1]
    assert "\x1b" not in out
    assert "[31mred next line [bold]x[/bold]" in out


# --------------------------------------------------------------------------- what is kept


def test_runs_are_listed_shown_compared_and_deleted(lately, store):
    store.runs.save(report(8, run_id="one"))
    later = report(8, run_id="two", first=4)
    store.runs.save(later)
    assert [row["id"] for row in json.loads(lately("runs", "list", "--json")[1])] == ["two", "one"]
    assert "what did the council decide lately" in lately("runs", "list")[1]
    assert json.loads(lately("runs", "show", "one", "--json")[1])["run_id"] == "one"
    assert "below threshold" in lately("runs", "show", "one", "--all")[1]

    found = json.loads(lately("compare", "one", "two", "--json")[1])
    assert ([one["id"] for one in found["new"]], [one["id"] for one in found["gone"]], found["same"]) == (
        ["rss:8"],
        ["rss:0"],
        1,
    )
    assert found["gone"][0]["now"] is None
    said = lately("compare", "one", "two")[1]
    assert said.startswith("1 new, 1 gone, 0 moved, 1 as before") and "not fetched" in said
    assert lately("runs", "diff", "one", "two")[1] == said

    assert lately("runs", "delete", "one")[0] == 0
    fails(lately("runs", "show", "one"), 2)


def test_feedback_events_and_leads(lately, store):
    kept = report(8, run_id="one")
    store.runs.save(kept)
    assert lately("feedback", "adopt", "one", kept.table.ids[0])[0] == 0
    assert lately("feedback", "dismiss", "one", kept.table.ids[1], "--note", "rumour")[0] == 0
    assert [one["kind"] for one in json.loads(lately("feedback", "list", "--json")[1])] == ["dismiss", "adopt"]
    assert "no item" in fails(lately("feedback", "adopt", "one", "zzz"), 2)
    assert "8 items" in fails(lately("feedback", "adopt", "one", "rss:"), 2)

    assert lately("events", "join", "one", "event 0", "event 1")[0] == 0
    assert store.memory.decisions() == {("rss:0", "rss:1"): True}
    fails(lately("events", "join", "one", "event 0"), 2)
    fails(lately("events", "split", "one", "event 0", "rss:0"), 2)
    assert lately("leads", "--json")[0] == 0


def test_splitting_separates_the_item_from_every_other_member(lately, store):
    kept = report(4, run_id="one")
    joined = replace(kept.events[0], id="e", members=("rss:0", "rss:1", "rss:2"))
    store.runs.save(replace(kept, events=(joined,)))
    assert json.loads(lately("events", "list", "one", "--json")[1])[0]["id"] == "e"
    for item in ("nosuch", "rss:3"):
        assert "`lately events why one e` lists" in fails(lately("events", "split", "one", "e", item), 2)
    assert lately("events", "split", "one", "e", "rss:1")[0] == 0
    assert store.memory.decisions() == {("rss:0", "rss:1"): False, ("rss:1", "rss:2"): False}


def test_why_tells_what_joined_an_event_and_what_was_kept_apart(lately, store):
    kept = report(4, run_id="one")
    joined = Link(a="rss:0", b="rss:1", relation="copy", layer="lead fingerprint", distance=0.1, reason="again")
    vetoes = tuple(
        Link(a=a, b=b, relation="apart", layer="veto: numbers", distance=1.0, reason=f"{a} against {b}")
        for a, b in (("rss:1", "rss:2"), ("rss:2", "rss:3"))
    )
    event = replace(kept.events[0], id="e", members=("rss:0", "rss:1"), why=(joined,))
    store.runs.save(replace(kept, events=(event, *kept.events[2:]), apart=vetoes))
    told = json.loads(lately("events", "why", "one", "e", "--json")[1])
    assert [link["reason"] for link in told] == ["again", "rss:1 against rss:2"]
    said = lately("events", "why", "one", "e")[1]
    members, reasons = said.split("Why they are one event")
    assert "rss:0" in members and "rss:1" in members and "rss:2" not in members
    assert "veto: numbers" in reasons


@pytest.mark.parametrize(
    ("titles", "shown"),
    [(("Same", "Same"), {"Same (rss:0)", "Same (rss:1)"}), (("One", "Other"), {"One", "Other"})],
)
def test_reports_of_one_title_are_told_apart_by_their_ids(lately, store, titles, shown):
    kept = report(2, run_id="one")
    kept = replace(kept, table=replace(kept.table, titles=titles))
    link = Link(a="rss:0", b="rss:1", relation="copy", layer="title fingerprint", distance=0.0, reason="again")
    store.runs.save(replace(kept, events=(replace(kept.events[0], id="e", members=("rss:0", "rss:1"), why=(link,)),)))
    last = lately("events", "why", "one", "e")[1].splitlines()[-1]
    assert {one.strip() for one in last.split("again")[1].strip().split("  ") if one.strip()} == shown


def test_the_later_word_on_events_holds_for_all_members_and_can_be_taken_back(lately, store):
    kept = report(4, run_id="one")
    first = replace(kept.events[0], id="e", members=("rss:0", "rss:1"), originator="rss:0")
    other = replace(kept.events[1], id="f", members=("rss:2", "rss:3"), originator="rss:2")
    store.runs.save(replace(kept, events=(first, other)))
    store.memory.decide([("rss:1", "rss:3"), ("rss:0", "rss:3")], joined=False, at=NOW)
    store.memory.decide([("rss:1", "rss:9")], joined=False, at=NOW)
    assert lately("events", "join", "one", "e", "f")[0] == 0
    every = combinations(("rss:0", "rss:1", "rss:2", "rss:3"), 2)
    assert store.memory.decisions() == {**dict.fromkeys(every, True), ("rss:1", "rss:9"): False}
    assert lately("events", "undo", "one", "f")[0] == 0
    assert store.memory.decisions() == {("rss:1", "rss:9"): False}
    assert "nothing was decided" in fails(lately("events", "undo", "one", "f"), 2)


def test_authority_from_set_to_undo(lately, tmp_path):
    assert lately("authority", "set", "a.example", "0.7", "--reason", "careful")[0] == 0
    assert json.loads(lately("authority", "list", "--json")[1])[0]["bias"] == 0.7
    (tmp_path / "out.yaml").write_text(lately("authority", "export")[1])
    assert lately("authority", "undo", "a.example")[0] == 0
    assert json.loads(lately("authority", "list", "--json")[1]) == []
    assert "1 bias changed" in lately("authority", "import", tmp_path / "out.yaml")[2]
    history = json.loads(lately("authority", "history", "a.example", "--json")[1])
    assert [one["reason"] for one in history["changes"]] == ["careful", "careful"]
    assert "careful" in lately("authority", "history")[1]


def test_an_imported_bias_reaches_its_source_however_the_file_writes_it(lately, store, tmp_path):
    written = ("WWW.A.example", "https://a.example:8443/x", "https://x.com/Ann", "www.Bücher.de")
    (tmp_path / "in.yaml").write_text(
        "authority:\n" + "".join(f"- {{source: '{one}', bias: 0.1}}\n" for one in written)
    )
    code, _, err = lately("authority", "import", tmp_path / "in.yaml")
    assert (code, store.authority.biases().keys()) == (0, {"a.example", "@ann", "xn--bcher-kva.de"})
    assert "line 3: a.example is named twice" in err


def test_of_many_bad_entries_of_a_file_the_first_are_named(lately, tmp_path):
    lines = [f"- {{source: good{n}.example, bias: 0.1}}\n- {{source: bad{n}.example}}" for n in range(40)]
    (tmp_path / "in.yaml").write_text("\n".join(["authority:", *lines]))
    code, _, err = lately("authority", "import", tmp_path / "in.yaml")
    assert (code, err.count("must be a number between 0 and 1")) == (0, 10)
    assert "40 biases changed" in err
    assert "40 entries in all" in err


def test_a_bias_is_tried_on_a_run_and_changes_are_undone_by_number(lately, store):
    from tests.pages import sample

    store.runs.save(sample.report(run_id="one"), learned=False)
    found = json.loads(lately("authority", "preview", "marasnotebook.example", "0", "--json")[1])
    assert (found["before"]["mean"], found["after"]["mean"], found["effect"]["n_gone"]) == (0.5, 0.0, 1)
    assert (found["in_run"]["before"]["mean"], found["in_run"]["after"]["mean"]) == (0.5, 0.0)
    assert "in the run 0.50 (class outlet) -> 0.00" in lately("authority", "preview", "marasnotebook.example", "0")[1]
    assert "no longer" in lately("authority", "preview", "marasnotebook.example", "0")[1]
    code, out, err = lately("authority", "preview", "elsewhere.example", "0")
    assert (code, len(out.splitlines()), "scored nothing from elsewhere.example" in err) == (0, 2, True)
    assert store.authority.history() == ()

    assert lately("authority", "set", "a.example", "0.7", "--reason", "careful")[0] == 0
    (change,) = store.authority.history()
    assert change.who.endswith("command line")
    assert lately("authority", "undo", "--id", str(change.id))[0] == 0
    assert lately("authority", "undo")[0] == 2
    assert store.authority.biases() == {}


def test_a_source_is_named_by_its_address_and_the_command_that_shows_the_effect_does(lately, store):
    from tests.pages import sample

    ran = sample.report(run_id="one")
    store.runs.save(ran, learned=False)
    code, _, err = lately("authority", "set", "https://www.MarasNotebook.example/a", "0", "--reason", "wrong twice")
    assert (code, store.authority.biases()) == (0, {"marasnotebook.example": 0.0})
    command = err.partition("`lately ")[2].partition("`")[0].split()
    ranks = [one["total"] for one in json.loads(lately(*command, "--json")[1])["ranking"]]
    assert ranks != [one["total"] for one in json.loads(lately("rescore", "last", "--json")[1])["ranking"]]


BIASES = [
    ("the source's key", "marasnotebook.example=0.1", ""),
    ("with www", "www.marasnotebook.example=0.1", ""),
    ("an address", "https://MarasNotebook.example/a=0.1", ""),
    ("a slip", "marasnotebok.example=0.1", "no source marasnotebok.example; did you mean marasnotebook.example?"),
    ("nobody of the run", "unheard-of.test=0.1", "this run has no source unheard-of.test\n"),
]


@pytest.mark.parametrize(("given", "warned"), [row[1:] for row in BIASES], ids=[row[0] for row in BIASES])
def test_a_bias_reaches_its_source_or_says_that_the_run_has_none(lately, store, given, warned):
    from tests.pages import sample

    store.runs.save(sample.report(run_id="one"), learned=False)
    code, out, err = lately("rescore", "one", "--bias", given, "--json")
    assert (code, warned in err, "warning" in err) == (0, True, bool(warned))
    moved = json.loads(out)["ranking"] != json.loads(lately("rescore", "one", "--json")[1])["ranking"]
    assert moved == (not warned)


def test_preferences(lately, home):
    assert lately("interests", "set", "chips", "光刻机")[0] == 0
    assert json.loads(lately("interests", "list", "--json")[1])["set"] == ["chips", "光刻机"]
    assert lately("mute", "add", "--domain", "spam.example", "--word", "gossip")[0] == 0
    assert json.loads(lately("mute", "list", "--json")[1]) == {"domains": ["spam.example"], "words": ["gossip"]}
    assert lately("mute", "remove", "--word", "gossip")[0] == 0
    assert "gossip" not in lately("mute", "list")[1]


def test_sets_of_sources(lately, store):
    assert lately("sets", "save", "desk", "rss, x")[0] == 0
    assert json.loads(lately("sets", "list", "--json")[1]) == {"desk": {"sources": ["rss", "x"], "saved": True}}
    assert "rss, x" in lately("sets", "list")[1]
    fails(lately("sets", "save", "desk", "nowhere"), 2)
    assert lately("sets", "delete", "desk")[0] == 0
    fails(lately("sets", "delete", "desk"), 2)


def test_profiles_and_sources_are_written_to_the_users_folder(lately, home):
    assert lately("profile", "save", "mine", "--weights", "timeliness=0.5", "--decay", "linear", "--days", "60")[0] == 0
    assert lately("source", "add", "City", "https://city.example/feed", "--class", "official", "--no-test")[0] == 0
    from pipeline.cli import common

    common.settings.cache_clear()
    assert json.loads(lately("profile", "list", "--json")[1])["mine"]["weights"]["timeliness"] == 0.5
    assert any(feed.name == "City" for feed in common.settings().sources.rss)
    assert lately("source", "remove", "City")[0] == 0
    assert lately("profile", "delete", "mine")[0] == 0
    assert "no profile 'mine' is saved" in fails(lately("profile", "delete", "mine"), 2)


def test_labels_in_and_out(lately, tmp_path):
    assert lately("labels", "add", "relevance", "oil", "doc-1", "3")[0] == 0
    exported = lately("labels", "export")[1]
    assert json.loads(exported)["label"] == "3"
    (tmp_path / "labels.jsonl").write_text(exported)
    assert lately("labels", "import", tmp_path / "labels.jsonl")[0] == 0
    assert lately("labels", "export", "--format", "qrels")[1] == "oil 0 doc-1 3\n"


def test_briefs_and_exports(lately, store, tmp_path):
    kept = report(8, run_id="one")
    store.runs.save(kept)
    store.feedback.give("adopt", kept, 0, kept.created_at)
    assert kept.table.titles[0] in lately("brief", "show", "one")[1]
    found = json.loads(lately("export", "one", "--format", "json")[1])
    assert found["run_id"] == found["brief"]["run_id"] == "one"
    assert json.loads(lately("brief", "show", "one", "--json")[1])["leads"] == found["brief"]["leads"]
    for form in ("md", "html", "csv", "docx", "json"):
        out = tmp_path / f"brief.{form}"
        assert lately("export", "one", "--format", form, "--out", out)[0] == 0
        assert out.stat().st_size > 100
    assert lately("brief", "show", "one", "--format", "csv")[1].lstrip("\ufeff").startswith("section,position")
    fails(lately("export", "one", "--format", "papyrus"), 2)
    fails(lately("brief", "show", "one", "--format", "papyrus"), 2)
    fails(lately("export", "one", "--format", "md", "--out", tmp_path / "no" / "where"), 2)


def test_a_brief_is_written_and_ordered_from_the_command_line(lately, store, tmp_path):
    kept = report(8, run_id="one")
    store.runs.save(kept)
    for row in range(3):
        store.feedback.give("adopt", kept, row, kept.created_at)
    assert lately("brief", "title", "one", "Council, 十一月")[0] == 0
    assert lately("brief", "intro", "one", "In short.")[0] == 0
    assert lately("brief", "note", "one", "rss:1", "Ask them.")[0] == 0
    assert "it was: Ask them." in lately("brief", "note", "one", "rss:1", "Ask again.")[2]
    assert lately("brief", "headline", "one", "rss:1", "In my words")[0] == 0
    assert lately("brief", "move", "one", "rss:0", "first")[0] == 0
    assert lately("brief", "move", "one", "rss:0", "down")[0] == 0
    assert lately("brief", "move", "one", "rss:1", "3")[0] == 0
    listed = json.loads(lately("brief", "list", "one", "--json")[1])
    assert [one["item"] for one in listed["items"]] == ["rss:2", "rss:0", "rss:1"]
    assert "In my words" in lately("brief", "list", "one")[1]
    made = json.loads(lately("brief", "show", "one", "--json")[1])
    assert (made["title"], made["introduction"]) == ("Council, 十一月", "In short.")
    assert [one["item_id"] for one in made["leads"]] == ["rss:2", "rss:0", "rss:1"]
    assert made["leads"][2]["note"] == "Ask again."
    page = lately("export", "one", "--format", "html")[1]
    assert page.index("Council, 十一月") < page.index("In short.") < page.index("In my words")
    fails(lately("brief", "note", "one", "rss:7", "not adopted"), 2)
    fails(lately("brief", "move", "one", "rss:0", "sideways"), 2)
    fails(lately("brief", "move", "one", "rss:0", "4"), 2)
    fails(lately("brief", "title", "one", "x" * 301), 2)


def test_all_facts_are_adopted_in_one_go(lately, store):
    from tests.pages import sample

    kept = sample.report()
    store.runs.save(kept)
    assert "Nothing is adopted" in lately("brief", "list", "sample")[1]
    store.feedback.give("dismiss", kept, 10, kept.created_at)
    assert lately("brief", "adopt", "sample")[2] == "adopted: 4\n"
    made = json.loads(lately("brief", "show", "sample", "--json")[1])
    assert (len(made["facts"]), len(made["leads"]), made["adopted"]) == (4, 0, True)


def test_rescoring_shows_what_moved(lately, store):
    store.runs.save(report(8, run_id="one"))
    code, out, _ = lately("rescore", "one", "--weights", "timeliness=1", "--threshold", "10", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["settings"]["threshold"] == 10
    assert {"rank", "rank_change", "id", "total", "bucket", "tier", "values"} <= found["ranking"][0].keys()
    for wrong in ("speed=1", "timeliness", "timeliness=x", "timeliness=-1"):
        fails(lately("rescore", "one", "--weights", wrong), 2)


def test_rescoring_explains_an_item_and_saves_a_profile(lately, store):
    store.runs.save(report(8, run_id="one"))
    found = json.loads(lately("rescore", "one", "--item", "1", "--json")[1])
    assert found["steps"][0]["start"] == 0
    assert found["steps"][-1]["end"] == pytest.approx(found["total"], abs=0.01)
    assert lately("rescore", "one", "--window", "14", "--bias", "a.org=0.7", "--save-profile", "mine")[0] == 0
    saved = yaml.safe_load((store.path.parent / "config" / "profiles" / "mine.yaml").read_text())
    assert (saved["days"], saved["authority_bias"]["a.org"]) == (14, 0.7)
    for wrong in (("--item", "99"), ("--bias", "a.org=2"), ("--bias", "x"), ("--window", "0")):
        fails(lately("rescore", "one", *wrong), 2)


def test_store_backup_check_restore(lately, store, tmp_path):
    store.runs.save(report(4, run_id="one"))
    assert lately("store", "backup", tmp_path / "b.db")[0] == 0
    assert lately("runs", "delete", "one")[0] == 0
    assert lately("store", "restore", tmp_path / "b.db")[0] == 0
    assert lately("runs", "show", "one")[0] == 0
    assert json.loads(lately("store", "check", "--json")[1])["problems"] == []


def test_judging_a_file_of_posts(lately, tmp_path):
    posts = [{"id": str(n), "author": f"user{n}", "text": text, "created_at": "2026-11-01T00:00:00Z"} for n, text in
             enumerate(["Rome council votes", "a football match", "Rome and Italy agree"])]  # fmt: skip
    (tmp_path / "posts.jsonl").write_text("\n".join(map(json.dumps, posts)))
    code, out, _ = lately("judge-x", tmp_path / "posts.jsonl", "--topic", "Rome", "--x-handle", "user1", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["counts"] == {"on_topic": 2, "off_topic": 1, "unjudged": 0}
    assert {"handle", "on_topic", "total", "promotable", "gate"} <= found["handles"][0].keys()
    assert [post["verdict"] for post in found["posts"]] == ["on", "off", "on"]


def test_a_file_is_judged_by_the_analysts_own_floors(lately, tmp_path):
    (tmp_path / "config").mkdir(exist_ok=True)
    (tmp_path / "config" / "pipeline.yaml").write_text("x:\n  corpus_on_topic_floor: 0.9\n")
    (tmp_path / "posts.csv").write_text("id,author,text\n1,a_a,Rome\n2,a_a,Rome again\n3,b_b,soup\n")
    found = json.loads(lately("judge-x", tmp_path / "posts.csv", "--topic", "Rome", "--x-handle", "@A_A", "--json")[1])
    assert found["is_off_topic_flood"] and found["should_retry"]
    assert [(one["handle"], one["promotable"]) for one in found["handles"]] == [("a_a", "explicit"), ("b_b", "no")]


def test_of_many_bad_posts_of_a_file_the_first_are_named(lately, tmp_path):
    (tmp_path / "posts.jsonl").write_text('{"id": "1", "text": "Rome"}\n' + "[oops\n" * 40)
    code, _, err = lately("judge-x", tmp_path / "posts.jsonl", "--topic", "Rome")
    assert (code, err.count("broken JSON at column")) == (0, 10)
    assert "40 entries in all" in err


def test_of_many_posts_of_a_file_the_first_are_printed_and_json_holds_them_all(lately, tmp_path):
    (tmp_path / "posts.csv").write_text("id,author,text\n" + "".join(f"{n},a_a,Rome {n}\n" for n in range(600)))
    _, out, err = lately("judge-x", tmp_path / "posts.csv", "--topic", "Rome")
    assert (out.count("query words found"), "the first 500 of 600 posts" in err) == (500, True)
    assert len(json.loads(lately("judge-x", tmp_path / "posts.csv", "--topic", "Rome", "--json")[1])["posts"]) == 600


def test_judge_x_says_what_the_judge_did_in_a_run(lately, store):
    from tests.pages import x_sample

    store.runs.save(x_sample.report())
    code, out, _ = lately("judge-x", "--run", "x")
    assert code == 0
    assert "Off-topic flood: 1 of 7 posts were about “AI agent frameworks released” (0.14, floor 0.40)." in out
    code, out, _ = lately("judge-x", "--run", "x", "--source", "bluesky", "--json")
    assert json.loads(out)["before"]["on_topic"] == 1
    code, _, said = lately("judge-x", "--run", "x", "--source", "rss")
    assert code == 2 and "judged sources: x, bluesky" in said
    code, _, said = lately("judge-x")
    assert code == 2 and "give a FILE and its --topic, or --run RUN" in said
    code, _, said = lately("judge-x", "posts.csv", "--topic", " ")
    assert code == 2 and "the --topic is empty" in said


def test_the_plan_is_printed_with_what_x_would_be_sent(lately, monkeypatch):
    monkeypatch.setattr(pipeline, "parse_query", lambda question, settings, now: plan(question.text), raising=False)
    found = json.loads(lately("parse", "council", "--json")[1])
    assert found["x_queries"][0].startswith("council since:2026-10-31 until:2026-12-01")
    assert len(found["x_queries"]) == 3
    assert "on X" in lately("parse", "council")[1]


@pytest.mark.parametrize(
    ("query", "says", "not_said"),
    [
        pytest.param(
            "who won the 2022 world cup", "nothing is fetched", ("\nsearch        who", "on X", "window"), id="timeless"
        ),
        pytest.param(
            "what did the central bank decide last week",
            "Without that: the answer does not change",
            ("changes: never", "  The answer"),
            id="a time overrules a timeless subject",
        ),
        pytest.param("council votes this week", "search        council votes", ("Without that",), id="recent"),
    ],
)
def test_a_plan_does_not_contradict_itself(lately, query, says, not_said):
    code, out, _ = lately("parse", query)
    assert code == 0 and says in out
    assert [part for part in not_said if part in out] == []


def test_a_failed_request_is_one_line(lately, monkeypatch):
    def refuse(*given, **named):
        raise FetchError("a.example: refused;\ntry later")

    stand_in(monkeypatch, refuse)
    assert fails(lately("run", "x"), 1) == "error: a.example: refused; try later\n"
