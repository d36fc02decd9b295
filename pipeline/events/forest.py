"""Disjoint sets with path halving (Tarjan 1975): which rows belong together."""

from __future__ import annotations


class Forest:
    """Rows 0..count-1, each alone at first."""

    def __init__(self, count: int) -> None:
        self.parent = list(range(count))

    def find(self, row: int) -> int:
        """The set's representative."""
        parent = self.parent
        while parent[row] != row:
            parent[row] = parent[parent[row]]
            row = parent[row]
        return row

    def join(self, a: int, b: int) -> int:
        """Put two sets together under the lower row; returns the representative."""
        a, b = self.find(a), self.find(b)
        low, high = min(a, b), max(a, b)
        self.parent[high] = low
        return low

    def groups(self) -> dict[int, list[int]]:
        """Representative -> its rows, ascending; sets of one included."""
        found: dict[int, list[int]] = {}
        for row in range(len(self.parent)):
            found.setdefault(self.find(row), []).append(row)
        return found
