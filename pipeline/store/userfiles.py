"""The user's own configuration, written for them: added sources, saved profiles and lists of feeds.

They live as YAML in <home>/config, where settings reads them and a person can edit them; a comment in an edited file
survives an addition. Writing is serialised over processes by the database's write lock and replaces the file whole.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from pipeline.errors import InputError, StoreError
from pipeline.store.database import Database

_NAME = re.compile(r"[\w-]+(?: [\w-]+)*", re.UNICODE)
SECTIONS = ("rss", "search", "custom")


class UserFiles:
    def __init__(self, database: Database, folder: Path) -> None:
        self._db = database
        self.folder = folder

    def save_profile(self, name: str, profile: Mapping[str, Any]) -> Path:
        """Write <home>/config/profiles/<name>.yaml; its keys are those of settings.Profile. Raises InputError."""
        if not _NAME.fullmatch(name) or len(name) > 60:
            raise InputError("a profile's name is made of letters, digits, - and _")
        text = yaml.safe_dump(dict(profile), allow_unicode=True, sort_keys=False)
        with self._db.write():
            return _replace(self.folder / "profiles" / f"{name}.yaml", text)

    def profiles(self) -> frozenset[str]:
        """Names of the saved profiles, without those that ship with the product."""
        return frozenset(path.stem for path in (self.folder / "profiles").glob("*.yaml"))

    def delete_profile(self, name: str) -> None:
        """Delete a saved profile; one of that name that ships with the product holds again. Raises InputError."""
        if name not in self.profiles():
            raise InputError(f"no profile {name!r} is saved; `lately profile list` shows all that there are")
        (self.folder / "profiles" / f"{name}.yaml").unlink(missing_ok=True)

    def add_source(self, section: str, entry: Mapping[str, Any]) -> Path:
        """Add an entry (with at least `name` and `url`) to rss, search or custom; one of that name is replaced.

        The entry is expected to be valid: check it against settings first. Raises InputError.
        """
        if section not in SECTIONS:
            raise InputError(f"a source is added to {', '.join(SECTIONS)}, not to {section!r}")
        path = self.folder / "sources.yaml"
        with self._db.write():
            text = path.read_text("utf-8-sig") if path.is_file() else ""
            return _replace(path, _with_entry(text, section, dict(entry), path))

    def sources(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        """(section, entry) of every source in the user's file, in its order; what is no entry there is left out."""
        path = self.folder / "sources.yaml"
        found = _parsed(path.read_text("utf-8-sig"), path) if path.is_file() else {}
        return tuple((section, entry) for section in SECTIONS for entry in _entries(found, section))

    def remove_source(self, section: str, name: str) -> None:
        """Remove an added source. Raises InputError when it is not in the user's file."""
        path = self.folder / "sources.yaml"
        with self._db.write():
            found = _parsed(path.read_text("utf-8-sig"), path) if path.is_file() else {}
            kept = [entry for entry in found.get(section) or () if entry not in _entries(found, section, name)]
            if not _entries(found, section, name):
                raise InputError(f"{name!r} is no source of {path}; sources that ship with Lately stay")
            _replace(path, yaml.safe_dump({**found, section: kept}, allow_unicode=True, sort_keys=False))

    def keep_feed_list(self, data: bytes) -> Path:
        """Write an OPML list to <home>/lists, named by its content, so that a run that asked it can be asked again."""
        name = hashlib.sha256(data).hexdigest()[:16]
        return _replace(self.folder.parent / "lists" / f"{name}.opml", data)


def _entries(found: Mapping[str, Any], section: str, name: str | None = None) -> list[dict[str, Any]]:
    """The entries of a section that have a name (or this one)."""
    listed = found.get(section)
    named = [one for one in listed if isinstance(one, dict) and one.get("name")] if isinstance(listed, list) else []
    return [one for one in named if name in (None, one["name"])]


def _with_entry(text: str, section: str, entry: dict[str, Any], path: Path) -> str:
    found = _parsed(text, path)
    entries = [one for one in found.get(section) or () if one.get("name") != entry["name"]]
    wanted = {**found, section: [*entries, entry]}
    inserted = _inserted(text, section, entry)
    # Text is inserted where that gives just what is wanted, so that comments stay; else the file is written anew.
    if _loads_as(inserted, wanted):
        return inserted
    return yaml.safe_dump(wanted, allow_unicode=True, sort_keys=False)


def _inserted(text: str, section: str, entry: dict[str, Any]) -> str:
    line = yaml.safe_dump(entry, allow_unicode=True, sort_keys=False, default_flow_style=True, width=10_000).strip()
    head = re.search(rf"^{section}:[ \t]*(#.*)?$", text, re.MULTILINE)
    if head is None:
        return f"{text.rstrip()}\n\n{section}:\n  - {line}\n".lstrip()
    indent = re.match(r"(?:\s*#.*\n|\s*\n)*([ \t]*)- ", text[head.end() + 1 :])
    at = _section_end(text, head.end())
    return f"{text[:at].rstrip()}\n{indent[1] if indent else '  '}- {line}\n{text[at:]}"


def _section_end(text: str, start: int) -> int:
    following = re.compile(r"^[^\s#-]", re.MULTILINE).search(text, start)
    return following.start() if following else len(text)


def _loads_as(text: str, wanted: object) -> bool:
    try:
        return bool(yaml.safe_load(text) == wanted)
    except yaml.YAMLError:
        return False


def _parsed(text: str, path: Path) -> dict[str, Any]:
    try:
        found = yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        raise InputError(f"{path} is not valid YAML; correct it first") from error
    if not isinstance(found, dict):
        raise InputError(f"{path} must hold sections such as `rss:`; correct it first")
    return found


def _replace(path: Path, content: str | bytes) -> Path:
    beside = path.with_suffix(f".{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(content if isinstance(content, bytes) else content.encode())
        beside.replace(path)
    except OSError as error:
        raise StoreError(f"{path} can't be written ({error.strerror}); check the disk and its permissions") from error
    return path
