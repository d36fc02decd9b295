"""What an analyst types to steer a search: "quoted phrases", -excluded, site:, @handles.

Each is found with its place. The rest of the text is read with them blanked out, so that places stay true and a date in
a quoted title is no window.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pipeline.types import Signal

_QUOTED = re.compile(
    r'"([^"\n]{1,200})"|“([^”\n]{1,200})”|「([^」\n]{1,200})」|『([^』\n]{1,200})』|＂([^＂\n]{1,200})＂'
)
_EXCLUDED = re.compile(
    r'(?<!\S)[-−](?:"([^"\n]{1,100})"|“([^”\n]{1,100})”|(?!\d+(?:\D|$))(?!site:)([^\W_][^\s,，。]{0,60}))'
)
_SITE = re.compile(r"(?<!\S)(-?)site[:：]\s?([^\s,，]+)", re.IGNORECASE)
_HANDLE = re.compile(r"(?<![\w@./])[@＠](\w{1,30})", re.ASCII)
_HOST = re.compile(r"^(?:[a-z]+://)?(?:www\.)?([^/\s]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Operators:
    phrases: tuple[str, ...]
    excluded: tuple[str, ...]
    sites: tuple[str, ...]
    handles: tuple[str, ...]
    signals: tuple[Signal, ...]
    bare: str
    """The text with -excluded and site: blanked out; quotes and handles stay."""
    masked: str
    """The text with quoted phrases and handles blanked out too, for reading times and subjects."""


def read_operators(text: str) -> Operators:
    """Operators of `text`; both returned texts have its length."""
    signals: list[Signal] = []
    excluded: list[str] = []
    sites: list[str] = []
    for found in _SITE.finditer(text):
        host = _HOST.match(found[2].lower())
        if host is not None:
            (excluded if found[1] else sites).append(host[1])
            signals.append(_signal("site", found, f"{'without' if found[1] else 'only'} {host[1]}"))
    bare = blank(text, ((s.start, s.end) for s in signals))
    outs = list(_EXCLUDED.finditer(bare))
    for found in outs:
        word = _group(found)
        excluded.append(word)
        signals.append(_signal("excluded", found, f"without “{word}”"))
    bare = blank(bare, (found.span() for found in outs))
    quotes = list(_QUOTED.finditer(bare))
    handles = list(_HANDLE.finditer(bare))
    signals += [_signal("phrase", found, "as a phrase") for found in quotes]
    signals += [_signal("handle", found, "an account named by you") for found in handles]
    return Operators(
        phrases=_unique(_group(found).strip() for found in quotes),
        excluded=_unique(excluded),
        sites=_unique(sites),
        handles=_unique(found[1] for found in handles),
        signals=tuple(signals),
        bare=bare,
        masked=blank(bare, (found.span() for found in (*quotes, *handles))),
    )


def blank(text: str, places: Iterable[tuple[int, int]]) -> str:
    """The text with these stretches as spaces."""
    for start, end in places:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _group(found: re.Match[str]) -> str:
    return next((part for part in found.groups() if part), "")


def _signal(kind: str, found: re.Match[str], says: str) -> Signal:
    return Signal(kind=kind, text=found.group().strip(), start=found.start(), end=found.end(), says=says)


def _unique(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in words if word))
