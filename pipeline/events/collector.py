"""Python's collector of reference cycles, at rest while a pool is grouped."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def resting() -> Iterator[None]:
    """Grouping makes objects by the hundred thousand and no cycles; a full pass of the collector walks through all that
    the process holds, a fifth of the time of a pool of 2,000 and more the larger the program is around it.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
