"""Copies and events: which items are one text, which reports are one happening, and who said it first.

fingerprints -> copies (veto) -> reports of one event (veto, analyst, clock) -> upstream -> originator, voices, memory
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from pipeline.settings import Settings
from pipeline.text import Corpus
from pipeline.types import Candidate, Embedder, EventMemory, Grouping, Window

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pipeline.types import Floats

__all__ = ["fingerprints", "group", "similarity"]


def group(
    candidates: Sequence[Candidate],
    *,
    window: Window,
    settings: Settings,
    vectors: Floats | None = None,
    memory: EventMemory | None = None,
    now: datetime,
    corpus: Corpus | None = None,
) -> Grouping:
    """Group a pool of N candidates (older ones that may be upstream included) into events.

    vectors: [N, dims] of the embedder, zero rows for what was not embedded. corpus: `text.corpus(candidates)` where the
    caller has it already. Nothing is compared with everything: time grows linearly with N.
    """
    from pipeline.events.assemble import assemble
    from pipeline.events.collector import resting

    with resting():
        return assemble(candidates, window, settings, vectors, memory, now, corpus)


def fingerprints(
    candidates: Sequence[Candidate], grouping: Grouping, *, corpus: Corpus | None = None
) -> list[tuple[str, Sequence[str], str, str]]:
    """What the store remembers of a run's events: (event id, keys, serialised fingerprint, title)."""
    from pipeline.events.memory import remembered
    from pipeline.events.pool import open_pool

    return list(remembered(open_pool(candidates, corpus), grouping))


def similarity(
    a: Sequence[str],
    b: Sequence[str],
    langs: Sequence[str],
    *,
    first: Embedder | None = None,
    second: Embedder | None = None,
) -> NDArray[np.float64]:
    """[n] how far each short text of `a` says the same as its partner in `b`; see pipeline/events/alike.py."""
    from pipeline.events.alike import similarity as measure

    return measure(a, b, langs, first=first, second=second)
