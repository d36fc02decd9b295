"""What judging costs: microseconds a post and in F, how it grows, and milliseconds for a corpus of 40.

    python -m benchmarks.judge [--rounds 9] [--corpus words|posts|chinese] [--json]
    python -m benchmarks.judge POOL.jsonl --topic "reactor energy"

F = `re.findall(r"\\w+", text.lower())` over the same posts in the same process, in turn. Must: at most 2 F a post,
linear; 40 posts in 2 ms in coverage mode. Context mode is measured without its embedding, which has its own budget, and
once more as in a process that never saw any of the words. CPU time, medians.

Posts made here by rule, a fifth of them on topic: `words`, 150 characters of words alone; `posts`, as people write them
(reposts, accounts, hash-tags, links, marks, many rare words); `chinese`, clauses of common words with a few others.
POOL: the text that F is defined on, one JSON record a line: the pool's own, of which the posts ("source": "x") are taken
with title and body as one text; or any records with a "text". From the first post on.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.xlane import judge_x_corpus, reading

Posts = Sequence[Mapping[str, str]]

ENGLISH = "Rome Italy"
CHINESE = "特斯拉 召回"
ON = ("Rome council votes on the new tram line", "Italy reopens the forum in Rome", "metro stations closed in Rome")
ON_ZH = ("特斯拉宣布召回部分汽车", "车主收到特斯拉的召回通知", "特斯拉因转向软件召回两万辆")
SYLLABLES = ("ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "zo", "ta", "re")
WORDS_ZH = (
    "今天 我们 大家 觉得 天气 真的 很好 一起 去 公园 看 电影 吃 火锅 朋友 孩子 学校 老师 考试 成绩 工作 公司 老板 "
    "加班 周末 旅行 酒店 机场 航班 延误 手机 电脑 软件 更新 价格 便宜 超市 水果 健康 医院 医生 跑步 比赛 球队 冠军 "
    "音乐 歌手 演唱会 门票 城市 地铁 拥堵 新闻 记者 报道 经济 市场 股票 上涨 下跌 银行 利率 房子 装修 邻居 猫 狗"
)
SIZES = (40, 400, 1_000, 4_000)


def words(size: int) -> list[dict[str, str]]:
    """Posts of invented words."""
    rng = random.Random(7)
    vocabulary = _vocabulary(rng, 3_000)
    leads = [f"{rng.choice(ON)}. " if n % 5 == 0 else "" for n in range(size)]
    return _posts(rng, [lead + " ".join(rng.choices(vocabulary, k=22)) for lead in leads])


def posts(size: int) -> list[dict[str, str]]:
    """Posts as people write them: a few words very often, most of them rarely, and what is no word."""
    rng = random.Random(7)
    vocabulary = _vocabulary(rng, 20_000)
    weights = [1 / (rank + 3) for rank in range(len(vocabulary))]
    return _posts(
        rng, [_as_written(rng, rng.choices(vocabulary, weights, k=rng.randint(6, 18)), n) for n in range(size)]
    )


def _as_written(rng: random.Random, found: list[str], n: int) -> str:
    found[0] = found[0].capitalize()
    at = rng.randrange(len(found))
    found[at] += rng.choice((",", ".", "!", "?", "...", "'s", "-up", '"'))
    if n % 5 == 0:
        found.insert(0, f"{rng.choice(ON)}.")
    if n % 4 == 1:
        found.insert(0, f"RT @{found[-1].strip(',.!?')}_{n % 97}:")
    if n % 3 == 0:
        found.insert(at, f"#{found[-1].strip(',.!?')}")
    if n % 2 == 0:
        found.append(f"https://t.co/{''.join(rng.choices('abcdefghijkmnpqrstuvwxyzABCDEFGH23456789', k=10))}")
    return " ".join(found)


def chinese(size: int) -> list[dict[str, str]]:
    """Chinese posts of some 60 characters, without blanks."""
    rng = random.Random(7)
    vocabulary = WORDS_ZH.split()
    texts = []
    for n in range(size):
        clauses = ["".join(rng.choices(vocabulary, k=rng.randint(4, 7))) for _ in range(4)]
        texts.append("，".join([rng.choice(ON_ZH), *clauses[1:]] if n % 5 == 0 else clauses) + "。")
    return _posts(rng, texts)


def _vocabulary(rng: random.Random, size: int) -> list[str]:
    return ["".join(rng.choices(SYLLABLES, k=rng.randint(1, 4))) for _ in range(size)]


def _posts(rng: random.Random, texts: Sequence[str]) -> list[dict[str, str]]:
    accounts = len(texts) // 3
    return [
        {"id": str(n), "author": f"account_{rng.randint(0, accounts)}", "text": text} for n, text in enumerate(texts)
    ]


CORPORA: dict[str, tuple[Callable[[int], Posts], str]] = {
    "words": (words, ENGLISH),
    "posts": (posts, ENGLISH),
    "chinese": (chinese, CHINESE),
}


def of_file(path: Path) -> Callable[[int], Posts]:
    """The first posts of a file of records with a "text", or of a pool."""
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    texts = [_text(one) for one in records if one.get("source", "x") == "x"]
    return lambda size: _posts(random.Random(7), texts[:size])


def _text(record: Mapping[str, str]) -> str:
    return record["text"] if "text" in record else f"{record['title']} {record['body']}"


def unit(corpus: Posts) -> None:
    for one in corpus:
        re.findall(r"\w+", one["text"].lower())


def measure(make: Callable[[int], Posts], topic: str, rounds: int) -> dict[str, Any]:
    import numpy as np

    found: dict[str, Any] = {}
    for size in SIZES:
        corpus = make(size)
        vectors = np.random.default_rng(7).standard_normal((len(corpus) + 1, 512)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        found[str(len(corpus))] = _costs(corpus, topic, vectors, rounds)
    return found


def _costs(corpus: Posts, topic: str, vectors: Any, rounds: int) -> dict[str, Any]:
    def context() -> None:
        judge_x_corpus(corpus, topic, mode="context", vectors=vectors)

    def anew() -> None:
        reading.forget()
        context()

    jobs: dict[str, Callable[[], Any]] = {
        "F": lambda: unit(corpus),
        "coverage": lambda: judge_x_corpus(corpus, topic),
        "context": context,
        "context, all words new": anew,
    }
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds + 1):  # the first round warms up and is left out
        for name, job in jobs.items():
            start = time.process_time()
            job()
            times[name].append(time.process_time() - start)
    seconds = {name: statistics.median(values[1:]) for name, values in times.items()}
    return {
        name: {"us_a_post": round(s / len(corpus) * 1e6, 2), "F": round(s / seconds["F"], 2), "ms": round(s * 1e3, 3)}
        for name, s in seconds.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?", metavar="POOL.jsonl")
    parser.add_argument("--topic", default=ENGLISH)
    parser.add_argument("--corpus", choices=CORPORA)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    chosen = {name: CORPORA[name] for name in CORPORA if options.corpus in (None, name)}
    if options.file:
        chosen = {options.file.name: (of_file(options.file), options.topic)}
    found = {name: measure(make, topic, options.rounds) for name, (make, topic) in chosen.items()}
    if options.json:
        print(json.dumps(found))
        return
    for corpus, sizes in found.items():
        for size, row in sizes.items():
            for name, cost in row.items():
                what = f"{corpus:<8} {size:>5} posts  {name:<22}"
                print(f"{what} {cost['us_a_post']:>7} us a post  {cost['F']:>5} F  {cost['ms']:>8} ms")


if __name__ == "__main__":
    main()
