"""The analyst's time zone by name; "auto" is this machine's."""

from __future__ import annotations

import os
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from pipeline.errors import InputError


def resolve_zone(name: str, now: datetime) -> tuple[tzinfo, str]:
    """The zone and its name. Raises InputError where the name is none of IANA's."""
    if name and name != "auto":
        try:
            return ZoneInfo(name), name
        except (ValueError, OSError, KeyError) as error:
            raise InputError(
                f"unknown time zone {name!r:.60}: use a name such as Europe/Berlin, Asia/Shanghai or UTC"
            ) from error
    return _of_machine(now)


def _of_machine(now: datetime) -> tuple[tzinfo, str]:
    """The machine's zone by name where it tells one, else its offset of the moment."""
    linked = str(Path("/etc/localtime").resolve())
    for candidate in (os.environ.get("TZ", "").lstrip(":"), linked.partition("zoneinfo/")[2]):
        if candidate:
            try:
                return ZoneInfo(candidate), candidate
            except (ValueError, OSError, KeyError):
                continue
    offset = now.astimezone().tzinfo or UTC
    return (UTC, "UTC") if not offset.utcoffset(now) else (offset, str(offset))
