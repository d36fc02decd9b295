"""Why reports are one event: which of them a layer joined, what it saw, and what its distance means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from pages.parts import words
from pages.parts.safe import cut, text
from pages.parts.view import View

MOST = 30  # lines
TITLE = 44  # columns of a title, where a site alone does not tell its reports apart
_MEANS = {
    "lead fingerprint": "{0:.2f}; 0 is the same text, 1 another",
    "title fingerprint": "{0:g} of 64 bits",
    "embedding": "{0:.2f}; 1 is the limit",
    "shared words": "{0:.2f}; 1 is the limit",
}
"""Layer -> what its distance says; the others have none."""


def html(view: View, event: Any) -> str:
    """One line for each pair; reports whose fingerprints are equal stand in one line together."""
    name = _namer(view, event)
    lines = [_line([name(one) for one in members], link) for members, link in folded(event.why)]
    rows = "".join(f"<li>{line}</li>" for line in lines[:MOST])
    return f'<p class="lt-sub">Why these are one event</p><ul class="lt-list">{rows}</ul>' if rows else ""


def folded(links: Iterable[Any]) -> list[tuple[list[str], Any]]:
    """(members, the link that says why), equal copies of one text folded: what is at distance 0 of both is of each."""
    found: list[tuple[list[str], Any]] = []
    for link in links:
        pair = [link.a, link.b]
        if link.relation != "copy" or link.distance > 0:
            found.append((pair, link))
            continue
        same = [one for one in found if _alike(one[1], link) and not set(pair).isdisjoint(one[0])]
        if not same:
            found.append((pair, link))
            continue
        same[0][0][:] = dict.fromkeys([*(member for members, _ in same for member in members), *pair])
        found = [one for one in found if not any(one is other for other in same[1:])]
    return found


def _alike(one: Any, other: Any) -> bool:
    return (one.relation, one.layer, one.distance) == (other.relation, other.layer, other.distance)


def _line(names: list[str], link: Any) -> str:
    told = f"<b>{text(words.listed([name for name in names if name]))}</b>: {text(link.reason)}"
    if link.layer not in _MEANS:
        return told
    said = f"{link.layer}, distance {_MEANS[link.layer].format(link.distance)}"
    return f'{told} <span class="lt-faint">({text(said)})</span>'


def _namer(view: View, event: Any) -> Callable[[str], str]:
    """Member -> its site or account, with its title where the event holds more than one report of it; "" unknown."""
    rows = {member: view.row_of[member] for member in event.members if member in view.row_of}
    voices = {member: view.voice(row) for member, row in rows.items()}
    often = Counter(voices.values())

    def name(member: str) -> str:
        voice = voices.get(member, "")
        return voice if often[voice] < 2 else f"{voice} “{cut(_title(view, rows[member]), TITLE)}”"

    return name


def _title(view: View, row: int) -> str:
    return view.report.table.titles[row] or view.item(row).judged.candidate.text
