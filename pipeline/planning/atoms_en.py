"""Every reader of a single English time phrase, and the choice between them."""

from __future__ import annotations

from collections.abc import Callable

from pipeline.planning.cursor import Atom
from pipeline.planning.parts_en import Parts


class Atoms(Parts):
    """Readers over one text's tokens; each takes a place and returns an `Atom` or None."""

    def atom(self, at: int, *, parts: bool = True) -> Atom | None:
        """The longest reading that begins here."""
        word = self.word(at)
        if not word:
            return None
        readers: list[Callable[[int], Atom | None]] = [
            self.relative_day, self.numeric, self.month_date, self.weekday, self.reference, self.rolling, self.ago,
            self.nth_of, self.quarter, self.decade, self.week_number, self.day_of_month, self.offset, self.to_date,
        ]  # fmt: skip
        if parts:
            readers.append(self.part_of)
        best: Atom | None = None
        for reader in readers:
            found = reader(at)
            if found is not None and (best is None or found.end > best.end):
                best = found
        if best is None:
            best = self.bare_year(at)
        return best
