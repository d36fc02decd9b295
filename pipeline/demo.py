"""The demo recording: invented news in true wire formats, its dates moved to today, played like any recording.

assets/demo/ holds one template per answer (RSS, Atom, HN Algolia, GDELT, X API v2), sources.yaml (whom the demo
asks) and exchanges.yaml (which answer belongs to which question). A template is the payload byte for byte except for
time marks `{{form|offset}}`, such as `{{rfc822|-2d6h}}`, also inside texts, addresses and post ids (FORMS below).
Offsets count back from the full hour before the moment of loading: the newest item is never in the future, and posts
keep their ids, and with them what the analyst said of them, in the runs of an hour.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.settings import Settings, SourcesSettings, bundled, read_yaml

if TYPE_CHECKING:
    from pipeline.net import Player
    from pipeline.types import Report

_MARK = re.compile(r"\{\{(?P<form>[a-z0-9+]+)\|(?P<offset>[^|}]+)(?:\|(?P<serial>\d+))?\}\}")
_OFFSET = re.compile(r"(\d+)([dhm])")
_UNITS = {"d": "days", "h": "hours", "m": "minutes"}
_EAST = timezone(timedelta(hours=8))
_X_EPOCH_MS = 1_288_834_974_657  # the epoch of X's post ids, in Unix milliseconds

FORMS: Mapping[str, Callable[[datetime], str]] = {
    "rfc822": lambda at: format_datetime(at),
    "rfc822+8": lambda at: format_datetime(at.astimezone(_EAST)),
    "iso": lambda at: at.strftime("%Y-%m-%dT%H:%M:%SZ"),
    "iso+8": lambda at: at.astimezone(_EAST).isoformat(timespec="seconds"),
    "isoms": lambda at: at.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
    "unix": lambda at: str(int(at.timestamp())),
    "gdelt": lambda at: at.strftime("%Y%m%dT%H%M%SZ"),
    "path": lambda at: at.strftime("%Y/%m/%d"),
    "weekday": lambda at: at.strftime("%A"),
    "words": lambda at: f"{at.day} {at:%B %Y}",
    "zhday": lambda at: f"{at.astimezone(_EAST).month}月{at.astimezone(_EAST).day}日",
}


def render(template: str, now: datetime) -> str:
    """The payload with every time mark written out; an unknown form or offset raises ValueError."""

    def mark(found: re.Match[str]) -> str:
        at = now.replace(minute=0, second=0, microsecond=0) - _offset(found["offset"])
        if found["form"] == "xid":
            return str(((int(at.timestamp() * 1000) - _X_EPOCH_MS) << 22) | int(found["serial"]))
        if found["form"] not in FORMS:
            raise ValueError(f"unknown time mark {found[0]}")
        return FORMS[found["form"]](at)

    return _MARK.sub(mark, template)


def _offset(text: str) -> timedelta:
    parts = _OFFSET.findall(text)
    if not parts or "-" + "".join(n + unit for n, unit in parts) != text:
        raise ValueError(f"unknown time offset {text}")
    return timedelta(**{_UNITS[unit]: int(n) for n, unit in parts})


def demo_settings(settings: Settings) -> Settings:
    """The settings with the demo's own sources in place of the configured ones."""
    data, _ = read_yaml(_folder() / "sources.yaml")
    sources = settings.sources.model_dump(by_alias=True) | {"search": (), "custom": ()} | data
    return settings.model_copy(update={"sources": SourcesSettings.model_validate(sources)})


def ran_with(report: Report, settings: Settings) -> Settings:
    """The settings as a run had them: a run of the demo asked the demo's sources."""
    return demo_settings(settings) if report.demo else settings


def demo_player(now: datetime) -> Player:
    """Every answer of the demo, rendered for `now`."""
    from pipeline.net import Exchange, Player

    rows, _ = read_yaml(_folder() / "exchanges.yaml")
    return Player([Exchange(**_exchange(row, now)) for row in rows["exchanges"]])


def _exchange(row: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    fields: dict[str, Any] = {key: value for key, value in row.items() if key not in ("file", "queries", "gone")}
    if "gone" in row:
        return fields | {"failure": ("error", row["gone"], None)}
    template = (_folder() / row["file"]).read_text("utf-8")
    return fields | {"queries": tuple(row.get("queries", ())), "body": render(template, now).encode()}


def _folder() -> Path:
    return bundled("assets") / "demo"
