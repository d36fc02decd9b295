"""Re-dating: an item whose own evidence says that what it tells is clearly older than its stated date.

Evidence, the oldest wins:
- the ledger: a date in the address, or the first time this very item was seen, older than the stated one by more than
  `re_dated_days`;
- the title or first sentence telling the happening itself as past ("announced last month", 上月宣布, "on 3 May ...").
The latest moment the words allow is taken ("last month" = the last day of it). A side clause ("which announced ... last
month"), a fresh time word beside it ("today") or an anniversary is no re-dating. The window gate uses the stated
date; only timeliness uses the effective one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.frame import DAY_S, Pool
from pipeline.scoring.phrases import found
from pipeline.text import any_in, lexicon, normalise, sentences
from pipeline.types import Candidate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.types import Flags

LEDGER_KINDS = {"url": "the address says", "text": "the text says", "first seen": "this item was first seen on"}
LEAD_CHARS = 240
_ENGLISH = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {
    **{word: float(number) for number, word in enumerate(_ENGLISH, 1)},
    **{word: float(number) for number, word in enumerate("一二三四五六七八九十", 1)},
    "a": 1.0,
    "several": 3.0,
    "两": 2.0,
    "半": 0.5,
    "几": 3.0,
}
_UNITS = {"day": 1, "week": 7, "month": 30, "year": 365}
_UNITS |= {"天": 1, "日": 1, "周": 7, "星期": 7, "个月": 30, "月": 30, "年": 365}
_AGO = re.compile(
    r"\b(\d{1,3}|a|one|two|three|four|five|six|seven|eight|nine|ten|several) (day|week|month|year)s? ago\b"
    r"|(\d{1,3}|[一两二三四五六七八九十半几])(天|日|周|星期|个月|年)(?:之|以)?前"
)
_HINTS = ("ago", "last ", "previous ", "前", "上", "去年")  # without one of these there is nothing to match
_LAST = re.compile(r"\b(?:last|the previous) (week|month|year)\b|上(?:个)?(周|星期|月)|(去年)|(前年)")


@dataclass(frozen=True, slots=True)
class Redated:
    struck: Flags
    effective: NDArray[np.float64]
    """[n] epoch seconds: the stated time, or the older one the evidence gives; NaN when undated."""
    evidence: Mapping[int, str]

    @property
    def effect(self) -> str:
        return "the effective date is recomputed; timeliness uses it"

    def explain(self, row: int) -> str:
        return self.evidence[row]


def redate(pool: Pool) -> Redated:
    effective = pool.published.copy()
    evidence: dict[int, str] = {}
    slack = pool.settings.scoring.penalties.re_dated_days * DAY_S
    earlier = _earlier_copies(pool)
    for row, candidate in enumerate(pool.candidates):
        stated = candidate.published_at
        if stated is None:
            continue
        claims = [*_ledger(candidate), *_words(candidate, stated), *earlier.get(row, ())]
        old = [claim for claim in claims if (stated - claim[0]).total_seconds() > slack]
        if old:
            at, says = min(old)
            effective[row] = at.timestamp()
            evidence[row] = f"stated {stated:%Y-%m-%d}, but {says}: dated {at:%Y-%m-%d}"
    struck = np.zeros(len(pool), bool)
    struck[list(evidence)] = True
    return Redated(struck, effective, evidence)


def _ledger(candidate: Candidate) -> list[tuple[datetime, str]]:
    """Claims of the ledger that were not chosen and speak of another day."""
    claims = candidate.dates.claims
    chosen = candidate.dates.chosen
    return [
        (claim.at, f"{LEDGER_KINDS[claim.kind]} {claim.raw or claim.at.date().isoformat()}")
        for number, claim in enumerate(claims)
        if number != chosen and claim.kind in LEDGER_KINDS
    ]


def _earlier_copies(pool: Pool) -> dict[int, list[tuple[datetime, str]]]:
    """Row -> when an earlier run saw the same text: links to remembered fingerprints that are copies, not just
    one event.
    """
    rows = {candidate.id: row for row, candidate in enumerate(pool.candidates)}
    known: dict[int, list[tuple[datetime, str]]] = {}
    for event in pool.grouping.events:
        if event.known_since is None:
            continue
        for link in event.why:
            if link.layer == "earlier run" and link.relation == "copy" and link.a in rows:
                at = event.known_since
                known.setdefault(rows[link.a], []).append((at, f"an earlier run saw this text on {at:%Y-%m-%d}"))
    return known


# --------------------------------------------------------------------------- words


def _words(candidate: Candidate, stated: datetime) -> list[tuple[datetime, str]]:
    """What the title, else the first sentence, says about when it happened."""
    text = f"{candidate.title} {candidate.text[:LEAD_CHARS]}"
    if not any_in(_HINTS, text.lower()) or not (_AGO.search(text) or _LAST.search(text)):
        return []
    parts = [candidate.title, *sentences(candidate.text[:LEAD_CHARS])[:1]]
    folded = [normalise(part) for part in parts]
    lists = cues()
    if any(found(lists["anniversary"] + lists["fresh"], part) for part in folded):
        return []
    return [claim for part in folded if (claim := told(part, stated)) is not None]


def told(sentence: str, stated: datetime) -> tuple[datetime, str] | None:
    """The latest moment at which a (normalised) sentence puts its own happening; None when it does not say.

    The time word must stand close to a verb of happening, with no opener of a side clause before the verb.
    """
    for match in (*_AGO.finditer(sentence), *_LAST.finditer(sentence)):
        around = sentence[max(0, match.start() - 60) : match.end() + 40]
        verbs = found(cues()["happened"], around)
        opening = sentence[: match.start()]
        if verbs and not found(cues()["side_clause"], opening):
            at = _moment(match, stated)
            return at, f'the text says "{verbs[0]} … {match.group()}"'
    return None


def _moment(match: re.Match[str], stated: datetime) -> datetime:
    if match.re is _AGO:
        number, unit = (match.group(1), match.group(2)) if match.group(2) else (match.group(3), match.group(4))
        count = float(number) if number.isdigit() else _NUMBERS[number]
        return stated - timedelta(days=count * _UNITS[unit])
    english, chinese, last_year, before_last = match.groups()
    day = stated.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    unit = english or {"周": "week", "星期": "week", "月": "month"}.get(chinese or "", "year")
    if unit == "week":
        return day - timedelta(days=day.weekday(), seconds=1)
    if unit == "month":
        return day.replace(day=1) - timedelta(seconds=1)
    years = 1 if before_last is None else 2
    return day.replace(year=day.year - years + 1, month=1, day=1) - timedelta(seconds=1)


@cache
def cues() -> dict[str, tuple[str, ...]]:
    """Word lists of all languages (config/lexicon, `redating`)."""
    lists = [lexicon(lang).get("redating", {}) for lang in ("en", "zh")]
    names = ("happened", "side_clause", "fresh", "anniversary")
    return {name: tuple(str(word) for one in lists for word in one.get(name, ())) for name in names}
