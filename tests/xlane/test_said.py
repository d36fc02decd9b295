"""The verdict in words, and why X is silent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipeline.types import Outcome, Report, XVerdict
from pipeline.xlane.said import headline, silence, words_of
from tests.pages import sample, x_sample


def verdict(on: int, off: int, *, query: str = "Rome travel since:2026-11-01 until:2026-12-01", flood: bool | None = None,
            unjudged: int = 0) -> XVerdict:  # fmt: skip
    ratio = on / (on + off) if on + off else 1.0
    return XVerdict(query=query, on_topic_ratio=ratio, is_off_topic_flood=ratio < 0.4 if flood is None else flood,
                    rule="", on_topic=on, off_topic=off, unjudged=unjudged, floor=0.5, mode="context")  # fmt: skip


FLOOD = verdict(8, 32)
WIDER = "Rome since:2026-11-01 until:2026-12-01"
SAYS = "Off-topic flood: 8 of 40 posts were about “Rome” (0.20, floor 0.40)."
ASKED = " A wider retry, “Rome” instead of “Rome travel”,"
ROWS = [
    ("a good corpus", verdict(14, 6), None, "before", "",
     "On topic: 14 of 20 posts were about “Rome” (0.70, floor 0.40). No retry was needed."),
    ("one post", verdict(1, 0), None, "before", "",
     "On topic: 1 of 1 post was about “Rome” (1.00, floor 0.40). No retry was needed."),
    ("a retry that helped", FLOOD, verdict(13, 12, query=WIDER), "after", "ignored",
     SAYS + ASKED + " raised it to 0.52, so its posts were used."),
    ("a retry that did not", FLOOD, verdict(2, 18, query=WIDER), "before", "ignored",
     SAYS + ASKED + " brought 0.10, no better, so the first search was kept."),
    ("an empty retry", FLOOD, verdict(0, 0, query=WIDER, flood=False), "before", "ignored",
     SAYS + ASKED + " brought nothing, so the first search was kept."),
    ("no retry at quick", FLOOD, None, "before", "mostly off topic; at quick depth it is not searched again",
     SAYS + " At quick depth it is not searched again."),
    ("a flood in disguise", verdict(9, 11, flood=True), None, "before", "",
     "Off-topic flood: 9 of 20 posts were about “Rome” (0.45, floor 0.40), yet the accounts that lead it are off topic."),
    ("no post", verdict(0, 0), None, "before", "", "Nothing to judge: no post came back."),
    ("posts without text", verdict(0, 0, unjudged=3), None, "before", "",
     "Nothing to judge: none of 3 posts has text."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "used", "note", "says"), [row[1:] for row in ROWS], ids=[r[0] for r in ROWS]
)
def test_the_verdict_is_a_sentence(before: XVerdict, after: XVerdict | None, used: str, note: str, says: str) -> None:
    assert headline("Rome", before, after, used=used, retry_note=note, floor=0.4) == says  # type: ignore[arg-type]


def test_a_query_is_quoted_without_its_window() -> None:
    assert words_of("罗马 天气 since:2026-11-01 until:2026-12-01") == "罗马 天气"


def asked_without(sources: tuple[str, ...] | None, opml: str | None = None) -> Report:
    """A run in which X has no outcome."""
    base = sample.report()
    question = replace(base.plan.question, sources=sources, opml=opml)
    return replace(base, plan=replace(base.plan, question=question), outcomes=base.outcomes[:-1])


@pytest.mark.parametrize(
    ("report", "why"),
    [
        (x_sample.report(), ""),
        (x_sample.silent("not configured", "r"), "not configured"),
        (x_sample.silent("rate limited", "r", retry_after_s=40.0), "failed"),
        (x_sample.silent("timeout", "r"), "failed"),
        (x_sample.silent("empty", "r"), "empty"),
        (x_sample.lied(), "invented"),
        (sample.evergreen_report(), "evergreen"),
        (asked_without(("rss",)), "not asked"),
        (asked_without(None, "feeds.opml"), "not asked"),
        (asked_without(None), "not configured"),
    ],
    ids=[
        "judged",
        "no key",
        "rate limited",
        "late",
        "empty",
        "lied",
        "evergreen",
        "left out",
        "a feed list",
        "no key, quietly",
    ],
)
def test_a_silent_x_has_a_reason(report: Report, why: str) -> None:
    found, outcome = silence(report)
    assert found == why
    assert outcome is None or isinstance(outcome, Outcome)
