"""What the analyst says: authorities, feedback, labels, preferences, events."""

import subprocess
import sys
from datetime import timedelta
from itertools import combinations
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.store import open_store
from pipeline.store.authority import ChangedMeanwhile, Evidence, Imported
from pipeline.store.labels import Label
from tests.store.helpers import NOW, report

DAY = timedelta(days=1)
ROOT = Path(__file__).resolve().parents[2]


# --------------------------------------------------------------------------- authorities


def test_the_latest_bias_holds_and_undo_goes_back_step_by_step(store):
    store.authority.set("WWW.Example.org", 0.7, "good", NOW)
    store.authority.set("example.org", 0.2, "retracted", NOW + DAY)
    assert store.authority.biases() == {"example.org": 0.2}

    undone = store.authority.undo("example.org", NOW + 2 * DAY)
    assert (undone.bias, undone.undone_at) == (0.2, NOW + 2 * DAY)
    assert store.authority.biases() == {"example.org": 0.7}
    store.authority.undo("example.org", NOW + 3 * DAY)
    assert store.authority.biases() == {}
    with pytest.raises(InputError, match="nothing to undo"):
        store.authority.undo("example.org", NOW)
    assert [(one.bias, one.reason) for one in store.authority.history()] == [(0.2, "retracted"), (0.7, "good")]


def test_a_bias_can_be_removed_and_the_removal_undone(store):
    store.authority.set("a.example", 0.7, "good", NOW)
    store.authority.set("a.example", None, "no opinion", NOW)
    assert store.authority.biases() == {}
    store.authority.undo("a.example", NOW)
    assert store.authority.biases() == {"a.example": 0.7}


@pytest.mark.parametrize(
    ("key", "bias", "reason"),
    [
        ("a.example", 1.1, "x"),
        ("a.example", float("nan"), "x"),
        ("a.example", 0.5, " "),
        ("", 0.5, "x"),
        ("a b", 0.5, "x"),
    ],
    ids=["too high", "no number", "no reason", "no source", "two words"],
)
def test_what_can_not_be_a_bias(store, key, bias, reason):
    with pytest.raises(InputError):
        store.authority.set(key, bias, reason, NOW)


def test_two_sessions_edit_at_once_and_the_later_sees_the_earlier(store):
    other = open_store(store.path)
    store.authority.set("a.example", 0.1, "one", NOW, who="ann")
    other.authority.set("a.example", 0.9, "two", NOW, who="ben")
    other.authority.set("b.example", 0.9, "two", NOW)
    assert [(one.who, one.reason) for one in other.authority.history("a.example")] == [("ben", "two"), ("ann", "one")]
    assert store.authority.biases() == {"a.example": 0.9, "b.example": 0.9}


def test_an_edit_that_has_not_seen_another_one_is_refused_and_names_it(store):
    seen = store.authority.versions()
    open_store(store.path).authority.set("a.example", 0.2, "retracted", NOW, who="ben")
    with pytest.raises(ChangedMeanwhile, match=r"a.example was set to 0.20 by ben \(retracted\)") as refused:
        store.authority.set_many([("a.example", 0.9, "good"), ("b.example", 0.9, "good")], NOW, seen=seen)
    assert store.authority.biases() == {"a.example": 0.2}
    assert refused.value.changes["a.example"].bias == 0.2

    store.authority.set_many([("a.example", 0.9, "good")], NOW, seen=store.authority.versions())
    assert store.authority.biases() == {"a.example": 0.9}


def test_an_edit_of_a_bias_that_was_undone_meanwhile_is_refused_too(store):
    store.authority.set("a.example", 0.2, "retracted", NOW)
    seen = store.authority.versions()
    store.authority.undo("a.example", NOW)
    with pytest.raises(ChangedMeanwhile, match="the bias of a.example was undone"):
        store.authority.set_many([("a.example", 0.9, "good")], NOW, seen=seen)


EDITOR = """
import sys, pathlib, datetime
from pipeline.store import open_store
from pipeline.store.authority import ChangedMeanwhile
store, who = open_store(pathlib.Path(sys.argv[1])), sys.argv[2]
for n in range(20):
    while True:
        seen = store.authority.versions()
        try:
            edit = ("a.example", n / 20, f"{who} {n} saw {seen.get('a.example', 0)}")
            store.authority.set_many([edit], datetime.datetime.now(datetime.UTC), who=who, seen=seen)
            break
        except ChangedMeanwhile:
            continue
"""


def test_two_sessions_and_the_command_line_edit_at_once_and_nobody_overwrites_what_they_had_not_seen(store):
    """Each edit writes down which change it had seen: that is always the one just before it."""
    sessions = [subprocess.Popen([sys.executable, "-c", EDITOR, str(store.path), who], cwd=ROOT) for who in ("a", "b")]
    for n in range(20):  # the command line has seen nothing: it adds to the log, which nobody loses
        store.authority.set("b.example", n / 20, f"c {n}", NOW, who="c")
    assert [one.wait() for one in sessions] == [0, 0]
    edits = store.authority.history("a.example")[::-1]
    assert sorted(one.reason.split(" saw ")[0] for one in edits) == sorted(f"{w} {n}" for w in "ab" for n in range(20))
    before = [0, *(one.id for one in edits)]
    assert [int(one.reason.split(" saw ")[1]) for one in edits] == before[:-1]
    assert len(store.authority.history("b.example")) == 20


def test_any_entry_of_the_history_can_be_undone_once(store):
    for bias in (0.1, 0.5, 0.9):
        store.authority.set("a.example", bias, f"to {bias}", NOW)
    last, middle, first = store.authority.history("a.example")
    store.authority.undo_change(middle.id, NOW)
    assert store.authority.biases() == {"a.example": 0.9}
    store.authority.undo_change(last.id, NOW)
    assert store.authority.biases() == {"a.example": 0.1}
    store.authority.undo_change(first.id, NOW)
    assert store.authority.biases() == {}
    with pytest.raises(InputError, match="taken back already"):
        store.authority.undo_change(first.id, NOW)


def test_export_and_import_carry_the_biases_over(store, tmp_path):
    store.authority.set("a.example", 0.7, "sound: careful", NOW)
    store.authority.set("mp.weixin.qq.com/晨星 科技", 0.6, "自己采写", NOW)
    store.authority.set("gone.example", 0.7, "x", NOW)
    store.authority.set("gone.example", None, "x", NOW)
    other = open_store(tmp_path / "other.db")
    assert other.authority.import_yaml(store.authority.export(), NOW, who="file") == Imported(2, 0)
    assert other.authority.import_yaml(store.authority.export(), NOW) == Imported(0, 2)
    assert other.authority.biases() == {"a.example": 0.7, "mp.weixin.qq.com/晨星 科技": 0.6}
    assert {one.who for one in other.authority.history()} == {"file"}


BAD = "authority:\n- {source: a.example, bias: 0.7}\n- {source: b.example, bias: high}\n- {source: c.example, bias: .2}"


def test_a_bad_entry_of_an_import_costs_none_of_its_neighbours(store):
    found = store.authority.import_yaml(BAD, NOW)
    assert (found.changed, found.problems) == (2, ("line 3: the bias of b.example must be a number between 0 and 1",))
    assert store.authority.biases() == {"a.example": 0.7, "c.example": 0.2}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("", "line 1: not an export", id="nothing"),
        pytest.param("a: [", "line 1: .*expected", id="no YAML"),
        pytest.param("\nauthority: 3", "line 2: not an export", id="no list"),
        pytest.param(
            "authority: [{source: a.example, bias: high}]", "line 1: the bias of a.example", id="no entry good"
        ),
        pytest.param("authority:\n- {source: a b, bias: 1}", "line 2: 'a b' is no source", id="two words"),
        pytest.param("authority:\n- {bias: 1}", "line 2: '' is no source", id="no source"),
        pytest.param("authority:\n- {source: a.example, bias: true}", "must be a number", id="yes is no number"),
        pytest.param("authority:\n- {source: a.example, bias: .nan}", "must be a number", id="nan"),
        pytest.param("authority:\n- {source: a.example, bias: 7}", "between 0 and 1, not 7", id="too high"),
        pytest.param("[" * 3000, "nested too deeply|no YAML|line 1", id="deep"),
        pytest.param("authority: [a\x00]", "expected", id="control characters"),
    ],
)
def test_what_is_no_export_is_an_error_of_one_line(store, text, says):
    with pytest.raises(InputError, match=says) as error:
        store.authority.import_yaml(text, NOW)
    assert "\n" not in str(error.value)
    assert store.authority.biases() == {}


def test_evidence_fades_by_half_in_ninety_days_and_the_future_does_not_count(store):
    def evidence(kind, item, days, weight=1.0):
        return Evidence(key="a.example", candidate=item, kind=kind, at=NOW - days * DAY, run="r", weight=weight)

    store.authority.learn(
        [
            evidence("adopted", "1", 0),
            evidence("cited", "1", 90),
            evidence("pruned", "2", 180),
            evidence("near miss", "3", 0, 0.1),
            evidence("adopted", "4", -1),
        ]
    )
    successes, failures = store.authority.evidence(NOW)["a.example"]
    assert successes == pytest.approx(1 + 1 / 2)
    assert failures == pytest.approx(1 / 4 + 0.1)
    assert store.authority.evidence(NOW - 100 * DAY)["a.example"] == (0, pytest.approx(0.5 ** (80 / 90)))


def test_one_source_item_and_kind_counts_once(store):
    one = Evidence(key="a.example", candidate="1", kind="pruned", at=NOW, run="r")
    for _ in range(3):
        store.authority.learn([one])
    assert store.authority.evidence(NOW) == {"a.example": (0.0, 1.0)}
    assert len(store.authority.log("a.example")) == 1


# --------------------------------------------------------------------------- feedback


def earned(store, kept, row):
    return store.authority.evidence(NOW).get(kept.table.authority_keys[row], (0.0, 0.0))


def test_feedback_moves_the_source_and_the_latest_word_replaces_the_earlier(store):
    kept = report(8)
    store.runs.save(kept)
    store.feedback.give("adopt", kept, 0, NOW)
    assert earned(store, kept, 0) == (1.0, 0.0)
    store.feedback.give("dismiss", kept, 0, NOW)
    assert earned(store, kept, 0) == (0.0, 1.0)
    assert store.feedback.dismissed() == {kept.table.ids[0]}
    store.feedback.give("restore", kept, 0, NOW)
    assert earned(store, kept, 0) == (0.0, 0.0)
    assert store.feedback.states() == {kept.table.ids[0]: "restore"}
    assert [one.kind for one in store.feedback.log()] == ["restore", "dismiss", "adopt"]


def test_undoing_a_word_brings_back_the_one_before_and_what_it_had_done(store):
    kept = report(8)
    store.runs.save(kept)
    store.feedback.give("adopt", kept, 0, NOW)
    store.feedback.give("dismiss", kept, 0, NOW)
    dismissed, adopted = store.feedback.log()
    assert ([one.kind for one in dismissed.effect.gave], [one.kind for one in dismissed.effect.took]) == (
        ["dismissed"],
        ["adopted"],
    )
    assert (dismissed.latest, adopted.latest) == (True, False)
    with pytest.raises(InputError, match="only the latest word"):
        store.feedback.undo(adopted.id, NOW)

    store.feedback.undo(dismissed.id, NOW)
    assert earned(store, kept, 0) == (1.0, 0.0)
    assert store.feedback.states() == {kept.table.ids[0]: "adopt"}
    store.feedback.undo(adopted.id, NOW)
    assert earned(store, kept, 0) == (0.0, 0.0)
    assert (store.feedback.states(), store.feedback.adopted()) == ({}, ())
    assert [one.undone_at for one in store.feedback.log()] == [NOW, NOW]
    with pytest.raises(InputError):
        store.feedback.undo(adopted.id, NOW)


def test_undoing_a_restoration_takes_its_label_back_and_returns_the_judge_s_word(store):
    kept = report(8)
    store.runs.save(kept)
    key, item = kept.table.authority_keys[2], kept.table.ids[2]
    store.authority.learn([Evidence(key=key, candidate=item, kind="pruned", at=NOW, run="r", title="t")])
    store.feedback.give("restore", kept, 2, NOW)
    assert earned(store, kept, 2) == (0.0, 0.0)
    store.feedback.undo(store.feedback.log()[0].id, NOW)
    assert earned(store, kept, 2) == (0.0, 1.0)
    assert store.labels.find() == ()


def test_restoring_what_the_judge_threw_out_is_a_label_and_takes_the_failure_back(store):
    kept = report(8)
    store.runs.save(kept)
    row = 2  # off topic
    store.authority.learn(
        [Evidence(key=kept.table.authority_keys[row], candidate=kept.table.ids[row], kind="pruned", at=NOW, run="r")]
    )
    store.feedback.give("restore", kept, row, NOW)
    assert earned(store, kept, row) == (0.0, 0.0)
    (label,) = store.labels.find(task="topic")
    assert (label.item, label.label, label.query) == (kept.table.ids[row], "on", kept.plan.text)


def test_taking_an_adoption_back_is_no_label(store):
    kept = report(8)
    store.runs.save(kept)
    store.feedback.give("adopt", kept, 0, NOW)
    store.feedback.give("restore", kept, 0, NOW)
    assert store.labels.find() == ()
    assert store.feedback.adopted() == ()


def test_a_run_that_did_not_learn_moves_no_posterior(store):
    kept = report(8)
    store.runs.save(kept, learned=False)
    store.feedback.give("adopt", kept, 0, NOW)
    assert store.authority.evidence(NOW) == {}
    assert len(store.feedback.adopted(kept.run_id)) == 1


def test_unknown_feedback(store):
    kept = report(2)
    store.runs.save(kept)
    with pytest.raises(InputError, match="adopt, dismiss, restore"):
        store.feedback.give("like", kept, 0, NOW)


# --------------------------------------------------------------------------- labels


def label(**changes):
    return Label(
        **{"task": "relevance", "query": "q", "item": "i", "label": "2", "at": NOW, "labeller": "me", **changes}
    )


def test_labels_travel_as_jsonl(store, tmp_path):
    store.labels.add([label(), label(item="中文", note="why", blind=True), label(task="pair", other="j", label="same")])
    other = open_store(tmp_path / "other.db")
    assert other.labels.import_text(store.labels.export_jsonl(), labeller="x", at=NOW) == 3
    assert set(other.labels.find()) == set(store.labels.find())


def test_labels_travel_as_qrels(store):
    assert store.labels.import_text("q1 0 d1 3\nq1 0 d2 0\n", labeller="trec", at=NOW) == 2
    assert store.labels.export_qrels() == "q1 0 d1 3\nq1 0 d2 0\n"


def test_a_later_label_of_the_same_labeller_replaces_the_earlier(store):
    store.labels.add([label(), label(label="3"), label(labeller="you", label="0")])
    assert sorted((one.labeller, one.label) for one in store.labels.find()) == [("me", "3"), ("you", "0")]


@pytest.mark.parametrize(
    "text",
    [
        "q 0 d",
        "q 0 d 9",
        '{"task": "topic"}',
        '{"task": "x", "query": "", "item": "", "label": ""}',
        "[1]",
        '{"at": 1',
        '{"a":' * 100_000,
    ],
)
def test_a_broken_line_is_named_and_nothing_is_added(store, text):
    with pytest.raises(InputError):
        store.labels.import_text("q 0 d 1\n" + text, labeller="x", at=NOW)
    assert store.labels.find() == ()


# --------------------------------------------------------------------------- preferences


def test_words_are_kept_in_order_and_cleaned(store):
    store.prefs.add_words("interests", ["chips", " 光刻机 ", "chips"], NOW)
    store.prefs.add_words("interests", ["lithography"], NOW + DAY)
    assert store.prefs.words("interests") == ("chips", "光刻机", "lithography")
    store.prefs.remove_words("interests", ["chips"])
    store.prefs.add_words("muted domains", ["https://www.Spam.example/path"], NOW)
    assert store.prefs.words("muted domains") == ("spam.example",)
    store.prefs.set_words("interests", ["new"], NOW)
    assert store.prefs.words("interests") == ("new",)
    with pytest.raises(InputError):
        store.prefs.set_words("interests", ["fine", "  "], NOW)
    assert store.prefs.words("interests") == ("new",)


def test_source_sets(store):
    store.prefs.save_source_set("markets", ["rss", "gdelt"], NOW)
    assert store.prefs.source_sets() == {"markets": ("rss", "gdelt")}
    store.prefs.save_source_set("markets", [], NOW)
    assert store.prefs.source_sets() == {}


# --------------------------------------------------------------------------- events and first sight


def test_events_are_recalled_by_their_keys(store):
    store.memory.remember([("e1", ["k1", "k2"], "print 1", "title")], NOW)
    store.memory.remember([("e1", ["k3"], "print 2", "title 2"), ("e2", ["k1"], "p", "t")], NOW + DAY)
    found = store.memory.recall(["k1", "k3", "none"])
    assert found["k3"] == [("e1", "print 2", NOW + DAY, "title 2")]
    assert {event for event, *_ in found["k1"]} == {"e1", "e2"}
    assert store.memory.first_seen(["e1"]) == {"e1": NOW}
    assert store.memory.forget(days=1, now=NOW + 3 * DAY) == 2
    assert store.memory.recall(["k1"]) == {}


def test_the_latest_decision_about_a_pair_holds(store):
    store.memory.decide([("b", "a")], joined=True, at=NOW)
    store.memory.decide([("a", "b"), ("a", "c")], joined=False, at=NOW)
    assert store.memory.decisions() == {("a", "b"): False, ("a", "c"): False}
    store.memory.undecide([("c", "a")])
    assert store.memory.decisions() == {("a", "b"): False}


@pytest.mark.parametrize(
    ("out", "kept", "apart"),
    [
        (["b"], ["a"], {"ab", "bc", "bd"}),  # c and d were joined to a, and missed the run in which b was split off
        (["a"], ["b", "c"], {"ab", "ac", "ad"}),
        (["a", "b"], ["c"], {"ac", "ad", "bc", "bd"}),
        (["x"], ["a"], {"ax", "bx", "cx", "dx"}),
    ],
)
def test_an_item_split_off_is_apart_from_all_that_was_joined(store, out, kept, apart):
    store.memory.decide(combinations("abcd", 2), joined=True, at=NOW)
    store.memory.decide([("b", "y")], joined=True, at=NOW)  # a later word, of b alone
    store.memory.decide([(one, other) for one in out for other in kept], joined=False, at=NOW)
    said = store.memory.decisions()
    found = {"".join(pair) for pair, joined in said.items() if not joined and "y" not in pair}
    assert found == apart
    assert said["b", "y"]


@pytest.mark.parametrize(
    ("back", "left"),
    [
        ([("a", "b")], {("x", "y"): True, ("c", "z"): False}),  # all that was joined as one
        ([("y", "x")], {("a", "b"): True, ("a", "c"): True, ("b", "c"): True, ("c", "z"): False}),
        ([("c", "z")], {("a", "b"): True, ("a", "c"): True, ("b", "c"): True, ("x", "y"): True}),
    ],
)
def test_a_join_is_taken_back_as_a_whole_and_a_split_by_its_pair(store, back, left):
    store.memory.decide([*combinations("abc", 2), ("x", "y")], joined=True, at=NOW)
    store.memory.decide([("z", "c")], joined=False, at=NOW)
    store.memory.undecide([("z", "a"), ("z", "b")])
    store.memory.undecide(back)
    assert store.memory.decisions() == left


def test_first_sight_dates_only_what_an_earlier_complete_fetch_lacked(store):
    seen = store.firstseen
    seen.observe("feed", ["old"], NOW)
    assert seen.dates("feed", ["old"], NOW) == {}  # it may have been there for years
    seen.observe("feed", ["old", "new"], NOW + DAY)
    seen.observe("feed", ["old", "new"], NOW + 2 * DAY)
    assert seen.dates("feed", ["old", "new", "unknown"], NOW + 2 * DAY) == {"new": NOW + DAY}
    assert seen.dates("feed", ["new"], NOW) == {}  # as of a time before it was seen
    assert seen.dates("other feed", ["new"], NOW + 2 * DAY) == {}


def test_what_was_shown_is_known(store):
    store.firstseen.show(["a", "b"], "run", NOW)
    assert store.firstseen.shown(["b", "c"]) == {"b"}
