"""The word lists of config/lexicon, a file a language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import yaml

from pipeline.settings import bundled


@cache
def lexicon(lang: str) -> Mapping[str, Any]:
    """config/lexicon/<lang>.yaml as plain data; empty for a language without one."""
    path = bundled("config") / "lexicon" / f"{lang}.yaml"
    if not path.is_file():
        return {}
    loaded: Mapping[str, Any] = yaml.load(path.read_text("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return loaded


@cache
def stopwords() -> frozenset[str]:
    """Those of English and Chinese."""
    return frozenset(word for lang in ("en", "zh") for word in lexicon(lang).get("stopwords", ()))
