"""What a judge pruned and the analyst restored goes on."""

from __future__ import annotations

import pytest

from pipeline.types import Bucket, Candidate, Judged, Verdict
from pipeline.xlane.restored import readmit


def judged(name: str, bucket: Bucket | None) -> Judged:
    candidate = Candidate(id=name, source="x", endpoint="x_api", url="", domain="x.com", title="", text="Soup")
    return Judged(candidate=candidate, verdict=Verdict(keep=bucket is None, bucket=bucket, reason="off topic: soup"))


@pytest.mark.parametrize(
    ("bucket", "restored", "kept"),
    [
        (Bucket.OFF_TOPIC, {"a"}, True),
        (Bucket.OFF_TOPIC, {"b"}, False),
        (Bucket.OFF_TOPIC, set(), False),
        (Bucket.MALFORMED, {"a"}, False),
        (Bucket.OUT_OF_WINDOW, {"a"}, False),
        (None, {"a"}, True),
    ],
    ids=["restored", "another", "none", "unreadable", "too old", "kept anyway"],
)
def test_only_what_a_judge_pruned_comes_back(bucket: Bucket | None, restored: set[str], kept: bool) -> None:
    one = judged("a", bucket)
    (found,) = readmit([one], restored)
    assert found.verdict.keep is kept
    changed = bucket == Bucket.OFF_TOPIC and kept
    assert (found is not one) is changed
    if changed:
        assert found.verdict.reason == "restored by you; the judge said off topic: soup"
        assert found.verdict.decided_by == "analyst"
