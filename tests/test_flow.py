"""The whole way on the demo: no network, no key, every candidate accounted for, the stories told."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from pipeline import retrieve_recent_now
from pipeline.briefing.json import report_json
from pipeline.demo import render
from pipeline.flow import replay_now
from pipeline.settings import load_settings
from pipeline.store import open_store
from pipeline.types import FUNNEL_STEPS, Bucket

ENGLISH = "AI agent frameworks released in the last 30 days"
CHINESE = "最近30天发布的智能体框架"


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    return {
        "store": open_store(home / "lately.db"),
        "settings": load_settings({"LATELY_HOME": str(home)}),
        "environ": {},
    }


@pytest.fixture(scope="module")
def english(world):
    return retrieve_recent_now(ENGLISH, demo=True, **world)


@pytest.fixture(scope="module")
def chinese(world):
    return retrieve_recent_now(CHINESE, demo=True, **world)


def row(report, title: str, domain: str = "") -> int:
    table = report.table
    return next(i for i in range(len(table)) if table.titles[i].startswith(title) and table.domains[i].endswith(domain))


@pytest.mark.parametrize("name", ["english", "chinese"])
def test_every_total_can_be_rebuilt_from_what_is_printed(name, request):
    printed = report_json(request.getfixturevalue(name))
    scored = [item for item in (*printed["selected"], *printed["dropped"]) if item["parts"]]
    for item in scored:
        total = 100 * sum(part["value"] * part["weight"] for part in item["parts"].values())
        for penalty in item["penalties"]:
            total *= penalty["factor"]
        assert item["total"] == pytest.approx(total, abs=0.02), item["title"]
    assert any(penalty["factor"] < 1 for item in printed["dropped"] for penalty in item["penalties"])


@pytest.mark.parametrize("name", ["english", "chinese"])
def test_stages_count_what_went_in_and_what_came_out(name, request):
    report = request.getfixturevalue(name)
    notes = {note.name: (note.n_in, note.n_out) for note in report.stages}
    scored = int((report.table.fixed < 0).sum())
    examined = notes["words"][0]
    assert examined >= scored > 2
    assert notes["embed"] == (examined, examined)
    assert notes["events"] == (examined, len(report.events))
    assert notes["score"] == (examined, scored)
    assert notes["choose"][0] == scored


@pytest.mark.parametrize("name", ["english", "chinese"])
def test_every_candidate_ends_in_one_bucket_and_the_counts_add_up(name, request):
    report = request.getfixturevalue(name)
    printed = json.loads(json.dumps(report_json(report), ensure_ascii=False))
    assert len(printed["selected"]) + len(printed["dropped"]) == len(report.table)
    assert all(item["reason"] for item in printed["dropped"])
    fetched = Counter(report.table.sources)
    for source, steps in report.funnel.items():
        counts = [steps[step] for step in FUNNEL_STEPS[1:]]
        assert counts == sorted(counts, reverse=True)
        assert steps["fetched"] == fetched[source]
    assert sum(steps["selected"] for steps in report.funnel.values()) == len(report.items)


@pytest.mark.parametrize("name", ["english", "chinese"])
def test_the_story_is_in_time_order_and_marked_as_demo(name, request):
    report = request.getfixturevalue(name)
    times = [item.published_at for item in report.items]
    assert len(times) >= 5 and times == sorted(times)
    assert report.demo


def test_a_flood_is_judged_retried_and_pruned(english):
    assert english.x.before.is_off_topic_flood and english.x.used == "after"
    assert english.x.after.on_topic_ratio > english.x.before.on_topic_ratio
    assert next(o.status for o in english.outcomes if o.source == "x") == "ok"
    assert any("pruned" in warning for warning in english.warnings)


def test_an_older_cause_leads_into_its_event(english):
    upstream = english.item(row(english, "Hole in agent framework Ostrich", "stacksignal.example"))
    later = english.item(row(english, "Hole in agent framework Ostrich", "lanternpost.example"))
    assert upstream.upstream and upstream.bucket == Bucket.SELECTED
    assert upstream.event_id == later.event_id and upstream.parts[0].value == pytest.approx(0.05)


def test_a_name_in_no_table_is_one_in_two_languages(chinese):
    english_row, chinese_row = row(chinese, "Yunlu open-sources Lingxi"), row(chinese, "灵犀智能体框架 1.0 发布")
    assert chinese.item(english_row).event_id == chinese.item(chinese_row).event_id
    event = next(event for event in chinese.events if event.id == chinese.item(chinese_row).event_id)
    assert any("灵犀 is read Lingxi" in link.reason for link in event.why)


def test_reports_in_two_languages_are_one_event(english, chinese):
    for report in (english, chinese):
        one = report.item(row(report, "开源智能体框架 Tern 2.0 发布"))
        assert one.event_id == report.item(row(report, "Tern 2.0 is here")).event_id
        assert one.bucket in (Bucket.SELECTED, Bucket.FOLDED)


def test_the_12th_and_the_13th_release_stay_apart(english):
    twelfth, thirteenth = (english.item(row(english, f"Palisade agent framework ships its {n}")) for n in ("12", "13"))
    assert twelfth.event_id != thirteenth.event_id


def test_a_12th_release_is_no_12th_package(english):
    release = english.item(row(english, "Palisade agent framework ships its 12"))
    package = english.item(row(english, "Council adopts 12th"))
    assert release.event_id != package.event_id


def test_reprints_of_a_wire_fold_under_it_and_are_one_voice(english):
    first = english.item(row(english, "Kestrel Labs releases Tern 2.0 agent framework", "northwind.example"))
    copies = [
        row(english, "Kestrel Labs releases Tern 2.0 agent", d)
        for d in ("harbourtimes.example", "valleyledger.example")
    ]
    assert all(english.table.bucket[c] == Bucket.COPY for c in copies)
    voices = [members for _, members in english.event(first.event_id).owners]
    assert sum(bool({first.id, *(english.table.ids[c] for c in copies)} & set(members)) for members in voices) == 1


def test_a_link_to_an_outlet_is_no_second_voice_beside_its_feed(english):
    domain_of = dict(zip(english.table.ids, english.table.domains, strict=True))
    for event in english.events:
        voices = [{domain_of[m] for m in members if domain_of[m] != "x.com"} for _, members in event.owners]
        assert sum(map(len, voices)) == len(set().union(*voices)), event.title


@pytest.mark.parametrize(
    ("title", "penalty"),
    [
        ("Top 10 AI Agent Frameworks", "content_farm"),
        ("Agent framework Gannet released as open source", "re_dated"),
        ("You won't believe", "clickbait"),
    ],
)
def test_the_penalties_strike_where_they_should(english, title, penalty):
    struck = english.item(row(english, title)).penalties
    assert [p.name for p in struck] == [penalty]
    assert struck[0].evidence


def test_a_doubtful_title_is_compared_with_its_body_by_the_model_too(english):
    (bait,) = english.item(row(english, "You won't believe")).penalties
    assert "their similarity is" in bait.evidence


def test_undated_is_a_state(english):
    assert english.item(row(english, "Notes on agent frameworks, undated")).bucket == Bucket.UNDATED


def test_a_dead_feed_costs_only_itself(english):
    dead = next(o for o in english.outcomes if o.endpoint == "Fjord Courier")
    assert dead.status == "error" and "410" in dead.detail


def test_the_demo_is_kept_but_teaches_nothing(english, world):
    store = world["store"]
    assert store.runs.load(english.run_id).items == english.items
    assert store.authority.evidence(datetime.now(UTC)) == {}
    assert not store.health.endpoints() and not store.firstseen.shown(english.table.ids)


def test_a_recorded_run_plays_again_the_same(tmp_path, world):
    posts = tmp_path / "items.jsonl"
    at = (datetime.now(UTC) - timedelta(days=1)).isoformat()
    items = [
        {"title": f"Agent framework {name} released", "url": f"https://{name}.example/a", "date": at} for name in "ab"
    ]
    posts.write_text("\n".join(map(json.dumps, items)), "utf-8")
    environ = {"LATELY_HOME": str(tmp_path), "LATELY_SOURCES__FILE__PATHS": json.dumps([str(posts)])}
    world = world | {"settings": load_settings(environ)}
    recorded = retrieve_recent_now(
        "agent frameworks last 7 days", sources=("file",), record=tmp_path / "run.zip", **world
    )
    assert len(recorded.table) == 2
    posts.unlink()
    again = replay_now(tmp_path / "run.zip", store=world["store"], settings=world["settings"])
    first, second = report_json(recorded), report_json(again)
    for key in ("plan", "selected", "dropped", "events", "funnel"):
        assert first[key] == second[key]


def test_a_timeless_question_fetches_nothing_and_says_why(world):
    report = retrieve_recent_now("最近想读几本讲罗马法的好书", **world)
    assert report.plan.route == "evergreen" and report.plan.reasons
    assert not report.outcomes and len(report.table) == 0


def test_time_marks_are_rendered_back_from_now():
    now = datetime(2026, 8, 10, 12, tzinfo=UTC)
    assert render("{{iso|-1d2h}} {{path|-3d}} {{zhday|-20h}}", now) == "2026-08-09T10:00:00Z 2026/08/07 8月10日"
    post = int(render("{{xid|-1h|7}}", now))
    assert datetime.fromtimestamp(((post >> 22) + 1_288_834_974_657) / 1000, UTC) == now - timedelta(hours=1)
    assert int(render("{{xid|-1h|7}}", now + timedelta(minutes=59, seconds=59))) == post  # known again within the hour


@pytest.mark.parametrize("mark", ["{{nonsense|-1d}}", "{{iso|yesterday}}"])
def test_an_unknown_mark_is_an_error(mark):
    with pytest.raises(ValueError, match="unknown time"):
        render(mark, datetime(2026, 1, 1, tzinfo=UTC))
