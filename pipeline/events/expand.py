"""Older items that belong to a story of the window: where an event came from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.types import Window


def older(times: NDArray[np.float64], window: Window) -> NDArray[np.bool_]:
    """[N] published before the window; such an item is admitted only with an event of the window."""
    with np.errstate(invalid="ignore"):
        return times < window.since.timestamp()


def admitted(parts: Sequence[Sequence[int]], old: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """[N] older items whose event has a member inside the window: upstream."""
    found = np.zeros(len(old), bool)
    for rows in parts:
        if len(rows) > 1 and not all(old[row] for row in rows):
            found[[row for row in rows if old[row]]] = True
    return found
