"""What the analyst thinks of sources, with who, when and why, and what their items have earned.

Biases are a log that is only appended to: the latest change of a key that was not undone holds. An edit may say what
its author had seen; where another one came in between it is refused, and nothing is overwritten unread. Evidence
counts at most once per source, item and kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from pipeline.errors import InputError
from pipeline.store import biasfile
from pipeline.store.database import Database
from pipeline.store.items import clean

EvidenceKind = Literal["adopted", "cited", "dismissed", "pruned", "content farm", "bare reprint", "near miss"]
SUCCESSES: tuple[EvidenceKind, ...] = ("adopted", "cited")
WHO_CHARS = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One edit of a source's bias; `bias` None removes it."""

    id: int
    key: str
    bias: float | None
    reason: str
    at: datetime
    who: str = ""
    undone_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One item's verdict on its source: `weight` successes or failures."""

    key: str
    candidate: str
    kind: EvidenceKind
    at: datetime
    run: str
    title: str = ""
    weight: float = 1.0

    @property
    def success(self) -> bool:
        return self.kind in SUCCESSES


@dataclass(frozen=True, slots=True)
class Imported:
    changed: int
    """Biases that differ from those that held."""
    same: int
    problems: tuple[str, ...] = ()
    """Entries that could not be used, each with its line."""


class ChangedMeanwhile(InputError):
    """Somebody else changed a source since the editor looked; nothing was written."""

    def __init__(self, changes: Mapping[str, Change | None]) -> None:
        self.changes = changes
        """Key -> the change that holds now; None where the earlier bias was undone."""
        said = "; ".join(_meanwhile(key, change) for key, change in changes.items())
        super().__init__(f"changed meanwhile: {said}; look at it, then save again")


def _meanwhile(key: str, change: Change | None) -> str:
    if change is None:
        return f"the bias of {key} was undone"
    bias = "removed" if change.bias is None else f"set to {change.bias:.2f}"
    return f"{key} was {bias} by {change.who or 'somebody'} ({change.reason})"


class Authority:
    """Implements `types.Authorities`."""

    def __init__(self, database: Database, half_life_days: float) -> None:
        self._db = database
        self._half_life_s = half_life_days * 86_400

    # ----------------------------------------------------------------- the analyst's biases

    def biases(self) -> Mapping[str, float]:
        """Authority key -> bias (0..1) that replaces the prior mean."""
        return {change.key: change.bias for change in self.current() if change.bias is not None}

    def current(self) -> tuple[Change, ...]:
        """The change that holds for each key, by key."""
        with self._db.read() as connection:
            rows = connection.execute(
                f"SELECT {_CHANGE} FROM authority_changes WHERE id IN "
                "(SELECT max(id) FROM authority_changes WHERE undone_at IS NULL GROUP BY key) ORDER BY key"
            ).fetchall()
        return tuple(_change(row) for row in rows)

    def versions(self) -> Mapping[str, int]:
        """Key -> id of the change that holds: what an editor has seen, for `set_many`."""
        return {change.key: change.id for change in self.current()}

    def set(self, key: str, bias: float | None, reason: str, at: datetime, *, who: str = "") -> None:
        """Replace (or with None remove) a source's prior mean from now on. Raises InputError."""
        self.set_many([(key, bias, reason)], at, who=who)

    def set_many(
        self,
        changes: Iterable[biasfile.Entry],
        at: datetime,
        *,
        who: str = "",
        seen: Mapping[str, int] | None = None,
    ) -> None:
        """Several changes (key, bias, reason) at once: all or none. Raises InputError.

        seen: what `versions` said when the editor looked. Raises ChangedMeanwhile when another change of one of
        these keys came in between.
        """
        rows = [
            (
                biasfile.authority_key(key),
                biasfile.bias_of(key, bias),
                biasfile.reason_of(key, reason),
                at.timestamp(),
                clean(who).strip()[:WHO_CHARS],
            )
            for key, bias, reason in changes
        ]
        with self._db.write() as connection:
            if seen is not None:
                self._refuse_unseen([row[0] for row in rows], seen)
            connection.executemany(
                "INSERT INTO authority_changes(key, bias, reason, at, who) VALUES (?, ?, ?, ?, ?)", rows
            )

    def _refuse_unseen(self, keys: Iterable[str], seen: Mapping[str, int]) -> None:
        """Inside the transaction of an edit: nobody writes between this look and the edit."""
        held = {change.key: change for change in self.current()}
        other = {key: held.get(key) for key in keys}
        unseen = {key: change for key, change in other.items() if (change.id if change else 0) != seen.get(key, 0)}
        if unseen:
            raise ChangedMeanwhile(unseen)

    def undo_change(self, number: int, at: datetime) -> Change:
        """Take any one change back, the latest of its source or an older one. Raises InputError when it is undone."""
        with self._db.write() as connection:
            row = connection.execute(
                f"SELECT {_CHANGE} FROM authority_changes WHERE id = ? AND undone_at IS NULL", (number,)
            ).fetchone()
            if row is None:
                raise InputError("this change was taken back already; look at the history again")
            connection.execute("UPDATE authority_changes SET undone_at = ? WHERE id = ?", (at.timestamp(), number))
        return _change((*row[:-1], at.timestamp()))

    def undo(self, key: str, at: datetime) -> Change:
        """Take the latest change of a source back; what held before holds again. Raises InputError if none is left."""
        key = biasfile.authority_key(key)
        with self._db.write() as connection:
            row = connection.execute(
                f"SELECT {_CHANGE} FROM authority_changes WHERE key = ? AND undone_at IS NULL ORDER BY id DESC LIMIT 1",
                (key,),
            ).fetchone()
            if row is None:
                raise InputError(f"nothing to undo for {key}; `lately authority history` lists all changes")
            connection.execute("UPDATE authority_changes SET undone_at = ? WHERE id = ?", (at.timestamp(), row[0]))
        return _change((*row[:-1], at.timestamp()))

    def history(self, key: str | None = None) -> tuple[Change, ...]:
        """All changes, undone ones too, newest first."""
        with self._db.read() as connection:
            rows = connection.execute(
                f"SELECT {_CHANGE} FROM authority_changes WHERE ? IS NULL OR key = ? ORDER BY id DESC", (key, key)
            ).fetchall()
        return tuple(_change(row) for row in rows)

    def export(self) -> str:
        """The biases that hold, as YAML that `import_yaml` reads."""
        held = (one for one in self.current() if one.bias is not None)
        return biasfile.write([(one.key, one.bias or 0.0, one.reason, one.at.date().isoformat()) for one in held])

    def import_yaml(self, text: str, at: datetime, *, who: str = "", key: Callable[[str], str] = str) -> Imported:
        """Add the biases of an export where they differ from those that hold.

        key: the key of a source as a person may have written it. Entries that can't be used are named and left out. Raises InputError when none can.
        """
        entries, problems = biasfile.read_biases(text, key)
        with self._db.write():
            held = self.biases()
            new = [change for change in entries if held.get(change[0]) != change[1]]
            self.set_many(new, at, who=who)
        return Imported(changed=len(new), same=len(entries) - len(new), problems=tuple(problems))

    # ----------------------------------------------------------------- what items have earned

    def learn(self, evidence: Iterable[Evidence]) -> None:
        """Add to the log; a source, item and kind that is there counts once. Not for demo, replay, past as_of."""
        rows = [
            (
                one.key,
                one.candidate,
                one.kind,
                one.weight if one.success else 0.0,
                0.0 if one.success else one.weight,
                one.at.timestamp(),
                one.run,
                clean(one.title),
            )
            for one in evidence
            if one.key
        ]
        with self._db.write() as connection:
            connection.executemany("INSERT OR IGNORE INTO evidence VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def unlearn(self, key: str, candidate: str, kinds: Iterable[EvidenceKind]) -> tuple[Evidence, ...]:
        """Remove an item's evidence of these kinds: the analyst took it back. What was removed, for undoing that."""
        wanted = set(kinds)
        with self._db.write() as connection:
            taken = tuple(one for one in self._of(key, candidate) if one.kind in wanted)
            connection.executemany(
                "DELETE FROM evidence WHERE key = ? AND candidate = ? AND kind = ?",
                [(key, candidate, one.kind) for one in taken],
            )
        return taken

    def _of(self, key: str, candidate: str) -> Iterable[Evidence]:
        with self._db.read() as connection:
            rows = connection.execute(
                f"SELECT {_EVIDENCE} FROM evidence WHERE key = ? AND candidate = ?", (key, candidate)
            ).fetchall()
        return [_evidence(key, *row) for row in rows]

    def evidence(self, as_of: datetime) -> Mapping[str, tuple[float, float]]:
        """Authority key -> (successes, failures) up to `as_of`, each halved per half-life of age."""
        now = as_of.timestamp()
        with self._db.read() as connection:
            rows = connection.execute("SELECT key, success, failure, at FROM evidence WHERE at <= ?", (now,)).fetchall()
        found: dict[str, tuple[float, float]] = {}
        for key, success, failure, at in rows:
            faded = 0.5 ** ((now - at) / self._half_life_s)
            successes, failures = found.get(key, (0.0, 0.0))
            found[key] = (successes + faded * success, failures + faded * failure)
        return found

    def log(self, key: str, *, limit: int = 200) -> tuple[Evidence, ...]:
        """The evidence on one source, newest first."""
        with self._db.read() as connection:
            rows = connection.execute(
                f"SELECT {_EVIDENCE} FROM evidence WHERE key = ? ORDER BY at DESC, candidate LIMIT ?", (key, limit)
            ).fetchall()
        return tuple(_evidence(key, *row) for row in rows)

    def faded(self, one: Evidence, as_of: datetime) -> float:
        """What is left of an item's weight at `as_of`."""
        return float(one.weight * 0.5 ** ((as_of - one.at).total_seconds() / self._half_life_s))


_CHANGE = "id, key, bias, reason, at, who, undone_at"
_EVIDENCE = "candidate, kind, success + failure, at, run, title"


def _change(row: tuple[int, str, float | None, str, float, str, float | None]) -> Change:
    number, key, bias, reason, at, who, undone = row
    back = None if undone is None else _time(undone)
    return Change(id=number, key=key, bias=bias, reason=reason, at=_time(at), who=who, undone_at=back)


def _evidence(key: str, item: str, kind: EvidenceKind, weight: float, at: float, run: str, title: str) -> Evidence:
    return Evidence(key=key, candidate=item, kind=kind, weight=weight, at=_time(at), run=run, title=title)


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
