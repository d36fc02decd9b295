"""The veto: two items that look alike and report different things, with the reason in words.

Titles of one mould ("12th sanctions package" / "13th sanctions package") are told apart by what differs between them,
not by how much they share. Every rule wants evidence on both sides: a fact that only one title mentions is no contrast.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pipeline.events.entities import Facts

MOULD = 0.5  # share of the shorter title's words that two titles of one mould have in common
KEPT_NUMBERS = 0.5  # share of the fewer numbers that two versions of one text keep; a series replaces them all


@dataclass(frozen=True, slots=True)
class Contrast:
    """Why two items are kept apart."""

    kind: str
    reason: str


def contrast(a: Facts, b: Facts) -> Contrast | None:
    """The first rule that separates two items, or None."""
    mould = _mould(a, b)
    return (
        _numbers(a, b, mould)
        or _direction(a, b, mould)
        or _negation(a, b, mould)
        or _names(a, b, mould)
        or _action(a, b)
    )


def changed_figures(a: frozenset[str], b: frozenset[str]) -> Contrast | None:
    """Two versions of one text keep most figures; another number of a series replaces them."""
    fewer = min(len(a), len(b))
    if fewer and len(a & b) < KEPT_NUMBERS * fewer:
        return Contrast("numbers", f"the same text with other figures: {_list(a - b)} against {_list(b - a)}")
    return None


def _mould(a: Facts, b: Facts) -> bool:
    fewer = min(len(a.words), len(b.words))
    return fewer > 0 and len(a.words & b.words) >= MOULD * fewer


def _numbers(a: Facts, b: Facts, mould: bool) -> Contrast | None:
    ordinals = {n for n in a.numbers if n[0] == "#"}, {n for n in b.numbers if n[0] == "#"}
    if all(ordinals) and not ordinals[0] & ordinals[1] and (mould or len(a.words & b.words) > 1):
        return Contrast("ordinals", f"number {_list(ordinals[0])} against number {_list(ordinals[1])}")
    if mould and a.numbers - b.numbers and b.numbers - a.numbers:
        return Contrast("numbers", f"{_list(a.numbers - b.numbers)} against {_list(b.numbers - a.numbers)}")
    return None


def _direction(a: Facts, b: Facts, mould: bool) -> Contrast | None:
    if mould and a.direction and b.direction and a.direction != b.direction:
        return Contrast("direction", "one says up, the other down: " + _difference(a, b))
    return None


def _negation(a: Facts, b: Facts, mould: bool) -> Contrast | None:
    if mould and a.negated != b.negated:
        return Contrast("negation", "one denies what the other says: " + _difference(a, b))
    return None


def _names(a: Facts, b: Facts, mould: bool) -> Contrast | None:
    """Each title has a name that the other item mentions nowhere."""
    if not mould or a.names <= b.names or b.names <= a.names:
        return None
    mine, theirs = a.names - b.told_names - b.told, b.names - a.told_names - a.told
    if mine and theirs:
        return Contrast("key entities", f"{_list(mine)} against {_list(theirs)}")
    return None


def _action(a: Facts, b: Facts) -> Contrast | None:
    """Known actions, and neither item mentions the other's action anywhere."""
    if not a.actions or not b.actions or a.actions & b.actions:
        return None
    if not a.actions & b.told_actions and not b.actions & a.told_actions:
        return Contrast("action", f"{_list(a.actions)} against {_list(b.actions)}")
    return None


def _difference(a: Facts, b: Facts) -> str:
    return f"{_list(a.words - b.words)} against {_list(b.words - a.words)}"


def _list(words: Iterable[str]) -> str:
    return ", ".join(sorted(words)[:4]) or "nothing"
