"""A corpus read once for context mode: which stems, hash-tags and words of links each post holds, as flat arrays.

A text is cut at its blanks. Every distinct piece is looked at once ("cities," is the stem "city"), and kept for the
next corpus; the rest is counting numbers. A piece that is more than one plain word is written " stem stem #tag /word":
a hash-tag whole, the words of a link each after a stroke, the link itself as "/".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.text import HAN, stopwords, tokens
from pipeline.xlane.query import WORD
from pipeline.xlane.stems import stem

if TYPE_CHECKING:
    from pipeline.types import Flags, Ints

LINKED = "/"
"""Stands for a link, beside the words of its path."""
NO_WORD = ("", " ", "#", LINKED)
"""First letters of what is no stem."""
_SKIPPED = re.compile(r"https?://\S+|@\w+")
_LINK = re.compile(r"https?://(?:www\.)?[^\s/]*/?(\S*)")
_LINK_WORD = re.compile(r"[a-z]{3,}")
_TAG = re.compile(r"#(\w+)")
_NO_WORDS = frozenset({"rt", "via", "amp", "http", "https", "gt", "lt", "com", "html", "www"})
_KEPT_PIECES, _KEPT_CHARS = 200_000, 24
"""What is kept for the next corpus: at most so many pieces (30 MB), none longer; links hardly come back."""


@dataclass(frozen=True, slots=True)
class Reading:
    """N texts as pairs (row, number), in no order; a pair may occur twice."""

    count: int
    """N"""
    numbers: dict[str, int]
    """[V] stem, "#" + hash-tag, "/" + stem of a link's word, "/" -> its number; "" and pieces of several words too."""
    names: list[str]
    """[V] number -> the same"""
    rows: Ints
    """[M]"""
    stems: Ints
    """[M]"""

    def holds(self, wanted: Sequence[str]) -> Flags:
        """[N] posts that hold any of `wanted`."""
        import numpy as np

        found = np.zeros(self.count, bool)
        asked = [self.numbers[one] for one in wanted if one in self.numbers]
        if asked:
            table = np.zeros(len(self.names), bool)
            table[asked] = True
            found[self.rows[table[self.stems]]] = True
        return found

    def tags(self) -> list[str]:
        """The distinct hash-tags, with their "#"."""
        return [one for one in self.names if one[:1] == "#"]

    def matrix(self, numbers: Ints) -> Flags:
        """[len(numbers), N] which posts hold which of the words."""
        import numpy as np

        line = np.full(len(self.names), -1, np.int32)
        line[numbers] = np.arange(len(numbers), dtype=np.int32)
        here = np.flatnonzero((line >= 0)[self.stems])
        found = np.zeros((len(numbers), self.count), bool)
        found[line[self.stems[here]], self.rows[here]] = True
        return found


def read(texts: Sequence[str]) -> Reading:
    """Read lower-case texts. Linear in their length."""
    import numpy as np

    pieces: list[str] = []
    lengths: list[int] = []
    look = _PIECES.__getitem__
    for text in texts:
        parts = text.split()
        lengths.append(len(parts))
        pieces += map(look, parts)
    distinct = dict.fromkeys(pieces)
    numbers = dict(zip(distinct, range(len(distinct)), strict=True))
    stems = np.fromiter(map(numbers.__getitem__, pieces), np.int32, len(pieces))
    rows = np.repeat(np.arange(len(texts), dtype=np.int32), lengths)
    several = [one for one in distinct if one[:1] == " "]
    if several:
        rows, stems = _apart(rows, stems, several, numbers)
    return Reading(len(texts), numbers, list(numbers), rows, stems)


def _apart(rows: Ints, stems: Ints, several: Sequence[str], numbers: dict[str, int]) -> tuple[Ints, Ints]:
    """The pairs with every piece that is several words replaced by its words; their numbers are added."""
    import numpy as np

    place = np.full(len(numbers), -1, np.int32)
    place[[numbers[one] for one in several]] = np.arange(len(several))
    words = [[numbers.setdefault(word, len(numbers)) for word in one.split()] for one in several]
    sizes = np.fromiter(map(len, words), np.int64, len(words))
    flat = np.fromiter((word for group in words for word in group), np.int32, int(sizes.sum()))
    which = place[stems]
    of_piece = which >= 0
    which = which[of_piece]
    repeated = sizes[which]
    begins = np.cumsum(sizes) - sizes
    within = np.arange(int(repeated.sum())) - np.repeat(np.cumsum(repeated) - repeated, repeated)
    more = flat[np.repeat(begins[which], repeated) + within]
    return (
        np.concatenate([rows[~of_piece], np.repeat(rows[of_piece], repeated)]),
        np.concatenate([stems[~of_piece], more]),
    )


class _Pieces(dict[str, str]):
    """Lower-case piece without blanks -> its stem, "" for one that says nothing, " ..." for several words."""

    def __missing__(self, piece: str) -> str:
        found = _stem(piece) if piece.isascii() and piece.isalpha() else _several(piece)
        if len(piece) <= _KEPT_CHARS:
            if len(self) >= _KEPT_PIECES:
                self.clear()
            self[piece] = found
        return found


_PIECES = _Pieces()


def _several(piece: str) -> str:
    skips = "http" in piece or "@" in piece
    bare = _SKIPPED.sub(" ", piece) if skips else piece
    words = tokens(bare) if not bare.isascii() and HAN.search(bare) else WORD.findall(bare)
    found = [one for one in map(_stem, words) if one]
    if "#" in piece:
        found += [f"#{tag}" for tag in _TAG.findall(piece)]
    if "http" in piece and (links := _LINK.findall(piece)):
        found.append(LINKED)
        found += [LINKED + one for one in map(_stem, _LINK_WORD.findall(" ".join(links))) if one]
    if len(found) == 1 and found[0][0] not in "#/":
        return found[0]
    return f" {' '.join(found)}" if found else ""


def _stem(word: str) -> str:
    return "" if word in _NO_WORDS or word in stopwords() else stem(word)
