"""The product's files, the user's, and the environment, one over the other."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from pipeline.errors import ConfigError
from pipeline.settings.check import check
from pipeline.settings.pipeline import PipelineSettings
from pipeline.settings.scoring import ScoringSettings
from pipeline.settings.section import Section
from pipeline.settings.sources import SourcesSettings
from pipeline.settings.tables import AuthorityTable, OwnersTable, Profile
from pipeline.settings.yamlfile import Marks, merge, read_yaml


class Settings(Section):
    """Everything configurable, frozen. Secrets are not here: net reads them when a source asks."""

    pipeline: PipelineSettings
    scoring: ScoringSettings
    sources: SourcesSettings
    authority: AuthorityTable
    owners: OwnersTable
    profiles: Mapping[str, Profile]


@cache
def bundled(name: str = "") -> Path:
    """A file or folder that ships with the product ("config", "assets" ...), from a checkout or a wheel."""
    here = Path(__file__).resolve().parents[1]
    root = here.parent if (here.parent / "config" / "pipeline.yaml").is_file() else here / "_bundled"
    return root / name if name else root


def home(environ: Mapping[str, str] = os.environ) -> Path:
    """The user's folder: database, recordings, own config. LATELY_HOME, else the platform's data folder."""
    if named := environ.get("LATELY_HOME"):
        return Path(named).expanduser()
    from platformdirs import user_data_path

    return user_data_path("lately", appauthor=False)


def load_settings(environ: Mapping[str, str] = os.environ) -> Settings:
    """Read, merge and check all configuration. Raises ConfigError naming file, key and line."""
    user = home(environ) / "config"
    parts = {name: _file(f"{name}.yaml", user, environ) for name in _FILES}
    loaded: dict[str, Any] = {name: check(_FILES[name], name, *parts[name]) for name in _FILES}
    return Settings(**loaded, profiles=_profiles(user))


_FILES: dict[str, type[Section]] = {
    "pipeline": PipelineSettings,
    "scoring": ScoringSettings,
    "sources": SourcesSettings,
    "authority": AuthorityTable,
    "owners": OwnersTable,
}


def _file(name: str, user: Path, environ: Mapping[str, str]) -> tuple[Any, Marks]:
    data, marks = read_yaml(bundled("config") / name)
    if (own := user / name).exists():
        over, over_marks = read_yaml(own)
        if not isinstance(over, dict):
            raise ConfigError(f"{own}: must hold keys with values, as in {bundled('config') / name}; correct it")
        data = merge(data, over)
        marks = _without_lists(marks, over_marks) | over_marks
    prefix = f"LATELY_{Path(name).stem.upper()}__"
    for key, value in sorted(environ.items()):
        if key.startswith(prefix):
            path = key.removeprefix(prefix).lower().split("__")
            try:
                over = yaml.safe_load(value)
            except yaml.YAMLError as error:
                raise ConfigError(f"environment variable {key}: not a YAML value") from error
            for part in reversed(path):
                over = {part: over}
            data = merge(data, over)
            marks[tuple(path)] = (f"environment variable {key}", 0)
    return data, marks


def _without_lists(marks: Marks, over: Marks) -> Marks:
    """Without the places inside lists that `over` gives too: there the numbers count other entries."""
    lists = {at[:-1] for at in over if at and isinstance(at[-1], int)}
    return {at: place for at, place in marks.items() if not any(at[:end] in lists for end in range(len(at)))}


def _profiles(user: Path) -> dict[str, Profile]:
    found: dict[str, Profile] = {}
    for folder in (bundled("config") / "profiles", user / "profiles"):
        for path in sorted(folder.glob("*.yaml")):
            data, marks = read_yaml(path)
            found[path.stem] = check(Profile, path.stem, data, marks)
    return found
