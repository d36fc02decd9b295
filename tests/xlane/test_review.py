"""What the judge did, in one shape for a run and for a file."""

from __future__ import annotations

import pytest

from pipeline.errors import InputError
from pipeline.xlane.judge import default_floors
from pipeline.xlane.review import judged_sources, review_file, review_run
from tests.pages import sample, x_sample

FLOORS = default_floors()
REPORT = x_sample.report()


def test_sources_that_a_judge_looked_at() -> None:
    assert judged_sources(REPORT) == ("x", "bluesky")
    assert judged_sources(sample.report()) == ()


def test_every_post_of_a_run_has_its_fate_and_reason() -> None:
    review = review_run(REPORT, "x", floors=FLOORS)
    assert review is not None
    assert {fate: len(review.those(fate)) for fate in ("on", "off", "unjudged", "refused")} == {
        "on": 4, "off": 6, "unjudged": 1, "refused": 1}  # fmt: skip
    assert len(review.posts) == sum(source == "x" for source in REPORT.table.sources)
    assert [post.score for post in review.those("off")][:2] == [0.22, 0.09]
    assert review.those("refused")[0].reason == "the id 1111111111111111111 looks made up"
    assert review.those("on")[0].reason.startswith("3 of 3 query words found")
    assert review.those("on")[0].outcome == "selected: 61.00 points."


def test_another_noisy_source_is_judged_by_the_same_rules() -> None:
    review = review_run(REPORT, "bluesky", floors=FLOORS)
    assert review is not None
    assert (review.before.on_topic, review.before.off_topic, review.before.is_off_topic_flood) == (1, 2, True)
    assert review.before.rule == "1 of 3 posts on topic (33%), below the floor of 40%"
    assert review.headline.startswith("Off-topic flood: 1 of 3 posts were about “AI agent frameworks released”")
    assert {one.handle: one.gate for one in review.handles}["soup.example"] == "hits: 0 on topic, 2 needed"
    assert [line.query for line in review.queries] == ["AI agent frameworks"]


def test_a_source_that_no_judge_looked_at_has_no_review() -> None:
    assert review_run(REPORT, "rss", floors=FLOORS) is None
    assert review_run(sample.report(), "x", floors=FLOORS) is None


def test_a_file_is_judged_and_its_bad_entries_are_counted() -> None:
    lines = b'{"id": "7", "author": "@Ann", "text": "Rome floods"}\n{oops\n{"id": "8", "author": "b", "text": "Soup"}\n{"id": "9"}'
    review, bad = review_file(lines, "Rome", floors=FLOORS, handles=("Ann", "@ann"))
    assert [(post.fate, post.first_party) for post in review.posts] == [
        ("on", True),
        ("off", False),
        ("unjudged", False),
    ]
    assert review.headline == "On topic: 1 of 2 posts were about “Rome” (0.50, floor 0.40)."
    assert [one.reason for one in bad] == [
        "line 2: broken JSON at column 2: expecting property name enclosed in double quotes"
    ]
    assert [one.handle for one in review.handles if one.promotable == "explicit"] == ["ann"]


def test_a_file_is_judged_against_other_words_when_there_are_some() -> None:
    review, _ = review_file(b"id,author,text\n1,a,Rome\n2,a,Milan\n", "Rome", ranking_query="Milan", floors=FLOORS)
    assert [post.fate for post in review.posts] == ["off", "on"]
    assert review.topic == "Milan"


@pytest.mark.parametrize(
    ("data", "topic", "says"),
    [
        (b"id,text\n1,Rome\n", "  ", "the topic is empty"),
        (b"\x89PNG\r\n\x00\x00", "Rome", "posts.csv: this is no text; save the posts as CSV, JSON or JSONL"),
        (b"[" * 100_000, "Rome", "posts.csv"),
        (b"", "Rome", "posts.csv: no posts found"),
    ],
    ids=["no topic", "a picture", "nested too deeply", "empty"],
)
def test_what_cannot_be_judged_says_what_to_do(data: bytes, topic: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        review_file(data, topic, name="posts.csv", floors=FLOORS)


def test_utf_16_is_text() -> None:
    review, _ = review_file("id,author,text\n1,a,罗马下雨\n".encode("utf-16"), "罗马", floors=FLOORS)
    assert review.posts[0].fate == "on"
