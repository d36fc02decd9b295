"""A YAML file as plain data, the line of every key, and one file's keys over another's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from pipeline.errors import ConfigError

Marks = dict[tuple[str | int, ...], tuple[Path | str, int]]
"""Key path -> (file, line), to name the place of an error."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C one reads the source lists eight times as fast


def read_yaml(path: Path) -> tuple[Any, Marks]:
    """A YAML file as plain data, and the line of every key."""
    try:
        loader = _LOADER(path.read_text("utf-8-sig"))
        node = loader.get_single_node()
        data = None if node is None else loader.construct_document(node)
    except OSError as error:
        raise ConfigError(f"{path}: can't be read ({error.strerror}); check the path and its permissions") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 text; save it as UTF-8") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f" line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "not valid YAML"
        raise ConfigError(f"{path}{line}: {problem}; correct the YAML") from error
    except ValueError as error:
        raise ConfigError(f"{path}: a value that can't be read ({error}); correct it or put it in quotes") from error
    marks: Marks = {}
    try:
        if node is not None:
            _mark(node, (), path, marks)
    except RecursionError as error:
        raise ConfigError(f"{path}: an entry holds itself (&, *); write it out") from error
    return ({} if data is None else data), marks


def _mark(node: yaml.Node, at: tuple[str | int, ...], path: Path, marks: Marks) -> None:
    marks[at] = (path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            _mark(value, (*at, str(key.value)), path, marks)
            marks[(*at, str(key.value))] = (path, key.start_mark.line + 1)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            _mark(value, (*at, index), path, marks)


def merge(base: Any, over: Any) -> Any:
    """Mappings merge key by key, lists of named entries by name (a new name is added); the rest is replaced."""
    if isinstance(base, dict) and isinstance(over, dict):
        return {**base, **{key: merge(base.get(key), value) for key, value in over.items()}}
    if _named(base) and _named(over):
        entries = {entry["name"]: entry for entry in base}
        for entry in over:
            entries[entry["name"]] = merge(entries.get(entry["name"]), entry)
        return list(entries.values())
    return over


def _named(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(e, dict) and "name" in e for e in value)
