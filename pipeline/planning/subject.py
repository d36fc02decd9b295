"""What a question is about once its time words, operators and dressing are off.

The topic keeps what was typed, in order, quotes included; its core keeps the significant terms alone, and is what items
are judged against.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from pipeline.planning.lexicon import phrases, words_of
from pipeline.planning.operators import blank
from pipeline.text import HAN, lexicon, stopwords, tokens

_EDGES = " \t\r\n,，.。?？!！;；:：、-–—~～…"
_PREPOSITION = re.compile(
    r"(?:\b(?:in|on|at|of|for|from|since|during|within|over|around|throughout|by|until|the|as)\b\s*|[在于从自])+$",
    re.IGNORECASE,
)
_AFTERMATH = re.compile(r"['’]s\b|\s*(?:的|里|内|以来|间)(?=[\u4e00-\u9fff]|\s|$)")
_DANGLING = re.compile(
    r"^(?:(?:of|in|on|at|for|from|about|since|during|and|or|by)\s+)+|(?:\s+(?:of|in|on|at|for|from|about|since|during|and|or|by|the|"
    r"was|were|is|are|has|have|been))+$|^[的和与在]+|[的和与在从]+$",
    re.IGNORECASE,
)  # fmt: skip
_QUOTES = str.maketrans("", "", '"“”「」『』＂')
_CHUNK = re.compile(r"\S+")


def read_topic(bare: str, cuts: Sequence[tuple[int, int]], names: Sequence[str]) -> str:
    """The topic as typed. `bare`: the text with operators blanked; `cuts`: the places of time words; `names`:
    handles and sites, searched where nothing else is said.
    """
    rest = blank(bare, (_widened(bare, start, end) for start, end in cuts))
    topic = _without_handles(rest)
    return undress(topic) or tidy(topic) or " ".join(names) or undress(bare) or tidy(bare)


def _widened(text: str, start: int, end: int) -> tuple[int, int]:
    """A time phrase with the preposition before it and the possessive after it."""
    if led := _PREPOSITION.search(text[:start]):
        start = led.start()
    if after := _AFTERMATH.match(text, end):
        end = after.end()
    return start, end


def _without_handles(text: str) -> str:
    return re.sub(r"(?<![\w@./])[@＠]\w{1,30}", " ", text)


def tidy(text: str) -> str:
    """Spaces folded, none between Chinese characters that a cut left apart, marks at the edges off."""
    text = re.sub(r"(?<=[\u4e00-\u9fff])\s{2,}(?=[\u4e00-\u9fff])", "", text)
    return " ".join(text.split()).strip(_EDGES)


def undress(text: str) -> str:
    """The topic without "what are the", "tell me about", 有哪些, and without what dangles at its ends."""
    text = tidy(text)
    before = None
    while text != before:
        before = text
        text = _undress_han(text) if HAN.search(text) else _undress_words(text)
        text = tidy(_DANGLING.sub("", text))
    return text


def _undress_words(text: str) -> str:
    words = words_of(text)
    front = [hit for hit in phrases("en", "planning", "dressing").find(text.lower(), words) if hit.label == "before"]
    if words and (
        starts := [hit.end for hit in front if hit.start == words[0].start and text[: hit.start].strip() == ""]
    ):
        return text[max(starts) :]
    back = [hit for hit in phrases("en", "planning", "dressing").find(text.lower(), words) if hit.label == "after"]
    if words and (ends := [hit.start for hit in back if hit.end == words[-1].end]):
        return text[: min(ends)]
    return text


@cache
def _han_dressing() -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    dressing = lexicon("zh").get("planning", {}).get("dressing", {})
    before, after, within = (
        tuple(sorted(dressing.get(k, ()), key=len, reverse=True)) for k in ("before", "after", "within")
    )
    return before, after, within


def _undress_han(text: str) -> str:
    before, after, within = _han_dressing()
    for word in within:
        if word in text:
            text = text.replace(word, "", 1)
    for word in before:
        if text.startswith(word) and len(text) > len(word):
            return text[len(word) :]
    for word in after:
        if text.endswith(word) and len(text) > len(word) + 1:
            return text[: -len(word)]
    return text


# --------------------------------------------------------------------------- the core


@cache
def _noise() -> frozenset[str]:
    return frozenset(str(word) for lang in ("en", "zh") for word in lexicon(lang).get("planning", {}).get("noise", ()))


def core_of(topic: str) -> str:
    """Noise and stop words off, every significant term kept as typed; the topic itself where nothing is left."""
    plain = topic.translate(_QUOTES)
    kept = [part for chunk in _CHUNK.findall(plain) if (part := _significant(chunk))]
    return " ".join(kept) or plain.strip()


def _significant(chunk: str) -> str:
    """One typed chunk without its noise; capitals ("US", "IT", "WHO") are names, not stop words."""
    if HAN.search(chunk):
        return _significant_han(chunk)
    word = chunk.strip(_EDGES + "()[]{}'’")
    low = word.lower()
    if low.endswith(("'s", "’s")):
        low = low[:-2]
    small = low in stopwords() or low in _noise()
    named = word.isupper() and len(word) > 1
    return "" if not word or (small and not named) else word


def _significant_han(chunk: str) -> str:
    """Chinese runs lose their noise words; what stood together stays together."""
    out, at = "", 0
    low = chunk.lower()
    for token in tokens(chunk):
        place = low.find(token, at)
        if place < 0:  # folded to another form (traditional characters): keep the chunk as typed
            return chunk.strip(_EDGES)
        if token not in _noise() and token not in stopwords():
            gap = chunk[at:place]
            out += ("" if not out else _joint(gap)) + chunk[place : place + len(token)]
        at = place + len(token)
    return out


def _joint(gap: str) -> str:
    return gap if gap.strip(_EDGES) or gap in ("-", ".", "/") else (" " if gap else "")
