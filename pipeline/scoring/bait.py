"""The headline's own signals of clickbait: a logistic sum over a few general features of wording and form.

    score = 1 / (1 + exp(-(bias + sum of weight x feature)))

Features are shares or yes/no, never outlet names or topics; the weights stand in config/scoring.yaml (`clickbait`) with
the folder they were fitted on. The cue words are in config/lexicon (`clickbait`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from math import exp
from typing import NamedTuple

from pipeline.scoring.phrases import found
from pipeline.settings import Clickbait
from pipeline.text import HAN, lexicon, normalise


class Bait(NamedTuple):
    score: float
    """0..1"""
    cues: tuple[str, ...]
    """The features that spoke for clickbait, in words, the strongest first."""


IN_WORDS = {
    "reader": "speaks to the reader", "pointer": "points at it without telling", "promise": "promises much",
    "feeling": "strong feelings", "challenge": "challenges", "count_first": "begins with a count",
    "title_case": "Capitals Throughout", "question": "question mark", "exclamation": "exclamation mark",
    "length": "many words", "quotes": "quotation marks",
}  # fmt: skip


def bait(title: str, weights: Clickbait) -> Bait:
    """Score a headline."""
    zh = HAN.search(title) is not None
    values = features_zh(title) if zh else features_en(title)
    used = weights.zh if zh else weights.en
    terms = {name: used.get(name, 0.0) * value for name, value in values.items()}
    logit = used.get("bias", 0.0) + sum(terms.values())
    cues = tuple(
        IN_WORDS.get(name, name) for name, term in sorted(terms.items(), key=lambda item: -item[1]) if term > 0.3
    )
    return Bait(1 / (1 + exp(-logit)), cues)


_WORD = re.compile(r"[^\W_]+(?:['’][a-z]+)?", re.IGNORECASE)
_COUNT_FIRST = re.compile(
    r"^\W*(?:the |these |top )?\d{1,3}\b(?!\s*(?:dead|killed|die|injured|hurt|held|arrested))", re.I
)


def features_en(title: str) -> Mapping[str, float]:
    """Feature -> value of an English (Latin script) headline."""
    words = _WORD.findall(title)
    count = max(len(words), 1)
    lower = normalise(title)
    lists = cues("en")
    hits = {name: float(len(found(phrases, lower))) for name, phrases in lists.items()}
    return {
        **{name: min(number, 2.0) for name, number in hits.items()},
        "count_first": float(_COUNT_FIRST.match(title) is not None),
        "title_case": sum(word[:1].isupper() for word in words) / count,
        "question": float("?" in title),
        "exclamation": float("!" in title),
        "length": min(count, 25) / 10,
    }


def features_zh(title: str) -> Mapping[str, float]:
    """Feature -> value of a Chinese headline."""
    lists = cues("zh")
    folded = normalise(title)
    hits = {name: float(len(found(phrases, folded))) for name, phrases in lists.items()}
    return {
        **{name: min(number, 2.0) for name, number in hits.items()},
        "question": float("?" in folded),
        "exclamation": float("!" in folded),
        "ellipsis": float("…" in title or "..." in folded),
        "quotes": float("“" in title or "「" in title),
        "colon": float(":" in folded),
        "digits": float(any(char.isdigit() for char in folded)),
        "length": min(len(folded), 40) / 20,
    }


@cache
def cues(lang: str) -> Mapping[str, tuple[str, ...]]:
    """Cue name -> words and phrases (config/lexicon, `clickbait`)."""
    lists = lexicon(lang).get("clickbait", {})
    return {str(name): tuple(normalise(str(word)) for word in words) for name, words in lists.items()}
