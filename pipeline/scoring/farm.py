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
from pipeline.scoring.phrases import found
from pipeline.text import HAN, Corpus, any_in, content_tokens, lexicon, normalise, tokens
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
    """Rows that hold the longest word of some call to action, ascending: the only ones whose text is searched."""
    keys = {max(found, key=len) for phrase in phrases() if (found := tokens(phrase))}
    # A Chinese call may be cut otherwise inside a sentence: any word that holds a piece of one will do.
    pieces = tuple(key for key in keys if HAN.match(key))
    told = zip(words.words, words.han.tolist(), strict=True)
    marked = (word in keys or (han and bool(any_in(pieces, word))) for word, han in told)
    marks = np.fromiter(marked, bool, len(words.words))
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
def phrases() -> tuple[str, ...]:
    """Calls to action of all languages, normalised (config/lexicon, `marketing`)."""
    return tuple(normalise(str(phrase)) for lang in ("en", "zh") for phrase in lexicon(lang).get("marketing", ()))
