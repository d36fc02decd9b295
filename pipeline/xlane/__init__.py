"""X: retrieve, judge, retry; and the same corpus judge for every noisy search source.

Read stream.py first: it draws the flow. The judge (judge.py, gates.py) is pure and usable alone.
"""

from pipeline.xlane.gates import promotable_handles
from pipeline.xlane.judge import (
    Floors,
    Judgement,
    PostVerdict,
    judge_x_corpus,
    prune_off_topic_items,
    should_retry_x_search,
)
from pipeline.xlane.noisy import noisy_judge
from pipeline.xlane.stream import stream

__all__ = [
    "Floors",
    "Judgement",
    "PostVerdict",
    "judge_x_corpus",
    "noisy_judge",
    "promotable_handles",
    "prune_off_topic_items",
    "should_retry_x_search",
    "stream",
]
