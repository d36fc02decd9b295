"""Completeness: how many of three elements an item tells: when, who or what, and what happened.

    value = elements present / 3

Looked for in the title and the first sentences. A place or a number is shown as evidence and counts nothing. A headline
that its body does not bear out (clickbait) has its completeness set to 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.frame import Dimension, Evidence, Pool
from pipeline.scoring.phrases import any_of, words_with
from pipeline.text import HAN, Ragged, lexicon
from pipeline.types import Candidate

if TYPE_CHECKING:
    from pipeline.types import Flags, Floats

ELEMENTS = ("time", "actor", "happening")
LEAD_CHARS = 300  # where news says who, what and when
LEAD_WORDS = 60  # the same in words

# Both begin with a set of characters, so that a search skips to the next of these; months in words are cues already.
_DATE = re.compile(
    r"\d(?:\s*[月日号年]|-\d{1,2}-\d{1,2}|:\d{2}|\s+(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))"
)
_NAME = re.compile(r"[A-Z@](?:(?<=[a-z,] .)\w|[a-z]+ [A-Z][a-z]|[A-Z]+\b|(?<=@)\w)")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*\s*(?:%|percent|million|billion|万|亿|元|美元)?")


@dataclass(frozen=True, slots=True)
class Completeness:
    values: Floats
    present: Flags
    """[n, 3] in the order of ELEMENTS."""
    pool: Pool

    def explain(self, row: int) -> Evidence:
        has = self.present[row]
        named = [name for name, there in zip(ELEMENTS, has, strict=True) if there]
        missing = [name for name in ELEMENTS if name not in named]
        says = f"{len(named)} of 3 elements" + (f": {', '.join(named)}" if named else "")
        says += f"; missing: {', '.join(missing)}" if missing else ""
        numbers = dict.fromkeys(map(str.strip, _NUMBER.findall(_lead(self.pool.candidates[row]))))
        says += f"; figures {', '.join([*numbers][:3])}" if numbers else ""
        return Evidence(
            says, tuple((name, "yes" if there else "no") for name, there in zip(ELEMENTS, has, strict=True))
        )


def measure(pool: Pool) -> Completeness:
    marks = np.zeros((len(pool.corpus.words), 3), bool)
    for column, name in enumerate(ELEMENTS):
        marks[list(pool.corpus.find(cues()[name])), column] = True
        marks[words_with(_inside(name), pool.corpus, pool.corpus.han), column] = True
    present = _any(pool.corpus.titles, marks) | _any(_leads(pool.corpus.texts), marks)
    for column, shown in enumerate((_dated, _names)):  # what single words don't show
        for row in np.flatnonzero(~present[:, column]).tolist():
            present[row, column] = shown(pool.candidates[row])
    return Completeness((present.sum(1) / np.float32(3)).astype(np.float32), present, pool)


@cache
def _inside(name: str) -> re.Pattern[str]:
    """Chinese cues of two characters and more: a longer word tells what a cue inside it tells (华为公司: 公司)."""
    return any_of(cue for cue in cues()[name] if len(cue) > 1 and HAN.match(cue))


@cache
def cues() -> dict[str, tuple[str, ...]]:
    """Element -> the words of all languages that tell it (config/lexicon, `completeness`)."""
    lists = [lexicon(lang).get("completeness", {}) for lang in ("en", "zh")]
    told = {name: tuple(str(word) for one in lists for word in one.get(name, ())) for name in ELEMENTS}
    return {**told, "actor": (*told["actor"], *(str(names[0]) for names in lexicon("zh").get("names", ())))}


def _dated(candidate: Candidate) -> bool:
    """A date, or an event time in the ledger."""
    return candidate.dates.event_at is not None or _DATE.search(_lead(candidate)) is not None


def _names(candidate: Candidate) -> bool:
    """A name by its capitals."""
    return _NAME.search(_lead(candidate)) is not None


def _lead(candidate: Candidate) -> str:
    return f"{candidate.title}\n{candidate.text[:LEAD_CHARS]}"


def _leads(texts: Ragged) -> Ragged:
    """The first LEAD_WORDS of every text."""
    lengths = np.minimum(texts.lengths, LEAD_WORDS)
    starts = np.concatenate(([0], np.cumsum(lengths)))
    within = np.arange(int(starts[-1])) - np.repeat(starts[:-1], lengths)
    return Ragged(texts.flat[np.repeat(texts.starts[:-1], lengths) + within], starts)


def _any(field: Ragged, marks: Flags) -> Flags:
    """[n, k] whether any word of a row carries a mark; marks: [V, k]."""
    summed = np.zeros((len(field.flat) + 1, marks.shape[1]), np.int32)
    np.cumsum(marks[field.flat], axis=0, out=summed[1:])
    found: Flags = (summed[field.starts[1:]] - summed[field.starts[:-1]]) > 0
    return found


DIMENSION = Dimension("completeness", measure)
