"""The columns of a run's table <-> two blobs: numbers as raw arrays, texts as JSON."""

from __future__ import annotations

import dataclasses
import json
import sys
import zlib
from typing import TYPE_CHECKING, Any

from pipeline.types import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TEXTS = ("ids", "titles", "urls", "sources", "endpoints", "domains", "authors", "authority_keys")
_REPEATING = frozenset({"sources", "endpoints", "domains", "authors", "authority_keys"})
_NUMBERS = tuple(field.name for field in dataclasses.fields(Table) if field.name not in _TEXTS)


def pack(table: Table) -> tuple[bytes, bytes]:
    """(texts, numbers) of a table, compressed."""
    from pipeline.store.codec import encode

    texts = encode({name: getattr(table, name) for name in _TEXTS})
    return zlib.compress(texts, 1), zlib.compress(_pack_numbers(table), 1)


def unpack(texts: bytes, numbers: bytes) -> Table:
    """The table again. Repeating texts share one object; arrays are writable copies."""
    columns = json.loads(zlib.decompress(texts))
    for name in _REPEATING:
        columns[name] = map(sys.intern, columns[name])
    fields: dict[str, Any] = {name: tuple(columns[name]) for name in _TEXTS}
    return Table(**fields, **_unpack_numbers(zlib.decompress(numbers)))


def _pack_numbers(table: Table) -> bytes:
    import numpy as np

    arrays: dict[str, NDArray[Any]] = {name: np.ascontiguousarray(getattr(table, name)) for name in _NUMBERS}
    head = json.dumps([[name, array.dtype.str, array.shape] for name, array in arrays.items()]).encode()
    return len(head).to_bytes(4, "big") + head + b"".join(array.tobytes() for array in arrays.values())


def _unpack_numbers(data: bytes) -> dict[str, Any]:
    import numpy as np

    at = 4 + int.from_bytes(data[:4], "big")
    found: dict[str, NDArray[Any]] = {}
    for name, kind, shape in json.loads(data[4:at]):
        dtype = np.dtype(kind)
        count = int(np.prod(shape, dtype=np.int64))
        found[name] = np.frombuffer(data, dtype, count, at).reshape(shape).copy()
        at += count * dtype.itemsize
    return {name: array for name, array in found.items() if name in _NUMBERS}
