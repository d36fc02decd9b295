"""Two runs side by side: what is new, gone or moved among the items shown, which endpoints ended otherwise, which
settings differ.

    found = compare(store.runs.load("20261128"), store.runs.load("last"))
    print(found.sentence)

Items are told apart by their id, which is stable across runs; one that came back under another id (a search that
numbers its answers anew) is known by its site, account and title, where these occur once in each run. An item that is gone says where it ended in the later run,
and which shown report tells its event there. Where the two runs show one event by different reports (of another outlet or
language), it is neither new nor gone: it is told by another report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pipeline.types import DIMENSION_NAMES, Bucket, Outcome, Report

MOVED = 1.0  # points of 100 from which a change of total counts as a move


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two runs."""

    id: str
    query: str
    created_at: datetime
    items: int
    shown: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an item stood in one run."""

    total: float
    """Points of 100; 0 for an item that was never scored."""
    rank: int | None
    """1 is the best of those shown; None for an item that was not shown."""
    ended: str
    """The label of its bucket."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One item in both runs. A place is None where that run did not fetch it."""

    id: str
    title: str
    url: str
    domain: str
    source: str
    before: Place | None
    now: Place | None
    told_by: str = ""
    """For an item that is gone: the title of the shown report of its event."""
    told_before: str = ""
    """For an event told by another report: the title of the report that told it before."""

    @property
    def points(self) -> float:
        """How far the total moved; 0 where a run lacks the item."""
        return 0.0 if self.before is None or self.now is None else round(self.now.total - self.before.total, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeChange:
    """An endpoint that ended otherwise, or that only one run asked (its other status is None)."""

    source: str
    endpoint: str
    before: str | None
    now: str | None
    items_before: int
    items_now: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingChange:
    """A setting that differs, in words."""

    name: str
    before: str
    now: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """From `before` to `now`. Lists are ordered by what matters: best totals first, largest moves first."""

    before: Side
    now: Side
    new: tuple[Change, ...]
    gone: tuple[Change, ...]
    retold: tuple[Change, ...]
    """Events shown in both, each by another report: the later report, `before` being the place of the earlier one."""
    moved: tuple[Change, ...]
    """Shown in both: another place among the items shown in both, or a total that moved by a point or more."""
    same: int
    """Shown in both and not moved."""
    outcomes: tuple[OutcomeChange, ...]
    settings: tuple[SettingChange, ...]

    @property
    def counts(self) -> str:
        """What became of the items shown, in numbers that add up to those of the two runs."""
        retold = f"{len(self.retold)} told by another report, " if self.retold else ""
        return f"{len(self.new)} new, {len(self.gone)} gone, {retold}{len(self.moved)} moved, {self.same} as before"

    @property
    def sentence(self) -> str:
        """The whole in one line."""
        said = self.counts
        for found, what in ((self.outcomes, "source"), (self.settings, "setting")):
            if found:
                said += f"; {len(found)} {what}{'s' * (len(found) != 1)} differ{'s' * (len(found) == 1)}"
        return said


def compare(before: Report, now: Report) -> Comparison:
    """What the later run shows that the earlier did not, what is gone, what moved, and what else differs."""
    then, today = _Run(before), _Run(now)
    then.known_as(today)
    both = [one for one in today.ranks if one in then.ranks]
    places = {one: at for at, one in enumerate(sorted(both, key=then.ranks.__getitem__))}
    changes = [_change(one, then, today) for one in both]
    moved = [change for at, change in enumerate(changes) if abs(change.points) >= MOVED or places[change.id] != at]
    new = [one for one in today.ranks if one not in then.ranks]
    gone = [one for one in sorted(then.ranks, key=then.ranks.__getitem__) if one not in today.ranks]
    retold = _retold(then, today, new, gone)
    return Comparison(
        before=then.side,
        now=today.side,
        new=tuple(_change(one, then, today) for one in new if one not in retold),
        gone=tuple(_change(one, then, today) for one in gone if one not in retold.values()),
        retold=tuple(_told_anew(one, old, then, today) for one, old in retold.items()),
        moved=tuple(sorted(moved, key=lambda change: -abs(change.points))),
        same=len(both) - len(moved),
        outcomes=_outcomes(before, now),
        settings=_settings(before, now),
    )


# --------------------------------------------------------------------------- items


class _Run:
    """A report by candidate id."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.rows: dict[str, int] = {one: row for row, one in enumerate(report.table.ids)}
        total = report.table.total
        best = sorted(report.selected_rows, key=lambda row: -float(total[row]))
        self.ranks: dict[str, int] = {report.table.ids[row]: at for at, row in enumerate(best, start=1)}
        self._teller = {int(report.table.event[row]): row for row in reversed(best)}

    def known_as(self, later: _Run) -> None:
        """Take the later run's id for what came back under another one."""
        theirs = later._faces()
        for face, row in self._faces().items():
            mine, other = self.report.table.ids[row], theirs.get(face)
            if other is None or mine in later.rows:
                continue
            new = later.report.table.ids[other]
            if new not in self.rows:
                self.rows[new] = self.rows.pop(mine)
                if mine in self.ranks:
                    self.ranks[new] = self.ranks.pop(mine)

    def _faces(self) -> dict[tuple[str, ...], int]:
        """(source, site, account, title) -> its row, where there is one only."""
        table = self.report.table
        faces = list(zip(table.sources, table.domains, table.authors, table.titles, strict=True))
        often = Counter(faces)
        return {face: row for row, face in enumerate(faces) if often[face] == 1 and face[-1].strip()}

    @property
    def side(self) -> Side:
        report = self.report
        return Side(
            id=report.run_id,
            query=report.plan.text,
            created_at=report.created_at,
            items=len(report.table),
            shown=len(self.ranks),
        )

    def place(self, one: str) -> Place | None:
        if (row := self.rows.get(one)) is None:
            return None
        table = self.report.table
        ended = Bucket(int(table.bucket[row])).label
        return Place(total=round(float(table.total[row]), 2), rank=self.ranks.get(one), ended=ended)

    def event_names(self, one: str) -> tuple[str, ...]:
        """What an item's event can be recognised by: its id, which is remembered across runs, and its members."""
        if (row := self.rows.get(one)) is None or (at := int(self.report.table.event[row])) < 0:
            return ()
        event = self.report.events[at]
        return (f"event {event.id}", *event.members)

    def told_by(self, one: str) -> str:
        """The title of the shown report of an item's event, when that is another one."""
        if (row := self.rows.get(one)) is None or (event := int(self.report.table.event[row])) < 0:
            return ""
        teller = self._teller.get(event, row)
        return "" if teller == row else self.report.table.titles[teller]


def _change(one: str, then: _Run, today: _Run) -> Change:
    holder = today if one in today.rows else then
    table, row = holder.report.table, holder.rows[one]
    return Change(
        id=one,
        title=table.titles[row],
        url=table.urls[row],
        domain=table.domains[row],
        source=table.sources[row],
        before=then.place(one),
        now=today.place(one),
        told_by="" if one in today.ranks else today.told_by(one),
    )


def _retold(then: _Run, today: _Run, new: Sequence[str], gone: Sequence[str]) -> dict[str, str]:
    """Item that is shown now -> the one of the same event that was shown before: each event once, best first."""
    tellers: dict[str, str] = {}
    for one in new:
        for name in today.event_names(one):
            tellers.setdefault(name, one)
    found: dict[str, str] = {}
    for one in gone:
        names = (*then.event_names(one), *today.event_names(one))
        teller = next((tellers[name] for name in names if tellers.get(name, one) not in (one, *found)), None)
        if teller is not None:
            found[teller] = one
    return dict(sorted(found.items(), key=lambda pair: today.ranks[pair[0]]))


def _told_anew(one: str, old: str, then: _Run, today: _Run) -> Change:
    title = then.report.table.titles[then.rows[old]]
    return replace(_change(one, then, today), before=then.place(old), told_before=title)


# --------------------------------------------------------------------------- sources and settings


def _outcomes(before: Report, now: Report) -> tuple[OutcomeChange, ...]:
    then, today = _by_endpoint(before), _by_endpoint(now)
    return tuple(
        OutcomeChange(
            source=key[0],
            endpoint=key[1],
            before=then[key].status if key in then else None,
            now=today[key].status if key in today else None,
            items_before=then[key].items if key in then else 0,
            items_now=today[key].items if key in today else 0,
        )
        for key in {**then, **today}
        if key not in then or key not in today or then[key].status != today[key].status
    )


def _by_endpoint(report: Report) -> dict[tuple[str, str], Outcome]:
    return {(outcome.source, outcome.endpoint): outcome for outcome in report.outcomes}


def _settings(before: Report, now: Report) -> tuple[SettingChange, ...]:
    found = [(name, said(before), said(now)) for name, said in _SAID.items()]
    return tuple(SettingChange(name=name, before=old, now=new) for name, old, new in found if old != new)


def _window(report: Report) -> str:
    window = report.plan.window
    return f"{window.days:.3g} days"


def _weight(at: int) -> Callable[[Report], str]:
    return lambda report: f"{report.settings.weights[at]:.2f}"


def _biases(report: Report) -> str:
    return ", ".join(f"{key} {bias:.2f}" for key, bias in sorted(report.settings.authority_biases.items())) or "none"


def _listed(words: Any) -> str:
    return ", ".join(words) or "none"


_SAID: dict[str, Callable[[Report], str]] = {
    "question": lambda report: report.plan.text,
    "window": _window,
    "depth": lambda report: report.plan.question.depth,
    "sources": lambda report: "the usual" if (s := report.plan.question.sources) is None else _listed(s),
    "profile": lambda report: report.settings.profile or "standard",
    "threshold": lambda report: f"{report.settings.threshold:g}",
    "shown at most": lambda report: str(report.settings.max_results),
    "places of one account": lambda report: str(report.settings.per_author),
    "decay": lambda report: report.settings.decay.replace("_", "-"),
    **{f"weight of {name}": _weight(at) for at, name in enumerate(DIMENSION_NAMES)},
    "relevance floor": lambda report: f"{report.settings.relevance_floor:.2f}",
    "interest words": lambda report: _listed(report.settings.interests),
    "authority by profile": _biases,
    "already seen": lambda report: "hidden" if report.plan.question.hide_seen else "shown",
    "demo": lambda report: "yes" if report.demo else "no",
}
"""Setting in words -> what a run says of it."""
