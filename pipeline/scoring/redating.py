"""Re-dating: an item whose own evidence says that what it tells is clearly older than its stated date.

Evidence, the oldest wins:
- the ledger: a date in the address, or the time when the store first saw this very item, title and text unchanged;
- the fingerprint store: an earlier run saw the very text, wherever it stood;
- the title or first sentence telling the happening itself as past ("announced last month", 上月宣布, "on 3 May ...").
Older means by more than `re_dated_days`; the latest moment the evidence allows is taken ("last month" = the last day of
it). A fresh time word ("today") or an anniversary is no re-dating, nor is a later report of a running event. The window
gate uses the stated date; only timeliness uses the effective one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from pipeline.dates import month_end
from pipeline.scoring.frame import DAY_S, Pool
from pipeline.scoring.phrases import found, words_with
from pipeline.scoring.told import TIME_COUNTED, TIME_WORDS, Told, cues, one_happening, told, verbs
from pipeline.text import Corpus, content_tokens, normalise, sentences
from pipeline.types import Candidate, DateClaim

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.types import Flags

LEDGER_KINDS = {"url": "the address says", "text": "the text says", "first seen": "this item was first seen on"}
LEAD_CHARS = 240
_YEARS_ON = re.compile(
    r"\b(?:year|decade|month)s? (?:on|after|since|later)\b|\bmark(?:s|ed|ing)? (?:\w+ ){1,2}(?:year|decade)s?\b"
)


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
    earlier, timed = _earlier_copies(pool), _timed(pool.corpus)
    for row, candidate in enumerate(pool.candidates):
        stated = candidate.published_at
        if stated is None:
            continue
        claims = [*_ledger(candidate), *earlier.get(row, ())]
        if row in timed:
            claims += _words(candidate, stated)
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
        (_latest(claim), f"{LEDGER_KINDS[claim.kind]} {claim.raw or claim.at.date().isoformat()}")
        for number, claim in enumerate(claims)
        if number != chosen and claim.kind in LEDGER_KINDS
    ]


def _latest(claim: DateClaim) -> datetime:
    """The last moment that a claim allows: /2026/11/ is as true of the 30th."""
    return month_end(claim.at) if claim.precision == "month" else claim.at


def _earlier_copies(pool: Pool) -> dict[int, list[tuple[datetime, str]]]:
    """Row -> when an earlier run saw the very text: of an event's first item, and of its copies that add nothing."""
    grouping, rows = pool.grouping, {candidate.id: row for row, candidate in enumerate(pool.candidates)}
    known: dict[int, list[tuple[datetime, str]]] = {}
    for event in grouping.events:
        if (at := event.told_since) is not None:
            head = rows[event.originator]
            again = np.flatnonzero((grouping.original_of == grouping.original_of[head]) & grouping.adds_nothing)
            for row in {head, *again.tolist()}:
                known[row] = [(at, f"an earlier run saw this text on {at:%Y-%m-%d}")]
    return known


# --------------------------------------------------------------------------- words


def _timed(corpus: Corpus) -> frozenset[int]:
    """Rows that hold a word of time in their title or lead. Most don't, and are not read."""
    of_time = np.zeros(len(corpus.words), bool)
    of_time[[*corpus.find(TIME_WORDS), *words_with(TIME_COUNTED, corpus, corpus.han | corpus.numeric)]] = True
    found: set[int] = set()
    for ragged in (corpus.titles, corpus.texts):
        hits = np.flatnonzero(of_time[ragged.flat])
        rows = np.searchsorted(ragged.starts, hits, "right") - 1
        found.update(rows[hits - ragged.starts[rows] < LEAD_CHARS // 2].tolist())  # a word has two characters or more
    return frozenset(found)


def _words(candidate: Candidate, stated: datetime) -> list[tuple[datetime, str]]:
    """What the title, else the first sentence, says about when it happened."""
    lead = candidate.text[:LEAD_CHARS]
    first = "".join(sentences(lead)[:1])
    says = [one for one in (told(candidate.title, stated), told(first, stated)) if one]
    if not says:
        return []
    if found(cues()["fresh"], normalise(f"{candidate.title} {first}")) or _looks_back(candidate, lead):
        return []
    title = normalise(candidate.title)
    return [(one.at, f'the text says "{one.quote}"') for one in says if _of_title(title, one, first)]


def _of_title(title: str, one: Told, first: str) -> bool:
    """Whether what a sentence tells is what the title is about: its happening; where it names none, a word of it.
    All else is background.
    """
    if main := verbs(title):
        return one_happening(one.verb, main)
    return not title or not set(content_tokens(title)).isdisjoint(content_tokens(first))


def _looks_back(candidate: Candidate, lead: str) -> bool:
    text = normalise(f"{candidate.title} {lead}")
    return bool(_YEARS_ON.search(text) or found(cues()["anniversary"], text))
