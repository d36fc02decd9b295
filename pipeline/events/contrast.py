"""The veto: two items that look alike and report different things, with the reason in words.

Titles of one mould ("12th sanctions package" / "13th sanctions package") are told apart by what differs between them,
not by how much they share. Every rule wants evidence on both sides: a fact that only one title mentions is no contrast.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pipeline.events.entities import WHEN, Facts
from pipeline.events.roles import exchanged

MOULD = 0.5  # share of the longer title's words that two titles of one mould have in common
DIFFERENT = 3  # words in which each of them may differ from the other: a changed fact, not another way to put it
TOLL_GROWS = 2  # times that a toll may be another report's of one event; beyond, two happenings are told in one mould
ACROSS = "rates"  # opposites of which words of two languages are as clear as of one
KEPT_NUMBERS = 0.5  # share of the fewer numbers that two versions of one text keep; a series replaces them all


@dataclass(frozen=True, slots=True)
class Contrast:
    """Why two items are kept apart."""

    kind: str
    reason: str


def contrast(a: Facts, b: Facts) -> Contrast | None:
    """The first rule that separates two items, or None."""
    if not _same_mould(a, b):
        return _ordinals(a, b) or _across(a, b) or _action(a, b)
    return _opposed(a, b) or _names(a, b) or _action(a, b)


def opposed(a: Facts, b: Facts) -> Contrast | None:
    """What separates two titles of one mould whatever stands under them; None where they are of two moulds."""
    return _opposed(a, b) if _same_mould(a, b) else None


def _opposed(a: Facts, b: Facts) -> Contrast | None:
    return _ordinals(a, b) or _numbers(a, b) or _direction(a, b) or _negation(a, b) or _roles(a, b)


def changed_figures(a: frozenset[str], b: frozenset[str]) -> Contrast | None:
    """Two versions of one text keep most figures; another number of a series replaces them."""
    fewer = min(len(a), len(b))
    if fewer and len(a & b) < KEPT_NUMBERS * fewer:
        return Contrast("numbers", f"the same text with other figures: {_list(a - b)} against {_list(b - a)}")
    return None


def _same_mould(a: Facts, b: Facts) -> bool:
    said = {
        word for word in a.words & b.words if word.isalpha() and word not in WHEN
    } or a.sides.items() & b.sides.items()
    differ = max(len(a.words - b.words), len(b.words - a.words))
    return bool(said) and differ <= DIFFERENT and len(a.words & b.words) >= MOULD * max(len(a.words), len(b.words), 1)


def _ordinals(a: Facts, b: Facts) -> Contrast | None:
    mine, theirs = ({n[1:] for n in facts.numbers if n[0] == "#"} for facts in (a, b))
    plain = {n.lstrip("#") for n in a.numbers} & {n.lstrip("#") for n in b.numbers}
    if mine and theirs and not plain and (len(a.words & b.words) > 1 or _one_name_in_two_scripts(a, b)):
        return Contrast("ordinals", f"number {_list(mine)} against number {_list(theirs)}")
    return None


def _one_name_in_two_scripts(a: Facts, b: Facts) -> bool:
    return a.han != b.han and not a.names.isdisjoint(b.names)


def _across(a: Facts, b: Facts) -> Contrast | None:
    """Titles in two scripts share no words by which to tell one mould; a name and clear opposites are enough."""
    if ACROSS in a.sides.keys() & b.sides.keys() and _one_name_in_two_scripts(a, b):
        return _opposites(a, b, (ACROSS,))
    return None


def _numbers(a: Facts, b: Facts) -> Contrast | None:
    mine, theirs = {n.lstrip("#") for n in a.numbers}, {n.lstrip("#") for n in b.numbers}
    if mine - theirs and theirs - mine and not (a.toll and b.toll and _grows(mine ^ theirs)):
        return Contrast("numbers", f"{_list(mine - theirs)} against {_list(theirs - mine)}")
    return None


def _grows(two: frozenset[str] | set[str]) -> bool:
    """One number against one other that may be the same toll, later."""
    if len(two) != 2 or not all(number.isdigit() for number in two):
        return False
    less, more = sorted(map(int, two))
    return more <= TOLL_GROWS * less


def _direction(a: Facts, b: Facts) -> Contrast | None:
    if found := _opposites(a, b, sorted(a.sides.keys() & b.sides.keys())):
        return found
    if a.direction and b.direction and a.direction != b.direction:
        return Contrast("direction", "one says up, the other down: " + _difference(a, b))
    return None


def _opposites(a: Facts, b: Facts, pairs: Iterable[str]) -> Contrast | None:
    for pair in pairs:
        (mine, word), (theirs, other) = a.sides[pair], b.sides[pair]
        if mine != theirs:
            return Contrast("direction", f"one says {word}, the other {other}")
    return None


def _negation(a: Facts, b: Facts) -> Contrast | None:
    if bool(a.negations) != bool(b.negations):
        return Contrast("negation", f"one denies what the other says: {_list(a.negations | b.negations)}")
    return None


def _roles(a: Facts, b: Facts) -> Contrast | None:
    if pair := exchanged(a, b):
        return Contrast("roles", f"{' and '.join(pair)} have changed places")
    return None


def _names(a: Facts, b: Facts) -> Contrast | None:
    """Where the titles differ, each has a name that the other item mentions nowhere."""
    if a.names | a.goods <= b.names | b.goods or b.names | b.goods <= a.names | a.goods:
        return None
    mine, theirs = (
        {
            name
            for name in (one.names | one.goods) - other.told_names - other.told
            if len(name) > 2 or not name.isascii()
        }
        for one, other in ((a, b), (b, a))
    )
    if mine and theirs:
        return Contrast("key entities", f"{_list(mine)} against {_list(theirs)}")
    return None


def _action(a: Facts, b: Facts) -> Contrast | None:
    """The titles share no more than names, and neither item mentions the other's action anywhere."""
    if not a.actions or not b.actions or a.actions & b.actions or (a.words & b.words) - a.names - b.names:
        return None
    if not a.actions & b.told_actions and not b.actions & a.told_actions:
        return Contrast("action", f"{_list(a.actions)} against {_list(b.actions)}")
    return None


def _difference(a: Facts, b: Facts) -> str:
    return f"{_list(a.words - b.words)} against {_list(b.words - a.words)}"


def _list(words: Iterable[str]) -> str:
    return ", ".join(sorted(words)[:4]) or "nothing"
