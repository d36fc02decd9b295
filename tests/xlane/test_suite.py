"""The measuring of the judge on folders in the sets' own shapes, with invented rows."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
from xlane_corpora import GOOD_EIGHT, OFF_32

from pipeline.errors import InputError
from pipeline.evaluation.suites import x_judge


def write(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))


def texts() -> list[tuple[str, bool]]:
    return [(text, True) for _, text in GOOD_EIGHT] + [(text, False) for _, text in OFF_32]


def test_ordering_by_topic(tmp_path: Path) -> None:
    rows = [{"topic_id": 1, "query": "Rome Italy", "text": t, "label": int(on), "url": ""} for t, on in texts()]
    write(tmp_path / "trec2099.jsonl.gz", rows)
    found = x_judge.run(tmp_path)
    assert found.n == 40
    assert found.metrics["auc_mean"] == found.metrics["auc_trec2099"] == 1.0
    assert found.metrics["p30"] == pytest.approx(8 / 30, abs=1e-4)


def test_on_topic_over_events(tmp_path: Path) -> None:
    rows = [
        {"event": "2099_Rome", "topic": "Rome Italy", "text": t, "label": "on-topic" if on else "off-topic"}
        for t, on in texts()
    ]
    write(tmp_path / "tweets.jsonl.gz", rows)
    metrics = x_judge.run(tmp_path).metrics
    assert metrics["macro_f1"] == metrics["precision"] == metrics["recall"] == 1.0
    assert x_judge.run(tmp_path, sweep="coverage").metrics["macro_f1"] == 1.0


def test_unrelated_posts_come_last(tmp_path: Path) -> None:
    rows = [{"event": "e", "text": t, "label": "Related and informative" if on else "Not related"} for t, on in texts()]
    write(tmp_path / "tweets.jsonl.gz", rows)
    (tmp_path / "events.jsonl").write_text(json.dumps({"event": "e", "name": "Rome Italy"}))
    assert x_judge.run(tmp_path).metrics["ap_unrelated"] == 1.0


def test_a_folder_of_another_task_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="x-judge"):
        x_judge.run(tmp_path)


@pytest.mark.data
@pytest.mark.skipif(not os.environ.get("LATELY_DATA"), reason="LATELY_DATA is unset: no labelled sets here")
def test_two_real_topics_do_not_fall_below_half_the_goal() -> None:
    folder = Path(os.environ["LATELY_DATA"]) / "x_topical_trec_microblog"
    assert x_judge.run(folder, limit=2).metrics["auc_mean"] > 0.7
