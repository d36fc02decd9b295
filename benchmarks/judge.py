"""What judging costs: microseconds a post and in F, how it grows, and milliseconds for a corpus of 40.

    python -m benchmarks.judge [--rounds 9] [--json]

F = `re.findall(r"\\w+", text.lower())` over the same posts in the same process, in turn. Must: at most 2 F a post,
linear; 40 posts in 2 ms in coverage mode. Context mode is measured without its embedding, which has its own budget, and
once more as in a process that never saw any of the words. CPU time, medians; posts of about 150 characters made here, a
fifth of them on topic.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from pipeline.xlane import judge_x_corpus, reading

TOPIC = "Rome Italy"
ON = ("Rome council votes on the new tram line", "Italy reopens the forum in Rome", "metro stations closed in Rome")
SYLLABLES = ("ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "zo", "ta", "re")
SIZES = (40, 400, 4_000)


def corpus(size: int, seed: int = 7) -> list[dict[str, str]]:
    """Posts with invented words; every fifth begins with a sentence on the topic."""
    rng = random.Random(seed)
    vocabulary = ["".join(rng.choices(SYLLABLES, k=rng.randint(1, 4))) for _ in range(3_000)]
    posts = []
    for n in range(size):
        words = rng.choices(vocabulary, k=22)
        lead = f"{rng.choice(ON)}. " if n % 5 == 0 else ""
        posts.append({"id": str(n), "author": f"account_{rng.randint(0, size // 3)}", "text": lead + " ".join(words)})
    return posts


def unit(posts: Sequence[dict[str, str]]) -> None:
    for one in posts:
        re.findall(r"\w+", one["text"].lower())


def anew(posts: Sequence[dict[str, str]], vectors: Any) -> None:
    """Context mode in a process that has read nothing yet."""
    reading.forget()
    judge_x_corpus(posts, TOPIC, mode="context", vectors=vectors)


def measure(rounds: int) -> dict[str, Any]:
    import numpy as np

    found: dict[str, Any] = {}
    for size in SIZES:
        posts = corpus(size)
        vectors = np.random.default_rng(7).standard_normal((size + 1, 512)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        jobs: dict[str, Callable[[], Any]] = {
            "F": lambda posts=posts: unit(posts),
            "coverage": lambda posts=posts: judge_x_corpus(posts, TOPIC),
            "context": lambda posts=posts, v=vectors: judge_x_corpus(posts, TOPIC, mode="context", vectors=v),
            "context, all words new": lambda posts=posts, v=vectors: anew(posts, v),
        }
        times: dict[str, list[float]] = {name: [] for name in jobs}
        for _ in range(rounds + 1):  # the first round warms up and is left out
            for name, job in jobs.items():
                start = time.process_time()
                job()
                times[name].append(time.process_time() - start)
        seconds = {name: statistics.median(values[1:]) for name, values in times.items()}
        found[str(size)] = {
            name: {"us_a_post": round(s / size * 1e6, 2), "F": round(s / seconds["F"], 2), "ms": round(s * 1e3, 3)}
            for name, s in seconds.items()
        }
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measure(options.rounds)
    if options.json:
        print(json.dumps(found))
        return
    for size, row in found.items():
        for name, cost in row.items():
            print(f"{size:>6} posts  {name:<22} {cost['us_a_post']:>7} us a post  {cost['F']:>5} F  {cost['ms']:>8} ms")


if __name__ == "__main__":
    main()
