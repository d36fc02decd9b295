"""What the analyst thinks of sources, with when and why, and what their items have earned.

Biases are a log that is only appended to: the latest change of a key that was not undone holds. Evidence counts at
most once per source, item and kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from pipeline.errors import InputError
from pipeline.store.database import Database
from pipeline.store.items import clean

EvidenceKind = Literal["adopted", "cited", "dismissed", "pruned", "content farm", "bare reprint", "near miss"]
SUCCESSES: tuple[EvidenceKind, ...] = ("adopted", "cited")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One edit of a source's bias; `bias` None removes it."""

    id: int
    key: str
    bias: float | None
    reason: str
    at: datetime
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

    def set(self, key: str, bias: float | None, reason: str, at: datetime) -> None:
        """Replace (or with None remove) a source's prior mean from now on. Raises InputError."""
        self.set_many([(key, bias, reason)], at)

    def set_many(self, changes: Iterable[tuple[str, float | None, str]], at: datetime) -> None:
        """Several changes (key, bias, reason) at once: all or none. Raises InputError."""
        rows = [(_key(key), _bias(key, bias), _reason(key, reason), at.timestamp()) for key, bias, reason in changes]
        with self._db.write() as connection:
            connection.executemany("INSERT INTO authority_changes(key, bias, reason, at) VALUES (?, ?, ?, ?)", rows)

    def undo(self, key: str, at: datetime) -> Change:
        """Take the latest change of a source back; what held before holds again. Raises InputError if none is left."""
        key = _key(key)
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
        import yaml

        entries = [
            {"source": one.key, "bias": one.bias, "reason": one.reason, "since": one.at.date().isoformat()}
            for one in self.current()
            if one.bias is not None
        ]
        return str(yaml.safe_dump({"authority": entries}, allow_unicode=True, sort_keys=False))

    def import_yaml(self, text: str, at: datetime) -> int:
        """Add the biases of an export where they differ from those that hold; how many. Raises InputError."""
        held = self.biases()
        new = [change for change in _parse(text) if held.get(change[0]) != change[1]]
        self.set_many(new, at)
        return len(new)

    # ----------------------------------------------------------------- what items have earned

    def learn(self, evidence: Iterable[Evidence]) -> None:
        """Add to the log; a source, item and kind that is there counts once. Not for demo, replay, past as_of."""
        rows = [
            (
                one.key,
                one.candidate,
                one.kind,
                one.weight if one.kind in SUCCESSES else 0.0,
                0.0 if one.kind in SUCCESSES else one.weight,
                one.at.timestamp(),
                one.run,
                clean(one.title),
            )
            for one in evidence
            if one.key
        ]
        with self._db.write() as connection:
            connection.executemany("INSERT OR IGNORE INTO evidence VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def unlearn(self, key: str, candidate: str, kinds: Iterable[EvidenceKind]) -> None:
        """Remove an item's evidence of these kinds: the analyst took it back."""
        with self._db.write() as connection:
            connection.executemany(
                "DELETE FROM evidence WHERE key = ? AND candidate = ? AND kind = ?",
                [(key, candidate, kind) for kind in kinds],
            )

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
                "SELECT candidate, kind, success + failure, at, run, title FROM evidence WHERE key = ? "
                "ORDER BY at DESC, candidate LIMIT ?",
                (key, limit),
            ).fetchall()
        return tuple(
            Evidence(key=key, candidate=item, kind=kind, weight=weight, at=_time(at), run=run, title=title)
            for item, kind, weight, at, run, title in rows
        )


_CHANGE = "id, key, bias, reason, at, undone_at"


def _change(row: tuple[int, str, float | None, str, float, float | None]) -> Change:
    number, key, bias, reason, at, undone = row
    return Change(
        id=number, key=key, bias=bias, reason=reason, at=_time(at), undone_at=None if undone is None else _time(undone)
    )


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _key(key: str) -> str:
    cleaned = clean(key).strip().lower().removeprefix("www.")
    if not cleaned or any(char.isspace() for char in cleaned):
        raise InputError(f"{key!r} is no source; give a domain such as example.org, or a handle such as @name")
    return cleaned


def _bias(key: str, bias: float | None) -> float | None:
    if bias is not None and not 0 <= bias <= 1:
        raise InputError(f"the bias of {key} must lie between 0 and 1, not {bias:g}")
    return bias


def _reason(key: str, reason: str) -> str:
    if not reason.strip():
        raise InputError(f"say why the authority of {key} changes; the reason is kept beside it")
    return clean(reason).strip()


def _parse(text: str) -> list[tuple[str, float | None, str]]:
    import yaml

    try:
        entries = yaml.safe_load(text)["authority"]
        return [(_key(str(e["source"])), float(e["bias"]), str(e.get("reason") or "imported")) for e in entries]
    except (yaml.YAMLError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            "not an export of authorities; expected YAML such as `authority: [{source: example.org, bias: 0.7}]`"
        ) from error
