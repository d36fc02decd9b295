"""Content farm: marketing calls to action together with keyword stuffing.

Both must be there: a newspaper's "subscribe now" is no farm, and a technical text repeats its terms. Stuffing is
measured on the content words of the text: one word takes `STUFFED_SHARE` or more of them, or the title lists keywords
side by side.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.frame import Pool
from pipeline.scoring.phrases import any_of, found, words_with
from pipeline.text import HAN, Corpus, content_tokens, lexicon, normalise, tokens
from pipeline.types import Candidate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.types import Flags

STUFFED_SHARE = 0.09  # of the content words; news texts stay below 0.07 with their main name, see the tests
STUFFED_COUNT = 6  # times, at least: the lead of a report on one subject reaches any share with less
LISTED = 4  # keywords side by side in a title ("cheap phones | best phones | phone deals | buy phones")
MANY_CALLS = 3  # different calls to action weigh as much as half a stuffing
_SEPARATOR = re.compile(r"[|｜/,，、_;；]+|\s-\s")


@dataclass(frozen=True, slots=True)
class Farm:
    struck: Flags
    evidence: Mapping[int, str]

    @property
    def effect(self) -> str:
        return "the total is multiplied"

    def explain(self, row: int) -> str:
        return self.evidence[row]


def measure(pool: Pool) -> Farm:
    struck = np.zeros(len(pool), bool)
    evidence: dict[int, str] = {}
    for row in suspects(pool.corpus).tolist():
        if (says := judge(pool.candidates[row])) is not None:
            struck[row] = True
            evidence[row] = says
    return Farm(struck, evidence)


def suspects(words: Corpus) -> NDArray[np.int64]:
    """Rows that hold what tells some call to action, ascending: the only ones whose text is searched. That is the
    rarest word of a call whose words the pool all holds.
    """
    uses = np.bincount(words.texts.flat, minlength=len(words.words))
    calls = [found for call in _calls() if len(found := words.find(call)) == len(call)]
    marks = np.zeros(len(words.words), bool)
    marks[[min(call, key=uses.__getitem__) for call in calls]] = True
    marks[words_with(_chinese_pieces(), words, words.han)] = True
    rows = [field.rows[marks[field.flat]] for field in (words.titles, words.texts)]
    return np.unique(np.concatenate(rows))


def judge(candidate: Candidate) -> str | None:
    """The evidence when both signs are there, else None."""
    text = normalise(f"{candidate.title} \n {candidate.text}")
    calls = found(phrases(), text)
    if not calls:
        return None
    stuffing = stuffed(candidate, needed=1 if len(calls) < MANY_CALLS else 0.6)
    if stuffing is None:
        return None
    return f"calls to action ({', '.join(calls[:5])}) and keyword stuffing ({stuffing})"


def stuffed(candidate: Candidate, *, needed: float = 1.0) -> str | None:
    """How a text is stuffed, in words; None when it is not. `needed` scales the share that counts as stuffing."""
    words = [word for word in content_tokens(f"{candidate.title} {candidate.text}") if len(word) > 1]
    counts = Counter(words)
    if counts:
        word, times = counts.most_common(1)[0]
        if times >= STUFFED_COUNT and times / len(words) >= STUFFED_SHARE * needed:
            return f"“{word}” is {times} of {len(words)} content words"
    parts = [part.strip() for part in _SEPARATOR.split(candidate.title) if part.strip()]
    repeated = Counter(word for part in parts for word in set(content_tokens(part)))
    if len(parts) >= LISTED and repeated and max(repeated.values()) >= LISTED - 1:
        return f"the title lists {len(parts)} keywords"
    return None


@cache
def _calls() -> tuple[tuple[str, ...], ...]:
    """The words of the calls to action."""
    return tuple(tuple(found) for phrase in phrases() if (found := tokens(phrase)))


@cache
def _chinese_pieces() -> re.Pattern[str]:
    """The longest words of Chinese calls, which may be cut otherwise inside a sentence: any word that holds one will
    do.
    """
    longest = {max(call, key=len) for call in _calls()}
    return any_of(word for word in longest if HAN.match(word))


@cache
def phrases() -> tuple[str, ...]:
    """Calls to action of all languages, normalised (config/lexicon, `marketing`)."""
    return tuple(normalise(str(phrase)) for lang in ("en", "zh") for phrase in lexicon(lang).get("marketing", ()))
