"""An item's total as steps from 0: what each dimension adds, what each penalty takes away. Two items, step by step.

points_k = 100 x weight_k x value_k;  a penalty with factor f takes (1 - f) of what had been reached
"""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.types import Scored


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One bar of the waterfall, in points of 100."""

    name: str
    penalty: bool
    start: float
    end: float
    says: str
    """The evidence, a sentence."""

    @property
    def points(self) -> float:
        """Added (positive) or taken away (negative)."""
        return self.end - self.start


def steps(item: Scored) -> tuple[Step, ...]:
    """From 0 to the total; the last `end`, rounded to two places, is `item.total`. Empty for what was never scored."""
    found: list[Step] = []
    at = 0.0
    for part in item.parts:
        after = at + 100 * part.weight * part.value
        found.append(Step(name=part.name, penalty=False, start=at, end=after, says=part.evidence))
        at = after
    for penalty in item.penalties:
        after = at * penalty.factor
        found.append(Step(name=penalty.name, penalty=True, start=at, end=after, says=penalty.evidence))
        at = after
    return tuple(found)


def apart(one: Scored, other: Scored) -> dict[str, float]:
    """Step -> points by which `one` is ahead there, the largest difference first; their sum is that of the totals."""
    found: dict[str, float] = {}
    for item, sign in ((one, 1), (other, -1)):
        for step in steps(item):
            found[step.name] = found.get(step.name, 0.0) + sign * step.points
    return dict(sorted(found.items(), key=lambda pair: -abs(pair[1])))
