"""For every test: hypothesis tries the same examples everywhere, and no example for its slowness on a busy machine."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from pipeline.settings import load

settings.register_profile("lately", deadline=None, derandomize=True)
settings.load_profile("lately")


@pytest.fixture(autouse=True, scope="session")
def shipped() -> Iterator[None]:
    """The product's own settings are parsed once, not for every test that loads them anew: 0.15 s each."""
    read, config = load.read_yaml, load.bundled("config")
    kept = cache(read)

    def once(path: Path) -> Any:
        if config not in path.parents:
            return read(path)
        data, marks = kept(path)
        return data, dict(marks)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(load, "read_yaml", once)
        yield
