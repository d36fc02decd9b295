"""How alike reports are does not depend on how many are handled at once."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from pipeline.events import likeness


def _alike() -> NDArray[np.float32]:
    count = 5
    names = likeness.sets([frozenset({"all", f"name {n}", f"name {n // 2}"}) for n in range(count)])
    numbers = np.arange(count)
    said = likeness.Said(numbers + 9, numbers + 2, np.zeros(count, bool), numbers.astype(np.int32))
    a, b = np.triu_indices(count, 1)
    side = likeness.side(names, names, names, names[:, :7].copy(), said, 0.2, 0.3)
    return side.alike(a.astype(np.int32), b.astype(np.int32))


def test_portions_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    together = _alike()
    assert together[0] == together.max() > together.min() > 0
    monkeypatch.setattr(likeness, "_ROWS", 2)
    assert np.array_equal(_alike(), together)
