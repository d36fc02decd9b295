"""Outlets name themselves at the end of their titles; the name is no part of what a title says."""

from __future__ import annotations

import re
from functools import cache

from pipeline.text.lexicons import lexicon

_OUTLET = re.compile(r"(?:\s+[-–—|｜·•]+\s+|\s*[_|｜]\s*|\s*——?\s*)([^-–—|｜_]{2,40})$")
_MARK = re.compile(r"[-–—|｜·•_](?:(?<=[—|｜_])|(?<=\s.))")
"""What every _OUTLET begins with, or has after a space: most titles hold none, and this looks nine times as fast."""
_NOT_NAME = re.compile(r"[\W_]+")


def without_outlet(title: str, *hosts: str) -> str:
    """The title without the outlet's name at its end (" - Reuters", " | Daily Gazette", "_新浪网").

    A last part counts as the outlet's name when its letters occur in one of `hosts` (the item's host, its publisher),
    when its first or last word is a label of the host, or when a lexicon lists it (`outlets`).
    """
    found = _OUTLET.search(title) if _MARK.search(title) else None
    if not found or found.start() < 4:
        return title
    name = found.group(1).strip()
    compact = _NOT_NAME.sub("", name.lower())
    bare = _NOT_NAME.sub("", name.lower().removeprefix("the "))  # not every host spells the article
    for host in hosts:
        flat = _NOT_NAME.sub("", host.lower())
        if flat and bare and (bare in flat or (len(flat) > 3 and flat in compact)):
            return title[: found.start()]
        words, labels = name.lower().split(), host.lower().split(".")
        if len(words) <= 4 and (words[0] in labels or words[-1] in labels):
            return title[: found.start()]
    return title[: found.start()] if compact in _outlet_names() else title


@cache
def _outlet_names() -> frozenset[str]:
    names = (name for lang in ("en", "zh") for name in lexicon(lang).get("outlets", ()))
    return frozenset(_NOT_NAME.sub("", str(name).lower()) for name in names)
