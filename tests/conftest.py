"""For every test: hypothesis tries the same examples everywhere, and no example for its slowness on a busy machine."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("lately", deadline=None, derandomize=True)
settings.load_profile("lately")
