"""Clickbait: a headline that its body does not bear out. The item's completeness becomes 0.

    consistency = idf-weighted share of the headline's content words that the body holds, 0..1

Below `consistency_floor` title and body are about different things. A headline whose own signals (see bait.py) reach
`clickbait_floor` promises more than it tells, so twice the floor is asked of its body. Bodies of a few words say
nothing and are not judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.bait import bait
from pipeline.scoring.consistency import consistency
from pipeline.scoring.frame import Pool

if TYPE_CHECKING:
    from pipeline.types import Flags

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
    held = consistency(pool.corpus, pool.stems)
    judged = np.flatnonzero((pool.corpus.texts.lengths >= MIN_WORDS) & (held < 2 * floors.consistency_floor))
    evidence: dict[int, str] = {}
    for row in judged.tolist():
        title = pool.candidates[row].title
        if not title:
            continue
        signals = bait(title, settings.clickbait)
        floor = floors.consistency_floor * (2 if signals.score >= floors.clickbait_floor else 1)
        if held[row] < floor:
            why = f"; the headline alone scores {signals.score:.2f} ({', '.join(signals.cues)})" if signals.cues else ""
            evidence[row] = f"the body bears out {held[row]:.2f} of the headline, less than {floor:.2f}{why}"
    struck = np.zeros(len(pool), bool)
    struck[list(evidence)] = True
    return Clickbait(struck, evidence)
