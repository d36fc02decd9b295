"""The veto: two items that look alike and report different things, with the reason in words.

Titles of one mould ("12th sanctions package" / "13th sanctions package") are told apart by what differs between them,
not by how much they share. Every rule wants evidence on both sides: a fact that only one title mentions is no contrast.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pipeline.events.entities import WHEN, Facts
from pipeline.events.polarity import classes
from pipeline.events.roles import exchanged
from pipeline.events.stems import stem
from pipeline.text.pinyin import is_place

MOULD = 0.5  # share of the longer title's words that two titles of one mould have in common
DIFFERENT = 3  # words in which each of them may differ from the other: a changed fact, not another way to put it
OPENED = 3  # content words behind two different first ones, by which those are subjects of one mould
TOLL_GROWS = 2  # times that a toll may be another report's of one event; beyond, two happenings are told in one mould
ACROSS = ("rates", "uphold", "success", "resume", "move")  # opposites as clear across two languages as within one
KEPT_NUMBERS = 0.5  # share of the fewer numbers that two versions of one text keep; a series replaces them all


@dataclass(frozen=True, slots=True)
class Contrast:
    """Why two items are kept apart."""

    kind: str
    reason: str


def contrast(a: Facts, b: Facts) -> Contrast | None:
    """The first rule that separates two items, or None."""
    if not _same_mould(a, b):
        return _ordinals(a, b) or _editions(a, b) or _across(a, b) or _turns(a, b) or _action(a, b)
    return _opposed(a, b) or _names(a, b) or _openings(a, b) or _action(a, b)


def opposed(a: Facts, b: Facts) -> Contrast | None:
    """What separates two titles of one mould whatever stands under them; None where they are of two moulds."""
    return _opposed(a, b) if _same_mould(a, b) else None


def _opposed(a: Facts, b: Facts) -> Contrast | None:
    return _ordinals(a, b) or _editions(a, b) or _numbers(a, b) or _direction(a, b) or _negation(a, b) or _roles(a, b)


def retold(a: Facts, b: Facts) -> Contrast | None:
    """Of two texts of one mould: what their titles differ in, they differ in, too.

    An editor's other words for one thing stand in the title alone, or in one text only.
    """
    own, others = _only(a.words, b.words), _only(b.words, a.words)
    if not own or not others or not _same_mould(a, b):
        return None
    if not (mine := _in_lead_alone(own, a, b)) or not (theirs := _in_lead_alone(others, b, a)):
        return None
    one_deed = {word for name in a.actions & b.actions for word in classes("actions")[name][0]}
    mine, theirs = mine - one_deed, theirs - one_deed
    if mine and theirs:
        return Contrast("subject", f"in title and text alike, {a.written(mine)} against {b.written(theirs)}")
    return None


def _in_lead_alone(words: Iterable[str], one: Facts, other: Facts) -> frozenset[str]:
    """Those of the words that the one's lead holds and the other's does not."""
    held = one.in_lead(words)
    return held - other.in_lead(held) if held else held


def apart_in_two_scripts(a: Facts, b: Facts, names: Mapping[str, str]) -> Contrast | None:
    """What separates titles that hold one name in two scripts, a known one or one of those given as either writes them."""
    return (_other_ordinals(a, b) or _clear_opposites(a, b) if names else None) or _numbered(a, b, names)


def _numbered(a: Facts, b: Facts, names: Mapping[str, str]) -> Contrast | None:
    """One that comes in numbers, in another one. Places come in none: "Japan 7.6 quake"."""
    known = a.known.keys() & b.known.keys() if a.han != b.han else ()
    forms = {a.written((name,)): b.written((name,)) for name in sorted(known)}
    for name, other in (forms | dict(names)).items():
        mine, theirs = a.behind(name), b.behind(other)
        if mine and theirs and not _one_edition(mine, theirs) and not (is_place(name) or is_place(other)):
            return Contrast("numbers", f"{name} {_list(mine)} against {other} {_list(theirs)}")
    return None


def changed_figures(a: frozenset[str], b: frozenset[str]) -> Contrast | None:
    """Two versions of one text keep most figures; another number of a series replaces them."""
    fewer = min(len(a), len(b))
    if fewer and len(a & b) < KEPT_NUMBERS * fewer:
        return Contrast("numbers", f"the same text with other figures: {_list(a - b)} against {_list(b - a)}")
    return None


def _same_mould(a: Facts, b: Facts) -> bool:
    shared, longer = a.words & b.words, max(len(a.words), len(b.words))
    if longer - len(shared) > DIFFERENT or len(shared) < MOULD * max(longer, 1):
        return False
    return any(word.isalpha() and word not in WHEN for word in shared) or bool(a.sides.items() & b.sides.items())


def _ordinals(a: Facts, b: Facts) -> Contrast | None:
    return _other_ordinals(a, b) if len(a.words & b.words) > 1 or _one_name_in_two_scripts(a, b) else None


def _other_ordinals(a: Facts, b: Facts) -> Contrast | None:
    mine, theirs = ({n[1:] for n in facts.numbers if n[0] == "#"} for facts in (a, b))
    plain = {n.lstrip("#") for n in a.numbers} & {n.lstrip("#") for n in b.numbers}
    if mine and theirs and not plain:
        return Contrast("ordinals", f"number {_list(mine)} against number {_list(theirs)}")
    return None


def _one_name_in_two_scripts(a: Facts, b: Facts) -> bool:
    return a.han != b.han and not a.names.isdisjoint(b.names)


def _across(a: Facts, b: Facts) -> Contrast | None:
    """Titles in two scripts share few words by which to tell one mould; a name or number, and clear opposites, do."""
    return _clear_opposites(a, b) if a.han != b.han and (a.names & b.names or a.words & b.words) else None


def _clear_opposites(a: Facts, b: Facts) -> Contrast | None:
    return _opposites(a, b, sorted(a.sides.keys() & b.sides.keys() & set(ACROSS)))


def _editions(a: Facts, b: Facts) -> Contrast | None:
    """What comes out in numbers, in another one; "GPT-5" may be short for "GPT-5.1"."""
    for what in sorted(a.editions.keys() & b.editions.keys()):
        mine, theirs = a.editions[what], b.editions[what]
        if not _one_edition(mine, theirs):
            return Contrast("numbers", f"{a.written([stem(what)])} {_list(mine)} against {_list(theirs)}")
    return None


def _one_edition(mine: Iterable[str], theirs: Iterable[str]) -> bool:
    return any(f"{x}.".startswith(f"{y}.") or f"{y}.".startswith(f"{x}.") for x in mine for y in theirs)


def _turns(a: Facts, b: Facts) -> Contrast | None:
    """The same moves the other way."""
    for subject in sorted(a.turns.keys() & b.turns.keys()):
        if a.turns[subject] != b.turns[subject]:
            return Contrast(
                "direction", f"{a.written([subject])} {a.turns[subject]} in one, {b.turns[subject]} in the other"
            )
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
    if bool(a.negations) == bool(b.negations) and {a.direction, b.direction} == {"up", "down"}:
        return Contrast("direction", "one says up, the other down: " + _difference(a, b))
    return None


def _opposites(a: Facts, b: Facts, pairs: Iterable[str]) -> Contrast | None:
    for pair in pairs:
        (mine, word), (theirs, other) = a.sides[pair], b.sides[pair]
        if mine != theirs:
            return Contrast("direction", f"one says {word}, the other {other}")
    return None


def _negation(a: Facts, b: Facts) -> Contrast | None:
    """One denies, unless both come to the same ("fails to pass", "blocks")."""
    if bool(a.negations) != bool(b.negations) and not (a.leaning and a.leaning == b.leaning):
        return Contrast("negation", f"one denies what the other says: {_list(a.negations | b.negations)}")
    return None


def _roles(a: Facts, b: Facts) -> Contrast | None:
    if pair := exchanged(a, b):
        return Contrast("roles", f"{a.written(pair[:1])} and {a.written(pair[1:])} have changed places")
    return None


def _names(a: Facts, b: Facts) -> Contrast | None:
    """Where the titles differ, each has a name that the other item mentions nowhere."""
    if a.names | a.goods <= b.names | b.goods or b.names | b.goods <= a.names | a.goods:
        return None
    if (mine := _unheard_of(a, b)) and (theirs := _unheard_of(b, a)):
        return Contrast("key entities", f"{a.written(mine)} against {b.written(theirs)}")
    return None


def _unheard_of(one: Facts, other: Facts) -> frozenset[str]:
    """Names of the one that the other does not mention."""
    found = (one.names | one.goods) - other.names - other.words
    found = frozenset([name for name in found if len(name) > 2 or not name.isascii()])
    return found - other.told - other.told_names if found else found


def _openings(a: Facts, b: Facts) -> Contrast | None:
    """Titles of the same words but the first, whose capital says nothing; no text tells whether it is a name."""
    (x, *rest), (y, *others) = a.order, b.order
    if (a.lead and b.lead) or rest != others or len(a.words & b.words) < OPENED or x in b.told or y in a.told:
        return None
    words_differ = x.isalpha() and y.isalpha() and x in a.words and y in b.words
    if words_differ and not any({x, y} <= words for words, _ in classes("actions").values()):
        return Contrast("key entities", f"{a.written([x])} against {b.written([y])}")
    return None


def _action(a: Facts, b: Facts) -> Contrast | None:
    """The titles share no more than names, and neither item mentions the other's action anywhere."""
    if not a.actions or not b.actions or a.actions & b.actions or (a.words & b.words) - a.names - b.names:
        return None
    if not a.actions & b.told_actions and not b.actions & a.told_actions:
        return Contrast("action", f"one tells of {_list(a.deeds())}, the other of {_list(b.deeds())}")
    return None


def _only(mine: frozenset[str], theirs: frozenset[str]) -> set[str]:
    """Words, not figures, of one side alone."""
    return {word for word in mine - theirs if word.isalpha()}


def _difference(a: Facts, b: Facts) -> str:
    return f"{a.written(a.words - b.words)} against {b.written(b.words - a.words)}"


def _list(words: Iterable[str]) -> str:
    return ", ".join(sorted(words)[:4]) or "nothing"
