"""Clickbait: a headline that its body does not bear out. The item's completeness becomes 0.

Below `consistency_floor` (see consistency.py) title and body are about different things. Precision goes first, so what is
asked depends on what can be told:
- a headline whose own signals (bait.py) reach `clickbait_floor` promises more than it tells: twice the floor is asked;
- without a model only half, for an honest body may say it all in other words;
- a lead of a few sentences does so more often than not: it speaks against such a headline only, and only where a model
  finds nothing of it: half the floor. A few words say nothing.
Of 238 honest pairs of headline_body_fnc1 this strikes 1, and 2 where the body is cut to 85 words; of the others two in
three. Of 503 honest leads of feeds_real it strikes none, where one floor for all struck 96.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.bait import Bait, bait
from pipeline.scoring.consistency import LEAD_CHARS, borne_out, consistency
from pipeline.scoring.frame import Pool, percent

if TYPE_CHECKING:
    from pipeline.types import Flags, Floats

MOST = 60  # doubtful items that a model looks at, the most doubtful first; the others pass
MIN_WORDS, BODY_WORDS = 25, 80  # words of a lead, and of a body, from which silence about the headline means something


@dataclass(frozen=True, slots=True)
class Clickbait:
    struck: Flags
    evidence: Mapping[int, str]

    @property
    def effect(self) -> str:
        return "completeness is set to 0"

    def explain(self, row: int) -> str:
        return self.evidence[row]


def measure(pool: Pool) -> Clickbait:
    borne = borne_out(pool.corpus, pool.stems, pool.grouping.original_of)
    doubtful = _doubtful(pool, borne)
    rows = list(doubtful)
    evidence: dict[int, str] = {}
    for row, value in zip(rows, consistency(borne[rows], *_vectors(pool, rows)).tolist(), strict=True):
        signals, floor = doubtful[row]
        if value < floor:
            alike = f", their similarity is {2 * value - borne[row]:.2f}" if pool.embedder else ""
            says = f"the body holds {percent(borne[row])} of what the title names{alike}: they agree by {value:.2f}"
            evidence[row] = f"{says}, less than {floor:.2f}{_by_itself(signals, pool)}"
    struck = np.zeros(len(pool), bool)
    struck[list(evidence)] = True
    return Clickbait(struck, evidence)


def _by_itself(signals: Bait, pool: Pool) -> str:
    if signals.score < pool.settings.scoring.penalties.clickbait_floor:
        return ""
    return f"; the headline by itself scores {signals.score:.2f} as bait ({', '.join(signals.cues)})"


def _doubtful(pool: Pool, borne: Floats) -> dict[int, tuple[Bait, float]]:
    """Row -> the headline's own signals, the agreement asked for; where words alone don't bear the title out so far."""
    floors, model = pool.settings.scoring.penalties, pool.embedder is not None
    lengths = pool.corpus.texts.lengths
    shortest, most = (MIN_WORDS, 4) if model else (BODY_WORDS, 1)  # a mean with a cosine: twice its floor
    near = (lengths >= shortest) & (borne < most * floors.consistency_floor)
    found: dict[int, tuple[Bait, float]] = {}
    for row in np.flatnonzero(near)[np.argsort(borne[near], kind="stable")].tolist():
        short = bool(lengths[row] < BODY_WORDS)
        if not pool.candidates[row].title:
            continue
        signals = bait(pool.candidates[row].title, pool.settings.scoring.clickbait)
        baits = signals.score >= floors.clickbait_floor
        if short and not baits:
            continue
        floor = floors.consistency_floor * (2 if baits and not short else 1) * (1 if model and not short else 0.5)
        if borne[row] < floor * (2 if model else 1):
            found[row] = (signals, floor)
        if model and len(found) == MOST:
            break
    return found


def _vectors(pool: Pool, rows: list[int]) -> tuple[Floats | None, Floats | None]:
    """Vectors of the doubtful titles and of the beginnings of their bodies; (None, None) without a model."""
    if pool.embedder is None or not rows:
        return None, None
    langs = ["zh" if pool.zh[row] else pool.candidates[row].lang or "en" for row in rows]
    titles = [pool.candidates[row].title for row in rows]
    leads = [pool.candidates[row].text[:LEAD_CHARS] for row in rows]
    return pool.embedder.encode(titles, langs), pool.embedder.encode(leads, langs)
