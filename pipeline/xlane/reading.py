"""A corpus read once for context mode: which stems, hash-tags and words of links each post holds, as flat arrays.

A text is cut at its blanks. What a piece holds is looked up in a lexicon that the process keeps ("cities," is the
stem "city"), so that only a new piece is taken apart; the rest is counting numbers. A hash-tag is there whole ("#..."),
the words of a link each after a stroke ("/..."), and the link itself as "/".
"""

from __future__ import annotations

import re
import threading
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from pipeline.text import HAN, stopwords, tokens
from pipeline.xlane.query import WORD
from pipeline.xlane.stems import stem

if TYPE_CHECKING:
    from pipeline.types import Flags, Ints

LINKED = "/"
"""Stands for a link, beside the words of its path."""
_SKIPPED = re.compile(r"https?://\S+|@\w+")
_LINK = re.compile(r"https?://(?:www\.)?[^\s/]*/?(\S*)")
_LINK_WORD = re.compile(r"[a-z]{3,}")
_TAG = re.compile(r"#(\w+)")
_ACCOUNT = re.compile(r"@\w+")
_AROUND = '.,:;!?()[]{}"*'
"""What may stand around a word and is none of it."""
_NO_WORDS = frozenset({"rt", "via", "amp", "http", "https", "gt", "lt", "com", "html", "www"})
_KEPT = 50_000
"""Pieces that the lexicon keeps from one corpus to the next (8 MB); a fuller one is begun anew."""


class Lexicon(dict[str, int]):
    """Lower-case piece without blanks -> the number of its stem, or ~ the place of several in `several`."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        """Stem (even numbers); "#" + hash-tag, "/" + stem of a link's word, "/", "" of nothing (odd numbers)."""
        self.several: list[tuple[int, ...]] = []
        self.tags: dict[int, tuple[str, ...]] = {}
        """Place in `several` -> its hash-tags, with their "#"."""
        self._lock = threading.Lock()

    def __missing__(self, piece: str) -> int:
        names = _names(piece)
        with self._lock:
            if len(names) == 1:
                found = self._number(names[0])
            else:
                place = len(self.several)
                self.several.append(tuple(map(self._number, names)))
                if tags := tuple(name for name in names if name[:1] == "#"):
                    self.tags[place] = tags
                found = ~place
            self[piece] = found
        return found

    def tags_of(self, places: Sequence[int]) -> tuple[str, ...]:
        """The distinct hash-tags among some of `several`, with their "#"."""
        return tuple(dict.fromkeys(tag for place in places for tag in self.tags.get(place, ())))

    def _number(self, name: str) -> int:
        return self.numbers.setdefault(name, 2 * len(self.numbers) + (name[:1] in ("", "#", LINKED)))


@dataclass(frozen=True, slots=True)
class Reading:
    """N texts as pairs (row, number of the lexicon), in no order; a pair may occur twice."""

    count: int
    """N"""
    rows: Ints
    """[M]"""
    stems: Ints
    """[M]"""
    tags: tuple[str, ...]
    """The distinct hash-tags, with their "#"."""
    lexicon: Lexicon
    size: int
    """Above every number in it."""

    def holds(self, names: Sequence[str]) -> Flags:
        """[N] posts that hold any of `names`."""
        import numpy as np

        found = np.zeros(self.count, bool)
        numbers = [self.lexicon.numbers.get(name, self.size) for name in names]
        asked = [number for number in numbers if number < self.size]
        if asked:
            table = np.zeros(self.size, bool)
            table[asked] = True
            found[self.rows[table[self.stems]]] = True
        return found

    def matrix(self, numbers: Ints) -> Flags:
        """[len(numbers), N] which posts hold which of the words."""
        import numpy as np

        line = np.full(self.size, -1, np.int32)
        line[numbers] = np.arange(len(numbers), dtype=np.int32)
        lines = line[self.stems]
        here = np.flatnonzero(lines >= 0)
        found = np.zeros((len(numbers), self.count), bool)
        found[lines[here], self.rows[here]] = True
        return found


def read(texts: Sequence[str]) -> Reading:
    """Read lower-case texts. Linear in their length."""
    import numpy as np

    lexicon = _lexicon()
    look = lexicon.__getitem__
    flat, lengths = array("i"), []
    for text in texts:
        pieces = text.split()
        lengths.append(len(pieces))
        flat.extend(map(look, pieces))
    stems = np.frombuffer(flat, np.int32) if flat else np.empty(0, np.int32)
    rows = np.repeat(np.arange(len(texts), dtype=np.int32), lengths)
    tags: tuple[str, ...] = ()
    if len(stems) and stems.min() < 0:
        rows, stems, tags = _apart(rows, stems, lexicon)
    return Reading(len(texts), rows, stems, tags, lexicon, 2 * len(lexicon.numbers))


def _apart(rows: Ints, stems: Ints, lexicon: Lexicon) -> tuple[Ints, Ints, tuple[str, ...]]:
    """The pairs with every piece of several words replaced by its words, and the hash-tags among these."""
    import numpy as np

    here = np.flatnonzero(stems < 0)
    places, which = np.unique(~stems[here], return_inverse=True)
    groups = [lexicon.several[place] for place in places.tolist()]
    sizes = np.fromiter(map(len, groups), np.int64, len(groups))
    flat = np.fromiter((number for group in groups for number in group), np.int32, int(sizes.sum()))
    repeated = sizes[which]
    begins = np.cumsum(sizes) - sizes
    within = np.arange(int(repeated.sum())) - np.repeat(np.cumsum(repeated) - repeated, repeated)
    more = flat[np.repeat(begins[which], repeated) + within]
    single = stems >= 0
    return (
        np.concatenate([rows[single], np.repeat(rows[here], repeated)]),
        np.concatenate([stems[single], more]),
        lexicon.tags_of(places.tolist()),
    )


_kept = Lexicon()


def _lexicon() -> Lexicon:
    """The one in use, or a new one; a corpus keeps the one it was read with."""
    if len(_kept) > _KEPT:
        forget()
    return _kept


def forget() -> None:
    """Begin the lexicon anew."""
    global _kept
    _kept = Lexicon()


def _names(piece: str) -> list[str]:
    """What a piece holds: [""] for nothing. The common forms first: a word, a link, a hash-tag, an account."""
    bare = piece.strip(_AROUND)
    if bare.isascii() and bare.isalpha() and "http" not in bare:
        return [_stem(bare)]
    if piece[:4] == "http" and "#" not in piece and (link := _LINK.match(piece)):
        return [LINKED, *_link_words(link[1])]
    if bare[:1] == "#" and bare.isascii() and bare[1:].isalnum():
        return [one for one in (_stem(bare[1:]), bare) if one]
    if bare[:1] == "@" and _ACCOUNT.fullmatch(bare):
        return [""]
    return _taken_apart(piece) or [""]


def _taken_apart(piece: str) -> list[str]:
    skips = "http" in piece or "@" in piece
    bare = _SKIPPED.sub(" ", piece) if skips else piece
    words = tokens(bare) if not bare.isascii() and HAN.search(bare) else WORD.findall(bare)
    found = [one for one in map(_stem, words) if one]
    if "#" in piece:
        found += [f"#{tag}" for tag in _TAG.findall(piece)]
    if "http" in piece and (links := _LINK.findall(piece)):
        found += [LINKED, *_link_words(" ".join(links))]
    return found


def _link_words(path: str) -> list[str]:
    return [LINKED + one for one in map(_stem, _LINK_WORD.findall(path)) if one]


def _stem(word: str) -> str:
    return "" if word in _silent() else stem(word)


@cache
def _silent() -> frozenset[str]:
    return stopwords() | _NO_WORDS
