"""One search by default; a comparison gives itself and one search per side."""

from __future__ import annotations

import re

from pipeline.planning.subject import core_of, tidy
from pipeline.types import Subquery

SIDE_WEIGHT = 0.8  # a side alone says less about a comparison than the two named together
_VERSUS = re.compile(
    r"\s+(?:vs\.?|versus|v\.s\.|compared\s+(?:to|with))\s+|\s*(?:对比|相比|\bPK\b|\bpk\b|\bvs\.?(?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff])vs\.?)\s*",
    re.IGNORECASE,
)
_BOTH = re.compile(r"^(?:compare|comparison\s+of|comparing)\s+(.+?)\s+(?:and|with|to)\s+(.+)$", re.IGNORECASE)
_BOTH_HAN = re.compile(
    r"^(?:比较|对比)?\s*(.{1,30}?)\s*[和与跟]\s*(.{1,30}?)\s*(?:的?(?:对比|比较|区别|差异|差别)|哪个(?:更|比较)?好.*|谁更.*)$"
)


def split(topic: str) -> tuple[Subquery, ...]:
    """The subqueries of a topic, the whole of it first."""
    sides = _sides(topic)
    if sides is None:
        return (_subquery("main", topic, core_of(topic)),)
    whole = _subquery("comparison", topic, core_of(" ".join(sides)))
    return (whole, *(_subquery(side, side, core_of(side), SIDE_WEIGHT) for side in sides))


def _sides(topic: str) -> tuple[str, ...] | None:
    for pattern in (_BOTH, _BOTH_HAN):
        if found := pattern.match(topic):
            return tuple(tidy(part) for part in found.groups())
    parts = [tidy(part) for part in _VERSUS.split(topic)]
    parts = list(dict.fromkeys(part for part in parts if part))
    return tuple(parts) if 2 <= len(parts) <= 4 else None


def _subquery(label: str, topic: str, ranking: str, weight: float = 1.0) -> Subquery:
    plain = re.sub(r'["“”「」『』]', "", topic)
    return Subquery(label=label, raw_topic=topic, search_query=plain, ranking_query=ranking, weight=weight)
