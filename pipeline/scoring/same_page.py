"""One page, brought twice: a link with a bare title is judged by the text that another item brings of the same page.

Hacker News passes on a title; the feed of the page's own site has the lead as well. Both are the same page where their
addresses agree but for what tracks the reader. An address that one endpoint gives to items of different titles
names no page (feeds exist where all items link to the front page) and lends nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pipeline.types import Candidate

if TYPE_CHECKING:
    from pipeline.types import Floats, Ints

_TRACKING = re.compile(r"(?<=[?&])(?:utm_\w+|at_\w+|fbclid|gclid)=[^&#]*&?")


def page_of(url: str) -> str:
    """What an address names: without scheme, "www.", tracking and a last slash; the fragment stays.

    >>> page_of("https://www.site.example/tern/?utm_source=rss")
    'site.example/tern'
    """
    host, slash, rest = url.partition("://")[2].partition("/")
    path = slash + (_TRACKING.sub("", rest) if "?" in rest else rest)
    return host.lower().removeprefix("www.") + path.rstrip("?&/").replace("/?", "?")


def judged_by(candidates: Sequence[Candidate], values: Floats) -> Ints:
    """[n] row of the item that each is judged by: of its page's items with more text the best of `values` [n], where
    that is better than its own; mostly itself.
    """
    by = np.arange(len(candidates), dtype=np.int32)
    for rows in _shared(candidates):
        for row in rows:
            fuller = [other for other in rows if len(candidates[other].text) > len(candidates[row].text)]
            by[row] = max((row, *fuller), key=lambda other: float(values[other]))
    return by


def _shared(candidates: Sequence[Candidate]) -> list[list[int]]:
    """Rows of every page that was brought more than once."""
    pages: dict[str, list[int]] = defaultdict(list)
    for row, candidate in enumerate(candidates):
        pages[page_of(candidate.url)].append(row)
    return [
        rows for page, rows in pages.items() if page and len(rows) > 1 and _one_page([candidates[row] for row in rows])
    ]


def _one_page(items: Sequence[Candidate]) -> bool:
    """No endpoint gives the address to items of different titles."""
    endpoints = {(item.source, item.endpoint) for item in items}
    return len({(item.source, item.endpoint, item.title) for item in items}) == len(endpoints)
