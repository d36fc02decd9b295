"""A corpus read once for context mode: the words of each post.

A text is cut at its blanks. What a piece holds is looked up in a lexicon that the process keeps ("cities," holds the
stem "city"), so that only a new piece is taken apart. The words of a link stand there each after a stroke ("/..."),
and the link itself as "/".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, count
from sys import byteorder
from typing import TYPE_CHECKING

from pipeline.text import HAN, stopwords
from pipeline.xlane.query import WORD
from pipeline.xlane.stems import stem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pipeline.types import Flags

    Places = NDArray[np.signedinteger]

LINKED = "/"
"""Stands for a link, beside the words of its path."""
_SKIPPED = re.compile(r"https?://\S+|@\w+")
_LINK = re.compile(r"https?://(?:www\.)?[^\s/]*/?(\S*)")
_LINK_WORD = re.compile(r"[a-z]{3,}")
_ACCOUNT = re.compile(r"@\w+")
_AROUND = '.,:;!?()[]{}"*#'
"""What may stand around a word and is none of it."""
_NO_WORDS = frozenset({"rt", "via", "amp", "http", "https", "gt", "lt", "com", "html", "www"})
_BYTES = 4
"""Of a number."""
_ROW = 32
"""Bits of a word's number below that of its row."""
_KEPT = 50_000
"""Pieces that the lexicon keeps from one corpus to the next (8 MB); a fuller one is begun anew."""


class Lexicon(dict[str, bytes]):
    """Lower-case piece without blanks -> the numbers of what it holds, as int32."""

    def __init__(self) -> None:
        super().__init__(dict.fromkeys(stopwords() | _NO_WORDS, b""))
        self.numbers: dict[str, bytes] = {}
        """Stem (even numbers) or "/" + stem of a link's word (odd numbers) -> its number; 0 is no word's."""
        self.cut: dict[str, bytes] = {}
        """Piece of a Chinese text -> the numbers of what it holds: kept apart, for one word alone may be cut in two."""
        self._next = count(1)

    def __missing__(self, piece: str) -> bytes:
        bare = piece.strip(_AROUND)
        if not (bare.isalpha() and bare.isascii()):
            found = b"".join([self.numbers.get(name) or self._number(name) for name in self._names(piece, bare)])
        elif bare != piece:
            found = self[bare]
        else:
            name = stem(bare)
            found = self.numbers.get(name) or self._number(name)
        self[piece] = found
        return found

    def _number(self, name: str) -> bytes:
        number = 2 * next(self._next) + (name[0] == LINKED)
        return self.numbers.setdefault(name, number.to_bytes(_BYTES, byteorder))  # the first of two threads wins

    def _names(self, piece: str, bare: str) -> list[str]:
        """What a piece holds that is no plain word: a link, an account, or several things."""
        if piece[:4] == "http" and "#" not in piece and (link := _LINK.match(piece)):
            return [LINKED, *_link_words(link[1])]
        if bare[:1] == "@" and _ACCOUNT.fullmatch(bare):
            return []
        return _taken_apart(piece)

    def chinese(self, texts: Sequence[str]) -> dict[int, bytes]:
        """Row -> the numbers of a text that is Chinese. All new pieces are cut at once, a third cheaper."""
        rows = {row: text.split() for row, text in enumerate(texts) if not text.isascii() and HAN.search(text)}
        look, join = self.__getitem__, b"".join
        if new := [piece for piece in dict.fromkeys(chain.from_iterable(rows.values())) if piece not in self.cut]:
            words = dict(zip(new, map(str.split, _spaced(new)), strict=True))
            self.cut.update((piece, join(map(look, words[piece] if HAN.search(piece) else [piece]))) for piece in new)
        return {row: join(map(self.cut.__getitem__, pieces)) for row, pieces in rows.items()}


@dataclass(frozen=True, slots=True)
class Reading:
    """N texts as numbers of words; M times a text holds a word, none twice."""

    texts: Sequence[bytes]
    """[N] the numbers of each, in order; a word may occur twice"""
    words: Places
    """[M]"""
    rows: Places
    """[M] whose they are, ascending"""
    held_by: Places
    """[size] number of texts that hold each word"""
    numbers: Mapping[str, bytes]

    @property
    def size(self) -> int:
        """Above every number."""
        return len(self.held_by)

    def matrix(self, numbers: Sequence[int]) -> Flags:
        """[len(numbers), N] which texts hold which of the words."""
        import numpy as np

        table = np.full(self.size, -1, np.int32)
        table[numbers] = np.arange(len(numbers))
        places = table[self.words]
        here = np.flatnonzero(places >= 0)
        found = np.zeros((len(numbers), len(self.texts)), bool)
        found[places[here], self.rows[here]] = True
        return found

    def number(self, name: str) -> int:
        """Of a word; 0 for one that is in none of the texts."""
        number = int.from_bytes(self.numbers.get(name, b""), byteorder)
        return number if number < self.size else 0

    def of(self, rows: Places) -> Places:
        """The words of some texts in order of appearance, none twice."""
        import numpy as np

        text = b"".join([self.texts[row] for row in rows.tolist()])
        return np.array(list(dict.fromkeys(memoryview(text).cast("i"))), np.intp)


def read(texts: Sequence[str]) -> Reading:
    """Read lower-case texts. Linear in their length."""
    import numpy as np

    lexicon = _lexicon()
    look, join = lexicon.__getitem__, b"".join
    chinese = lexicon.chinese(texts)
    found = [chinese[row] if row in chinese else join(map(look, text.split())) for row, text in enumerate(texts)]
    rows = np.repeat(np.arange(len(texts)), [len(one) // _BYTES for one in found])
    once = np.sort((rows << _ROW) | np.frombuffer(join(found), np.int32))  # a tenth of the cost of np.unique
    first = np.ones(len(once), bool)
    np.not_equal(once[1:], once[:-1], out=first[1:])
    once = once[first]
    words = once & ((1 << _ROW) - 1)
    return Reading(found, words, once >> _ROW, np.bincount(words, minlength=1), lexicon.numbers)


_kept = Lexicon()


def _lexicon() -> Lexicon:
    """The one in use, or a new one; a corpus keeps the one it was read with."""
    if len(_kept) + len(_kept.cut) > _KEPT:
        forget()
    return _kept


def forget() -> None:
    """Begin the lexicon anew."""
    global _kept
    _kept = Lexicon()


def _spaced(pieces: Sequence[str]) -> list[str]:
    """Pieces with blanks between their words; links and accounts, whole, at the end."""
    import rjieba

    skipped = [" ".join(_SKIPPED.findall(piece)) for piece in pieces]
    bare = "\n".join([_SKIPPED.sub(" ", piece).replace("_", " ") for piece in pieces])
    words = " ".join(rjieba.cut(bare)).split("\n")
    return [f"{cut} {rest}" for cut, rest in zip(words, skipped, strict=True)]


def _taken_apart(piece: str) -> list[str]:
    skips = "http" in piece or "@" in piece
    found = _stems(WORD.findall(_SKIPPED.sub(" ", piece) if skips else piece))
    if "http" in piece and (links := _LINK.findall(piece)):
        found += [LINKED, *_link_words(" ".join(links))]
    return found


def _link_words(path: str) -> list[str]:
    return [LINKED + one for one in _stems(_LINK_WORD.findall(path))]


def _stems(words: Iterable[str]) -> list[str]:
    silent = _silent()
    return [stem(word) for word in words if word not in silent]


@cache
def _silent() -> frozenset[str]:
    return stopwords() | _NO_WORDS
