"""Records <-> JSON, driven by their type hints.

A dataclass becomes the list of its field values; the names of the fields (the shape) are written once beside many
of them. So a record may gain fields with defaults, or lose some, and what was stored before still loads: unknown
fields are skipped, missing ones take their default.
"""

from __future__ import annotations

import dataclasses
import gc
import json
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from enum import Enum
from functools import cache
from operator import attrgetter, methodcaller
from typing import Any, Union, get_args, get_origin, get_type_hints

Shape = dict[str, list[str]]
"""Record name -> names of its fields, in the order in which they are stored."""


# --------------------------------------------------------------------------- out


def encode(value: Any) -> bytes:
    """Compact JSON: records as lists of their fields, times in ISO 8601. Lone surrogates are kept, escaped."""
    text = _ENCODER.encode(value)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, default=_plain, separators=(",", ":")).encode("ascii")


def _plain(value: Any) -> Any:
    """What json calls for values it does not know."""
    kind = type(value)
    plain = _PLAIN.get(kind)
    if plain is None:
        plain = _PLAIN[kind] = _how(kind)
    return plain(value)


def _how(kind: type) -> Callable[[Any], Any]:
    if dataclasses.is_dataclass(kind):
        names = [field.name for field in dataclasses.fields(kind)]
        return attrgetter(*names) if len(names) > 1 else lambda value: [getattr(value, name) for name in names]
    if issubclass(kind, Mapping):
        return dict
    if hasattr(kind, "item"):  # a number that came out of an array
        return methodcaller("item")
    raise TypeError(f"{kind.__name__} can't be stored")


_PLAIN: dict[type, Callable[[Any], Any]] = {datetime: datetime.isoformat}
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_plain)


@cache
def shape(hint: Any) -> str:
    """The shape of everything reachable from a type, as JSON."""
    found: Shape = {}
    _reach(hint, found)
    return json.dumps(found, separators=(",", ":"))


def _reach(hint: Any, found: Shape) -> None:
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        if hint.__name__ not in found:
            found[hint.__name__] = [field.name for field in dataclasses.fields(hint)]
            for inner in get_type_hints(hint).values():
                _reach(inner, found)
    else:
        for inner in get_args(hint):
            _reach(inner, found)


# --------------------------------------------------------------------------- in


@cache
def decoder(hint: Any, stored_shape: str, stored_as: str = "") -> Callable[[Any], Any]:
    """A function from parsed JSON to a value of the type `hint`, for records stored with that shape.

    stored_as: name of the record that was stored, where `hint` is a smaller one that has some of its fields.
    """
    shapes = json.loads(stored_shape)
    if stored_as:
        shapes[hint.__name__] = shapes[stored_as]
    return _decoder(hint, shapes) or (lambda value: value)


def _decoder(hint: Any, stored: Shape) -> Callable[[Any], Any] | None:
    """None where the parsed JSON already is the value."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _optional(args, stored)
    if origin is tuple:
        return _tuple(args, stored)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        inner = _decoder(args[1], stored)
        return (lambda value: {key: inner(each) for key, each in value.items()}) if inner else None
    if not isinstance(hint, type):
        return None
    if dataclasses.is_dataclass(hint):
        return _record(hint, stored)
    if issubclass(hint, datetime):
        return datetime.fromisoformat
    return hint if issubclass(hint, Enum) else None


def _optional(args: tuple[Any, ...], stored: Shape) -> Callable[[Any], Any] | None:
    inner = [found for arg in args if arg is not type(None) and (found := _decoder(arg, stored))]
    if not inner:
        return None
    (decode,) = inner  # records hold no union of two kinds of record
    return lambda value: None if value is None else decode(value)


def _tuple(args: tuple[Any, ...], stored: Shape) -> Callable[[Any], Any]:
    if len(args) == 2 and args[1] is Ellipsis:
        inner = _decoder(args[0], stored)
        return (lambda value: tuple(map(inner, value))) if inner else tuple
    each = [_decoder(arg, stored) for arg in args]
    if not any(each):
        return tuple
    return lambda value: tuple(d(v) if d else v for d, v in zip(each, value, strict=True))


def _record(record: type, stored: Shape) -> Callable[[Any], Any]:
    known = {field.name for field in dataclasses.fields(record)}
    hints = get_type_hints(record)
    plan = [
        (at, name, _decoder(hints[name], stored))
        for at, name in enumerate(stored.get(record.__name__, ()))
        if name in known
    ]

    # Written out as source, as dataclasses write their __init__: a loop over the plan takes twice as long.
    given = ", ".join(f"{name}=d{at}(value[{at}])" if d else f"{name}=value[{at}]" for at, name, d in plan)
    known_here = {"record": record} | {f"d{at}": d for at, _, d in plan}
    decode: Callable[[Any], Any] = eval(f"lambda value: record({given})", known_here)
    return decode


# --------------------------------------------------------------------------- with the shape beside it


def dump(value: Any, hint: Any) -> bytes:
    """One value with its shape: for blobs that are stored alone."""
    return b'{"shape":' + shape(hint).encode() + b',"value":' + encode(value) + b"}"


def load(hint: Any, data: bytes) -> Any:
    """What `dump` wrote."""
    with _collector_paused():
        found = json.loads(data)
        return decoder(hint, json.dumps(found["shape"], separators=(",", ":")))(found["value"])


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Many young objects and no garbage: collecting meanwhile doubles the time of a large run (1.0 to 0.5 s)."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
