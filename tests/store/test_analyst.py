"""What the analyst says: authorities, feedback, labels, preferences, events."""

from datetime import timedelta

import pytest

from pipeline.errors import InputError
from pipeline.store import open_store
from pipeline.store.authority import Evidence
from pipeline.store.labels import Label
from tests.store.helpers import NOW, report

DAY = timedelta(days=1)


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
    store.authority.set("a.example", 0.1, "one", NOW)
    other.authority.set("a.example", 0.9, "two", NOW)
    other.authority.set("b.example", 0.9, "two", NOW)
    assert [one.reason for one in other.authority.history("a.example")] == ["two", "one"]
    assert store.authority.biases() == {"a.example": 0.9, "b.example": 0.9}


def test_export_and_import_carry_the_biases_over(store, tmp_path):
    store.authority.set("a.example", 0.7, "sound: careful", NOW)
    store.authority.set("gone.example", 0.7, "x", NOW)
    store.authority.set("gone.example", None, "x", NOW)
    other = open_store(tmp_path / "other.db")
    assert other.authority.import_yaml(store.authority.export(), NOW) == 1
    assert other.authority.import_yaml(store.authority.export(), NOW) == 0
    assert other.authority.biases() == {"a.example": 0.7}
    for nonsense in ("", "a: [", "authority: 3", "authority: [{source: a.example, bias: high}]"):
        with pytest.raises(InputError):
            other.authority.import_yaml(nonsense, NOW)


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
    ["q 0 d", "q 0 d 9", '{"task": "topic"}', '{"task": "x", "query": "", "item": "", "label": ""}', "[1]", '{"at": 1'],
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


def test_first_sight_dates_only_what_an_earlier_complete_fetch_lacked(store):
    seen = store.firstseen
    seen.observe("feed", ["old"], NOW)
    assert seen.dates("feed", ["old"], NOW) == {}  # it may have been there for years
    seen.observe("feed", ["old", "new"], NOW + DAY)
    seen.observe("feed", ["old", "new"], NOW + 2 * DAY)
    assert seen.dates("feed", ["old", "new", "unknown"], NOW + 2 * DAY) == {"new": NOW + DAY}
    assert seen.dates("feed", ["new"], NOW) == {}  # as of a time before it was seen
    assert seen.dates("other feed", ["new"], NOW + 2 * DAY) == {}
    assert seen.earliest(["old", "new"], NOW + 2 * DAY) == {"old": NOW, "new": NOW + DAY}


def test_what_was_shown_is_known(store):
    store.firstseen.show(["a", "b"], "run", NOW)
    assert store.firstseen.shown(["b", "c"]) == {"b"}
