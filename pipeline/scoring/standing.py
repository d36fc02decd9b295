"""The scored rows of a table as choosing needs them, ties settled beforehand.

Everything here follows from columns that no setting changes, so it is made once a table (see kept).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipeline.scoring.kept import Kept
from pipeline.types import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pipeline.types import Flags

    Rows = NDArray[np.int64]  # numpy takes these as indices without converting them first


@dataclass(frozen=True, slots=True)
class Standing:
    """m scored rows, by falling engagement, then in the order of the pool: a stable sort by points does the rest."""

    rows: Rows
    copies: Rows
    """[m] number of the copy group, upstream members apart."""
    events: Rows
    """[m] number of the event, upstream members apart."""
    upstream: Flags
    first_party: Flags
    accounts: Rows
    """[m] number of the account of a post; -1 for what has none."""


def standing(table: Table) -> Standing:
    """The table's scored rows; made when these columns are seen for the first time."""
    columns = (
        table.fixed, table.engagement, table.event, table.original, table.upstream, table.social, table.first_party,
    )  # fmt: skip
    return _standings.of(columns, lambda: _stand(table))


_standings: Kept[Standing] = Kept()


def _stand(table: Table) -> Standing:
    rows = np.flatnonzero(table.fixed < 0)
    rows = rows[np.argsort(-table.engagement[rows], kind="stable")]
    upstream = table.upstream[rows]
    return Standing(
        rows=rows,
        copies=2 * table.original[rows].astype(np.int64) + upstream,
        events=2 * table.event[rows].astype(np.int64) + upstream,
        upstream=upstream,
        first_party=table.first_party[rows],
        accounts=_accounts(table, rows),
    )


def _accounts(table: Table, rows: Rows) -> Rows:
    """An account is a name on one network; posts without a name belong to nobody."""
    numbers: dict[tuple[str, str], int] = {}
    found = np.full(len(rows), -1, np.int64)
    for place in np.flatnonzero(table.social[rows]).tolist():
        row = rows[place]
        if table.authors[row]:
            found[place] = numbers.setdefault((table.sources[row], table.authors[row]), len(numbers))
    return found


def best_first(points: NDArray[np.floating]) -> Rows:
    """[m] places in the standing by falling points. Totals are whole hundredths: small integers, which a stable sort
    takes in a few passes.
    """
    missing = 10_000 - np.rint(points * 100)
    return np.argsort(missing.astype(np.uint16), kind="stable")
