"""Who does it to whom: two titles of the same words in which two sides have changed places."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, pairwise

from pipeline.events.entities import Facts
from pipeline.events.stems import stem
from pipeline.text import lexicon


def exchanged(a: Facts, b: Facts) -> tuple[str, str] | None:
    """Two content words around the same deed in a and, the other way round, in b ("Google sues Epic", "Epic sues
    Google"); None where the deed is mutual ("Trump meets Putin") or the same is only told in another order.
    """
    if a.order == b.order:
        return None
    shared = a.words & b.words
    place = sorted((a.order.index(word), b.order.index(word), word) for word in shared if _once(word, a, b))
    if all(before[1] < after[1] for before, after in pairwise(place)):
        return None  # told in one order
    for (first, late, x), (last, early, y) in combinations(place, 2):
        if early < late and _deed(a, b, slice(first + 1, last), slice(early + 1, late)):
            return x, y
    return None


def _once(word: str, a: Facts, b: Facts) -> bool:
    return a.order.count(word) == 1 == b.order.count(word)


def _deed(a: Facts, b: Facts, here: slice, there: slice) -> bool:
    """What stands between the two is something that one does to the other: the same in both titles, but for words
    that changed sides as well; no list of names, nothing mutual, no draw.
    """
    mine, theirs = a.order[here], b.order[there]
    deed = [word for word in mine if word in theirs]
    if not deed or deed != [word for word in theirs if word in mine] or not _mutual().isdisjoint(deed):
        return False
    if a.names.union(b.names).issuperset(deed) or (all(word.isdigit() for word in deed) and deed == deed[::-1]):
        return False
    return all(_changes_sides(word, deed[0], a.order, b.order) for word in {*mine, *theirs}.difference(deed))


def _changes_sides(word: str, deed: str, mine: Sequence[str], theirs: Sequence[str]) -> bool:
    if word not in mine or word not in theirs:
        return False
    return (mine.index(word) < mine.index(deed)) != (theirs.index(word) < theirs.index(deed))


@cache
def _mutual() -> frozenset[str]:
    return frozenset(stem(word) for lang in ("en", "zh") for word in lexicon(lang).get("mutual", ()))
