"""Scores: six dimensions (one file each), four penalties, selection, re-scoring. Read score.py first.

gates -> shortlist -> (embed, group) -> score -> select        rescore: the same arrays under other settings
"""

from pipeline.scoring.authority import estimate, rebiased, source_key
from pipeline.scoring.bogus import shared_dates
from pipeline.scoring.configure import as_profile, cautions, score_settings, under_biases, under_profile
from pipeline.scoring.explain import Explain, overlooked, restated, under
from pipeline.scoring.gates import gates, upstream_rows, with_verdicts
from pipeline.scoring.lift import Lift, lift, nearest
from pipeline.scoring.moves import Moves, as_ran, changed, moves
from pipeline.scoring.penalties import PENALTIES
from pipeline.scoring.rescore import rescore
from pipeline.scoring.score import DIMENSIONS, score
from pipeline.scoring.select import select
from pipeline.scoring.shortlist import shortlist
from pipeline.scoring.steps import Step, apart, steps
from pipeline.scoring.total import effective_weights, weightless

__all__ = [
    "DIMENSIONS",
    "PENALTIES",
    "Explain",
    "Lift",
    "Moves",
    "Step",
    "apart",
    "as_profile",
    "as_ran",
    "cautions",
    "changed",
    "effective_weights",
    "estimate",
    "gates",
    "lift",
    "moves",
    "nearest",
    "overlooked",
    "rebiased",
    "rescore",
    "restated",
    "score",
    "score_settings",
    "source_key",
    "select",
    "shared_dates",
    "shortlist",
    "steps",
    "under",
    "under_biases",
    "under_profile",
    "upstream_rows",
    "weightless",
    "with_verdicts",
]
