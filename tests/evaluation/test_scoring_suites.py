"""The suites of ranking, penalties and authority on folders of a few rows written here."""

import gzip
import json
import os
from pathlib import Path

import pytest

from pipeline.evaluation.suites import authority, penalties, ranking


def write(path: Path, rows: list[dict]) -> None:
    data = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_bytes(gzip.compress(data.encode()) if path.suffix == ".gz" else data.encode())


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LATELY_PIPELINE__EMBEDDING__MODEL", "hashed")


def test_ranking_over_a_corpus(tmp_path: Path, hashed: None) -> None:
    docs = {"1": "storm hits coast", "2": "bank raises rates", "3": "model released"}
    write(tmp_path / "corpus.jsonl.gz", [{"doc_id": k, "title": v, "text": ""} for k, v in docs.items()])
    write(tmp_path / "queries.jsonl", [{"query_id": "q", "query": "interest rates raised", "relevant": ["2"]}])
    found = ranking.run(tmp_path)
    assert found.metrics == {"ndcg10": 1.0} and found.n == 1
    swept = ranking.run(tmp_path, sweep="semantic")
    assert "ndcg10_x0.0" in swept.metrics


def test_ranking_of_single_answers_is_reciprocal_rank(tmp_path: Path, hashed: None) -> None:
    write(
        tmp_path / "corpus.jsonl.gz",
        [{"doc_id": "1", "title": "台风", "text": ""}, {"doc_id": "2", "title": "降息", "text": ""}],
    )
    write(tmp_path / "queries.jsonl", [{"query_id": "q", "query": "央行降息", "relevant": "2", "answer": "降息"}])
    assert ranking.run(tmp_path).metrics == {"mrr10": 1.0}


def test_ranking_of_pairs(tmp_path: Path, hashed: None) -> None:
    rows = [
        ("新手机", "新手机发布", 2),
        ("新手机", "天气预报", 0),
        ("降息", "央行宣布降息", 2),
        ("降息", "足球比赛", 0),
    ]
    write(tmp_path / "pairs.jsonl.gz", [{"query": q, "title": t, "grade": g} for q, t, g in rows])
    assert ranking.run(tmp_path).metrics["auc_2"] == 1.0


def test_penalties(tmp_path: Path, hashed: None) -> None:
    write(
        tmp_path / "headlines.jsonl.gz",
        [
            {"headline": "17 Photos That Will Make You Cry", "clickbait": 1},
            {"headline": "Bank raises rates", "clickbait": 0},
        ],
    )
    assert penalties.run(tmp_path).metrics == {"auc": 1.0}


def test_bodies(tmp_path: Path, hashed: None) -> None:
    write(tmp_path / "bodies.jsonl.gz", [{"body_id": "1", "body": "The council approved the bridge over the river."}])
    write(
        tmp_path / "pairs.jsonl.gz",
        [
            {"headline": "Council approves bridge", "body_id": "1", "stance": "agree"},
            {"headline": "Singer marries actor", "body_id": "1", "stance": "unrelated"},
        ],
    )
    assert penalties.run(tmp_path).metrics == {"f1": 1.0}


def test_networks_are_one_voice_and_strangers_are_not(tmp_path: Path) -> None:
    write(tmp_path / "partisan_local_networks.jsonl", [{"domain": f"{c}.com", "network": "One"} for c in ("ax", "bx")])
    sister = {"primary": "cx.com", "associated": ["dx.com"], "cctld_variants": [], "service": []}
    write(tmp_path / "declared_sister_domains.jsonl", [sister])
    write(
        tmp_path / "media_owners.jsonl",
        [
            {"organization": "E", "domains": ["ex.com"], "owner_key": None},
            {"organization": "D", "domains": ["dx.com", "fx.com"], "owner_key": "owner of d"},
        ],
    )
    assert authority.run(tmp_path).metrics == {"same_owner_recall": 1.0, "false_merges": 0.0}
    assert authority.merged(authority._declared(tmp_path))["set cx.com"] == ("cx.com", "dx.com", "fx.com")


FLOORS = [
    (penalties, "clickbait_en", "auc", 0.95),
    (penalties, "clickbait_zh_hancd", "auc_sina", 0.88),
    (authority, "source_networks", "same_owner_recall", 0.95),
]


@pytest.mark.data
@pytest.mark.parametrize(("suite", "folder", "metric", "floor"), FLOORS, ids=[row[1] for row in FLOORS])
def test_floors_on_the_labelled_sets(suite, folder: str, metric: str, floor: float) -> None:
    root = os.environ.get("LATELY_DATA")
    if not root:
        pytest.skip("LATELY_DATA is unset")
    assert suite.run(Path(root) / folder).metrics[metric] >= floor
