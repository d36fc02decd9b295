"""Clickbait: a headline that its body does not bear out. The item's completeness becomes 0.

Below `consistency_floor` (see consistency.py) title and body are about different things. A headline whose own signals
(see bait.py) reach `clickbait_floor` promises more than it tells, so twice the floor is asked of its body. Bodies of a
few words say nothing and are not judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.bait import bait
from pipeline.scoring.consistency import LEAD_CHARS, borne_out, consistency
from pipeline.scoring.frame import Pool

if TYPE_CHECKING:
    from pipeline.types import Flags, Floats

MOST = 60  # doubtful items a model looks at; a pool with more of them is judged by words
MIN_WORDS = 25  # words of a body from which its silence about the headline means something


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
    settings = pool.settings.scoring
    floors = settings.penalties
    borne = borne_out(pool.corpus, pool.stems, pool.grouping.original_of)
    # With a model the two halves are averaged: a title borne out by twice the highest floor passes by words alone.
    doubtful = (pool.corpus.texts.lengths >= MIN_WORDS) & (borne < 4 * floors.consistency_floor)
    rows = [row for row in np.flatnonzero(doubtful).tolist() if pool.candidates[row].title]
    evidence: dict[int, str] = {}
    for row, value in zip(rows, consistency(borne[rows], *_vectors(pool, rows)).tolist(), strict=True):
        if value >= 2 * floors.consistency_floor:
            continue
        signals = bait(pool.candidates[row].title, settings.clickbait)
        floor = floors.consistency_floor * (2 if signals.score >= floors.clickbait_floor else 1)
        if value < floor:
            why = f"; the headline alone scores {signals.score:.2f} ({', '.join(signals.cues)})" if signals.cues else ""
            evidence[row] = f"title and body agree by {value:.2f}, less than {floor:.2f}{why}"
    struck = np.zeros(len(pool), bool)
    struck[list(evidence)] = True
    return Clickbait(struck, evidence)


def _vectors(pool: Pool, rows: list[int]) -> tuple[Floats | None, Floats | None]:
    """Vectors of the doubtful titles and of the beginnings of their bodies; (None, None) without a model."""
    if pool.embedder is None or not rows or len(rows) > MOST:
        return None, None
    langs = ["zh" if pool.zh[row] else pool.candidates[row].lang or "en" for row in rows]
    titles = [pool.candidates[row].title for row in rows]
    leads = [pool.candidates[row].text[:LEAD_CHARS] for row in rows]
    return pool.embedder.encode(titles, langs), pool.embedder.encode(leads, langs)
