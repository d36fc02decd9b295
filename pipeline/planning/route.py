"""Recent or evergreen: is there news to fetch for this question at all?

Time-sensitive words alone don't decide: who asks lately for good books on Roman law wants books. An explicit time
always means recent; a lasting subject with at most a vague time word is evergreen; without any sign it is unsure, which
counts as recent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.planning.lexicon import Hit, phrases, words_of
from pipeline.planning.stability import Judgement, judge
from pipeline.text import HAN
from pipeline.types import Route, Signal, Stability

NEVER_CHANGE = -1.0  # `change` below which a question's answer is taken to stay
_ASKS = re.compile(
    r"^\W*(?:who|whom|whose|what|which|when|where|why|how|did|does|do|is|are|was|were|has|have|can|could|will)\b|"
    r"什么|谁|哪|怎么|为什么|多少|几[个次名]|吗[?？]?\s*$", re.IGNORECASE,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """The time-sensitive words and the subject's stability, each with its place."""

    stability: Stability
    why: str
    vague: tuple[Signal, ...]
    news: tuple[Signal, ...]
    subject: tuple[Signal, ...]


def read_signs(masked: str, text: str, year: int) -> Signs:
    """Signs in a text whose operators and quotes are blanked; `text` has the same places."""
    vague = _signals(masked, text, "vague", "vague time word", "recent, without saying how recent")
    news = _signals(masked, text, "news", "news word", "recent")
    news = tuple(s for s in news if not any(v.start <= s.start and s.end <= v.end for v in vague))
    lasting = _signals(masked, text, "lasting", "lasting subject", "slow subject")
    fast = _signals(masked, text, "fast", "fast subject", "fast subject")
    judged = judge(masked, year)
    weighed = tuple(
        s for s in judged.signals if s.says != "weak sign" and not _within(s, (*lasting, *fast, *vague, *news))
    )
    stability, why = _stability(masked, judged, lasting, fast)
    return Signs(stability=stability, why=why, vague=vague, news=news, subject=(*lasting, *fast, *weighed))


def _signals(masked: str, text: str, name: str, kind: str, says: str) -> tuple[Signal, ...]:
    lang = "zh" if HAN.search(masked) else "en"
    hits = list(phrases("en", "planning", name).find(masked.lower(), words_of(masked)))
    if lang == "zh":
        hits += phrases("zh", "planning", name).find(masked.lower())
    return tuple(
        Signal(kind=kind, text=text[hit.start : hit.end], start=hit.start, end=hit.end, says=says)
        for hit in _longest(hits)
    )


def _longest(hits: list[Hit]) -> list[Hit]:
    """One hit a place, the longest."""
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end)):
        if not kept or hit.start >= kept[-1].end:
            kept.append(hit)
    return kept


def _stability(
    text: str, judged: Judgement, lasting: Sequence[Signal], fast: Sequence[Signal]
) -> tuple[Stability, str]:
    """Listed subjects first; the weighed groups decide for questions, since they were weighed on questions."""
    office = judged.office and judged.change >= 0
    if lasting and (fast or office):
        changing = _quoted(fast or judged.signals)
        return "unsure", f"it speaks of {changing}, which changes fast, and of {_quoted(lasting)}, which stays"
    if lasting:
        return "slow", f"{_quoted(lasting)}: a subject whose knowledge stays for years"
    if fast:
        return "fast", f"{_quoted(fast)}: a subject that changes fast"
    if not _ASKS.search(text) or not judged.signals:
        return "unsure", "nothing says how fast the subject changes"
    if office:
        return "fast", "it asks for the holder of an office, which can change any day"
    if judged.change < NEVER_CHANGE:
        strong = [signal for signal in judged.signals if signal.says == "lasting answer"]
        return "never", f"the answer does not change ({_quoted(strong or judged.signals)})"
    if judged.rate == "fast":
        return "fast", f"the answer changes within a year ({_quoted(judged.signals)})"
    return "unsure", "nothing says for sure how fast the answer changes"


def _quoted(signals: Sequence[Signal]) -> str:
    return ", ".join(dict.fromkeys(f"“{signal.text}”" for signal in signals[:3]))


def _within(signal: Signal, others: Sequence[Signal]) -> bool:
    return any(other.start <= signal.start and signal.end <= other.end for other in others)


def decide(signs: Signs, window_how: str, evidence: str, forced: bool) -> tuple[Route, tuple[str, ...]]:
    """The route and its reasons in words."""
    about = signs.why[:1].upper() + signs.why[1:]
    if forced:
        return "recent", ("You chose recent events.", about + ".")
    if window_how in ("text", "argument"):
        return "recent", (f"A time is given ({evidence}): that always means recent events.", about + ".")
    if signs.stability in ("slow", "never") and not signs.news:
        vague = f" {_quoted(signs.vague)} alone says only that it is asked now." if signs.vague else ""
        return "evergreen", (about + "." + vague, "No news would answer it, so nothing is fetched.")
    if signs.vague or signs.news:
        return "recent", (f"{_quoted((*signs.vague, *signs.news))} asks for recent events.", about + ".")
    if signs.stability == "fast":
        return "recent", (about + ".",)
    return "unsure", (about + "; it counts as recent.",)
