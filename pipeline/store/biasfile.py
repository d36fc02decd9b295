"""Authorities as YAML, for exchange: `authority: [{source: example.org, bias: 0.7, reason: why}]`.

A file is read entry by entry: a bad one is named with its line and costs none of its neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import yaml

from pipeline.errors import InputError

KEY_CHARS = 300
REASON_CHARS = 1_000
_EXPECTED = "expected YAML such as `authority: [{source: example.org, bias: 0.7, reason: why}]`"

Entry = tuple[str, float | None, str]
"""Source, bias (None removes it), reason."""


def write(entries: Sequence[tuple[str, float, str, str]]) -> str:
    """YAML of (source, bias, reason, since) rows, one line an entry."""
    rows = [dict(zip(("source", "bias", "reason", "since"), entry, strict=True)) for entry in entries]
    return str(yaml.safe_dump({"authority": rows}, allow_unicode=True, sort_keys=False, width=10_000))


def read_biases(text: str, key: Callable[[str], str] = str) -> tuple[list[Entry], list[str]]:
    """(entries that can be used, one sentence with the line for each that can't). Raises InputError for no such file.

    key: the key of a source as a person may have written it.
    """
    entries: dict[str, Entry] = {}
    problems = []
    for node in _list(text):
        try:
            entry = _entry(node, key)
            if entry[0] in entries:
                raise InputError(f"{entry[0]} is named twice; the first entry counts")
            entries[entry[0]] = entry
        except InputError as error:
            problems.append(f"line {_line(node)}: {error}")
    if problems and not entries:
        raise InputError(f"not an export of authorities: {problems[0]}; {_EXPECTED}")
    return list(entries.values()), problems


def _list(text: str) -> list[yaml.Node]:
    """The nodes of the entries. They are read as nodes: what aliases would multiply is never built."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except RecursionError as error:
        raise InputError(f"nested too deeply; {_EXPECTED}") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}: " if mark else ""
        raise InputError(f"{where}{getattr(error, 'problem', None) or 'no YAML'}; {_EXPECTED}") from error
    found = _fields(root).get("authority") if root is not None else None
    if not isinstance(found, yaml.SequenceNode):
        wrong = found or root
        raise InputError(f"line {_line(wrong) if wrong else 1}: not an export of authorities; {_EXPECTED}")
    return list(found.value)


def _entry(node: yaml.Node, key: Callable[[str], str]) -> Entry:
    fields = _fields(node)
    words = {name: str(one.value).strip() for name, one in fields.items() if isinstance(one, yaml.ScalarNode)}
    source = authority_key(key(words.get("source", "")))
    try:
        bias = float(words["bias"])
    except (KeyError, ValueError) as error:
        raise InputError(f"the bias of {source} must be a number between 0 and 1") from error
    return source, bias_of(source, bias), (words.get("reason") or "imported")[:REASON_CHARS]


def _fields(node: yaml.Node) -> dict[str, yaml.Node]:
    return {str(key.value): value for key, value in node.value} if isinstance(node, yaml.MappingNode) else {}


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


# --------------------------------------------------------------------------- what an entry may hold


def authority_key(source: str) -> str:
    """A source's key: a domain, a handle, or platform/account, whose name alone may hold spaces. Raises InputError."""
    key = source.encode("utf-8", "replace").decode().strip().lower().removeprefix("www.")
    if not key.isprintable() or not 0 < len(key) <= KEY_CHARS or any(char.isspace() for char in key.partition("/")[0]):
        raise InputError(f"{source[:60]!r} is no source; give a domain such as example.org, or a handle such as @name")
    return key


def bias_of(source: str, bias: float | None) -> float | None:
    """The bias as given. Raises InputError outside 0..1."""
    if bias is not None and not (math.isfinite(bias) and 0 <= bias <= 1):
        raise InputError(f"the bias of {source} must lie between 0 and 1, not {bias:g}")
    return bias


def reason_of(source: str, reason: str) -> str:
    """The reason in one line. Raises InputError when it says nothing."""
    said = " ".join(reason.encode("utf-8", "replace").decode().split())
    if not said:
        raise InputError(f"say why the authority of {source} changes; the reason is kept beside it")
    return said[:REASON_CHARS]
