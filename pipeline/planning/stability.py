"""How fast the answer of a question changes: fast (within a year), slow (over years), never, or unsure.

Groups of words (config/lexicon/<lang>.yaml, `stability`) each add two figures once: `change`, whether the answer
depends on when one asks, and `speed`, whether it turns within a year. Below `change_floor` the answer stays; above it
`speed` decides between slow and fast. No group at all: unsure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from pipeline.planning.lexicon import Hit, Phrases, Word, words_of
from pipeline.text import HAN, lexicon
from pipeline.types import Signal, Stability

Intent = Literal["recent", "future", "past", "atemporal"]
_YEAR = re.compile(r"(?<!\d)(1[0-9]{3}|20[0-9]{2})(?!\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The class, the two figures behind it, and the words that counted."""

    stability: Stability
    change: float
    speed: float
    signals: tuple[Signal, ...]
    office: bool = False
    """Asks for a holder of an office: over years for the calendar, but news any day, so fast for the product."""

    @property
    def rate(self) -> Literal["fast", "slow", "never"]:
        """The class with unsure decided: the labelled sets know no unsure."""
        if self.change < 0:
            return "never"
        return "fast" if self.speed > 0 else "slow"


def judge(text: str, year: int) -> Judgement:
    """`text` as typed; `year` is the run's present year, so that a year in digits is past, present or to come."""
    lang = "zh" if HAN.search(text) else "en"
    rules = _rules(lang)
    low, words = text.lower(), words_of(text)
    names = rules.names.find(low, words)
    hits = [hit for hit in rules.phrases.find(low, words) if not _inside_name(hit, names)]
    seen: dict[str, Hit] = {}
    for hit in hits + _years(text, year, rules.groups):
        seen.setdefault(hit.label, hit)
    groups = [rules.groups[label] for label in seen]
    judged = Judgement(
        stability="unsure",
        change=sum((group["change"] for group in groups), rules.bias["change"] - rules.bias["change_floor"]),
        speed=sum((group["speed"] for group in groups), rules.bias["speed"]),
        signals=tuple(_signal(text, hit, group) for hit, group in zip(seen.values(), groups, strict=True)),
        office=any(group.get("office") for group in groups),
    )
    if not seen:
        return judged
    return replace(judged, stability="fast" if judged.office and judged.change >= 0 else judged.rate)


@dataclass(frozen=True, slots=True)
class _Rules:
    phrases: Phrases
    names: Phrases
    groups: Mapping[str, Mapping[str, Any]]
    bias: Mapping[str, float]


@cache
def _rules(lang: str) -> _Rules:
    section = lexicon(lang)["stability"]
    groups = {group["name"]: group for group in section["groups"]}
    chinese = lang == "zh"
    return _Rules(
        Phrases(((name, group["words"]) for name, group in groups.items()), chinese=chinese),
        Phrases([("name", section.get("names", ()))], chinese=chinese),
        groups,
        section["bias"],
    )


def _inside_name(hit: Hit, names: list[Hit]) -> bool:
    """ "new" in "New York" says nothing about time."""
    return any(name.start <= hit.start and hit.end <= name.end for name in names)


def _years(text: str, year: int, groups: Mapping[str, Mapping[str, Any]]) -> list[Hit]:
    """Years in digits count for the groups that list "#year" (past) or "#this" (present and to come)."""
    hits = []
    for found in _YEAR.finditer(text):
        mark = "#this" if int(found.group()) >= year else "#year"
        hits += [Hit(name, found.start(), found.end()) for name, group in groups.items() if mark in group["words"]]
    return hits


def _signal(text: str, hit: Hit, group: Mapping[str, Any]) -> Signal:
    change, speed = group["change"], group["speed"]
    if change <= -0.5:
        says = "lasting answer"
    elif change < 0.5 and abs(speed) < 0.5:
        says = "weak sign"
    else:
        says = "fast subject" if speed > 0 or group.get("office") else "slow subject"
    return Signal(kind=hit.label, text=text[hit.start : hit.end], start=hit.start, end=hit.end, says=says)


# --------------------------------------------------------------------------- does it ask back, now or ahead?


def intent(text: str, year: int) -> Intent:
    """Where in time a short query looks: its own words first, then its years, then how it asks."""
    lang = "zh" if HAN.search(text) else "en"
    tense = lexicon(lang).get("tense", {})
    words = words_of(text)
    found = {hit.label for hit in _tenses(lang).find(text.lower(), words)}
    years = [int(match.group()) for match in _YEAR.finditer(text)]
    if "never" in found:
        return "atemporal"
    if "past" in found or (years and max(years) < year):
        return "past"
    if "future" in found or (years and max(years) > year):
        return "future"
    if _opens(words, tense.get("past_openers", ())):
        return "past"
    if _opens(words, tense.get("future_openers", ())):
        return "future"
    if "recent" in found or years:
        return "recent"
    return "atemporal"


@cache
def _tenses(lang: str) -> Phrases:
    tense = lexicon(lang).get("tense", {})
    return Phrases(
        ((name, tense.get(name, ())) for name in ("recent", "future", "past", "never")), chinese=lang == "zh"
    )


def _opens(words: list[Word], openers: tuple[str, ...]) -> bool:
    begin = " ".join(word.text for word in words[:3]) + " "
    return any(begin.startswith(opener + " ") for opener in openers)
