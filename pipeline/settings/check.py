"""Data against its section: what is wrong, said with file, line and key."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from pipeline.errors import ConfigError
from pipeline.settings.section import Section
from pipeline.settings.yamlfile import Marks

S = TypeVar("S", bound=Section)


def check(model: type[S], name: str, data: Any, marks: Marks) -> S:
    """`data` as a section. Raises ConfigError for the first key that does not fit."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        at = tuple(first["loc"])
        file, line = _place(at, marks)
        key = ".".join(str(part) for part in at) or name
        if first["type"] == "extra_forbidden":
            known = ", ".join(sorted(_known(model, at[:-1]))) or "none"
            problem = f"unknown key; known here: {known}"
        else:
            said = first["msg"].lower().replace("valid tuple", "list").replace("valid dictionary", "group of keys")
            problem = f"{said} (found {first['input']!r:.60})"
        where = f"{file} line {line}" if line else str(file)
        raise ConfigError(f"{where}: {key}: {problem}") from error


def _place(at: tuple[str | int, ...], marks: Marks) -> tuple[Path | str, int]:
    for end in range(len(at), -1, -1):
        if at[:end] in marks:
            return marks[at[:end]]
    return "settings", 0


def _known(model: type[BaseModel], at: Sequence[str | int]) -> list[str]:
    """The keys a (nested) section takes, for the error that names them."""
    for part in at:
        field = model.model_fields.get(str(part)) or next(
            (f for f in model.model_fields.values() if f.alias == part), None
        )
        inner = field.annotation if field is not None else None
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            model = inner
    return [field.alias or name for name, field in model.model_fields.items()]
